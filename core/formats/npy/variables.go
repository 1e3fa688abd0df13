package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
	"cadem/core/formats/internal/zip"
)

// ReadVariable reads the array of a .npy file as a variable.
func ReadVariable(s *input.Source, name string) (*variable.Variable, *variable.Entries, error) {
	head, err := s.Take(name, 12)
	if err != nil {
		return nil, nil, err
	}
	n := int(head[8]) | int(head[9])<<8 - 2
	if head[6] > 1 {
		n = int(min(binary.LittleEndian.Uint32(head[8:]), 1<<17))
	}
	rest, err := s.Take(name, max(n, 0))
	if err != nil {
		return nil, nil, err
	}
	h, _, err := split(s.File, append(head, rest...))
	if err != nil {
		return nil, nil, err
	}
	t, ok := variable.ParseDtype(h.descr)
	switch {
	case ok && t.Kind == 'O':
		return nil, nil, s.Fail(name, "an array of Python objects", "an array of numbers: numpy.save(..., allow_pickle=False) writes no other")
	case !ok || t.Kind != 'S' && t.Kind != 'U' && !t.IsNumber():
		return nil, nil, s.Fail(name, "entries of type "+input.Quote(h.descr), "numbers, truth values or text")
	}
	total := 1
	for _, d := range h.shape {
		if d > 0 && total > input.MaxFile/d {
			return nil, nil, s.Fail(name, fmt.Sprintf("a shape of %v", h.shape), "at most "+input.Size(input.MaxFile)+" of entries")
		}
		total *= d
	}
	e := &variable.Entries{DType: t, N: total}
	if e.Packed, err = s.Pack(name, int64(total)*int64(t.Width)); err != nil {
		return nil, nil, err
	}
	if _, err := s.Reader.ReadByte(); err == nil {
		return nil, nil, s.Fail(name, fmt.Sprintf("more data than a shape of %v has", h.shape), "data of that shape")
	} else if err != io.EOF {
		return nil, nil, s.Cut(name, err)
	}
	return variable.NewDense(s.File, name, h.shape, h.fortran && len(h.shape) > 1, e), e, nil
}

// ReadVariables reads the arrays of a .npz file, or the one sparse matrix that
// scipy.sparse.save_npz writes as several.
func ReadVariables(stem string, z *zip.Reader, s *input.Source) ([]*variable.Variable, error) {
	var vars []*variable.Variable
	all := map[string]*variable.Entries{}
	shapes := map[string]*variable.Variable{}
	for _, f := range z.File {
		if len(vars) == input.MaxNamed {
			return nil, s.Fail("", fmt.Sprintf("more than %d arrays", input.MaxNamed), "fewer")
		}
		name := strings.TrimSuffix(f.Name, ".npy")
		if shapes[name] != nil {
			return nil, s.Fail(name, "a second array of that name", "one")
		}
		r, err := input.OpenMember(s.File, f)
		if err != nil {
			return nil, err
		}
		in := s.Inner(r)
		if head, _ := in.Reader.Peek(len(input.NPYMagic)); string(head) != input.NPYMagic {
			return nil, s.Fail(f.Name, "a member that does not begin as .npy files do", "NumPy arrays only")
		}
		v, e, err := ReadVariable(in, name)
		in.Leave()
		if err != nil {
			return nil, err
		}
		vars = append(vars, v)
		all[name], shapes[name] = e, v
	}
	format, shape := all["format"], all["shape"]
	if format == nil || shape == nil || all["data"] == nil {
		return vars, nil
	}
	if format.Kind != 'S' && format.Kind != 'U' || format.N != 1 || !shape.IsInt() || shape.N != 2 {
		return nil,
			s.Fail("format", fmt.Sprintf("%s of type %s beside a shape of %s", figure.Count(format.N, "entry"), format, figure.Count(shape.N, "number")),
				"those of a sparse matrix")
	}
	sizes := shape.Floats()
	v, err := variable.FromSciPy(s.File, stem, format.Texts()[0], int(sizes[0]), int(sizes[1]), all)
	if err != nil {
		return nil, err
	}
	return []*variable.Variable{v}, nil
}
