package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cadem/core/diag"
	"cadem/core/run"
	"cadem/scripts/cadem/console"
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

// apart refuses a report that would replace a file of the order, or stored results of its tasks.
func (l *library) apart(out string, kept *cabinet) error {
	if out == "" {
		return nil
	}
	var names []string
	if l != nil {
		names = append(names, l.Tables...)
		for _, f := range l.Files {
			names = append(names, f.Path)
		}
	}
	if kept.dir != "" {
		files, err := filepath.Glob(filepath.Join(kept.dir, "*"+resultEnding)) // the plan, too
		if err != nil {
			return err
		}
		names = append(names, files...)
	}
	var err error
	for _, file := range append(besides(out), out) {
		err = errors.Join(err, console.CheckApart("-out", file, names...))
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
		data, err := os.ReadFile(at[s])
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
