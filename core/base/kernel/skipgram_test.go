package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The updates are those of the plain loop over targets, also of rows that come twice.
func TestSkipGram(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{1, 3, 5, 8, 12, 17} {
		fill := func(n int) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = 2 * r.NormFloat64()
			}
			return x
		}
		table, x, change := fill(6*d), fill(d), fill(d)
		wantTable, wantChange, wantLoss := append([]float64(nil), table...), append([]float64(nil), change...), 0.0
		type target struct{ row, label int }
		list := []target{{2, 1}, {5, 0}, {0, 0}, {5, 0}, {2, 0}, {3, 1}}
		var targets []int32
		for _, k := range list {
			targets = append(targets, int32(2*k.row+k.label))
			row, f := wantTable[k.row*d:(k.row+1)*d], 0.0
			for j, v := range row {
				f += x[j] * v
			}
			p := 1 / (1 + math.Exp(-f))
			g := 0.3 * (float64(k.label) - p)
			if k.label == 0 {
				f = -f
			}
			wantLoss += math.Max(-f, 0) + math.Log1p(math.Exp(-math.Abs(f)))
			for j, v := range row {
				wantChange[j] += g * v
				row[j] += g * x[j]
			}
		}
		singleTable, singleX, singleChange := narrow(table), narrow(x), narrow(change)
		loss := SkipGram(table, x, change, targets, 0.3)
		near(t, fmt.Sprintf("d = %d: loss", d), 1e-12, []float64{loss}, []float64{wantLoss})
		near(t, fmt.Sprintf("d = %d: table", d), 1e-12, table, wantTable)
		near(t, fmt.Sprintf("d = %d: change", d), 1e-12, change, wantChange)
		loss = SkipGram(singleTable, singleX, singleChange, targets, 0.3)
		near(t, fmt.Sprintf("d = %d, single: loss", d), 1e-4, []float64{loss}, []float64{wantLoss})
		near(t, fmt.Sprintf("d = %d, single: table", d), 1e-4, widen(singleTable), wantTable)
		near(t, fmt.Sprintf("d = %d, single: change", d), 1e-4, widen(singleChange), wantChange)
	}
}

// Hopeless predictions have a finite loss; nothing overflows on the way.
func TestSkipGramFarFromRight(t *testing.T) {
	x, change := []float64{1}, []float64{0}
	table := []float64{-400, 400, -300}
	if loss := SkipGram(table, x, change, []int32{1, 2, 5}, 0); math.Abs(loss-1100) > 1e-9 {
		t.Errorf("loss %v, expected 1100", loss)
	}
	table = []float64{0.5}
	if n := testing.AllocsPerRun(10, func() { SkipGram(table, x, change, []int32{1, 0}, 0.1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func near(t *testing.T, what string, tolerance float64, got, want []float64) {
	t.Helper()
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tolerance*(1+math.Abs(w))) {
			t.Errorf("%s: entry %d is %v, expected %v", what, i, got[i], w)
		}
	}
}

func narrow(x []float64) []float32 {
	s := make([]float32, len(x))
	for i, v := range x {
		s[i] = float32(v)
	}
	return s
}

func widen(x []float32) []float64 {
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = float64(v)
	}
	return d
}
