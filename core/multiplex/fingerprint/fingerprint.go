// Package fingerprint names graphs and matrices by FNV-1a over the bits of their numbers: equal
// bits, equal name.
package fingerprint

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/multiplex"
)

type sum struct {
	hash.Hash64
	word [8]byte
}

func (s *sum) put(v uint64) {
	binary.LittleEndian.PutUint64(s.word[:], v)
	s.Write(s.word[:])
}

func (s *sum) floats(x []float64) {
	for _, v := range x {
		s.put(math.Float64bits(v))
	}
}

func (s *sum) matrix(a *multiplex.CSR) {
	if a == nil {
		return
	}
	for _, j := range a.Start {
		s.put(uint64(j))
	}
	for _, j := range a.Index {
		s.put(uint64(j))
	}
	s.floats(a.Value)
}

func (s *sum) String() string { return fmt.Sprintf("%016x", s.Sum64()) }

// Graph names a graph by its edges and features.
func Graph(g *multiplex.Graph) string {
	s := &sum{Hash64: fnv.New64a()}
	for l := range g.Layers {
		s.matrix(g.Layers[l].Adjacency)
		s.matrix(g.Layers[l].Features.Sparse)
		s.floats(g.Layers[l].Features.Dense)
	}
	return s.String()
}

// Matrices names matrices by the bits of their entries, row by row, in the order of the list. Shapes are not part of the name.
func Matrices(list []*mat.Dense) string {
	s := &sum{Hash64: fnv.New64a()}
	for _, x := range list {
		s.floats(x.RawMatrix().Data)
	}
	return s.String()
}
