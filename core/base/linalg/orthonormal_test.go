package linalg

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// Columns become orthonormal and span what gonum's QR says they span, whatever their lengths.
func TestOrthonormalise(t *testing.T) {
	s := rng.New(1, "orthonormal")
	for _, shape := range [][2]int{{1, 1}, {7, 7}, {90, 5}, {3000, 40}} {
		rows, cols := shape[0], shape[1]
		x := make([]float64, rows*cols)
		for i := range x {
			x[i] = s.Norm() * math.Pow(10, float64(i%cols%3))
		}
		before := mat.NewDense(rows, cols, slices.Clone(x))
		ok, err := Orthonormalise(x, rows, cols, 2, nil)
		if !ok || err != nil {
			t.Fatalf("%d x %d: %v, %v", rows, cols, ok, err)
		}
		q := mat.NewDense(rows, cols, x)
		var inner, onto, rest mat.Dense
		inner.Mul(q.T(), q)
		for k := range cols {
			inner.Set(k, k, inner.At(k, k)-1)
		}
		onto.Mul(q.T(), before)
		rest.Mul(q, &onto)
		rest.Sub(before, &rest)
		if off, lost := mat.Max(&inner), mat.Norm(&rest, 2)/mat.Norm(before, 2); off > 1e-13 || lost > 1e-13 {
			t.Errorf("%d x %d: inner products off by %v, %v of the columns lost", rows, cols, off, lost)
		}
	}
}

// Columns that are alike, or nothing, are left as they are.
func TestTooNearToOrthonormalise(t *testing.T) {
	x := []float64{1, 1, 0, 2, 2, 0, 3, 3 + 1e-9, 0, 1, 1, 0}
	for _, cols := range []int{3, 2} {
		y := slices.Clone(x)
		if cols == 2 {
			y = []float64{1, 1, 2, 2, 3, 3 + 1e-9, 4, 4}
		}
		before := slices.Clone(y)
		if ok, err := Orthonormalise(y, 4, cols, 2, nil); ok || err != nil || !slices.Equal(y, before) {
			t.Errorf("%v became %v: %v, %v", before, y, ok, err)
		}
	}
	stop := errors.New("stop")
	if _, err := Orthonormalise(make([]float64, 8), 4, 2, 1, func(int) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}
