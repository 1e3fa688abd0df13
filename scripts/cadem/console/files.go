package console

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
)

// CheckOutput checks, before hours are spent on it, whether a result can be written to the file
// that a flag names: its folder is there and takes files, it is not a folder itself, and its
// ending is one of endings, which begin with a point; without endings any will do. The error is
// a [*diag.Error].
func CheckOutput(flag, name string, endings ...string) error {
	bad := func(found, expected string) error {
		return diag.Option(flag, found, expected)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return bad(fmt.Sprintf("%s, which is a folder", name), "a file")
	} else if err == nil && !info.Mode().IsRegular() {
		return bad(fmt.Sprintf("%s, which is a device or a pipe", name), "a file")
	}
	if ext := strings.ToLower(filepath.Ext(name)); len(endings) > 0 && !slices.Contains(endings, ext) {
		return bad(fmt.Sprintf("%q", name), "a file that ends in "+strings.Join(endings, ", "))
	}
	to, err := target(name)
	if err == nil {
		err = CheckFolder(filepath.Dir(to))
	}
	if err != nil {
		return bad(fmt.Sprintf("%s: %v", name, reason(err)), "a file in a folder that can be written to")
	}
	return nil
}

// CheckApart refuses a result that would replace a file that is read, or another result, however
// the two paths are written: through links, or from another folder. The error is a [*diag.Error].
func CheckApart(flag, name string, others ...string) error {
	to, err := target(name)
	if err != nil {
		return diag.Option(flag, fmt.Sprintf("%s: %v", name, reason(err)), "a file in a folder that can be written to")
	}
	is, _ := os.Stat(to) // nil: not there yet
	for _, other := range others {
		at, err := target(other)
		if err != nil {
			continue // who reads it says so
		}
		if info, err := os.Stat(at); to == at || err == nil && os.SameFile(is, info) {
			return diag.Option(flag, fmt.Sprintf("%s, which is %s and would be replaced", name, other), "another file")
		}
	}
	return nil
}

// target returns the file that a path means, whether it is there yet or not: the end of its links, by the one path that has none.
func target(name string) (string, error) {
	const most = 40 // links, as on Linux
	for range most {
		dir, base := filepath.Split(name)
		dir, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
		if err == nil {
			dir, err = filepath.Abs(dir)
		}
		if err != nil {
			return "", err
		}
		name = filepath.Join(dir, base)
		to, err := os.Readlink(name)
		if err != nil {
			return name, nil // no link; what else is wrong shows when it is opened
		}
		if name = to; !filepath.IsAbs(to) {
			name = dir + string(filepath.Separator) + to // not cleaned: ".." after a link is the parent of what it leads to
		}
	}
	return "", fmt.Errorf("more than %d links, each to the next", most)
}

// CheckFolder reports whether files can be made in a folder, by making one.
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

// Write writes what write gives to a file, as [WriteFile] does.
func Write(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return WriteFile(name, b.Bytes())
}

// WriteFile writes a file whole or not at all, also where several programs, on several machines,
// write it at once: each writes a file of its own beside it, and the last one takes its place. Links
// stay, and so do the permissions of a file that was there; a new one has those that the umask leaves.
func WriteFile(name string, data []byte) error {
	name, err := target(name)
	if err != nil {
		return err
	}
	part := filepath.Join(filepath.Dir(name), ".cadem-"+rand.Text()+".part")
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // less the umask
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if info, before := os.Stat(name); err == nil && before == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync() // a name must not outlive, in a crash, what stands under it
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		os.Remove(part) // half of it is of no use, where the disk is full
	}
	return err
}
