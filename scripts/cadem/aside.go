package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"cadem.example/core/lab/study/measure"
)

// An aside is a temporary folder for results that later tasks of a study need and its report does not. It is removed
// with the study. Numbers are written in binary: reading them as text would take longer than most tasks.
type aside struct {
	dir string // "" until there is something
}

// put keeps a result and reports whether it could.
func (a *aside) put(r *measure.Result) bool {
	if a.dir == "" {
		dir, err := os.MkdirTemp("", "cadem-study-")
		if err != nil {
			return false
		}
		a.dir = dir
	}
	head, arrays := *r, slices.Clone(r.Arrays)
	head.Arrays = arrays
	var numbers [][]float64
	for i, array := range arrays {
		numbers, arrays[i].Data = append(numbers, array.Data), nil
	}
	var b bytes.Buffer
	// JSON is on one line.
	err := errors.Join(json.NewEncoder(&b).Encode(&head), gob.NewEncoder(&b).Encode(numbers))
	return err == nil && os.WriteFile(filepath.Join(a.dir, r.Key), b.Bytes(), 0o600) == nil
}

// find returns a result that was put aside, nil when there is none.
func (a *aside) find(key string) *measure.Result {
	if a.dir == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(a.dir, key))
	text, rest, _ := bytes.Cut(data, []byte{'\n'})
	r, numbers := &measure.Result{}, [][]float64{}
	d := gob.NewDecoder(bytes.NewReader(rest))
	if err != nil || json.Unmarshal(text, r) != nil || d.Decode(&numbers) != nil || len(numbers) != len(r.Arrays) {
		return nil // also where it is cut off
	}
	for i, data := range numbers {
		r.Arrays[i].Data = append([]float64{}, data...) // not nil where there are none
	}
	return r
}

// drop lets go of all of it.
func (a *aside) drop() {
	if a.dir != "" {
		os.RemoveAll(a.dir)
	}
}
