package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cadem.example/core/base/diag"
	"cadem.example/core/lab/run"
)

// A library knows the paths of the files of an order. A file is read when a task needs it, and has
// to be unchanged since the order was made.
type library struct {
	Files  []located `json:"files"`
	Tables []string  `json:"tables,omitempty"` // paths of the tables that name them
}

// A located file is one of an order with its place.
type located struct {
	run.FileSpec
	Path string `json:"path"`
}

// describeFile names a file by its contents.
func describeFile(name, path string) (run.FileSpec, error) {
	if _, err := statFile(path); err != nil {
		return run.FileSpec{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return run.FileSpec{}, err
	}
	defer f.Close()
	return run.Describe(name, f)
}

func (l *library) add(s run.FileSpec, path string) {
	l.Files = append(l.Files, located{s, anywhere(path)})
}

// anywhere returns a path that holds in other folders, too, where tasks may run.
func anywhere(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// known notes the files of an order that was read from a plan.
func (l *library) known(p *program) error {
	var err error
	for _, name := range l.Tables {
		err = errors.Join(err, p.reads(name))
	}
	for _, f := range l.Files {
		err = errors.Join(err, p.reads(f.Path))
	}
	return err
}

// contents gives tasks the contents of files; nil if there are none.
func (l *library) contents() *run.Files {
	if l == nil || len(l.Files) == 0 {
		return nil
	}
	at := map[run.FileSpec]string{}
	for _, f := range l.Files {
		at[f.FileSpec] = f.Path
	}
	return &run.Files{Read: func(s run.FileSpec) ([]byte, error) {
		data, err := readFile(at[s])
		if err != nil {
			return nil, err
		}
		if now, _ := run.Describe(s.Name, bytes.NewReader(data)); now != s { // memory does not fail
			return nil, &diag.Error{File: at[s], Found: fmt.Sprintf("%d bytes with the sum %s", now.Size, now.Sum),
				Expected: fmt.Sprintf("%d bytes with the sum %s, as when the study was ordered", s.Size, s.Sum)}
		}
		return data, nil
	}}
}
