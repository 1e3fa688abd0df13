package evaluate

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// Attend returns how much the combiner looks at each token of each item, the mean over its heads, items x tokens, after it was trained on all
// items that have a class, or on the sample of those that the options ask for. With fewer than two classes, or a single token, it returns nil.
// Yield may be nil.
func Attend(tokens []*mat.Dense, s *multiplex.LabelSet, o Options, seed uint64, yield pause.Yield) (*mat.Dense, error) {
	m, d := tokens[0].Dims()
	if len(tokens) < 2 {
		return nil, nil
	}
	if err := o.Check(d); err != nil {
		return nil, err
	}
	var known, all []int
	seen := map[int]bool{}
	for i, c := range s.Of {
		if all = append(all, i); c != multiplex.Missing {
			known, seen[c] = append(known, i), true
		}
	}
	if len(seen) < 2 {
		return nil, nil
	}
	known = stratifiedSample(known, s.Of, o.Sample(len(s.Of)), rng.New(seed, "evaluate/sample/attend"))
	e := &evaluation{o: o, seed: seed}
	c := NewCombiner(e.shape(tokens, len(s.Classes)))
	c.Init(rng.New(seed, "evaluate/combiner/attend"))
	in := e.batches(tokens, known, s.Of)
	if err := c.learn(in, &o, yield); err != nil {
		return nil, err
	}
	weights := mat.NewDense(m, len(tokens), nil)
	for _, head := range c.Attention(NewBatch(tokens, all, nil)) {
		for i := range m {
			kernel.AddScaled(weights.RawRowView(i), head.RawRowView(i), 1/float64(c.Heads))
		}
	}
	return weights, nil
}
