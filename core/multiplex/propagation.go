package multiplex

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
)

// Propagation, equation (a) of package cadem, spreads the features over the edges of a layer:
//
//	Z = B X,   B = n(n(A)),   n(A)_ij = A_ij / sqrt(deg_i deg_j),   deg_i = sum_j A_ij
//
// or B = n(A + I), as printed. A (M x M) is the adjacency matrix, X (M x F) the features.
// [Propagator.Row] is B. Trainings keep Z in whichever form is cheapest: [NewPropagation] in plans.go.
// [Propagator.Product] writes Z out, for comparisons. Rows of sparse X in nearly full layers are summed
// by what is missing (see lessMissing).

// Kind says how the adjacency matrix becomes the propagation matrix B of equation (a), Z = B X.
type Kind int

const (
	Twice  Kind = iota // B = n(n(A)) with n(A)_ij = A_ij / sqrt(deg_i deg_j), as released
	Kipf               // B = n(A + I), once, as the printed equations cite it
	Looped             // B = n(A), once, A_ii being 1 where it is 0
)

// KindOf returns the kind that an option calls "kipf" or "twice", and a model "looped".
func KindOf(name string) Kind {
	switch name {
	case "kipf":
		return Kipf
	case "looped":
		return Looped
	}
	return Twice
}

// epsilon is added to the degrees in the first of the two normalisations, as in the
// released program.
const epsilon = 2.2204e-16

// A Propagator is the propagation matrix B, kept as the adjacency matrix and factors of its rows
// and columns: the values of a layer that joins nearly all nodes would take twice the memory of the
// layer itself. A node of degree zero has a zero row and column.
type Propagator struct {
	a      *CSR
	scales [][]float64 // of each normalisation: 1 / sqrt(deg)
	values []float64   // scratch of Row
}

// NewPropagator returns B of an adjacency matrix. It is not safe for concurrent use.
func NewPropagator(a *CSR, kind Kind) *Propagator {
	b, _ := NewPropagatorIn(a, kind, nil)
	return b
}

// NewPropagatorIn is NewPropagator with pauses.
func NewPropagatorIn(a *CSR, kind Kind, wait pause.Work) (*Propagator, error) {
	b := &Propagator{a: a}
	if kind != Twice {
		b.a = plusIdentity(a, kind == Kipf)
	} else if err := b.normalise(epsilon, wait); err != nil {
		return nil, err
	}
	return b, b.normalise(0, wait) // n(n(A)), or once with loops
}

// normalise makes B n(B), by appending 1 / sqrt(deg_i + eps) to the scales that Row multiplies by; deg_i is
// the sum of row i of the current B.
func (b *Propagator) normalise(eps float64, wait pause.Work) error {
	const between = 64 // rows between two pauses
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
		if i%between == 0 {
			if err := wait.After(between * len(values)); err != nil {
				return err
			}
		}
	}
	b.scales = append(b.scales, scale)
	return nil
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
	for _, scale := range b.scales { // n(B)_ij = B_ij / sqrt(deg_i deg_j)
		own := scale[i]
		for k, j := range index {
			values[k] = float64(float64(own*values[k]) * scale[j])
		}
	}
	b.values = values
	return index, values
}

// Scales returns 1 / sqrt(deg_i) of the two normalisations; the second is 1 if there is only one.
func (b *Propagator) Scales(i int) (first, second float64) {
	if len(b.scales) == 1 {
		return b.scales[0][i], 1
	}
	return b.scales[0][i], b.scales[1][i]
}

// Product returns Z = B X, M x F, in double precision and with every entry.
func (b *Propagator) Product(x *Features) []float64 {
	ErrShape.Unless(b.a.Rows == x.Rows)
	all := ascending(x.Cols) // columns, each in its place
	if x.Dense != nil {
		return denseProduct[float64](b, x, all, x.Cols)
	}
	return denseFromSparse[float64](b, kept(x, all, x.Cols))
}

// denseProduct returns the columns of B X (M x f) that place gives a number, place[j] being that of
// column j or -1: the row of a node is the sum of those of X of its neighbours, weighted by B.
func denseProduct[T kernel.Float](b *Propagator, x *Features, place []int32, f int) []T {
	z := make([]T, x.Rows*f)
	row := make([]float64, f)
	for i := range x.Rows {
		clear(row)
		index, values := b.Row(i)
		for k, node := range index {
			v := values[k]
			for j, y := range x.Dense[int(node)*x.Cols:][:x.Cols] {
				if n := place[j]; n >= 0 {
					row[n] += float64(v * y)
				}
			}
		}
		for n, v := range row {
			z[i*f+n] = T(v)
		}
	}
	return z
}

// addRow adds row i of B X for a sparse X.
func addRow(row []float64, b *Propagator, x *CSR, i int) {
	index, values := b.Row(i)
	for k, j := range index {
		v := values[k]
		for q := x.Start[j]; q < x.Start[j+1]; q++ {
			row[x.Index[q]] += float64(v * x.at(int(q)))
		}
	}
}

// denseFromSparse returns B X (M x F) for a sparse X.
func denseFromSparse[T kernel.Float](b *Propagator, x *CSR) []T {
	z := make([]T, 0, x.Rows*x.Cols)
	_ = b.rows(x, func(row []float64) error {
		for _, v := range row {
			z = append(z, T(v))
		}
		return nil
	})
	return z
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

// Entries returns the number of entries of B.
func (b *Propagator) Entries() int { return b.a.NNZ() }

// plusIdentity returns A + I, or A with ones where its diagonal is 0.
func plusIdentity(a *CSR, everywhere bool) *CSR {
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
				if j == i && everywhere {
					v++
				} else if j > i {
					put(i, 1)
				}
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
