package evidence_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/evaluate"
)

// gate tells which layers pass, up to the first that does if it is enough.
func gate(t *testing.T, layers []*evidence.Layer, seed uint64, enough bool) (passed []bool) {
	o := evidence.Defaults()
	o.Level, o.Functions = .05, 32
	if len(layers) > 4 {
		o.Functions = 16
	}
	sources, err := evidence.Sources(layers, o.Functions, nil)
	if err != nil {
		t.Fatal(err)
	}
	for l := range layers {
		trial, err := evidence.Try(layers, l, sources[l], o, evidence.Seeded(seed), nil)
		if err != nil {
			t.Fatal(err)
		}
		passed = append(passed, trial.P <= o.Level/float64(len(layers)))
		if enough && passed[l] {
			break
		}
	}
	return passed
}

// drawsOf returns which draws a long test takes: those before few, or, as CADEM_DRAWS says, from one to before another: 100-300.
func drawsOf(t *testing.T, few int) (from, to int) {
	text := os.Getenv("CADEM_DRAWS")
	if text == "" && os.Getenv("CADEM_LONG") == "" {
		t.Skip("takes minutes: for CADEM_LONG")
	}
	if text == "" {
		return 0, few
	}
	if _, err := fmt.Sscanf(text, "%d-%d", &from, &to); err != nil {
		t.Fatal(err)
	}
	return from, to
}

// For layers with strong communities of their own that share nothing, the gate says so in 94 of 100 draws or more. Every kind is a test
// of its own: CADEM_DRAWS=0-300 go test -v -run TestLevel/3_layers ./core/cadem/evidence
func TestLevel(t *testing.T) {
	from, to := drawsOf(t, 20)
	draws := to - from
	const m, groups, coupling = 300, 3, .8
	found, all := 0, 0
	for _, n := range []int{2, 3, 6} {
		for _, degree := range []float64{3, 5, 10, 20} {
			for _, spread := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d layers, degree %v, pareto %t", n, degree, spread), func(t *testing.T) {
					few := 0
					for seed := uint64(from); seed < uint64(to); seed++ {
						var weight []float64
						if spread {
							weight = pareto(seed, m)
						}
						graph, _, _ := plantedAmong(5000+seed, weight, m, n, groups, degree, 0, coupling, 0)
						if slices.Contains(gate(t, layersOf(graph), seed, true), true) {
							few++
						}
					}
					found, all = found+few, all+draws
					t.Logf("%d of %d share something", few, draws)
					if float64(few) > max(.1*float64(draws), 5) { // 6 of 20 come once in 3,000 times at .05
						t.Errorf("%d of %d share something", few, draws)
					}
				})
			}
		}
	}
	t.Logf("%d of %d share something", found, all)
	if float64(found) > .06*float64(all)+10 {
		t.Errorf("%d of %d share something", found, all)
	}
}

// agreement returns the ARI of groups with the same number of clusters of nodes by the first two of some directions; 0 without directions.
func agreement(x evidence.Matrix, groups []int) float64 {
	d := min(2, x.Cols)
	if d == 0 {
		return 0
	}
	points := mat.NewDense(x.Rows, d, nil)
	for i := range x.Rows {
		points.SetRow(i, x.Row(i)[:d])
	}
	return evaluate.ARI(evaluate.KMeans(points, slices.Max(groups)+1, 10, rng.New(0, "agreement")).Labels, groups)
}

// The table of the recipe: what was measured in four draws of every kind by the program it was written down from. Ranks are at most .3
// further from the truth, and each ARI is at most .05 worse. CADEM_DRAWS=0-10 go test -v -run TestRecipe ./core/cadem/evidence
func TestRecipe(t *testing.T) {
	from, to := drawsOf(t, 10)
	none := math.NaN()
	for _, c := range []struct {
		name                             string
		degree, share                    float64
		spread                           bool
		few                              int
		rank, common, own, mixed, united float64 // ARI of S with shared groups, of P with its own and with shared ones, of the union
	}{
		{"shared and own, degree 3", 3, .6, false, 3, 2.75, .66, 0, 0, .69},
		{"shared and own, degree 5", 5, .5, false, 3, 2, .74, 0, 0, .78},
		{"shared and own, degree 10", 10, .5, false, 3, 2, .98, .45, 0, .98},
		{"shared and own, degree 20", 20, .5, false, 3, 2, 1, .89, 0, 1},
		{"shared and own, degree 10, pareto", 10, .5, true, 3, 2, .99, .06, 0, .99},
		{"shared alone, degree 3", 3, 1, false, 3, 2, .99, none, 0, .99},
		{"own alone, degree 10, pareto", 10, 0, true, 0, 0, none, .99, none, none},
		{"two share, degree 10", 10, .5, false, 2, 2.5, .76, .63, 0, .31},
		{"two share, degree 20, pareto", 20, .5, true, 2, 2.25, .86, .89, 0, .27},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rank, common, own, mixed, united float64
			for seed := uint64(from); seed < uint64(to); seed++ {
				const m, n, k = 600, 3, 3
				var weight []float64
				if c.spread {
					weight = pareto(seed, m)
				}
				graph, shared, groups := plantedAmong(seed, weight, m, n, k, c.degree, c.share, .9, c.few)
				r, err := evidence.Find(graph, evidence.Defaults(), evidence.Seeded(seed), nil)
				if err != nil {
					t.Fatal(err)
				}
				_, together, err := evidence.NewPool(layersOf(graph)...).Leading(2, evidence.Matrix{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				rank += float64(r.Rank())
				common += agreement(r.Basis.OnNodes(r.Basis.V), shared)
				united += agreement(together, shared)
				for l, of := range groups {
					own += agreement(r.Own[l].Oblique, of) / n
					mixed += agreement(r.Own[l].Oblique, shared) / n
				}
			}
			draws, truth := float64(to-from), 2.0
			if c.few == 0 {
				truth = 0
			}
			for _, v := range []*float64{&rank, &common, &own, &mixed, &united} {
				*v /= draws
			}
			t.Logf("rank %.2f (%.2f), ARI of S with shared %.3f (%.2f), of P with own %.3f (%.2f), of P with shared %.3f (%.2f), of the union %.3f (%.2f)",
				rank, c.rank, common, c.common, own, c.own, mixed, c.mixed, united, c.united)
			if math.Abs(rank-truth) > math.Abs(c.rank-truth)+.3 || common < c.common-.05 || own < c.own-.05 || mixed > c.mixed+.05 {
				t.Error("worse than the recipe")
			}
		})
	}
}

// If two of three layers share something, they are found without the third in 45 draws of 50.
func TestPairs(t *testing.T) {
	from, to := drawsOf(t, 50)
	right, taken := 0, make([]int, 3)
	for seed := uint64(from); seed < uint64(to); seed++ {
		graph, _, _ := plantedAmong(3000+seed, nil, 600, 3, 3, 10, .6, .9, 2)
		passed := gate(t, layersOf(graph), seed, false)
		for l, in := range passed {
			if in {
				taken[l]++
			}
		}
		if slices.Equal(passed, []bool{true, true, false}) {
			right++
		}
	}
	if t.Logf("the right layers in %d of %d draws, each in %v", right, to-from, taken); 10*right < 9*(to-from) {
		t.Error("layers that share are not told from the other one")
	}
}
