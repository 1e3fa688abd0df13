package measure

import (
	"errors"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
)

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
