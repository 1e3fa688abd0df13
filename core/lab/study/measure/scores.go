package measure

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// scores adds the rows of the table of scores of these tokens: those of a classifier, of clusters, or both.
func (w *Work) scores(tokens func(*cadem.Embeddings) []evaluate.Embedding, classify, cluster bool) error {
	asked := func(e *cadem.Embeddings) []evaluate.Embedding {
		return slices.DeleteFunc(tokens(e), func(e evaluate.Embedding) bool {
			return len(w.Embeddings) > 0 && !slices.Contains(w.Embeddings, e.Name)
		})
	}
	in := evaluate.Input{Trained: asked(w.Training.Trained), Untrained: asked(w.Training.Untrained), Targets: w.of(slices.Clone(w.Dataset.Graph.Labels)),
		Classify: classify, Cluster: cluster, Deals: w.deals(w.Result)}
	if w.Fitted {
		in.Fit = evaluate.Fitted
	}
	if w.Trivial == "propagated" {
		for l := range w.Dataset.Graph.Layers {
			z, err := Propagated(w.Dataset.Graph, l, w.Settings.CaDeM().Propagation)
			if err != nil {
				return err
			}
			in.Trivial = append(in.Trivial, evaluate.Embedding{Name: string(ArrayPrivate.Layer(l)), Tokens: []*mat.Dense{z}})
		}
	}
	return w.Result.scored(evaluate.Table(in, w.Settings.Scoring(), w.Settings.EvalSeed, w.Yield))
}

// of returns the label sets to score.
func (m *Spec) of(targets []multiplex.LabelSet) []multiplex.LabelSet {
	return slices.DeleteFunc(targets, func(l multiplex.LabelSet) bool { return len(m.Targets) > 0 && !slices.Contains(m.Targets, l.Name) })
}

// Propagated returns Z of a layer, M x F, before any encoder.
func Propagated(g *multiplex.Graph, layer int, propagation string) (*mat.Dense, error) {
	const most = 16
	m, f := g.M(), g.F()
	if f > most {
		return nil, diag.Option("measure", fmt.Sprintf("the trivial baseline of %d propagated features", f), fmt.Sprintf("at most %d", most))
	}
	l := &g.Layers[layer]
	return mat.NewDense(m, f, multiplex.NewPropagator(l.Adjacency, multiplex.KindOf(propagation)).Product(l.Features)), nil
}
