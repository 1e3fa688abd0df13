package evaluate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

func TestSoftmax(t *testing.T) {
	src := rng.New(1, "columns")
	for q := 1; q <= 9; q++ {
		n := 1 + src.IntN(12)
		x := make([]float64, q*n)
		for i := range x {
			x[i] = 3 * src.Norm()
		}
		soft, top := append([]float64(nil), x...), make([]float64, 2*n)
		softmax(soft, q, top, true)
		for i := range n {
			sum := 0.0
			for j := range q {
				sum += math.Exp(x[j*n+i])
			}
			near(t, "log of the sum", top[i:i+1], []float64{math.Log(sum)}, 1e-14)
			for j := range q {
				near(t, "softmax", []float64{soft[j*n+i]}, []float64{math.Exp(x[j*n+i]) / sum}, 1e-14)
			}
		}
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
