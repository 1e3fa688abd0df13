package study

import (
	"slices"

	"cadem/core/evaluate"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// run measures one thing and adds it to the result.
func (m *Measure) run(r *TaskResult, d *Dataset, s *Settings, trained *Result, yield func(done, total int) error) error {
	switch m.Kind {
	case "scores":
		return m.scores(r, d, s, trained, yield)
	}
	return &property.Error{Field: "measure", Found: m.Kind, Expected: "scores"}
}

// scores adds the rows of the table of scores.
func (m *Measure) scores(r *TaskResult, d *Dataset, s *Settings, trained *Result, yield func(done, total int) error) error {
	in := evaluate.Input{Trained: Tokens(trained.Trained), Untrained: Tokens(trained.Untrained), Targets: slices.Clone(d.Graph.Labels), Classify: d.Classify, Cluster: d.Cluster}
	if len(m.Embeddings) > 0 {
		other := func(e evaluate.Embedding) bool { return !slices.Contains(m.Embeddings, e.Name) }
		in.Trained, in.Untrained = slices.DeleteFunc(in.Trained, other), slices.DeleteFunc(in.Untrained, other)
	}
	if len(m.Targets) > 0 {
		in.Targets = slices.DeleteFunc(in.Targets, func(l multiplex.LabelSet) bool { return !slices.Contains(m.Targets, l.Name) })
	}
	scores, err := evaluate.Table(in, s.Evaluation, s.EvalSeed, yield)
	r.Scores = append(r.Scores, scores...)
	return err
}
