package console

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cadem/core/diag"
)

// CheckOutput tells, before hours are spent on it, whether a result can be written to the file
// that a flag names: its folder is there and takes files, it is no folder itself, and its
// ending is one of endings, which begin with a point; without endings any will do. The error is
// a [*diag.Error].
func CheckOutput(flag, name string, endings ...string) error {
	bad := func(found, expected string) error {
		return diag.Option(flag, found, expected)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return bad(fmt.Sprintf("%s, which is a folder", name), "a file")
	}
	if ext := strings.ToLower(filepath.Ext(name)); len(endings) > 0 && !slices.Contains(endings, ext) {
		return bad(fmt.Sprintf("%q", name), "a file that ends in "+strings.Join(endings, ", "))
	}
	dir := filepath.Dir(name)
	if err := CheckFolder(dir); err != nil {
		return bad(fmt.Sprintf("%s: %v", name, err), "a file in a folder that can be written to")
	}
	return nil
}

// CheckFolder tells whether files can be made in a folder, by making one.
func CheckFolder(dir string) error {
	f, err := os.CreateTemp(dir, ".cadem-*")
	if err != nil {
		return reason(err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// reason takes the names of files, which the user did not choose, out of an error.
func reason(err error) error {
	if e, ok := err.(*os.PathError); ok {
		return e.Err
	}
	return err
}

// WriteFile writes a file whole or not at all, also where several programs, on several machines,
// write it at once: each writes a file of its own beside it, and the last one takes its place.
func WriteFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".cadem-*.part")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync() // a name must not outlive, in a crash, what stands under it
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name()) // half of it is of no use, where the disk is full
	}
	return err
}
