package evaluate

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// graphs is an example of pooled embeddings: each of a number of base graphs gives one graph of
// each of three classes, which differ in one scalar.
func graphs(bases int) Input {
	src := rng.New(1, "graphs")
	n := 3 * bases
	labels := multiplex.LabelSet{Name: "dynamics", Classes: []string{"a", "b", "c"}, Of: make([]int, n)}
	groups, scalar, x, u := make([]int, n), mat.NewDense(n, 1, nil), mat.NewDense(n, 8, nil), mat.NewDense(n, 8, nil)
	for i := range n {
		labels.Of[i], groups[i] = i%3, i/3
		v := float64(i%3) + 0.1*src.Norm()
		scalar.Set(i, 0, v)
		for j := range 8 {
			x.Set(i, j, float64(j)+v*float64(j-3))
			u.Set(i, j, src.Norm())
		}
	}
	return Input{
		Trained:   []Embedding{{Name: "private_1", Tokens: []*mat.Dense{x}}},
		Untrained: []Embedding{{Name: "private_1", Tokens: []*mat.Dense{u}}},
		Trivial:   []Embedding{{Name: "private_1", Tokens: []*mat.Dense{scalar}}, {Name: "private_2"}},
		Targets:   []multiplex.LabelSet{labels}, Groups: groups, Classify: true,
	}
}

func TestGroupsNeverStraddle(t *testing.T) {
	for _, deal := range []string{"drawn", "published"} {
		o := Defaults()
		o.FoldDeal = deal
		t.Run(deal, func(t *testing.T) { testGroups(t, o) })
	}
}

func testGroups(t *testing.T, o Options) {
	in := graphs(30)
	in.Targets[0].Of[7] = multiplex.Missing
	tg, err := newTarget(&in.Targets[0], in.Groups, &o, 1)
	if err != nil {
		t.Fatal(err)
	}
	check := func(train, test [][]int, items int) {
		t.Helper()
		tested := 0
		for f := range train {
			home := map[int]bool{}
			for _, i := range test[f] {
				home[in.Groups[i]] = true
			}
			for _, i := range train[f] {
				if home[in.Groups[i]] {
					t.Errorf("fold %d trains on and tests group %d", f, in.Groups[i])
				}
			}
			tested += len(test[f])
			if len(train[f])+len(test[f]) != items {
				t.Errorf("fold %d leaves items out", f)
			}
		}
		if len(train) != 5 || tested != items {
			t.Errorf("%d folds test %d items, want 5 and %d", len(train), tested, items)
		}
	}
	check(tg.train, tg.test, 89)
	for f := range tg.train {
		train, test := tg.deal(tg.train[f], &o, 1, 1+f)
		check(train, test, len(tg.train[f]))
		for _, i := range tg.test[f] {
			for k := range train {
				if slices.Contains(train[k], i) || slices.Contains(test[k], i) {
					t.Errorf("item %d, which fold %d tests, is in its inner folds", i, f)
				}
			}
		}
	}
}

// Fewer groups than folds: as many folds as groups. One group cannot be dealt.
func TestFewGroups(t *testing.T) {
	in, o := graphs(3), Defaults()
	tg, err := newTarget(&in.Targets[0], in.Groups, &o, 1)
	if err != nil || len(tg.train) != 3 {
		t.Errorf("%d folds, %v", len(tg.train), err)
	}
	clear(in.Groups)
	if _, err := Table(in, o, 1, nil); err == nil || err.Error() != "groups of labels dynamics: found one group of nodes, expected at least "+
		"two, to train on one and test on the other" {
		t.Errorf("error %v", err)
	}
}

func TestTrivialStandsBeside(t *testing.T) {
	in, o := graphs(10), Defaults()
	o.Epochs, o.Rate = 200, 0.1
	scores, err := Table(in, o, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := find(t, scores, "private_1", "dynamics", "macro_f1")
	if s.Trivial == nil || *s.Trivial < 0.9 || s.Value < 0.9 || s.Standardised < 0.9 || s.Untrained > 0.6 || s.UntrainedProbe > 0.6 || len(s.Folds) != 5 {
		t.Errorf("%+v", s)
	}
	if m := mean(s.Folds); m != s.Value {
		t.Errorf("folds %v have mean %v, the score is %v", s.Folds, m, s.Value)
	}
	in.Trivial = nil
	if scores, err = Table(in, o, 1, nil); err != nil || scores[0].Trivial != nil {
		t.Errorf("without one: %+v, %v", scores[0], err)
	}
}

// With two groups nothing can be held out of a fold's training items: a note says so, and nothing
// counts as chosen.
func TestNestedSelectionOfTwoGroups(t *testing.T) {
	in, o := graphs(10), Defaults()
	in.Groups = make([]int, items(in.Trained[0].Tokens))
	for i := range in.Groups {
		in.Groups[i] = i % 2
	}
	o.NestedSelect = "on"
	var bad *diag.Error
	if _, err := Table(in, o, 1, nil); !errors.As(err, &bad) || bad.Found != "one group to train on" {
		t.Error(err)
	}
}

// On an embedding so small that the fixed rate and epochs get nowhere, inner folds find
// settings that work, and name them.
func TestNestedSelection(t *testing.T) {
	in, o := graphs(10), Defaults()
	o.Epochs, o.Rate = 50, 0.003
	x := in.Trained[0].Tokens[0]
	x.Scale(0.02, x)
	fixed, err := Table(in, o, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.NestedSelect = "on"
	nested, err := Table(in, o, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if fixed[0].Value > 0.7 || nested[0].Value < fixed[0].Value+0.2 || fixed[0].Selected != nil || len(nested[0].Selected) != 5 {
		t.Errorf("fixed %+v, nested %+v", fixed[0], nested[0])
	}
	for _, s := range nested[0].Selected {
		if s.Rate == o.Rate && s.Epochs == o.Epochs || s.Inner <= 0 || !slices.Contains(gridRates, s.Rate) || !slices.Contains(gridEpochs, s.Epochs) {
			t.Errorf("selected %+v", s)
		}
	}
}

// The test items of a fold do not affect the selection for it.
func TestSelectionIsBlindToTheTest(t *testing.T) {
	in, o := graphs(6), Defaults()
	o.NestedSelect = "on"
	e, err := newEvaluation(in, o, 3)
	if err != nil {
		t.Fatal(err)
	}
	tg := e.targets[0]
	x := mat.DenseCopyOf(in.Trained[0].Tokens[0])
	c := NewCombiner(e.shape([]*mat.Dense{x}, tg.classes))
	before, err := e.selected(c, tg, 2, []*mat.Dense{x})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range tg.test[2] {
		for j := range 8 {
			x.Set(i, j, 1000*math.Sqrt(float64(i+j)))
		}
		tg.labels[i] = (tg.labels[i] + 1) % 3
	}
	if after, err := e.selected(c, tg, 2, []*mat.Dense{x}); err != nil || after != before {
		t.Errorf("selected %+v, then %+v, %v", before, after, err)
	}
}
