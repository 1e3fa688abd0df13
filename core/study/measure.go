package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// check tells, before any training, whether the data have what is to be measured.
func (m *Measure) check(d *Dataset) error {
	if len(d.Graph.Labels) == 0 && (m.Kind == "classes" || m.Kind == "features") {
		return &evaluate.DataError{Where: "labels", Found: "no label set", Expected: "at least one, of classes of the nodes"}
	}
	for _, name := range m.Embeddings {
		layer, ok := strings.CutPrefix(name, "private_")
		if n, err := strconv.Atoi(layer); ok && err == nil && n > len(d.Graph.Layers) {
			return &property.Error{Field: "layers", Found: fmt.Sprint(len(d.Graph.Layers)), Expected: fmt.Sprintf("at least %d: the experiment measures %s", n, name)}
		}
	}
	return nil
}

// run measures one thing and adds it to the result.
func (m *Measure) run(r *TaskResult, d *Dataset, s *Settings, trained *training, yield func(done, total int) error) error {
	switch m.Kind {
	case "scores":
		return m.scores(r, d, s, trained, yield)
	case "classes":
		return m.classes(r, d, s, trained.Result, yield)
	case "features":
		return features(r, d, s, yield)
	case "ceiling":
		return ceilingOf(r, d)
	case "maps":
		return m.maps(r, d, s, trained.Result)
	case "pool":
		return pool(r, d, trained.Result)
	case "regions":
		return lengths(r, d, s, trained.Result)
	case "posterior":
		trained.posterior.add(r)
		return nil
	case "losses":
		r.losses(trained.Result, s.Training.InnerSteps)
		return nil
	}
	return &property.Error{Field: "measure", Found: m.Kind, Expected: "one of scores, classes, features, losses, ceiling, maps, pool, regions, posterior"}
}

// compare measures results of other tasks and adds what it finds to the result.
func (m *Measure) compare(r *TaskResult, t *Task, s *Settings, yield func(done, total int) error) error {
	switch m.Kind {
	case "graphs":
		scores, err := collectionOf(t.Inputs).graphs(s, yield)
		r.Scores = append(r.Scores, scores...)
		return err
	case "tsne":
		return collectionOf(t.Inputs).layouts(r, m, t.EvalSeed, yield)
	case "shared", "alone":
		return t.train(r, m.Kind, s, yield)
	case "conditions", "baselines":
		score := collectionOf(t.Inputs).conditions
		if m.Kind == "baselines" {
			score = collectionOf(t.Inputs).baselines
		}
		scores, err := score(s, yield)
		r.Scores = append(r.Scores, scores...)
		return err
	}
	return &property.Error{Field: "measure", Found: m.Kind, Expected: "one of graphs, tsne, shared, alone, conditions, baselines"}
}

// scores adds the rows of the table of scores.
func (m *Measure) scores(r *TaskResult, d *Dataset, s *Settings, trained *training, yield func(done, total int) error) error {
	in := evaluate.Input{Trained: Tokens(trained.Trained), Untrained: Tokens(trained.Untrained), Targets: slices.Clone(d.Graph.Labels), Classify: d.Classify, Cluster: d.Cluster}
	if len(m.Embeddings) > 0 {
		other := func(e evaluate.Embedding) bool { return !slices.Contains(m.Embeddings, e.Name) }
		in.Trained, in.Untrained = slices.DeleteFunc(in.Trained, other), slices.DeleteFunc(in.Untrained, other)
	}
	if len(m.Targets) > 0 {
		in.Targets = slices.DeleteFunc(in.Targets, func(l multiplex.LabelSet) bool { return !slices.Contains(m.Targets, l.Name) })
	}
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

// propagated returns Z of a layer, M x F, before any encoder.
func propagated(g *multiplex.Graph, layer int, propagation string) (*mat.Dense, error) {
	const most = 16
	m, f := g.M(), g.F()
	if f > most {
		return nil, &property.Error{Field: "measure", Found: fmt.Sprintf("the trivial baseline of %d propagated features", f), Expected: fmt.Sprintf("at most %d", most)}
	}
	l := &g.Layers[layer]
	return mat.NewDense(m, f, multiplex.NewPropagator(l.Adjacency, propagationOf(propagation)).Product(l.Features)), nil
}

// ceilingOf adds what the first layer's communities, taken for final labels, score on Syn1:
// macro-F1, micro-F1, how many nodes they are right about, and of how many.
func ceilingOf(r *TaskResult, d *Dataset) error {
	var final, first []int
	for i := range d.Graph.Labels {
		switch l := &d.Graph.Labels[i]; l.Name {
		case "final":
			final = l.Of
		case "layer_1":
			first = l.Of
		}
	}
	if final == nil || first == nil {
		return &property.Error{Field: "measure", Found: "ceiling of data without the labels final and layer_1", Expected: "the data of syn1"}
	}
	macro, micro := evaluate.F1(final, first)
	equal := 0
	for i := range final {
		if final[i] == first[i] {
			equal++
		}
	}
	r.Arrays = append(r.Arrays, NamedArray{"ceiling", []int{4}, []float64{macro, micro, float64(equal), float64(len(final))}})
	return nil
}

// losses adds the terms of the loss, before their weights, and their weighted sum at the
// last step of every outer epoch.
func (r *TaskResult) losses(trained *Result, inner int) {
	a := NamedArray{Name: "losses", Shape: []int{0, len(cadem.Terms)}}
	for i := inner - 1; i < len(trained.Losses); i += inner {
		columns := trained.Losses[i].Columns()
		a.Data = append(a.Data, columns[:]...)
		a.Shape[0]++
	}
	r.Arrays = append(r.Arrays, a)
}
