package evaluate

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// Predict returns the classes of all items: those of the label set where it has one, for the others what the classifier says that is
// trained on those. Tokens are embeddings with a row for each item. With fewer than two classes it returns nil. Yield may be nil.
// The error is a [*diag.Error] for options that cannot be used with such tokens, or that of yield.
func Predict(tokens []*mat.Dense, s *multiplex.LabelSet, o Options, seed uint64, yield pause.Yield) ([]int, error) {
	_, d := tokens[0].Dims()
	if len(tokens) > 1 {
		if err := o.Check(d); err != nil {
			return nil, err
		}
	}
	var known, others []int
	seen := map[int]bool{}
	for i, c := range s.Of {
		if c == multiplex.Missing {
			others = append(others, i)
		} else {
			known, seen[c] = append(known, i), true
		}
	}
	if len(seen) < 2 {
		return nil, nil
	}
	all := append([]int(nil), s.Of...)
	if len(others) == 0 {
		return all, nil
	}
	known = stratifiedSample(known, s.Of, o.Sample(len(s.Of)), rng.New(seed, "evaluate/sample/predict"))
	e := &evaluation{o: o, seed: seed}
	c := NewCombiner(e.shape(tokens, len(s.Classes)))
	c.Init(rng.New(seed, "evaluate/combiner/predict"))
	in, out, predicted := e.batches(tokens, known, s.Of), NewBatch(tokens, others, nil), make([]int, len(others))
	if err := c.learn(in, &o, yield); err != nil {
		return nil, err
	}
	c.Predict(predicted, out)
	for k, i := range others {
		all[i] = predicted[k]
	}
	return all, nil
}
