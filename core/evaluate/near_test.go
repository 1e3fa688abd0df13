package evaluate

import (
	"math"
	"testing"
)

// near compares with a tolerance scaled by 1 + |want|, as the golden files do; those are
// replayed in scripts/parity.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tolerance*(1+math.Abs(w))) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], w)
			return
		}
	}
}
