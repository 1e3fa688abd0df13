package run

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/evaluate"
)

// The posterior cuts as many nodes as training does, where a product that rounds down would lose one.
func TestPosteriorCutsAsTrainingDoes(t *testing.T) {
	o := cadem.Released()
	o.NodeRatio, o.Noise = 0.58, 0
	// All embeddings being 1, a copy's sum is the number of its nodes, and of a phi that
	// answers by a hundredth of it the bound tells that number.
	ones := mat.NewDense(50, 1, slices.Repeat([]float64{1}, 50))
	e := &cadem.Embeddings{Consensus: ones, Common: []*mat.Dense{ones, ones}, Private: []*mat.Dense{ones, ones}}
	r := probeOf(e, &o, evaluate.Head{W: []float64{0.01, 0}, B: []float64{0, 0}}, evaluate.Head{W: []float64{0, 0}, B: []float64{0, 0}}).Read(1)
	x := 0.29
	if want := math.Log(2) - (2*math.Log(math.Exp(x)+1)-x)/2; math.Abs(r.Bound-want) > 1e-12 {
		t.Errorf("the bound is %v, of 29 nodes it would be %v", r.Bound, want)
	}
}
