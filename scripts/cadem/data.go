package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cadem.example/core/base/property"
	"cadem.example/core/formats"
	"cadem.example/core/synth/examples"
)

// isExample reports whether data are an example, not files.
func isExample(names []string) bool {
	if len(names) != 1 {
		return false
	}
	_, err := examples.Lookup(names[0])
	return err == nil
}

func wantData() string {
	return "one of the examples " + strings.Join(examples.Names(), ", ") + ", or files"
}

// titles are the names of files without their folders, unless two would have the same.
func titles(names []string) []string {
	seen := map[string]int{}
	for _, name := range names {
		seen[filepath.Base(name)]++
	}
	var titles []string
	for _, name := range names {
		title := filepath.Base(name)
		if seen[title] > 1 {
			title = filepath.ToSlash(filepath.Clean(name))
		}
		titles = append(titles, title)
	}
	return titles
}

// readFiles reads files.
func (p *program) readFiles(names []string) ([]formats.File, error) {
	var files []formats.File
	called := titles(names)
	for k, name := range names {
		info, err := statFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			example, _, _ := strings.Cut(name, ":")
			if len(names) > 1 && slices.Contains(examples.Names(), example) {
				other := names[(k+1)%len(names)]
				return nil, misuse("found %s beside the example %s, expected one example or files; every option has a -set of its own", other, name)
			}
			return nil, misuse("found no file %s, expected %s%s", name, wantData(), property.Meant(example, examples.Names()))
		}
		if err == nil {
			err = p.reads(name)
		}
		if err != nil {
			return nil, err
		}
		if info.Size() > formats.MaxFile {
			// The reader says what is wrong with the size; nothing is read for that.
			files = append(files, formats.File{Name: called[k], Reader: bytes.NewReader(nil), Size: info.Size()})
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, formats.File{Name: called[k], Data: data})
	}
	return files, nil
}

// openFiles opens files to be read from front to back; done closes them.
func openFiles(names []string) (files []formats.File, done func(), err error) {
	var open []*os.File
	done = func() {
		for _, f := range open {
			f.Close()
		}
	}
	called := titles(names)
	for k, name := range names {
		info, err := statFile(name)
		if err != nil {
			return nil, done, err
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, done, err
		}
		open = append(open, f)
		files = append(files, formats.File{Name: called[k], Reader: f, Size: info.Size()})
	}
	return files, done, nil
}
