package formats

import (
	"strings"

	"cadem/core/formats/internal/input"
)

// Unpacked returns a file that gzip packed as it was before, in memory; any other file as it is.
func Unpacked(f File) (File, error) {
	head := f.Head(3)
	if len(head) < 3 || string(head) != "\x1f\x8b\x08" {
		return f, nil
	}
	s, err := input.Open(&f)
	if err != nil {
		return f, err
	}
	data, err := input.Bytes(s.AsText(&f), input.MaxText, "a packed file of one subject")
	return File{Name: strings.TrimSuffix(f.Name, ".gz"), Data: data}, err
}
