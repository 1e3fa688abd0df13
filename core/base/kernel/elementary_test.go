package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ulps returns the distance of a and b in units in the last place of b.
func ulps(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / (math.Nextafter(math.Abs(b), math.Inf(1)) - math.Abs(b))
}

func TestElementaryAccuracy(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	for i := range 200000 {
		x := (src.Float64() - 0.5) * 60
		if i%4 == 0 {
			x = (src.Float64() - 0.5) * 1400
		}
		if d := ulps(Exp(x), math.Exp(x)); d > 2 {
			t.Fatalf("Exp(%v) is %v units from the standard library", x, d)
		}
		y := math.Exp(x)
		if d := ulps(Log(y), math.Log(y)); d > 2 && math.Abs(math.Log(y)) > 1e-300 {
			t.Fatalf("Log(%v) is %v units from the standard library", y, d)
		}
	}
}

func TestElementaryEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ got, want float64 }{
		{Exp(0), 1}, {Exp(inf), inf}, {Exp(-inf), 0}, {Exp(-800), 0}, {Exp(800), inf},
		{Log(1), 0}, {Log(0), -inf}, {Log(inf), inf}, {Exp(-740), math.Exp(-740)},
		{Log(5e-324), -744.4400719213812},
	} {
		if c.got != c.want && ulps(c.got, c.want) > 1 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if !math.IsNaN(Exp(math.NaN())) || !math.IsNaN(Log(math.NaN())) || !math.IsNaN(Log(-1)) {
		t.Error("NaN does not pass through")
	}
}
