package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestExps(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 3))
	for range 20000 {
		v := -math.Abs(src.NormFloat64()) * 100 * src.Float64()
		x := []float64{v}
		Exps(x)
		if want := math.Exp(max(v, -708)); math.Abs(x[0]-want) > 1e-15*want {
			t.Fatalf("e**%v = %v, want %v", v, x[0], want)
		}
	}
	x := []float64{0, -708, -1e300, math.Inf(-1)}
	Exps(x)
	if x[0] != 1 || !(x[1] > 0) || x[2] != x[1] || x[3] != x[1] {
		t.Errorf("at the ends: %v", x)
	}
}
