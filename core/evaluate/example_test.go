package evaluate_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// Two embeddings of twelve nodes in two groups; the nodes' labels are known except for one.
func ExampleTable() {
	src := rng.New(1, "example")
	groups := multiplex.LabelSet{Name: "group", Classes: []string{"left", "right"}, Of: []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, multiplex.Missing}}
	trained, untrained := mat.NewDense(12, 2, nil), mat.NewDense(12, 2, nil)
	for i := range 12 {
		side := 1.0
		if i >= 6 {
			side = -1
		}
		trained.SetRow(i, []float64{side + 0.1*src.Norm(), 0.1 * src.Norm()})
		untrained.SetRow(i, []float64{src.Norm(), src.Norm()})
	}
	scores, err := evaluate.Table(evaluate.Input{
		Trained:   []evaluate.Embedding{{Name: "common", Tokens: []*mat.Dense{trained}}},
		Untrained: []evaluate.Embedding{{Name: "common", Tokens: []*mat.Dense{untrained}}},
		Targets:   []multiplex.LabelSet{groups},
		Classify:  true,
		Cluster:   true,
	}, evaluate.Defaults(), 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range scores[:2] { // those of a classifier come first
		fmt.Printf("%s %s %s: %.2f, probe %.2f, better than untrained: %t\n", s.Embedding, s.Target, s.Metric, s.Value, s.Probe, s.Value > s.Untrained)
	}
	// Output:
	// common group macro_f1: 1.00, probe 1.00, better than untrained: true
	// common group micro_f1: 1.00, probe 1.00, better than untrained: true
}

func ExampleKMeans() {
	x := mat.NewDense(5, 1, []float64{0, 1, 10, 11, 12})
	c := evaluate.KMeans(x, 2, 5, rng.New(1, "clusters"))
	fmt.Println(evaluate.ARI(c.Labels, []int{0, 0, 1, 1, 1}), c.Inertia)
	// Output: 1 2.5
}

// The combiner on its own: tokens of four nodes, two of them in training.
func ExampleCombiner() {
	common := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 0, 0, 1})
	private := mat.NewDense(4, 2, []float64{.1, .2, .1, .1, .2, .1, .2, .2})
	tokens := []*mat.Dense{common, private}
	c := evaluate.NewCombiner(evaluate.Shape{Tokens: 2, Dim: 2, Classes: 2, Heads: 2})
	c.Init(rng.New(1, "combiner"))
	train := evaluate.NewBatch(tokens, []int{0, 1}, []int{0, 1, 0, 1})
	for range 50 {
		c.Step(train, 0.1)
	}
	class := make([]int, 4)
	c.Predict(class, evaluate.NewBatch(tokens, []int{0, 1, 2, 3}, nil))
	fmt.Println(class)
	// Output: [0 1 0 1]
}

// Two layers whose common embeddings are the same and whose private ones differ.
func ExampleLayerProbe() {
	same := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 1, 0, 0})
	p := evaluate.LayerProbe{
		Common:  []*mat.Dense{same, same},
		Private: []*mat.Dense{mat.NewDense(4, 2, []float64{5, 0, 6, 0, 5, 0, 4, 0}), mat.NewDense(4, 2, []float64{0, 5, 0, 6, 0, 4, 0, 5})},
		Phi:     evaluate.Head{W: []float64{1, 0, 0, 1}, B: []float64{0, 0}},
		Psi:     evaluate.Head{W: []float64{1, 0, 0, 1}, B: []float64{0, 0}},
		Noise:   0.1,
	}
	r := p.Read(1)
	fmt.Printf("private: probe %.2f, bound %.3f of %.3f\n", r.Private.Probe, r.Bound, math.Log(2))
	fmt.Println("common is guessed:", r.Common.Probe < 0.65)
	// Output:
	// private: probe 1.00, bound 0.693 of 0.693
	// common is guessed: true
}

// Two methods scored in the same five folds: each fold tests a fifth of the items, a quarter of its
// training items.
func ExampleCompare() {
	c := evaluate.Compare([]float64{0.02, 0.05, -0.01, 0.03, 0.04}, 0.25)
	fmt.Printf("%+.3f, t(%d) = %.2f, p = %.3f, decided: %t\n", c.Mean, c.Freedom, c.T, c.P, c.Decided)
	// Output: +0.026, t(4) = 1.68, p = 0.168, decided: false
}
