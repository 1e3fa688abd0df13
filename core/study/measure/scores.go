package measure

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem/core/diag"
	"cadem/core/evaluate"
	"cadem/core/multiplex"
	"cadem/core/run"
)

// scores adds the rows of the table of scores, those of a classifier, of clusters, or both.
func (m *Spec) scores(r *Result, d *run.Dataset, s *run.Settings, trained *Training, classify, cluster bool, yield func(done, total int) error) error {
	in := evaluate.Input{Trained: run.Tokens(trained.Trained), Untrained: run.Tokens(trained.Untrained), Targets: slices.Clone(d.Graph.Labels),
		Classify: classify, Cluster: cluster}
	if len(m.Embeddings) > 0 {
		other := func(e evaluate.Embedding) bool { return !slices.Contains(m.Embeddings, e.Name) }
		in.Trained, in.Untrained = slices.DeleteFunc(in.Trained, other), slices.DeleteFunc(in.Untrained, other)
	}
	in.Targets = m.of(in.Targets)
	if m.Trivial == "propagated" {
		for l := range d.Graph.Layers {
			z, err := propagated(d.Graph, l, s.Training.Propagation)
			if err != nil {
				return err
			}
			in.Trivial = append(in.Trivial, evaluate.Embedding{Name: fmt.Sprintf("private_%d", l+1), Tokens: []*mat.Dense{z}})
		}
	}
	scores, err := evaluate.Table(in, s.Evaluation, s.EvalSeed, yield)
	r.Scores = append(r.Scores, scores...)
	return err
}

// of returns the label sets to score.
func (m *Spec) of(targets []multiplex.LabelSet) []multiplex.LabelSet {
	return slices.DeleteFunc(targets, func(l multiplex.LabelSet) bool { return len(m.Targets) > 0 && !slices.Contains(m.Targets, l.Name) })
}

// ScoreMethod adds scores of classification of the embedding that a method, or the combiner for it, makes of all layers: the kind
// [Combined], the only one there is of a method.
func (m *Spec) ScoreMethod(r *Result, d *run.Dataset, s *run.Settings, trained *run.MethodResult, yield func(done, total int) error) error {
	if m.Kind != Combined {
		return diag.Option("measure", string(m.Kind), "one of "+string(Combined))
	}
	if len(d.Graph.Labels) == 0 {
		return noLabels
	}
	return r.scored(evaluate.Table(evaluate.Input{Trained: trained.Trained[:1], Targets: m.of(slices.Clone(d.Graph.Labels)), Classify: true}, s.Evaluation,
		s.EvalSeed, yield))
}

// propagated returns Z of a layer, M x F, before any encoder.
func propagated(g *multiplex.Graph, layer int, propagation string) (*mat.Dense, error) {
	const most = 16
	m, f := g.M(), g.F()
	if f > most {
		return nil, diag.Option("measure", fmt.Sprintf("the trivial baseline of %d propagated features", f), fmt.Sprintf("at most %d", most))
	}
	l := &g.Layers[layer]
	return mat.NewDense(m, f, multiplex.NewPropagator(l.Adjacency, multiplex.KindOf(propagation)).Product(l.Features)), nil
}
