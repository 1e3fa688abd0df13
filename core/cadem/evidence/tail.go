package evidence

import (
	"cmp"
	"slices"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
)

// Step 9: what predicts links beside what is shown to be shared.

// Tail returns the functions of at most n eigenvectors of L_U on the span of W without V (in W, orthonormal), largest eigenvalue
// first. There is none without V.
func (b *Basis) Tail(v Matrix, n int, pause pause.Work) (Matrix, error) {
	m := len(b.Pool.D)
	if n == 0 || v.Cols == 0 || v.Cols >= v.Rows {
		return NewMatrix(m, 0), nil
	}
	// The reflections that make V triangular map the other axes to an orthonormal basis of the complement of V.
	q := linalg.NewQR(v.Rows, v.Cols)
	copy(q.A, v.Data)
	q.Decompose()
	rest := NewMatrix(v.Rows, v.Rows-v.Cols)
	for c := range rest.Cols {
		rest.Data[(v.Cols+c)*rest.Cols+c] = 1
	}
	q.Apply(rest.Data, rest.Cols, rest.Cols)
	h, _ := rest.transTimes(rest.scaled(b.Spectrum), nil)
	_, turn := eigen(h)
	order := sorting.Places(turn.Cols)
	slices.Reverse(order)
	t, _ := rest.times(turn.pick(order[:min(n, len(order))]), nil)
	f, err := b.W.times(t, pause)
	return f.scaled(b.Pool.q), err
}

// A LeftOut is the tail that all layers but one show, and its strengths by all links of this one.
type LeftOut struct {
	F        Matrix
	Factor   float64   // sum(D_-l) / sum(D_U)
	Strength []float64 // of each column of F, times Factor
}

// NewLeftOut leaves layer l out: of the 2n leading eigenvectors (modulus) of L_-l beside F_S, the n of largest eigenvalue.
func NewLeftOut(layers []*Layer, l int, shared Matrix, sum float64, n int, pause pause.Work) (*LeftOut, error) {
	p, err := besides(NewPool(but(layers, l)...), shared, 2*n, pause)
	if err != nil {
		return nil, err
	}
	order := sorting.Order(len(p.Eigenvalues), func(i, j int) int { return cmp.Compare(p.Eigenvalues[j], p.Eigenvalues[i]) })
	t := &LeftOut{F: p.F.pick(order[:min(n, len(order))]), Factor: p.Pool.Sum / sum}
	t.Strength, _ = HeldOut(t.F, layers[l].Degrees, 1, layers[l].Links)
	for k := range t.Strength {
		t.Strength[k] *= t.Factor
	}
	return t, nil
}

// TailWeights returns two lists of n numbers, one for each tail direction: the sum of its strengths over all layers, and that sum made
// non-increasing and cut at 0.
func TailWeights(list []*LeftOut, n int) (sum, w []float64) {
	sum = make([]float64, n)
	for _, t := range list {
		for k, v := range t.Strength[:min(n, len(t.Strength))] {
			sum[k] += v
		}
	}
	return sum, Cut(sum)
}
