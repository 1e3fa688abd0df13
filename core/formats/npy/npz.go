package npy

import (
	"bytes"
	"strings"

	"cadem/core/diag"
	"cadem/core/formats/internal/input"
)

// ReadNPZ reads the arrays of a .npz file, a zip archive of .npy files, by their names
// without ".npy". Arrays of text are left out. The error is a [*diag.Error].
func ReadNPZ(f input.File) (map[string]*Array, error) {
	data, err := input.Bytes(&f, input.MaxArrays, "arrays")
	if err != nil {
		return nil, err
	}
	members, err := input.Unzip(f.Name, bytes.NewReader(data), int64(len(data)), input.MaxArrays)
	if err != nil {
		return nil, err
	}
	arrays := map[string]*Array{}
	for _, m := range members {
		name, ok := strings.CutSuffix(m.Name, ".npy")
		if !ok {
			return nil, &diag.Error{File: f.Name, Found: "a member " + input.Quote(m.Name), Expected: "arrays, whose names end in .npy"}
		}
		if h, _, err := split(f.Name, m.Data); err == nil && (h.descr[1] == 'U' || h.descr[1] == 'S') {
			continue
		}
		a, err := read(f.Name+": "+m.Name, m.Data)
		if err != nil {
			return nil, err
		}
		arrays[name] = a
	}
	return arrays, nil
}
