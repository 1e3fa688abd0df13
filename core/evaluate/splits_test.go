package evaluate_test

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// On splits of the data scores are of the test nodes, by what was trained on the training nodes and chosen by the validation nodes: no
// other label has a part in them.
func TestOwnSplits(t *testing.T) {
	const n = 60
	src := rng.New(1, "test/splits")
	x := mat.NewDense(n, 4, nil)
	labels := multiplex.LabelSet{Name: "y", Classes: []string{"a", "b", "never"}, Of: make([]int, n)}
	for i := range n {
		labels.Of[i] = i % 2
		for j := range 4 {
			x.Set(i, j, 0.5*src.Norm()+float64(labels.Of[i]))
		}
	}
	var split multiplex.Split
	for i := range 50 { // the last ten are in no part
		switch i / 10 {
		case 0, 1:
			split.Train = append(split.Train, i)
		case 2:
			split.Validation = append(split.Validation, i)
		default:
			split.Test = append(split.Test, i)
		}
	}
	other := multiplex.Split{Name: "other", Train: split.Test, Test: split.Train}
	labels.Splits = []multiplex.Split{split}
	score := func(nested string, altered ...int) evaluate.Score {
		l := labels
		l.Of = append([]int(nil), labels.Of...)
		for _, i := range altered {
			l.Of[i] = 1 - l.Of[i]
		}
		o := evaluate.Defaults()
		o.NestedSelect, o.KMeansRuns = nested, 1
		in := evaluate.Input{Trained: []evaluate.Embedding{{Name: "e", Tokens: []*mat.Dense{x}}}, Targets: []multiplex.LabelSet{l}, Classify: true}
		list, err := evaluate.Table(in, o, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		return list[0]
	}
	got := score("off")
	if len(got.Folds) != 1 || got.TestShare != 1 || got.Protocol != "the data's own split: 20 training, 10 validation, 20 test nodes" || got.Value < 0.7 {
		t.Errorf("%+v", got)
	}
	if again := score("off", 22, 55, 58); !reflect.DeepEqual(got, again) {
		t.Errorf("with labels of other nodes changed: %+v, before %+v", again, got)
	}
	if trained, tested := score("off", 0, 2, 4, 6, 8), score("off", 40, 42); trained.Value == got.Value || tested.Value >= got.Value {
		t.Errorf("%v, and %v, before %v", trained.Value, tested.Value, got.Value)
	}
	chosen, altered := score("on"), score("on", 20, 22, 24)
	if len(chosen.Selected) != 1 || chosen.Selected[0].Inner == altered.Selected[0].Inner {
		t.Errorf("validation chose %+v, and altered %+v", chosen.Selected, altered.Selected)
	}
	labels.Splits = append(labels.Splits, other)
	if two := score("off"); len(two.Folds) != 2 || two.Folds[0] != got.Value || two.FoldStd != evaluate.Deviation(two.Folds) {
		t.Errorf("%+v", two)
	}
}
