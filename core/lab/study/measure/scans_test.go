package measure

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"cadem.example/core/base/diag"
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

func TestScansThatDoNotBelongTogether(t *testing.T) {
	prepared := func(name string, m int, regions float64) *Result {
		return &Result{Name: name, Arrays: []Array{
			{"class", []int{1}, []float64{0}}, {"group", []int{1}, []float64{0}}, {"z", []int{1, 4 * m}, make([]float64, 4*m)},
			{"moments", []int{1, 2 * m}, make([]float64, 2*m)}, {"regions", []int{1, 1}, []float64{regions}}}}
	}
	for want, other := range map[string]*Result{
		"b: regions: found 361, expected 360, as in a":                         prepared("b", 361, 7),
		"b: regions: found other names, or another order, than in a, expected": prepared("b", 360, 8),
	} {
		_, err := scannedOf(Held{prepared("a", 360, 7), other})
		var bad *diag.Error
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	if _, err := scannedOf(Held{prepared("a", 360, 7), prepared("b", 360, 7)}); err != nil {
		t.Error(err)
	}
}
