package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestTrigonometricAccuracy(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	for i := range 200000 {
		x := (src.Float64() - 0.5) * []float64{2, 60, 1e4, 1e6}[i%4]
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"Sin", Sin(x), math.Sin(x)}, {"Cos", Cos(x), math.Cos(x)},
		} {
			// The reference itself is good to 1e-16 of the argument's reduction only.
			if d := ulps(c.got, c.want); d > 2 && math.Abs(c.got-c.want) > 2e-17*math.Abs(x) {
				t.Fatalf("%s(%v) = %v is %v units from %v", c.name, x, c.got, d, c.want)
			}
		}
		if s, c := Sin(x), Cos(x); math.Abs(s*s+c*c-1) > 5e-16 {
			t.Fatalf("sin^2 + cos^2 of %v differs from 1 by %v", x, s*s+c*c-1)
		}
		y := (src.Float64() - 0.5) * []float64{2, 60, 1e-3, 1e6}[i/4%4]
		if d := ulps(Atan2(y, x), math.Atan2(y, x)); d > 2 {
			t.Fatalf("Atan2(%v, %v) is %v units from the standard library", y, x, d)
		}
		if d := ulps(Cbrt(y), math.Cbrt(y)); d > 2 {
			t.Fatalf("Cbrt(%v) is %v units from the standard library", y, d)
		}
	}
}

func TestTrigonometricEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ got, want float64 }{
		{Sin(0), 0}, {Cos(0), 1}, {Sin(math.Pi / 2), 1}, {Cos(math.Pi), -1}, {Sin(math.Pi / 6), 0.5},
		{Cos(math.Pi / 2), 6.123233995736766e-17}, {Sin(math.Pi), 1.2246467991473532e-16}, {Sin(-1), -Sin(1)}, {Cos(-1), Cos(1)},
		{Atan2(0, 0), 0}, {Atan2(0, 1), 0}, {Atan2(0, -1), math.Pi}, {Atan2(1, 0), math.Pi / 2}, {Atan2(-1, 0), -math.Pi / 2},
		{Atan2(1, 1), math.Pi / 4}, {Atan2(-1, -1), -3 * math.Pi / 4}, {Atan2(1e-300, 1e300), 0}, {Atan2(1e300, -1e-300), math.Pi / 2},
		{Cbrt(0), 0}, {Cbrt(27), 3}, {Cbrt(-8), -2}, {Cbrt(inf), inf}, {Cbrt(5e-324), math.Cbrt(5e-324)}, {Cbrt(math.MaxFloat64), math.Cbrt(math.MaxFloat64)},
	} {
		if c.got != c.want && ulps(c.got, c.want) > 1 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	for _, x := range []float64{Sin(inf), Cos(-inf), Sin(math.NaN()), Cbrt(math.NaN())} {
		if !math.IsNaN(x) {
			t.Errorf("got %v, want NaN", x)
		}
	}
}

// The sine of a large number is only as good as the reduction: a reference in 200 bits.
func TestReduction(t *testing.T) {
	pi, _ := new(big.Float).SetPrec(200).SetString("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
	half := new(big.Float).SetPrec(200).Quo(pi, big.NewFloat(2))
	for _, x := range []float64{1, 10, 355, 1e3, 103993, 1e6, -1e6, 710, 0.7853981633974484} {
		r, tail, _ := reduce(x)
		n := new(big.Float).SetPrec(200).SetFloat64(math.Floor(x*twoByPi + 0.5))
		want, _ := new(big.Float).SetPrec(200).Sub(new(big.Float).SetPrec(200).SetFloat64(x), n.Mul(n, half)).Float64()
		if ulps(r, want) > 1 || math.Abs(tail) > math.Abs(r)*2e-16 {
			t.Errorf("%v reduces to %v + %v, want %v", x, r, tail, want)
		}
	}
}
