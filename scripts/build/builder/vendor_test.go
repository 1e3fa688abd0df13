package builder

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVendored compares every file of a library with the sum that pins it, and the versions with the list for people.
func TestVendored(t *testing.T) {
	const vendor = "../../../www/vendor"
	sums := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(read(t, vendor, "SHA256SUMS")))
	for lines.Scan() {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			t.Fatalf("SHA256SUMS: %q (expected what sha256sum prints)", lines.Text())
		}
		sums[name] = sum
	}
	found := map[string]bool{}
	err := filepath.WalkDir(vendor, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(vendor, path)
		name = filepath.ToSlash(name)
		if err != nil || d.IsDir() || name == "README.md" || name == "SHA256SUMS" {
			return err
		}
		found[name] = true
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, path)))); sum != sums[name] {
			t.Errorf("%s has the sum %s, SHA256SUMS says %q", name, sum, sums[name])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range sums {
		if !found[name] {
			t.Errorf("SHA256SUMS has %s, which is not there", name)
		}
	}
	if len(found) == 0 {
		t.Error("no library is there")
	}
	version := regexp.MustCompile(`\(v([0-9.]+)\)`).FindStringSubmatch(read(t, vendor, "uplot", "uPlot.esm.js"))
	if version == nil || !strings.Contains(read(t, vendor, "README.md"), "uPlot "+version[1]) {
		t.Errorf("README.md does not name the version of uPlot, which is %q", version)
	}
}

// TestLockFiles keeps the address of a registry, which is a machine's own setting, out of the lock files.
func TestLockFiles(t *testing.T) {
	for _, dir := range []string{"../../../www", "../../bench/tfjs"} {
		b, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
		if err != nil {
			t.Fatal(err)
		}
		var lock struct {
			Packages map[string]struct{ Resolved, Integrity string }
		}
		if err := json.Unmarshal(b, &lock); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		if len(lock.Packages) < 2 {
			t.Errorf("%s: no packages are pinned", dir)
		}
		for name, p := range lock.Packages {
			if p.Resolved != "" || (name != "" && p.Integrity == "") {
				t.Errorf("%s: %q is resolved to %q and has the sum %q, expected a sum alone", dir, name, p.Resolved, p.Integrity)
			}
		}
	}
}
