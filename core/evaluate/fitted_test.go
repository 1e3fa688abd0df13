package evaluate_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// The well-fitted reader finds in columns of another scale what the paper's combiner, with its fixed rate, misses; it looks at no tested node; and
// the report has the score that is possible without an embedding.
func TestFitted(t *testing.T) {
	const n = 90
	src := rng.New(2, "test/fitted")
	x := mat.NewDense(n, 4, nil)
	labels := multiplex.LabelSet{Name: "y", Classes: []string{"a", "b", "c"}, Of: make([]int, n)}
	for i := range n {
		labels.Of[i] = i % 3
		for j := range 3 {
			x.Set(i, j, 1e-6*src.Norm())
		}
		x.Set(i, labels.Of[i], x.At(i, labels.Of[i])+4e-6)
		x.Set(i, 3, 7)
	}
	var deals []evaluate.Deal
	score := func(x *mat.Dense, labels multiplex.LabelSet) evaluate.Score {
		deals = nil
		in := evaluate.Input{Deals: &deals,
			Trained: []evaluate.Embedding{{Name: "e", Tokens: []*mat.Dense{x}}}, Targets: []multiplex.LabelSet{labels}, Classify: true,
			Fit: evaluate.Fitted}
		list, err := evaluate.Table(in, evaluate.Defaults(), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		return list[0]
	}
	s := score(x, labels)
	if s.Fitted == nil || s.Fitted.Value < 0.95 || s.Value > 0.6 || len(s.Fitted.Folds) != 5 || s.Fitted.Chance != 1./3 {
		t.Fatalf("%+v, %+v", s, s.Fitted)
	}
	for _, w := range s.Fitted.Weights {
		if !slices.Contains([]float64{100, 10, 1, 0.1}, w) {
			t.Errorf("weights %v", s.Fitted.Weights)
		}
	}
	for f, d := range deals { // scores can be computed again from what is listed
		again := func(found []string) float64 {
			number := func(words []string) (list []int) {
				for _, w := range words {
					list = append(list, slices.Index(labels.Classes, w))
				}
				return list
			}
			return evaluate.MacroF1(number(d.Truth), number(found))
		}
		if again(d.Predicted) != s.Folds[f] || again(d.Fitted) != s.Fitted.Folds[f] || len(d.Test)+len(d.Train) != n {
			t.Errorf("fold %d: %+v", f, d)
		}
	}
	if len(deals) != 5 {
		t.Errorf("%d folds are listed", len(deals))
	}
	// On a split of the data, values of a test node change what is found of it, and nothing else.
	labels.Splits = []multiplex.Split{{}}
	for i := range n {
		switch part := &labels.Splits[0]; {
		case i < 30:
			part.Train = append(part.Train, i)
		case i < 45:
			part.Validation = append(part.Validation, i)
		default:
			part.Test = append(part.Test, i)
		}
	}
	before := score(x, labels).Fitted
	moved := mat.DenseCopyOf(x)
	moved.Set(89, 0, 1e9) // would be all there is to a column's scale
	after := score(moved, labels).Fitted
	if before.Inner[0] != after.Inner[0] || before.Value-after.Value > 0.05 || before.Value < 0.9 {
		t.Errorf("%+v, then %+v", before, after)
	}
}
