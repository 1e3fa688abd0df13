package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/lab/study"
)

// cohortData sets the data of a study of many scans: the scans among files and folders. A table of
// scans adds the files that it names, beside itself. Tasks read their files when they run. Choose
// answers the questions that names of files leave open.
func (p *program) cohortData(o *study.Order, names []string, choose map[string]string, say func(string, ...any)) (*library, error) {
	at := map[string]string{} // paths by the names that files have in the order
	var list []string
	taken := func(name, path string) bool { // by another file
		first, again := at[name]
		return again && filepath.Clean(first) != filepath.Clean(path)
	}
	add := func(name, path string) {
		if _, again := at[name]; !again {
			at[name], list = path, append(list, name)
		}
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			name, _ = filepath.EvalSymlinks(name) // a link to a folder is one
		} else if _, err := statFile(name); err != nil {
			return nil, err
		}
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
				say("not used: %s, which is %s", path, kindOf(info))
				return nil
			}
			inside, err := filepath.Rel(name, path)
			if inside == "." {
				inside = filepath.Base(name)
			}
			if err != nil {
				return err
			}
			if inside = filepath.ToSlash(inside); taken(inside, path) {
				inside = filepath.ToSlash(path) // of two folders
			}
			add(inside, path)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	lib := &library{}
	var files []formats.File
	for k := 0; k < len(list); k++ {
		path := at[list[k]]
		info, err := statFile(path)
		if err == nil {
			err = p.apart(path)
		}
		if err != nil {
			return nil, err
		}
		f := formats.File{Name: list[k], At: onDisk(path), Size: info.Size()}
		files = append(files, f)
		if !connectome.IsCohortTable(f) {
			continue
		}
		lib.Tables = append(lib.Tables, anywhere(path))
		named, err := connectome.FilesOf(f)
		if err != nil {
			return nil, err
		}
		for _, name := range named {
			path := name
			if !filepath.IsAbs(path) {
				path = filepath.Join(filepath.Dir(at[f.Name]), filepath.FromSlash(name))
			}
			if _, err := os.Stat(path); err == nil {
				if taken(name, path) {
					return nil, fmt.Errorf("%s names %s, which is %s, but %s has that name, too; expected one of them", f.Name, name, path, at[name])
				}
				add(name, path)
			}
		}
	}
	found, err := connectome.FindScans(files, choose)
	if err != nil {
		return nil, err
	}
	for _, q := range found.Questions {
		say("%s", q.Said)
	}
	for _, s := range found.Said {
		say("%s", s)
	}
	for _, u := range found.Unused {
		say("not used: %s", u.Text())
	}
	if len(found.Scans) == 0 { // an order without scans would draw some
		return nil, misuse("%s: found no recording or graph of a cohort, expected some", strings.Join(names, ", "))
	}
	o.Cohort, o.Left = found.Scans, found.Left
	for _, name := range found.Files() {
		path := at[found.Before(name)]
		spec, err := describeFile(name, path)
		if err != nil {
			return nil, err
		}
		o.Files = append(o.Files, spec)
		lib.add(spec, path)
	}
	return lib, lib.known(p)
}

// onDisk is a file that is opened for each look at it: of a folder there may be more than a process may have open.
type onDisk string

func (path onDisk) ReadAt(p []byte, at int64) (int, error) {
	f, err := os.Open(string(path))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, at)
}
