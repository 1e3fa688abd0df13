package evaluate

import (
	"math"
	"testing"

	"cadem.example/core/base/rng"
)

func TestAgreementIgnoresNames(t *testing.T) {
	src := rng.New(1, "agreement")
	for range 20 {
		a, b := randomLabels(40, 4, src), randomLabels(40, 3, src)
		renamed := make([]int, len(a))
		for i, c := range a {
			renamed[i] = []int{7, 2, 5, 0}[c]
		}
		near(t, "after renaming", []float64{ARI(renamed, b), NMI(renamed, b)}, []float64{ARI(a, b), NMI(a, b)}, 1e-14)
		near(t, "after swapping", []float64{ARI(b, a), NMI(b, a)}, []float64{ARI(a, b), NMI(a, b)}, 1e-14)
		near(t, "with itself", []float64{ARI(a, renamed), NMI(a, renamed)}, []float64{1, 1}, 1e-14)
	}
}

func TestAgreementByHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		a, b     []int
		ari, nmi float64
	}{
		// I = 1, sa = 2, sb = 3, E = 2*3/6 = 1. MI = 0.21576, H = 0.69315 and 0.56234.
		{"one of four moved", []int{0, 0, 1, 1}, []int{0, 0, 0, 1}, 0, 0.34371101848545},
		{"crossed", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -0.5, 0},
		{"all single", []int{0, 1, 2}, []int{2, 0, 1}, 1, 1},
		{"one cluster each", []int{0, 0, 0}, []int{4, 4, 4}, 1, 1},
		{"one against several", []int{0, 0, 0}, []int{0, 1, 1}, 0, 0},
		{"one item", []int{0}, []int{0}, 1, 1},
		{"no items", nil, nil, 1, 1},
	} {
		if got := ARI(c.a, c.b); math.Abs(got-c.ari) > 1e-12 {
			t.Errorf("%s: ARI %v, want %v", c.name, got, c.ari)
		}
		if got := NMI(c.a, c.b); math.Abs(got-c.nmi) > 1e-12 {
			t.Errorf("%s: NMI %v, want %v", c.name, got, c.nmi)
		}
	}
}

func TestUnrelatedPartitionsScoreAboutZero(t *testing.T) {
	src, sum := rng.New(3, "unrelated"), 0.0
	for range 200 {
		sum += ARI(randomLabels(100, 3, src), randomLabels(100, 3, src))
	}
	if m := sum / 200; math.Abs(m) > 0.005 {
		t.Errorf("mean ARI of unrelated labels %v", m)
	}
}

func TestF1ByHand(t *testing.T) {
	// Class 0: TP 2, FN 1. Class 1: TP 1, FP 1. Class 3 only predicted. Class 2 absent.
	macro, micro := F1([]int{0, 0, 0, 1, 1}, []int{0, 0, 1, 1, 3})
	near(t, "F1", []float64{macro, micro}, []float64{(0.8 + 0.5 + 0) / 3, 0.6}, 1e-15)
	if macro, micro := F1(nil, nil); macro != 0 || micro != 0 {
		t.Errorf("no items: %v %v", macro, micro)
	}
}

func TestNegativeLabelsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"F1":  func() { F1([]int{0, -1}, []int{0, 0}) },
		"ARI": func() { ARI([]int{0, 0}, []int{-1, 0}) },
		"NMI": func() { NMI([]int{0, -1}, []int{0, 0}) },
	} {
		func() {
			defer func() {
				if r := recover(); r != ErrLabel {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			f()
		}()
	}
}
