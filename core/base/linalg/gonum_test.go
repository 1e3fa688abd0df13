package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// The polar factor and the singular values are those of gonum's decomposition, of full rank and
// with a direction that is a million times smaller than the others.
func TestPolarIsThatOfGonum(t *testing.T) {
	src := rng.New(5, "gonum")
	for _, c := range []struct {
		m, d     int
		smallest float64
	}{{40, 4, 1}, {200, 8, 1}, {60, 5, 1e-6}, {8, 8, 1}} {
		x := make([]float64, c.m*c.d)
		for i := range x {
			x[i] = src.Norm()
			if i%c.d == c.d-1 {
				x[i] *= c.smallest
			}
		}
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(c.m, c.d, append([]float64(nil), x...)), mat.SVDThin) {
			t.Fatal("gonum has no decomposition")
		}
		var u, v, want mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		want.Mul(&u, v.T())
		scale := math.Sqrt(float64(c.m))
		want.Scale(scale, &want)
		p, s := NewPolar(c.m, c.d), make([]float64, c.m*c.d)
		p.Factor(s, x, scale, 1e-12, c.d, nil)
		near(t, "polar factor", s, want.RawMatrix().Data, 1e-8)
		sum := func(list []float64) (total float64) {
			for _, v := range list {
				total += v
			}
			return total
		}
		near(t, "sum of singular values", []float64{sum(p.Singular)}, []float64{sum(svd.Values(nil))}, 1e-12)
	}
}
