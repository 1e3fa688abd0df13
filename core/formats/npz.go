package formats

import (
	"bytes"
	"strings"
)

// ReadNPZ reads the arrays of a .npz file, a zip archive of .npy files, by their names
// without ".npy". Arrays of text are left out. The error is an [*Error].
func ReadNPZ(f File) (map[string]*Array, error) {
	data, err := bytesOf(&f, MaxArrays, "arrays")
	if err != nil {
		return nil, err
	}
	members, err := unzip(f.Name, bytes.NewReader(data), int64(len(data)), MaxArrays)
	if err != nil {
		return nil, err
	}
	arrays := map[string]*Array{}
	for _, m := range members {
		name, ok := strings.CutSuffix(m.name, ".npy")
		if !ok {
			return nil, &Error{f.Name, 0, "", "a member " + quote(m.name), "arrays, whose names end in .npy"}
		}
		if h, _, err := npyHeader(f.Name, m.data); err == nil && (h.descr[1] == 'U' || h.descr[1] == 'S') {
			continue
		}
		a, err := readNPY(f.Name+": "+m.name, m.data)
		if err != nil {
			return nil, err
		}
		arrays[name] = a
	}
	return arrays, nil
}
