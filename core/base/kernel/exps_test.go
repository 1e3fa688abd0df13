package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestExps(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 3))
	for range 20000 {
		v := -math.Abs(src.NormFloat64()) * 100 * src.Float64()
		x := []float64{v}
		Exps(x)
		if want := math.Exp(max(v, -100)); math.Abs(x[0]-want) > 1e-15*want {
			t.Fatalf("e**%v = %v, want %v", v, x[0], want)
		}
	}
	x := []float64{0, -100, -1e300, math.Inf(-1)}
	Exps(x)
	if x[0] != 1 || !(x[1] > 0) || x[2] != x[1] || x[3] != x[1] {
		t.Errorf("at the ends: %v", x)
	}
}

// Values of one item after another, beside others: the definition with the same bits.
func TestSoftmaxFromItsDefinition(t *testing.T) {
	src := rand.New(rand.NewPCG(6, 1))
	for count := 1; count <= 5; count++ {
		for n := 1; n <= 9; n++ {
			x := fill[float64](src, count*n)
			got, top, sum := slices.Clone(x), make([]float64, n), make([]float64, n)
			Softmax(got, top, sum)
			for i := range n {
				most, all := x[i], 0.0
				for k := range count {
					most = max(most, x[k*n+i])
				}
				e := make([]float64, count)
				for k := range count {
					e[k] = x[k*n+i] - most
				}
				Exps(e)
				for _, v := range e {
					all += v
				}
				if top[i] != most || sum[i] != all {
					t.Fatalf("item %d of %d: top %v, sum %v, want %v, %v", i, n, top[i], sum[i], most, all)
				}
				for k, v := range e {
					if got[k*n+i] != v/all {
						t.Fatalf("weight %d of item %d of %d is %v, want %v", k, i, n, got[k*n+i], v/all)
					}
				}
			}
		}
	}
}
