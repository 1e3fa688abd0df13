package measure

import (
	"fmt"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/run"
)

// Check tells, before any training, whether the data have what is to be measured.
func (m *Spec) Check(d *run.Dataset) error {
	if len(d.Graph.Labels) == 0 && (m.Kind == "classes" || m.Kind == "features") {
		return &diag.Error{Where: "labels", Found: "no label set", Expected: "at least one, of classes of the nodes"}
	}
	for _, name := range m.Embeddings {
		layer, ok := strings.CutPrefix(name, "private_")
		if n, err := strconv.Atoi(layer); ok && err == nil && n > len(d.Graph.Layers) {
			return diag.Option("layers", fmt.Sprint(len(d.Graph.Layers)), fmt.Sprintf("at least %d: the experiment measures %s", n, name))
		}
	}
	return nil
}

// Run measures one thing and adds it to the result.
func (m *Spec) Run(r *Result, d *run.Dataset, s *run.Settings, trained *Training, yield func(done, total int) error) error {
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
		trained.Posterior.add(r)
		return nil
	case "losses":
		r.losses(trained.Result, s.Training.InnerSteps)
		return nil
	}
	return diag.Option("measure", m.Kind, "one of scores, classes, features, losses, ceiling, maps, pool, regions, posterior")
}

// Compare measures results of other tasks and adds what it finds to the result.
func (m *Spec) Compare(r *Result, inputs []*Result, s *run.Settings, yield func(done, total int) error) error {
	switch m.Kind {
	case "graphs":
		scores, err := collectionOf(inputs).graphs(s, yield)
		r.Scores = append(r.Scores, scores...)
		return err
	case "tsne":
		return collectionOf(inputs).layouts(r, m, s.EvalSeed, yield)
	case "shared", "alone":
		return fit(r, inputs, m.Kind, s, yield)
	case "conditions", "baselines":
		score := collectionOf(inputs).conditions
		if m.Kind == "baselines" {
			score = collectionOf(inputs).baselines
		}
		scores, err := score(s, yield)
		r.Scores = append(r.Scores, scores...)
		return err
	}
	return diag.Option("measure", m.Kind, "one of graphs, tsne, shared, alone, conditions, baselines")
}

// Draws tells whether the measure depends on the evaluation's seed.
func (m *Spec) Draws() bool {
	switch m.Kind {
	case "scores", "classes", "features", "maps", "posterior", "graphs", "tsne", "conditions", "baselines":
		return true
	}
	return false
}

// Evaluates tells whether an option of evaluation is of consequence for the measure, on data
// that are scored so.
func (m *Spec) Evaluates(name, scored string) bool {
	clusters := strings.HasPrefix(name, "kmeans_")
	switch m.Kind {
	case "scores":
		return scored == "both" || clusters == (scored == "clustering")
	case "classes", "features", "graphs", "conditions":
		return !clusters
	case "maps":
		return clusters
	}
	return false
}

// A Spec is something to find out about a training.
type Spec struct {
	// Kind of a training is "scores": the table of scores on the labels of the data;
	// "losses": the terms of the loss after every outer epoch; "ceiling": what Syn1 allows at
	// best; "classes": scores of classification, of controls, too; "features": what a linear
	// probe reads without any encoder; "maps": clusters of data in the plane; "pool": the
	// means over the nodes; "regions": how long the private embedding of every node is;
	// "posterior": what pooled embeddings tell of their layer, over the training.
	// Kind of results of others is "graphs": scores of many pooled graphs, or "tsne":
	// pictures of them; of prepared scans ("scans") it is "shared" and "alone": trainings, and
	// "baselines": scores without any; of such trainings "conditions": their scores.
	Kind string `json:"kind"`
	// Embeddings and Targets to score, by name; none: all.
	Embeddings []string `json:"embeddings,omitempty"`
	Targets    []string `json:"targets,omitempty"`
	// Trivial is "propagated" to score the propagated features beside, "" for nothing.
	Trivial string `json:"trivial,omitempty"`
	// Options of the measure, by name, where they differ from the defaults: those of
	// [project.TSNEOptions].
	Options map[string]string `json:"options,omitempty"`
}

// A Training is a finished one with what was seen on its way.
type Training struct {
	*run.Result
	Posterior *posterior // nil unless asked for
}
