package evaluate

import (
	"math"
	"slices"
	"testing"
)

// The wanted values come from integrating the density of Student's t in 30 digits.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		differences []float64
		testShare   float64
		want        []float64 // mean, t, p, low, high
		decided     bool
	}{
		{[]float64{0.02, 0.05, -0.01, 0.03, 0.04}, 0.25, []float64{0.026, 1.68356216141926, 0.167553221478923, -0.0168778778648054, 0.0688778778648054}, false},
		{[]float64{0.1, -0.2, 0.05}, 0, []float64{-0.0166666666666667, -0.179605302026775, 0.874011842330258, -0.415935942238873, 0.38260260890554}, false},
		{[]float64{0.01, 0.02, 0.015, 0.012, 0.03, -0.004, 0.022, 0.018, 0.009, 0.011}, 0.25,
			[]float64{0.0143, 2.64766897996748, 0.026577553389076, 0.00208214056486335, 0.0265178594351367}, true},
	} {
		got := Compare(c.differences, c.testShare)
		near(t, "comparison", []float64{got.Mean, got.T, got.P, got.Low, got.High}, c.want, 1e-10)
		if got.Decided != c.decided || got.Pairs != len(c.differences) || got.Freedom != got.Pairs-1 {
			t.Errorf("%+v", got)
		}
		// The other way round it is the same test.
		other := slices.Clone(c.differences)
		for i := range other {
			other[i] = -other[i]
		}
		back := Compare(other, c.testShare)
		near(t, "comparison turned round", []float64{back.Mean, back.T, back.P, back.Low, back.High}, []float64{-got.Mean, -got.T, got.P, -got.High, -got.Low}, 1e-12)
	}
}

// Without the correction folds that share what they train on would decide far too often.
func TestCompareIsCorrected(t *testing.T) {
	d := []float64{0.02, 0.05, -0.01, 0.03, 0.04}
	if corrected, naive := Compare(d, 0.25), Compare(d, 0); !(corrected.P > naive.P) || math.Abs(naive.T/corrected.T-1.5) > 1e-12 {
		t.Errorf("corrected %+v, not corrected %+v", corrected, naive)
	}
}

func TestCompareOfFewOrEqual(t *testing.T) {
	for _, d := range [][]float64{nil, {0.3}} {
		if c := Compare(d, 0.25); c.Decided || c.P != 0 || c.Freedom != 0 || c.Pairs != len(d) {
			t.Errorf("%v: %+v", d, c)
		}
	}
	if c := Compare([]float64{0, 0, 0}, 0.25); c.Decided || c.P != 1 || c.T != 0 {
		t.Errorf("no difference: %+v", c)
	}
	if c := Compare([]float64{0.1, 0.1, 0.1}, 0.25); !c.Decided || c.P != 0 || !math.IsInf(c.T, 1) || c.Low != 0.1 || c.High != 0.1 {
		t.Errorf("one difference everywhere: %+v", c)
	}
	defer func() {
		if recover() != ErrShape {
			t.Error("a share below zero is taken")
		}
	}()
	Compare([]float64{1, 2}, -1)
}
