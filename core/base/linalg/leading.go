package linalg

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
)

// An Operator is a matrix of Rows x Cols given by its products: each sets dst to the product of the
// matrix, or of its transpose, and x, which has that number of columns. An error ends the
// computation.
type Operator struct {
	Rows, Cols    int
	Mul, MulTrans func(dst, x []float64, columns int) error
	Settled       float64 // share of the largest singular value by which others may still move in a pass of [Leading]; 0: none that counts
}

// Subspace iteration works on some more directions than are looked for, and not on fewer than
// fewest; it ends when no singular value moves in two passes, or after most.
const (
	spareDirections = 8
	fewest          = 24
	most            = 300
	settled         = 1e-14 // of the largest singular value
	nothing         = 1e-12 // of the largest: such a direction is rounding
)

// Leading returns the d largest singular values of a, falling, and its left singular vectors (Rows x
// d), by subspace iteration. In every vector the entry of largest absolute value is positive. Missing
// values are 0, and so are their vectors.
func Leading(a *Operator, d int, wait pause.Work) (singular, left []float64, err error) {
	k := min(max(d+spareDirections, fewest), a.Rows, a.Cols)
	x, y, basis := make([]float64, a.Cols*k), make([]float64, a.Rows*k), make([]float64, a.Rows*k)
	start := rng.New(0, "linalg/leading")
	for i := range x {
		x[i] = start.Norm()
	}
	orthogonal, core := NewQR(a.Rows, k), NewSVD(a.Cols, k)
	last := make([]float64, k)
	for pass, still := 0, 0; pass < most && still < 2; pass++ {
		if err := a.Mul(y, x, k); err != nil {
			return nil, nil, err
		}
		copy(orthogonal.A, y)
		if err := orthogonal.DecomposeIn(wait); err != nil {
			return nil, nil, err
		}
		if err := orthogonal.Basis(basis, wait); err != nil {
			return nil, nil, err
		}
		if err := a.MulTrans(x, basis, k); err != nil {
			return nil, nil, err
		}
		copy(core.A, x)
		if err := core.Decompose(wait); err != nil {
			return nil, nil, err
		}
		still++
		enough := max(settled, a.Settled)
		for i, s := range core.Singular[:min(d, k)] {
			if math.Abs(s-last[i]) > enough*core.Singular[0] {
				still = 0
			}
		}
		copy(last, core.Singular)
	}
	// The basis times the right singular vectors of a' basis.
	right := make([]float64, k*k)
	core.Right(right, k)
	singular, left = make([]float64, d), make([]float64, a.Rows*d)
	for c := range min(d, k) {
		if last[c] <= nothing*last[0] {
			break
		}
		singular[c] = last[c]
		for i := range a.Rows {
			sum := 0.0
			for j, v := range basis[i*k : (i+1)*k] {
				sum += float64(v * right[j*k+c])
			}
			left[i*d+c] = sum
		}
	}
	Upright(left, d)
	return singular, left, nil
}

// Centre subtracts from x (rows of d numbers) the means of its columns.
func Centre(x []float64, d int) { CentreColumns(x, d, 0, d, nil) }

// CentreColumns subtracts from columns from to to-1 of x (rows of d numbers) their means, which it puts into
// mean, if that is not nil. Sums go down the rows, one row after the other.
func CentreColumns(x []float64, d, from, to int, mean []float64) {
	ErrShape.Unless(from >= 0 && from <= to && to <= d && (d == 0 || len(x)%d == 0) &&
		(mean == nil || len(mean) == to-from))
	var held [72]float64 // of as many columns at once, so that rows are read in the order of memory
	for ; from < to; from += len(held) {
		of := held[:min(len(held), to-from)]
		clear(of)
		for i := from; i < len(x); i += d {
			kernel.AddScaled(of, x[i:][:len(of)], 1)
		}
		for k := range of {
			of[k] /= float64(len(x) / d)
		}
		for i := from; i < len(x); i += d {
			kernel.AddScaled(x[i:][:len(of)], of, -1)
		}
		if mean != nil {
			mean = mean[copy(mean, of):]
		}
	}
}
