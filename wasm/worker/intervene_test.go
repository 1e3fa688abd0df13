package worker

import (
	"math"
	"testing"
)

// Common parts are exchanged at any step of a run, and the same seed gives the same answer.
func TestInterventions(t *testing.T) {
	c := start(t)
	c.call("open", `"data":{"example":"syn1","options":{"nodes":40},"data_seed":1}`)
	c.send("train", `"options":{"epochs":2,"inner_steps":2,"augmented":3},"preset":"released","model_seed":1,"paused":true`)
	var found, again struct {
		Invariance   float64
		Observed, Do [][]float64
		Pairs, Step  int
		Layer        []int
		Private      [][]float64
		Common       [][]float64
	}
	c.call("interventions", `"eval_seed":1`).read(t, &found)
	c.call("interventions", `"eval_seed":1`).read(t, &again)
	if found.Invariance != again.Invariance || found.Invariance < 0 || found.Invariance > 1 || len(found.Observed) != 3 || len(found.Do) != 3 {
		t.Fatalf("%+v, and again %+v", found, again)
	}
	if n := len(found.Layer); n != 12 || len(found.Private) != n || len(found.Common) != n || found.Pairs != 150*149 {
		t.Errorf("%d pairs; parts of %d copies: %d and %d", found.Pairs, n, len(found.Private), len(found.Common))
	}
	for l, row := range found.Do {
		if sum := row[0] + row[1] + row[2]; math.Abs(sum-1) > 1e-9 {
			t.Errorf("layer %d: probabilities add up to %v", l, sum)
		}
	}
}
