package main

import (
	"bytes"
	"fmt"

	"cadem/core/formats"
	"cadem/core/formats/npy"
	"cadem/core/rng"
	"cadem/core/run"
)

// A standIn is a random graph of the size of a real one, as files: a dense matrix of bytes
// for each layer, as ACM comes, and one of features.
type standIn struct {
	name     string
	nodes    int
	edges    []int // without loops, of each layer
	loops    bool  // one at every node
	features int
	entries  int // other than 0 of the features; 0: all, normally distributed
	seed     uint64
}

// The sizes of the published data: ACM with its layers of 2,210,761 and 29,281 entries, and
// a connectome of 360 regions that keeps the strongest tenth of its edges, with two
// features a region.
var (
	acm = standIn{"acm", 3025, []int{1_103_868, 13_128}, true, 1870, 253_300, 0}
	hcp = standIn{"hcp", 360, []int{6462, 6462}, false, 2, 0, 0}
)

// files writes the graph and says how to read it.
func (s standIn) files() ([]formats.File, run.DataSpec, error) {
	var files []formats.File
	spec := run.DataSpec{Choice: &formats.Choice{Features: "x"}}
	add := func(name string, a *npy.Array) error {
		var b bytes.Buffer
		if err := npy.Write(&b, a); err != nil {
			return err
		}
		f := formats.File{Name: name + ".npy", Data: b.Bytes(), Size: int64(b.Len())}
		named, err := run.Describe(f.Name, bytes.NewReader(f.Data)) // graphs differ in nothing else
		files, spec.Files = append(files, f), append(spec.Files, named)
		return err
	}
	for l, n := range s.edges {
		name := fmt.Sprintf("layer%d", l+1)
		src := rng.New(s.seed, s.name+"/"+name)
		a := make([]uint8, s.nodes*s.nodes)
		for n > 0 {
			i, j := src.IntN(s.nodes), src.IntN(s.nodes)
			if i != j && a[i*s.nodes+j] == 0 {
				a[i*s.nodes+j], a[j*s.nodes+i] = 1, 1
				n--
			}
		}
		for i := range s.nodes {
			if s.loops {
				a[i*s.nodes+i] = 1
			}
		}
		if err := add(name, &npy.Array{Shape: []int{s.nodes, s.nodes}, Data: a}); err != nil {
			return nil, spec, err
		}
		spec.Choice.Layers = append(spec.Choice.Layers, name)
	}
	src := rng.New(s.seed, s.name+"/features")
	x := &npy.Array{Shape: []int{s.nodes, s.features}}
	if s.entries == 0 {
		v := make([]float32, s.nodes*s.features)
		for i := range v {
			v[i] = float32(src.Norm())
		}
		x.Data, spec.Choice.Raw = v, true
	} else {
		v := make([]uint8, s.nodes*s.features)
		for n := s.entries; n > 0; {
			if k := src.IntN(len(v)); v[k] == 0 {
				v[k] = 1
				n--
			}
		}
		x.Data = v
	}
	return files, spec, add("x", x)
}
