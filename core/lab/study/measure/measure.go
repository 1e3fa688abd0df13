package measure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/lab/run"
	"cadem.example/core/synth/examples"
)

// Check reports, before any training, whether the data have what is to be measured.
func (m *Spec) Check(d *run.Dataset) error {
	if len(d.Graph.Labels) == 0 && m.is().Labels {
		return NoLabels
	}
	for _, name := range m.Embeddings {
		layer, ok := strings.CutPrefix(name, "private_")
		if n, err := strconv.Atoi(layer); ok && err == nil && n > len(d.Graph.Layers) {
			return diag.Option("layers", fmt.Sprint(len(d.Graph.Layers)), fmt.Sprintf("at least %d: the experiment measures %s", n, name))
		}
	}
	return nil
}

// NoLabels is the error of a measure of labels on data that have none.
var NoLabels = &diag.Error{Where: "labels", Found: "no label set",
	Expected: "at least one, of classes of the nodes; without them methods can be compared by links that are held out"}

// Run measures a training and adds what it finds to the result.
func (m *Spec) Run(r *Result, d *run.Dataset, s *run.Settings, trained *Training, yield pause.Yield) error {
	return m.measure(ATraining, &Work{Result: r, Dataset: d, Settings: s, Training: trained, Yield: yield})
}

// Look measures a graph that nothing is trained on and adds what it finds to the result.
func (m *Spec) Look(r *Result, d *run.Dataset, s *run.Settings, yield pause.Yield) error {
	return m.measure(AGraph, &Work{Result: r, Dataset: d, Settings: s, Yield: yield})
}

// OfGraph reports whether it is about a graph without any training. It does not ask the table, whose functions the program of
// methods must not link.
func (m *Spec) OfGraph() bool {
	switch m.Kind {
	case Overlaps, Shares, HeldOut, Trained, Transfer, ZeroLoss, Induction, Faithful:
		return true
	}
	return false
}

// Prepare prepares the scans of the data, or the graphs of a collection, for later tasks and adds them to the result.
func (m *Spec) Prepare(r *Result, data *run.DataSpec, s *run.Settings, files *run.Files, yield pause.Yield) error {
	return m.measure(Preparation, &Work{Result: r, Data: data, Settings: s, Files: files, Yield: yield})
}

// Compare measures results of other tasks and adds what it finds to the result.
func (m *Spec) Compare(r *Result, inputs Inputs, s *run.Settings, yield pause.Yield) error {
	return m.measure(OtherResults, &Work{Result: r, Inputs: inputs, Settings: s, Yield: yield})
}

// OfCollection reports whether it is about the graphs of a collection, not scans.
func (m *Spec) OfCollection() bool { return m.Kind == Collected || m.Kind == CombinedGraphs }

// Reported returns r without the arrays that only measures of other tasks read, r itself if there are none.
func (m *Spec) Reported(r *Result) *Result {
	name := m.is().Reported
	if name == "" {
		return r
	}
	rest := *r
	rest.Arrays = nil
	if a := r.Array(name); a != nil {
		rest.Arrays = []Array{*a}
	}
	return &rest
}

// Draws reports whether the measure depends on the evaluation's seed.
func (m *Spec) Draws() bool { return m.is().Draws }

// Predicts reports whether the measure trains a classifier on all embeddings together, whose folds and predictions can be asked for.
func (m *Spec) Predicts() bool {
	switch m.Kind {
	case Scores, Classes, Combined, CombinedGraphs, Graphs, Conditions:
		return true
	}
	return false
}

// Evaluates reports whether an option of evaluation is of consequence for the measure, on data
// that are scored so.
func (m *Spec) Evaluates(name string, scored examples.Scoring) bool {
	of := m.is().Evaluates
	return of != nil && of(strings.HasPrefix(name, "kmeans_"), scored)
}

// A Spec is something to find out about a training, or about results of other tasks.
type Spec struct {
	Kind Kind `json:"kind"`
	// Embeddings and Targets to score, by name; none: all.
	Embeddings []string `json:"embeddings,omitempty"`
	Targets    []string `json:"targets,omitempty"`
	// Trivial is "propagated" to score the propagated features beside, "" for nothing.
	Trivial string `json:"trivial,omitempty"`
	// Options of the measure, by name, where they differ from the defaults: those of
	// [project.TSNEOptions], or the number of seeds of [Untrained].
	Options map[string]string `json:"options,omitempty"`
	// Fitted asks for what a well-fitted reader says about each embedding, too.
	Fitted bool `json:"fitted,omitempty"`
	// Predictions asks for what each fold trains on, tests, and finds of all embeddings together, too.
	Predictions bool `json:"predictions,omitempty"`
	// Splits of the links, for the kind [Links].
	Splits int `json:"splits,omitempty"`
}

// links scores the prediction of held-out links, beside others, if any.
func (m *Spec) links(r *Result, d *run.Dataset, s *run.Settings, beside links.Ways, yield pause.Yield) error {
	scores, notes, err := run.Links(d, s, precision.Single, m.Splits, beside, yield)
	r.Notes = append(r.Notes, notes...)
	return r.scored(scores, err)
}

func (w *Work) linked() error { return w.links(w.Result, w.Dataset, w.Settings, links.Near, w.Yield) }

// Trains reports whether any of the measures is of the training of the task: the others make trainings of their own.
func Trains(list []Spec) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(m Spec) bool { return m.Kind != Links && !m.OfGraph() })
}

// A Training is a finished one with what was seen on its way.
type Training struct {
	*run.Result
	Posterior *posterior     // nil unless asked for
	Trainer   *cadem.Trainer // likewise
}
