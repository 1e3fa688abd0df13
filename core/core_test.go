// Package core_test holds what is asked of all packages of the core together.
package core_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The core runs in a browser, in tests and on the command line: it may import nothing that
// knows where it is.
func TestCoreIsPure(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		seen++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if file.Name.Name == "main" {
			return nil // go:generate's command, which writes files
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			for _, bad := range []string{"syscall", "os", "net", "unsafe", "math/rand", "time"} {
				// The bit generator of math/rand/v2 is integer arithmetic; only core/base/rng uses it.
				if name == "math/rand/v2" && filepath.ToSlash(filepath.Dir(path)) == "base/rng" {
					continue
				}
				// It measures in tests alone, and waits for what they left running.
				if name == "time" && filepath.ToSlash(filepath.Dir(path)) == "base/frugal" {
					continue
				}
				// The places that hand addresses to the vector kernels, and the one that takes the bytes of a file as text.
				if name == "unsafe" && slices.Contains([]string{"base/kernel/vector_wasm.go", "base/kernel/vector_simd.go", "internal/input/view.go"},
					filepath.ToSlash(path)) {
					continue
				}
				if name == bad || strings.HasPrefix(name, bad+"/") {
					t.Errorf("%s imports %s", path, name)
				}
			}
		}
		return nil
	})
	if err != nil || seen < 20 {
		t.Fatalf("%d files read: %v", seen, err)
	}
}

// A product that feeds a sum may be fused with it on machines that can, which changes the
// bits. The compiler for arm64 always does, and that for amd64 where it may suppose a recent
// machine; what they emit for the core must hold none. Only the kernels have files of their own for amd64: the rest, in which arm64
// fuses whatever amd64 does, is compiled for it with CADEM_LONG.
func TestNothingIsFused(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not here")
	}
	own := "./base/kernel/..."
	if os.Getenv("CADEM_LONG") != "" {
		own = "./..."
	}
	fused := regexp.MustCompile(`\(([^()]*\.go:\d+)\)\s+V?FN?M(ADD|SUB)`)
	for _, c := range []struct {
		machine       []string
		path, product string
	}{
		{[]string{"GOARCH=arm64", "GOEXPERIMENT="}, "./...", "FMULS"},
		{[]string{"GOARCH=amd64", "GOAMD64=v3", "GOEXPERIMENT=simd"}, own, "VMULPS"},
	} {
		build := exec.Command("go", "build", "-gcflags=cadem.example/core/...=-S", c.path)
		build.Env = append(append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0"), c.machine...)
		out, err := build.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%.2000s", c.machine, err, out)
		}
		if !bytes.Contains(out, []byte(c.product)) {
			t.Fatalf("%v: the listing holds no %s: it is not what this test reads", c.machine, c.product)
		}
		lines := map[string]bool{}
		for line := range bytes.Lines(out) { // of a hundred megabytes
			if !bytes.Contains(line, []byte("MADD")) && !bytes.Contains(line, []byte("MSUB")) ||
				bytes.Contains(line, []byte("/cadem/reference/")) { // compared within a tolerance; no result comes from it
				continue
			}
			if m := fused.FindStringSubmatch(string(line)); m != nil {
				lines[filepath.Base(filepath.Dir(m[1]))+"/"+filepath.Base(m[1])] = true
			}
		}
		for line := range lines {
			t.Errorf("%v: %s: a product is fused with a sum; convert it explicitly", c.machine, line)
		}
	}
}
