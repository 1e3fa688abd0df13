package evaluate

import (
	"gonum.org/v1/gonum/mat"

	"cadem/core/multiplex"
)

type probed struct {
	values          // of each fold
	predicted []int // of all labelled nodes, each by the fold that tests it
}

// probe fits a linear probe in every fold to the tokens side by side.
func (e *evaluation) probe(t *target, tokens []*mat.Dense) (*probed, error) {
	x := features(tokens)
	_, d := x.Dims()
	p := NewProbe(d, t.classes)
	e.pace.begin(e.probeWork(t, tokens))
	r := &probed{}
	class := make([]int, len(t.labels))
	for f, nodes := range t.train {
		b := NewBatch([]*mat.Dense{x}, nodes, t.labels)
		work := p.model.work(b.n)
		if err := p.Fit(b, func() error { return e.pace.add(work) }); err != nil {
			return nil, err
		}
		predicted := make([]int, len(t.test[f]))
		p.Predict(predicted, NewBatch([]*mat.Dense{x}, t.test[f], nil))
		r.add(Classifier, t.pick(t.test[f]), predicted)
		for k, node := range t.test[f] {
			class[node] = predicted[k]
		}
	}
	for _, node := range t.rows {
		r.predicted = append(r.predicted, class[node])
	}
	return r, nil
}

func (e *evaluation) probeWork(t *target, tokens []*mat.Dense) int {
	const typical = 40 // iterations until convergence
	_, d := tokens[0].Dims()
	c, work := NewCombiner(Shape{Tokens: 1, Dim: len(tokens) * d, Classes: t.classes}), 0
	for _, nodes := range t.train {
		work += typical * c.work(len(nodes))
	}
	return work
}

// Probes scores embeddings by the linear probe alone, in the folds that [Table] deals for the
// same seed: what is known of the items without training, of any width. Value and FoldStd are
// those of the probe.
func Probes(list []Embedding, targets []multiplex.LabelSet, groups []int, o Options, seed uint64, yield func(done, total int) error) ([]Score, error) {
	return readings(list, targets, groups, o, seed, yield, (*evaluation).probeWork, (*evaluation).probe)
}

// readings scores embeddings by a classifier that needs no settings. Work, where it is not
// nil, is what one takes, in the unit of the pacer.
func readings(list []Embedding, targets []multiplex.LabelSet, groups []int, o Options, seed uint64, yield func(done, total int) error,
	work func(*evaluation, *target, []*mat.Dense) int, read func(*evaluation, *target, []*mat.Dense) (*probed, error)) ([]Score, error) {
	e, err := newEvaluation(Input{Trained: list, Untrained: list, Targets: targets, Groups: groups, Classify: true}, o, seed)
	if err != nil {
		return nil, err
	}
	e.pace.yield, e.pace.total = yield, 0
	for _, x := range list {
		for _, t := range e.targets {
			if work != nil {
				e.pace.total += work(e, t, x.Tokens)
			}
		}
	}
	var scores []Score
	for _, x := range list {
		for _, t := range e.targets {
			r, err := read(e, t, x.Tokens)
			if err != nil {
				return nil, err
			}
			scores = append(scores, r.scores(x.Name, t.name)...)
		}
	}
	return scores, nil
}

// scores are the rows of what was read of an embedding, for a target.
func (r *probed) scores(embedding, target string) (rows []Score) {
	for i, m := range Metrics {
		if m.From == Classifier {
			folds := r.of(i)
			v := mean(folds)
			rows = append(rows, Score{Embedding: embedding, Target: target, Metric: m.Name, Value: v, FoldStd: deviation(folds), Probe: v, Folds: folds})
		}
	}
	return rows
}
