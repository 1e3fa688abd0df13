package formats

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// readArray reads the array of a .npy file as a variable.
func readArray(s *source, name string) (*Variable, *entries, error) {
	head, err := s.take(name, 12)
	if err != nil {
		return nil, nil, err
	}
	n := int(head[8]) | int(head[9])<<8 - 2
	if head[6] > 1 {
		n = int(min(binary.LittleEndian.Uint32(head[8:]), 1<<17))
	}
	rest, err := s.take(name, max(n, 0))
	if err != nil {
		return nil, nil, err
	}
	h, _, err := npyHeader(s.file, append(head, rest...))
	if err != nil {
		return nil, nil, err
	}
	t, ok := parseDtype(h.descr)
	switch {
	case ok && t.kind == 'O':
		return nil, nil, s.fail(name, "an array of Python objects", "an array of numbers: numpy.save(..., allow_pickle=False) writes no other")
	case !ok || t.kind != 'S' && t.kind != 'U' && !t.isNumber():
		return nil, nil, s.fail(name, "entries of type "+quote(h.descr), "numbers, truth values or text")
	}
	total := 1
	for _, d := range h.shape {
		if d > 0 && total > MaxFile/d {
			return nil, nil, s.fail(name, fmt.Sprintf("a shape of %v", h.shape), "at most "+size(MaxFile)+" of entries")
		}
		total *= d
	}
	e := &entries{dtype: t, n: total}
	if e.packed, err = s.pack(name, int64(total)*int64(t.width)); err != nil {
		return nil, nil, err
	}
	if _, err := s.r.ReadByte(); err == nil {
		return nil, nil, s.fail(name, fmt.Sprintf("more data than a shape of %v has", h.shape), "data of that shape")
	} else if err != io.EOF {
		return nil, nil, s.cut(name, err)
	}
	return denseVariable(s.file, name, h.shape, h.fortran && len(h.shape) > 1, e), e, nil
}

// readNPZ reads the arrays of a .npz file, or the one sparse matrix that
// scipy.sparse.save_npz writes as several.
func readNPZ(stem string, z *zip.Reader, s *source) ([]*Variable, error) {
	var vars []*Variable
	all := map[string]*entries{}
	shapes := map[string]*Variable{}
	for _, f := range z.File {
		if len(vars) == maxNamed {
			return nil, s.fail("", fmt.Sprintf("more than %d arrays", maxNamed), "fewer")
		}
		name := strings.TrimSuffix(f.Name, ".npy")
		if shapes[name] != nil {
			return nil, s.fail(name, "a second array of that name", "one")
		}
		r, err := openMember(s.file, f)
		if err != nil {
			return nil, err
		}
		in := s.inner(r)
		if head, _ := in.r.Peek(len(npyMagic)); string(head) != npyMagic {
			return nil, s.fail(f.Name, "a member that does not begin as .npy files do", "NumPy arrays only")
		}
		v, e, err := readArray(in, name)
		in.leave()
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
	if format.kind != 'S' && format.kind != 'U' || format.n != 1 || !shape.isInt() || shape.n != 2 {
		return nil, s.fail("format", fmt.Sprintf("%s of type %s beside a shape of %s", count(format.n, "entry"), format, count(shape.n, "number")), "those of a sparse matrix")
	}
	sizes := shape.floats()
	v, err := sparseOf(s.file, stem, format.texts()[0], int(sizes[0]), int(sizes[1]), all)
	if err != nil {
		return nil, err
	}
	return []*Variable{v}, nil
}
