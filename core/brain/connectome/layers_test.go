package connectome

import (
	"slices"
	"testing"

	"cadem.example/core/base/rng"
)

// The n-th largest value is that of the sorted values, with ties and without, and the ties
// that cut counts fill the n places.
func TestCut(t *testing.T) {
	src := rng.New(1, "cut")
	for round := range 200 {
		x := make([]float64, 1+src.IntN(60))
		for i := range x {
			x[i] = float64(src.IntN(1 + round)) // few values at first
		}
		sorted := slices.Clone(x)
		slices.Sort(sorted)
		slices.Reverse(sorted)
		for n := 1; n < len(x); n++ {
			least, ties := cut(slices.Clone(x), n)
			above := 0
			for _, v := range x {
				if v > least {
					above++
				}
			}
			if least != sorted[n-1] || above+ties != n {
				t.Fatalf("of %v the %d largest end at %v with %d ties, found %v with %d", x, n, sorted[n-1], n-above, least, ties)
			}
		}
	}
}
