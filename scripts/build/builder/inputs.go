package builder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// inputs are the files and folders that the site is made of. Tests and their
// data are left out, so editing one rebuilds nothing.
var inputs = []string{"go.mod", "go.sum", "LICENSE", "core", "wasm", "www", "scripts/build"}

// hashInputs returns a digest of the compiler's version and of the name and
// contents of every input, and nothing else: two clones agree on it.
func hashInputs(root, goVersion string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, goVersion)
	for _, in := range inputs {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(in)), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := d.Name()
			if d.IsDir() {
				if name == "node_modules" || name == "testdata" || strings.HasPrefix(name, ".") {
					return filepath.SkipDir
				}
				return nil
			}
			if !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".test.mjs") || strings.HasPrefix(name, ".") ||
				strings.HasSuffix(name, "~") {
				return nil
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			return hashFile(h, path, filepath.ToSlash(rel))
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // what a build cannot do without, it names itself
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashFile adds a file with its name and length to the digest.
func hashFile(h io.Writer, path, name string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%s\x00%d\x00", name, fi.Size())
	_, err = io.Copy(h, f)
	return err
}
