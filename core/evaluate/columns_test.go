package evaluate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem/core/rng"
)

// Many counts of columns and items, since the loops take several at a time.
func TestColumnLoops(t *testing.T) {
	src := rng.New(1, "columns")
	for q := 1; q <= 19; q++ {
		n := 1 + src.IntN(12)
		draw := func(n int) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = src.Norm()
			}
			return x
		}
		x, a, coef, weight := draw(q*n), draw(n), draw(2*q), draw(q*n)
		got, sums, mixed, dist := make([]float64, n), make([]float64, q), make([]float64, n), make([]float64, n)
		combine(got, 0.5, coef, 2, q, x)
		inner(sums, a, x)
		blend(mixed, weight, x, n, q)
		squares(dist, x, coef[:q])
		soft, top := append([]float64(nil), x...), make([]float64, 2*n)
		softmax(soft, q, top, true)
		wantSums := make([]float64, q)
		for i := range n {
			want, wantMixed, wantDist, sum := 0.5, 0.0, 0.0, 0.0
			for j := range q {
				v := x[j*n+i]
				want += coef[2*j] * v
				wantMixed += weight[j*n+i] * v
				wantDist += (v - coef[j]) * (v - coef[j])
				wantSums[j] += a[i] * v
				sum += math.Exp(v)
			}
			near(t, "combine, blend, squares, log of the sum", []float64{got[i], mixed[i], dist[i], top[i]}, []float64{want, wantMixed, wantDist, math.Log(sum)}, 1e-14)
			for j := range q {
				near(t, "softmax", []float64{soft[j*n+i]}, []float64{math.Exp(x[j*n+i]) / sum}, 1e-14)
			}
		}
		near(t, "inner", sums, wantSums, 1e-14)
	}
}

func TestStandardized(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{1, 0.1, -5, 2, 0.1, 5, 3, 0.1, -5, 4, 0.1, 5})
	y := standardized(x)
	s := 1 / math.Sqrt(1.25)
	want := mat.NewDense(4, 3, []float64{-1.5 * s, 0, -1, -0.5 * s, 0, 1, 0.5 * s, 0, -1, 1.5 * s, 0, 1})
	if !mat.EqualApprox(y, want, 1e-12) {
		t.Errorf("got %v", mat.Formatted(y))
	}
}
