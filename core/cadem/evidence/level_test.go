package evidence_test

import (
	"fmt"
	"os"
	"testing"

	"cadem/core/cadem/evidence"
)

// decided tells whether any layer passes the gate.
func decided(t *testing.T, layers []*evidence.Layer, seed uint64) bool {
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
		if trial.P <= o.Level/float64(len(layers)) {
			return true
		}
	}
	return false
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

// Of layers with strong communities of their own, which share nothing, the gate says so in 94 of 100 draws or more. Every kind is a test
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
						if decided(t, layersOf(graph), seed) {
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
