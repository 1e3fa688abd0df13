package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// transpiled copies the page and the scripts of its tests to a folder where node can run them, which reads no TypeScript. Paths
// from one to the other are those of the checkout. It returns the folder.
func transpiled(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, from := range []string{"www", "scripts/wasmtest"} {
		err = filepath.WalkDir(filepath.Join(root, from), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			to := filepath.Join(dir, rel)
			switch ext := filepath.Ext(path); {
			case d.IsDir() && d.Name() == "node_modules":
				return filepath.SkipDir
			case d.IsDir():
				return os.MkdirAll(to, 0o755)
			case ext == ".go" || strings.HasSuffix(path, ".d.ts"):
				return nil
			}
			b, err := scriptOf(path)
			if err != nil {
				return err
			}
			if stem, ok := strings.CutSuffix(to, ".ts"); ok {
				to = stem + ".js"
			}
			return os.WriteFile(to, b, 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "core"), filepath.Join(dir, "core")); err != nil {
		t.Fatal(err)
	}
	return dir
}
