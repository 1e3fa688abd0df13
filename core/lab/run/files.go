package run

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"sync"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/formats"
)

// FileSpec names a data file.
type FileSpec struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // in bytes
	// Sum identifies the contents: FNV-1a of 128 bits, in hexadecimal digits. It is there where
	// results are kept by it, in the files of a [study.Task] of an order.
	Sum string `json:"sum,omitempty"`
}

// Describe names a file by its contents, too.
func Describe(name string, contents io.Reader) (FileSpec, error) {
	h := fnv.New128a()
	n, err := io.Copy(h, contents)
	return FileSpec{name, n, fmt.Sprintf("%x", h.Sum(nil))}, err
}

// Files gives tasks the contents of the files that their data name. The data set that was
// opened last stays open, so tasks on the same files read them once. Several goroutines
// may use it.
type Files struct {
	// Read returns the contents of a file.
	Read func(FileSpec) ([]byte, error)

	lock sync.Mutex
	spec string // of data
	data *Dataset
}

// InMemory names files that have been read, and gives tasks their contents.
func InMemory(files []formats.File) ([]FileSpec, *Files) {
	var specs []FileSpec
	contents := map[FileSpec][]byte{}
	for _, f := range files {
		s, _ := Describe(f.Name, bytes.NewReader(f.Data)) // memory does not fail
		specs = append(specs, s)
		contents[s] = f.Data
	}
	return specs, &Files{Read: func(s FileSpec) ([]byte, error) { return contents[s], nil }}
}

// Contents reads the files of a data set.
func (f *Files) Contents(specs []FileSpec) ([]formats.File, error) {
	if len(specs) > 0 && (f == nil || f.Read == nil) {
		return nil, diag.At(specs[0].Name, 0, "", "no contents", "those of the file: open it again")
	}
	var files []formats.File
	for _, s := range specs {
		data, err := f.Read(s)
		if err != nil {
			return nil, err
		}
		files = append(files, formats.File{Name: s.Name, Data: data, Size: s.Size})
	}
	return files, nil
}

// Open returns the data set of a task: one that is drawn, or that of files.
func (f *Files) Open(spec *DataSpec) (*Dataset, error) {
	if spec.Example != "" {
		return OpenExample(spec.Example, spec.Options, spec.DataSeed)
	}
	if len(spec.Files) == 0 {
		return nil, &diag.Error{Where: "data", Found: "no file and no example", Expected: "one of the two"}
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	if f != nil {
		f.lock.Lock() // the second of two readers waits for what the first one reads
		defer f.lock.Unlock()
		if f.spec == string(text) {
			return f.data, nil
		}
	}
	files, err := f.Contents(spec.Files)
	if err != nil {
		return nil, err
	}
	d, err := OpenFiles(files, spec.Chosen(), spec.Options)
	if err == nil && !slices.ContainsFunc(spec.Files, func(s FileSpec) bool { return s.Sum == "" }) {
		f.spec, f.data = string(text), d
	}
	return d, err
}
