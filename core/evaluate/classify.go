package evaluate

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
)

// A Setting holds the training options of a combiner.
type Setting struct {
	Rate   float64 `json:"eval_lr"`
	Epochs int     `json:"eval_epochs"`
	// Inner is the mean macro-F1 over inner folds for which it was chosen, 0 if nothing was chosen.
	Inner float64 `json:"inner_macro_f1,omitempty"`
}

// Candidates of nested selection, for embeddings whose scales and sizes differ.
var (
	gridRates  = []float64{0.003, 0.01, 0.03, 0.1, 0.3}
	gridEpochs = []int{50, 200, 400} // rising: one training passes them all
)

// shape returns the combiner for these tokens, or the classifier alone for one.
func (e *evaluation) shape(tokens []*mat.Dense, k int) Shape {
	_, d := tokens[0].Dims()
	s := Shape{Tokens: len(tokens), Dim: d, Classes: k}
	if s.Tokens > 1 {
		s.Heads, s.Average, s.Tag = e.o.Heads, e.o.HeadsMerge == "averaged", e.o.LayerTag == "on"
	}
	return s
}

// classified are the scores of each fold and the settings that were chosen there.
type classified struct {
	values
	selected  []Setting
	predicted [][]int // of what each fold tests
}

// classify trains a combiner in every fold, always from the weights of that fold, and
// scores its test items after the last epoch.
func (e *evaluation) classify(t *target, tokens []*mat.Dense) (*classified, error) {
	c, r := NewCombiner(e.shape(tokens, t.classes)), &classified{}
	e.pace.begin(e.classifyWork(t, tokens))
	for f, items := range t.train {
		use := Setting{Rate: e.o.Rate, Epochs: e.o.Epochs}
		if e.o.NestedSelect == "on" {
			var err error
			if use, err = e.selected(c, t, f, tokens); err != nil {
				return nil, err
			}
			r.selected = append(r.selected, use)
		}
		err := e.fit(c, t, f, tokens, items, t.test[f], use.Rate, []int{use.Epochs}, func(_ int, truth, predicted []int) {
			r.add(Classifier, truth, predicted)
			r.predicted = append(r.predicted, predicted)
		})
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// fit trains on some items of a fold and reports the true and the predicted classes of others after
// each of the numbers of epochs, which rise.
func (e *evaluation) fit(c *Combiner, t *target, fold int, tokens []*mat.Dense, train, test []int, rate float64, epochs []int,
	report func(at int, truth, predicted []int)) error {
	if e.o.Authors {
		c.InitAuthors(e.seed + 1 + uint64(fold))
	} else {
		c.Init(rng.New(e.seed, fmt.Sprintf("evaluate/combiner/fold %d", fold)))
	}
	in, out := e.batches(tokens, train, t.labels), NewBatch(tokens, test, nil)
	truth, predicted := t.pick(test), make([]int, len(test))
	done := 0
	for at, until := range epochs {
		for ; done < until; done++ {
			if err := e.pace.add(c.work(c.turn(in, done, rate))); err != nil {
				return err
			}
		}
		c.exchange(in)
		c.Predict(predicted, out)
		c.exchange(in)
		report(at, truth, predicted)
	}
	return nil
}

// selected returns the setting of the grid with the best mean macro-F1 over inner folds of the fold's training items, or on the validation nodes
// of a split of the data; the first if several are equal. Items that the fold tests take no part. Items of a single group, which have no inner
// folds, are a [*diag.Error].
func (e *evaluation) selected(c *Combiner, t *target, fold int, tokens []*mat.Dense) (Setting, error) {
	train, test := t.inner(fold, &e.o, e.seed)
	if len(train) == 0 {
		return Setting{}, &diag.Error{Where: "nested_select of labels " + t.name, Found: "one group to train on",
			Expected: "at least two, for inner folds to hold one out; or nested_select off"}
	}
	best, most := Setting{Rate: gridRates[0], Epochs: gridEpochs[0]}, -1.0
	for _, rate := range gridRates {
		sum := make([]float64, len(gridEpochs))
		for inner := range train {
			err := e.fit(c, t, fold, tokens, train[inner], test[inner], rate, gridEpochs, func(at int, truth, predicted []int) { sum[at] += MacroF1(truth, predicted) })
			if err != nil {
				return best, err
			}
		}
		for at, v := range sum {
			if v > most {
				best, most = Setting{rate, gridEpochs[at], v / float64(len(train))}, v
			}
		}
	}
	return best, nil
}

func (e *evaluation) classifyWork(t *target, tokens []*mat.Dense) int {
	c, work := NewCombiner(e.shape(tokens, t.classes)), 0
	last := gridEpochs[len(gridEpochs)-1]
	for _, items := range t.train {
		part := c.work(len(items) / e.parts(tokens, len(items)))
		if e.o.NestedSelect == "on" {
			inner := len(items) * (e.o.Folds - 1) / e.o.Folds
			work += last * (e.o.Folds*len(gridRates)*c.work(inner/e.parts(tokens, inner)) + part)
		} else {
			work += e.o.Epochs * part
		}
	}
	return work
}
