package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPathWithSpaces runs a test with the kernels, as the Makefile does it, from a copy whose path has spaces.
func TestPathWithSpaces(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	root := filepath.Join(t.TempDir(), "my copy of it")
	for _, name := range []string{"core/base/diag", "core/base/kernel", "scripts/wasmtest"} {
		if err := os.CopyFS(filepath.Join(root, name), os.DirFS(filepath.Join("../..", name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"Makefile", "go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("make", "-C", root, "--eval",
		`spaces: ; $(BROWSER) go test -tags noasm,simd -exec "$(SIMD)" -run 'TestWrongShapesPanic$$' -v ./core/base/kernel`, "spaces").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "with SIMD kernels") || !strings.Contains(string(out), "--- PASS: TestWrongShapesPanic") {
		t.Errorf("%v\n%s", err, out)
	}
}
