package evaluate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Fit is the result of a reader without settings of its own: multinomial logistic regression, trained to convergence. Inner folds
// choose the weight of the ridge, and columns are standardised by the training items of each fold.
type Fit struct {
	Value float64   `json:"value"` // the mean over the folds
	Folds []float64 `json:"folds"`
	// Weights lists the weights of the ridge that each fold chose, in units of that of [Probe]. Inner is the macro-F1 of inner folds, or of the
	// validation nodes of a split, for which they were chosen.
	Weights []float64 `json:"weights,omitempty"`
	Inner   []float64 `json:"inner_macro_f1,omitempty"`
	// Chance is the best score without looking at the embedding: the largest class for all, or each class in proportion to its size.
	Chance float64 `json:"chance"`
}

// Candidate weights, and the number of inner folds. Strong ones come first: each fit begins where the one before ended.
var fittedWeights = []float64{100, 10, 1, 0.1}

const fittedFolds = 3

// A Fitter is [Fitted], which an [Input] may ask for. Programs that do not, do not link it.
type Fitter func(e *evaluation, t *target, tokens []*mat.Dense) (list []Fit, predicted [][]int, err error)

// Fitted returns a [Fit] for each of [Metrics], and the classes predicted for the test items of each fold.
func Fitted(e *evaluation, t *target, tokens []*mat.Dense) (list []Fit, predicted [][]int, err error) {
	list = make([]Fit, len(Metrics))
	var all values
	inner := e.o
	inner.Folds = fittedFolds
	joined := joined(tokens)
	for f, nodes := range t.train {
		weight, most := 1.0, 0.0
		train, test := t.inner(f, &inner, e.seed)
		sums := make([]float64, len(fittedWeights))
		for k := range train {
			err := e.fits(t, joined, train[k], test[k], fittedWeights, func(at int, truth, found []int) { sums[at] += MacroF1(truth, found) / float64(len(train)) })
			if err != nil {
				return nil, nil, err
			}
		}
		if len(train) > 0 {
			most = slices.Max(sums)
			weight = fittedWeights[slices.Index(sums, most)]
		}
		err := e.fits(t, joined, nodes, t.test[f], []float64{weight}, func(_ int, truth, found []int) {
			all.add(Classifier, truth, found)
			predicted = append(predicted, found)
		})
		if err != nil {
			return nil, nil, err
		}
		for i := range list {
			list[i].Weights, list[i].Inner = append(list[i].Weights, weight), append(list[i].Inner, most)
		}
	}
	counts := make([]int, t.classes)
	for _, c := range t.truth {
		counts[c]++
	}
	largest, even := slices.Repeat([]int{slices.Index(counts, slices.Max(counts))}, len(t.truth)), 0.0
	for i, m := range Metrics {
		if m.From != Classifier {
			continue
		}
		list[i].Folds = all.of(i)
		list[i].Value = mean(list[i].Folds)
		if even = 1 / float64(t.classes); m.Name == "micro_f1" {
			even = 0
			for _, n := range counts {
				p := float64(n) / float64(len(t.truth))
				even += float64(p * p)
			}
		}
		list[i].Chance = max(even, m.Of(t.truth, largest))
	}
	return list, predicted, nil
}

// fits fits a probe with each weight to some items, standardised by them, and reports what it finds of others.
func (e *evaluation) fits(t *target, x *mat.Dense, train, test []int, weights []float64, report func(at int, truth, found []int)) error {
	x = standardizedBy(x, train)
	_, d := x.Dims()
	p := NewProbe(d, t.classes)
	in, out := NewBatch([]*mat.Dense{x}, train, t.labels), NewBatch([]*mat.Dense{x}, test, nil)
	work := p.model.work(in.n)
	found := make([]int, len(test))
	for at, w := range weights {
		p.ridge = w / float64(in.n)
		if err := p.descend(in, func() error { return e.pace.add(work) }); err != nil {
			return err
		}
		p.Predict(found, out)
		report(at, t.pick(test), found)
	}
	return nil
}

// fittedWork estimates the multiply-adds of [Fitted].
func (e *evaluation) fittedWork(t *target, tokens []*mat.Dense) int {
	return (2*len(fittedWeights) + 1) * e.probeWork(t, tokens)
}

// joined puts tokens side by side.
func joined(tokens []*mat.Dense) *mat.Dense {
	n, d := tokens[0].Dims()
	x := mat.NewDense(n, len(tokens)*d, nil)
	for t, token := range tokens {
		for i := range n {
			copy(x.RawRowView(i)[t*d:], token.RawRowView(i))
		}
	}
	return x
}

// standardizedBy brings columns to mean 0 and standard deviation 1 over some items. One that is the same for all of them becomes 0.
func standardizedBy(x *mat.Dense, items []int) *mat.Dense {
	n, d := x.Dims()
	y := mat.NewDense(n, d, nil)
	col := make([]float64, len(items))
	for j := range d {
		size := 0.0
		for k, i := range items {
			col[k] = x.At(i, j)
			size = max(size, math.Abs(col[k]))
		}
		m := mean(col)
		for k := range col {
			col[k] -= m
		}
		sd := math.Sqrt(dot(col, col) / float64(len(col)))
		if sd <= float64(len(col))*0x1p-52*size {
			continue
		}
		for i := range n {
			y.Set(i, j, (x.At(i, j)-m)/sd)
		}
	}
	return y
}

// wellFitted adds the results of the reader of an input to the scores of an embedding on a target, and returns its predictions in each fold.
func (e *evaluation) wellFitted(scores []Score, t *target, tokens []*mat.Dense) ([][]int, error) {
	e.pace.begin(e.fittedWork(t, tokens))
	list, predicted, err := e.Fit(e, t, tokens)
	if err != nil {
		return nil, err
	}
	for k := range scores {
		for i, m := range Metrics {
			if m.Name == scores[k].Metric && m.From == Classifier {
				scores[k].Fitted = &list[i]
			}
		}
	}
	return predicted, nil
}
