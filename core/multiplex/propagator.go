package multiplex

import (
	"math"
	"slices"
)

// Kind says how the adjacency matrix becomes the propagation matrix B of equation (1), Z = B X.
type Kind int

const (
	Twice Kind = iota // B = n(n(A)) with n(A)_ij = A_ij / sqrt(deg_i deg_j), as released
	Kipf              // B = n(A + I), once, as the printed equations cite it
)

// KindOf returns the kind that an option calls "kipf" or "twice".
func KindOf(name string) Kind {
	if name == "kipf" {
		return Kipf
	}
	return Twice
}

// epsilon is added to the degrees in the first of the two normalisations, as in the
// released program.
const epsilon = 2.2204e-16

// A Propagator is the propagation matrix B, kept as the adjacency matrix and what its rows
// and columns are multiplied by: the values of a layer that joins nearly all nodes would take
// twice the room of the layer itself. A node of degree zero has a zero row and column.
type Propagator struct {
	a      *CSR
	scales [][]float64 // of each normalisation: 1 / sqrt(deg)
	values []float64   // of a row
}

// NewPropagator returns B of an adjacency matrix. It is not safe for concurrent use.
func NewPropagator(a *CSR, kind Kind) *Propagator {
	b := &Propagator{a: a}
	if kind == Kipf {
		b.a = plusIdentity(a)
	} else {
		b.normalise(epsilon)
	}
	b.normalise(0)
	return b
}

// normalise divides entry ij by the roots of the row sums i and j.
func (b *Propagator) normalise(eps float64) {
	scale := make([]float64, b.a.Rows)
	for i := range scale {
		deg := eps
		_, values := b.Row(i)
		for _, v := range values {
			deg += v
		}
		if deg > 0 {
			scale[i] = 1 / math.Sqrt(deg)
		}
	}
	b.scales = append(b.scales, scale)
}

// Row returns the columns and the values of the entries of row i, the latter until the next
// call.
func (b *Propagator) Row(i int) ([]int32, []float64) {
	from, to := b.a.Start[i], b.a.Start[i+1]
	index := b.a.Index[from:to]
	values := b.values[:0]
	if b.a.Value != nil {
		values = append(values, b.a.Value[from:to]...)
	} else {
		for range index {
			values = append(values, 1)
		}
	}
	for _, scale := range b.scales {
		own := scale[i]
		for k, j := range index {
			values[k] = float64(float64(own*values[k]) * scale[j])
		}
	}
	b.values = values
	return index, values
}

// A layer that joins nearly all nodes is multiplied by what it leaves out. Without weights b_ij
// = s_i s_j wherever i and j are joined, s_i being the product of the scales, and so
//
//	(B X)_i = s_i (sum over all j of s_j x_j - sum over the j that i is not joined to)
//
// which is worth it for rows that are full beyond question, and for features of more than a
// few entries a node: rows of other layers are summed in the order of their entries.

// isFull tells whether row i has more than three quarters of all entries.
func (b *Propagator) isFull(i int) bool { return 4*int(b.a.Start[i+1]-b.a.Start[i]) > 3*b.a.Cols }

// whole returns the sum over all j of s_j x_j; nil where rows are summed by their entries.
func (b *Propagator) whole(x *CSR) []float64 {
	if b.a.Value != nil || 2*b.a.NNZ() < b.a.Rows*b.a.Cols || x.NNZ() < 8*x.Rows {
		return nil
	}
	all := make([]float64, x.Cols)
	for j := range x.Rows {
		b.addScaled(all, x, j, b.scale(j))
	}
	return all
}

// scale returns s_i.
func (b *Propagator) scale(i int) float64 {
	s := 1.0
	for _, scale := range b.scales {
		s *= scale[i]
	}
	return s
}

// addScaled adds v x_j.
func (b *Propagator) addScaled(row []float64, x *CSR, j int, v float64) {
	for k := x.Start[j]; k < x.Start[j+1]; k++ {
		row[x.Index[k]] += float64(v * x.at(int(k)))
	}
}

// lessMissing sets row to (B X)_i.
func (b *Propagator) lessMissing(row, all []float64, x *CSR, i int) {
	copy(row, all)
	next := 0
	for _, j := range b.a.Index[b.a.Start[i]:b.a.Start[i+1]] {
		for ; next < int(j); next++ {
			b.addScaled(row, x, next, -b.scale(next))
		}
		next++
	}
	for ; next < x.Rows; next++ {
		b.addScaled(row, x, next, -b.scale(next))
	}
	s := b.scale(i)
	for f := range row {
		row[f] *= s
	}
}

// Matrix returns B with all its values.
func (b *Propagator) Matrix() *CSR {
	m := &CSR{Rows: b.a.Rows, Cols: b.a.Cols, Start: b.a.Start, Index: b.a.Index, Value: make([]float64, 0, b.a.NNZ())}
	for i := range m.Rows {
		_, values := b.Row(i)
		m.Value = append(m.Value, values...)
	}
	return m
}

func plusIdentity(a *CSR) *CSR {
	s := &CSR{Rows: a.Rows, Cols: a.Cols, Start: make([]int32, a.Rows+1)}
	for i := range a.Rows {
		done := false
		put := func(j int, v float64) {
			s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, v)
		}
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			j, v := int(a.Index[k]), a.at(int(k))
			if !done && j >= i {
				done = true
				if j == i {
					put(i, v+1)
					continue
				}
				put(i, 1)
			}
			put(j, v)
		}
		if !done {
			put(i, 1)
		}
		s.Start[i+1] = int32(len(s.Index))
	}
	if !slices.ContainsFunc(s.Value, func(v float64) bool { return v != 1 }) {
		s.Value = nil // without weights, as everywhere
	}
	return s
}

// Entries returns the number of entries of B.
func (b *Propagator) Entries() int { return b.a.NNZ() }
