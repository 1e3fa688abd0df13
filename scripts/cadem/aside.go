package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
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
	var numbers []byte
	for i, array := range arrays {
		numbers, _ = binary.Append(numbers, binary.LittleEndian, array.Data) // of a slice of numbers it does not fail
		arrays[i].Data = nil
	}
	text, err := json.Marshal(&head)
	if err != nil {
		return false
	}
	text = append(text, '\n') // none is in JSON on one line
	return os.WriteFile(filepath.Join(a.dir, r.Key), append(text, numbers...), 0o600) == nil
}

// find returns a result that was put aside, nil when there is none.
func (a *aside) find(key string) *measure.Result {
	if a.dir == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(a.dir, key))
	text, numbers, ok := bytes.Cut(data, []byte{'\n'})
	r := &measure.Result{}
	if err != nil || !ok || json.Unmarshal(text, r) != nil {
		return nil
	}
	for i := range r.Arrays {
		array := &r.Arrays[i]
		n := 1
		for _, d := range array.Shape {
			n *= d
		}
		array.Data = make([]float64, n)
		used, err := binary.Decode(numbers, binary.LittleEndian, array.Data)
		if err != nil {
			return nil // cut off
		}
		numbers = numbers[used:]
	}
	return r
}

// drop lets go of all of it.
func (a *aside) drop() {
	if a.dir != "" {
		os.RemoveAll(a.dir)
	}
}
