package measures

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"cadem.example/core/base/rng"
)

// Few pairs of regions stay what they are; of many, inner products come out right in the mean.
func TestHashed(t *testing.T) {
	src := rng.New(5, "hashed")
	draw := func(m int) []float64 {
		fc := make([]float64, m*m)
		for i := range m {
			for j := range i {
				v := src.Norm()
				fc[i*m+j], fc[j*m+i] = v, v
			}
		}
		return fc
	}
	if got := hashed(draw(20), 20); len(got) != 190 {
		t.Errorf("%d pairs of 20 regions", len(got))
	}
	const m, pairs = 200, 19900
	var errs []float64
	for range 40 {
		a, b := draw(m), draw(m)
		exact, kept := 0.0, 0.0
		for i := range m {
			for j := range i {
				exact += a[i*m+j] * b[i*m+j]
			}
		}
		x, y := hashed(a, m), hashed(b, m)
		for k := range x {
			kept += x[k] * y[k]
		}
		errs = append(errs, (kept-exact)/pairs)
	}
	if mean, spread := stat.MeanStdDev(errs, nil); math.Abs(mean) > 0.02 || spread > 0.05 {
		t.Errorf("inner products of unit vectors are off by %.3f, give or take %.3f", mean, spread)
	}
}
