package measure

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
)

// Inputs are results of other tasks. A measure reads them one at a time, so that not all have to be in memory.
type Inputs interface {
	// Len returns how many there are.
	Len() int
	// At returns the result of task i. The error is that of reading it.
	At(i int) (*Result, error)
	// Trains is called with a training on all of them before its first step. It may restore the state of a stopped one.
	Trains(t *cadem.Trainer)
}

// Held are [Inputs] in memory.
type Held []*Result

func (h Held) Len() int                  { return len(h) }
func (h Held) At(i int) (*Result, error) { return h[i], nil }
func (h Held) Trains(*cadem.Trainer)     {}

// each hands all inputs over, one after the other.
func each(inputs Inputs, take func(*Result) error) error {
	for i := range inputs.Len() {
		in, err := inputs.At(i)
		if err != nil {
			return err
		}
		if err := take(in); err != nil {
			return err
		}
	}
	return nil
}

// stacked puts the rows that inputs have of an array below each other; the inputs must have it with one width.
func stacked(inputs Inputs, name ArrayName) (*mat.Dense, error) {
	var all []float64
	n, width := 0, 0
	err := each(inputs, func(in *Result) error {
		a := in.rows(name)
		if all == nil { // most inputs have as many rows
			width, all = a.Shape[1], make([]float64, 0, inputs.Len()*len(a.Data))
		}
		ErrNeeds.Unless(a.Shape[1] == width)
		n, all = n+a.Shape[0], append(all, a.Data...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return mat.NewDense(n, width, all), nil
}

// rows returns an array of rows, which must be there.
func (r *Result) rows(name ArrayName) *Array {
	a := r.Array(name)
	ErrNeeds.Unless(a != nil && len(a.Shape) == 2)
	return a
}

// scanned are prepared scans, or graphs of a collection, in their most compact form: their class and group, and
// the propagated features, in the precision of training. As graphs they train as theirs would: every node is its
// only neighbour and has the propagated features for its own.
type scanned struct {
	layers, width int   // of each, and features of its nodes
	nodes         []int // of each
	from          []int // where its features begin
	class         []int
	groups        []int
	z             []float32
	links         map[int]*multiplex.CSR // of this number of nodes, to nothing but themselves
}

// scannedOf reads prepared scans, which must be of the same regions, or graphs, which must have as many layers and features.
func scannedOf(inputs Inputs) (*scanned, error) {
	s := &scanned{links: map[int]*multiplex.CSR{}}
	same, first := &sameRegions{}, &alike{}
	err := each(inputs, func(in *Result) error {
		var a, sizes *Array
		if sizes = in.Array(ArraySizes); sizes != nil {
			a = in.rows(ArrayFeatures)
			if err := first.check(in.Words[0], sizes.Shape[1]-1, a.Shape[1]); err != nil {
				return err
			}
			s.layers, s.width = first.layers, first.features
		} else {
			if err := same.check(in); err != nil {
				return err
			}
			a = in.rows(ArrayZ)
			s.layers, s.width = cohortLayers, a.Shape[1]/(cohortLayers*same.m)
		}
		if s.z == nil { // most inputs have as many scans
			s.z = make([]float32, 0, inputs.Len()*len(a.Data))
		}
		at := len(s.z)
		for _, v := range a.Data {
			s.z = append(s.z, float32(v))
		}
		for i, k := range in.Array(ArrayClass).Data {
			m := same.m
			if sizes != nil {
				m = int(sizes.Data[i*sizes.Shape[1]])
			}
			s.class, s.groups = append(s.class, int(k)), append(s.groups, int(in.Array(ArrayGroup).Data[i]))
			s.nodes, s.from = append(s.nodes, m), append(s.from, at)
			at += s.layers * m * s.width
			if s.links[m] == nil {
				var err error
				if s.links[m], err = loops(m); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return s, err
}

// part returns n of the scans as graphs.
func (s *scanned) part(from, n int) multiplex.Source {
	return multiplex.Source{Len: n, Graph: func(i int) *multiplex.Graph { return s.graph(from + i) }}
}

func (s *scanned) graph(i int) *multiplex.Graph {
	g := &multiplex.Graph{Name: fmt.Sprintf("scan %d", i+1)}
	m := s.nodes[i]
	size := m * s.width
	for l := range s.layers {
		from := s.from[i] + l*size
		x := kernel.Doubles(s.z[from : from+size])
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprintf("layer %d", l+1), Adjacency: s.links[m],
			Features: &multiplex.Features{Rows: m, Cols: s.width, Dense: x}})
	}
	return g
}

// sameRegions compares prepared scans: these must have the same regions in the same order, or where they have no
// names, as many.
type sameRegions struct {
	first string  // the first result
	m     int     // regions
	names float64 // distinguishes their names
	band  string  // the note about the filter
}

func (s *sameRegions) check(in *Result) error {
	m, names, band := in.rows(ArrayMoments).Shape[1]/2, in.Array(ArrayRegions).Data, "band-passed series"
	for _, note := range in.Notes {
		if note == NoBandPass || note == Filtered {
			band = note
		}
	}
	if s.m == 0 {
		s.first, s.m, s.names, s.band = in.Name, m, names[0], band
	}
	if band != s.band {
		return diag.At(in.Name, 0, "band-pass", fmt.Sprintf("%q, but %q of %s", band, s.band, s.first),
			"the same for all scans: RepetitionTime in seconds in a JSON file of each, or tr or filter for all")
	}
	if m != s.m {
		return diag.At(in.Name, 0, "regions", fmt.Sprint(m), fmt.Sprintf("%d, as in %s", s.m, s.first))
	}
	for _, v := range names {
		if v != s.names {
			return diag.At(in.Name, 0, "regions", "other names, or another order, than in "+s.first,
				"the same; a table of regions beside the scans brings them into one order")
		}
	}
	return nil
}

// Notes that the series of scans were not filtered.
const (
	NoBandPass = "No file says how long a frame takes, and the option tr does not either: without it there is no band-pass."
	Filtered   = "The files say that the series were filtered before, so they are not filtered again: filter_again=on would."
)
