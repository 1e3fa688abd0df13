package evaluate

import "cadem/core/multiplex"

// Linear scores what a linear probe reads from tokens side by side, in the folds of [Table]:
// rows macro_f1 and micro_f1 for every target that can be scored. Groups may be nil; yield is
// called as by [Table]. It is for what is known of the items without an encoder.
func Linear(x Embedding, targets []multiplex.LabelSet, groups []int, o Options, seed uint64, yield func(done, total int) error) ([]Score, error) {
	e, err := newEvaluation(Input{Trained: []Embedding{x}, Untrained: []Embedding{x}, Targets: targets, Groups: groups, Classify: true}, o, seed)
	if err != nil {
		return nil, err
	}
	e.pace.yield, e.pace.total = yield, 0
	for _, t := range e.targets {
		e.pace.total += e.probeWork(t, x.Tokens)
	}
	var scores []Score
	for _, t := range e.targets {
		p, err := e.probe(t, x.Tokens)
		if err != nil {
			return nil, err
		}
		for _, m := range []struct {
			metric string
			folds  []float64
		}{{"macro_f1", p.macro}, {"micro_f1", p.micro}} {
			v := mean(m.folds)
			scores = append(scores, Score{Embedding: x.Name, Target: t.name, Metric: m.metric, Value: v, FoldStd: deviation(m.folds), Standardised: v, Probe: v, Folds: m.folds})
		}
	}
	return scores, nil
}
