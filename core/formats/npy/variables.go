package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/pickle"
	"cadem.example/core/internal/variable"
	"cadem.example/core/internal/zip"
)

// ReadVariable reads the array of a .npy file: as one variable with its entries, or as those that
// an array of Python objects holds, which is a pickle.
func ReadVariable(s *input.Stream, name string) ([]*variable.Variable, *variable.Entries, error) {
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
		vars, err := objects(s, name, h.shape)
		return vars, nil, err
	case !ok:
		why := diag.At(s.File, 0, name, "entries of type "+input.Quote(h.descr),
			"numbers, truth values or text: numpy.abs or .real makes numbers of complex ones, .astype(float) of others")
		return []*variable.Variable{variable.NewRefused(name, "other", h.shape, why)}, nil, s.Drain(name, s.Most)
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
	return []*variable.Variable{variable.NewDense(s.File, name, h.shape, h.fortran && len(h.shape) > 1, e)}, e, nil
}

// objects reads an array of Python objects. Numbers, words and matrices among them are variables
// as those of other pickles.
func objects(s *input.Stream, name string, shape []int) ([]*variable.Variable, error) {
	p, err := pickle.Read(s, name)
	if err != nil {
		return nil, err
	}
	if p.Edges != "" {
		p.Variables = append(p.Variables, variable.NewRefused(name, "object", shape, diag.At(s.File, 0, name, "graphs of networkx in an array",
			`a pickle of them: pickle.dump(graphs, open("FILE.pkl", "wb")) writes one`)))
	}
	if len(p.Variables) == 1 && p.Variables[0].Type == "none" { // no array at all
		p.Variables[0] = variable.NewRefused(name, "object", shape, diag.At(s.File, 0, name, "an array of Python objects",
			"numbers or text: NAME.astype(float) or NAME.astype(str) makes them of an array"))
	}
	return p.Variables, s.Drain(name, s.Most)
}

// ReadVariables reads the arrays of a .npz file, or the one sparse matrix that
// scipy.sparse.save_npz writes as several.
func ReadVariables(stem string, z *zip.Reader, s *input.Stream) ([]*variable.Variable, error) {
	var vars []*variable.Variable
	all := map[string]*variable.Entries{}
	seen := map[string]bool{}
	for _, f := range z.File {
		if len(vars) >= input.MaxNamed {
			return nil, s.Fail("", fmt.Sprintf("more than %d arrays", input.MaxNamed), "fewer")
		}
		name := strings.TrimSuffix(f.Name, ".npy")
		if seen[name] {
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
		some, e, err := ReadVariable(in, name)
		in.Leave()
		if err != nil {
			return nil, err
		}
		vars = append(vars, some...)
		all[name], seen[name] = e, true
	}
	format, shape := all["format"], all["shape"]
	if format == nil || shape == nil || all["data"] == nil {
		return joinParts(s, vars, all)
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

// joinParts makes one variable of the arrays NAME_data, NAME_indices, NAME_indptr and NAME_shape, as
// public data sets keep several sparse matrices in a file.
func joinParts(s *input.Stream, vars []*variable.Variable, all map[string]*variable.Entries) ([]*variable.Variable, error) {
	var joined []*variable.Variable
	part := map[string]bool{}
	for _, v := range vars {
		stem, ok := strings.CutSuffix(v.Name, "indptr")
		name := strings.TrimRight(stem, "_.-/")
		shape := all[stem+"shape"]
		if !ok || name == "" || name == stem || shape == nil || !shape.IsInt() || shape.N != 2 || all[stem+"data"] == nil || all[stem+"indices"] == nil {
			joined = append(joined, v)
			continue
		}
		own := map[string]*variable.Entries{}
		for _, field := range []string{"data", "indices", "indptr", "shape"} {
			own[field], part[stem+field] = all[stem+field], true
		}
		sizes := shape.Floats()
		m, err := variable.FromSciPy(s.File, name, "csr", int(sizes[0]), int(sizes[1]), own)
		if err != nil {
			return nil, err
		}
		joined = append(joined, m)
	}
	return slices.DeleteFunc(joined, func(v *variable.Variable) bool { return part[v.Name] }), nil
}
