package measure

import (
	"slices"
	"strings"

	"cadem/core/diag"
	"cadem/core/run"
	"cadem/core/synth/examples"
)

// A Kind names what a [Spec] finds out.
type Kind string

// What can be found out about a training.
const (
	Scores    Kind = "scores"        // the table of scores on the labels of the data
	Clusters  Kind = "clusters"      // how clusters agree with the labels, however else the data are scored
	Classes   Kind = "classes"       // scores of classification, controls among them
	Features  Kind = "features"      // what a linear probe reads without any encoder
	Losses    Kind = "losses"        // the terms of the loss after every outer epoch
	Ceiling   Kind = "ceiling"       // what Syn1 allows at best
	Maps      Kind = "maps"          // clusters of data in the plane
	Latents   Kind = "latents"       // what is found of known latent directions
	Pool      Kind = "pool"          // the means over the nodes
	Regions   Kind = "regions"       // the length of every node's private embedding
	Posterior Kind = "posterior"     // what pooled embeddings tell of their layer, over the training
	Exchange  Kind = "interventions" // what psi answers when common parts are exchanged
	Pairings  Kind = "pairings"      // the parts of a few pooled graphs, of which every pair is an answer of psi
	Combined  Kind = "combined"      // how the embedding that a method makes of all layers classifies
	// CombinedGraphs is Combined where the data list the graphs of a collection, not scans.
	CombinedGraphs Kind = "combined graphs"
)

// What can be found out about the results of other tasks.
const (
	Graphs     Kind = "graphs"     // scores of many pooled graphs
	TSNE       Kind = "tsne"       // pictures of many pooled graphs
	Scans      Kind = "scans"      // no result of others: the graphs of scans, prepared
	Collected  Kind = "collection" // no result of others: the graphs of a collection, prepared
	Shared     Kind = "shared"     // a training of one pair of encoders a layer for all prepared scans
	Alone      Kind = "alone"      // a training for each prepared scan
	Conditions Kind = "conditions" // scores of these trainings
	Baselines  Kind = "baselines"  // scores of prepared scans without any training
	Sizes      Kind = "sizes"      // scores of prepared graphs by their sizes alone
)

// A yield is called often with what is done of a total; its error ends the work.
type yield = func(done, total int) error

// A measurement is how one kind is found out.
type measurement struct {
	kind Kind
	// draws reports whether it depends on the evaluation's seed.
	draws bool
	// labels reports whether the data must have a label set.
	labels bool
	// evaluates reports whether clustering (or classification) options affect this measure, on data that are
	// scored so; nil: they do not.
	evaluates func(clustering bool, scored examples.Scoring) bool
	// reported is the array that reports need; "": all of them.
	reported string
	// training measures a training, results the results of other tasks; one of them is nil.
	// [PrepareScans] and [PrepareGraphs] stand for both with [Scans] and [Collected], which come before all of them.
	training func(m *Spec, r *Result, d *run.Dataset, s *run.Settings, t *Training, y yield) error
	results  func(m *Spec, r *Result, inputs Inputs, s *run.Settings, y yield) error
}

func ofClassification(clustering bool, _ examples.Scoring) bool { return !clustering }

// table lists everything that can be measured.
var table = []measurement{
	{kind: Scores, draws: true,
		evaluates: func(clustering bool, scored examples.Scoring) bool {
			return scored == examples.Both || clustering == (scored == examples.Clustering)
		},
		training: func(m *Spec, r *Result, d *run.Dataset, s *run.Settings, t *Training, y yield) error {
			return m.scores(r, d, s, t, d.Classify, d.Cluster, y)
		}},
	{kind: Clusters, draws: true, labels: true,
		evaluates: func(clustering bool, _ examples.Scoring) bool { return clustering },
		training: func(m *Spec, r *Result, d *run.Dataset, s *run.Settings, t *Training, y yield) error {
			return m.scores(r, d, s, t, false, true, y)
		}},
	{kind: Classes, draws: true, labels: true, evaluates: ofClassification,
		training: func(m *Spec, r *Result, d *run.Dataset, s *run.Settings, t *Training, y yield) error {
			return m.classes(r, d, s, t.Result, y)
		}},
	{kind: Features, draws: true, labels: true, evaluates: ofClassification,
		training: func(_ *Spec, r *Result, d *run.Dataset, s *run.Settings, _ *Training, y yield) error {
			return features(r, d, s, y)
		}},
	{kind: Losses,
		training: func(_ *Spec, r *Result, _ *run.Dataset, s *run.Settings, t *Training, _ yield) error {
			r.losses(t.Result, s.Training.InnerSteps)
			return nil
		}},
	{kind: Ceiling,
		training: func(_ *Spec, r *Result, d *run.Dataset, _ *run.Settings, _ *Training, _ yield) error {
			return ceilingOf(r, d)
		}},
	{kind: Maps, draws: true,
		evaluates: func(clustering bool, _ examples.Scoring) bool { return clustering },
		training: func(m *Spec, r *Result, d *run.Dataset, s *run.Settings, t *Training, _ yield) error {
			return m.maps(r, d, s, t.Result)
		}},
	{kind: Latents, draws: true,
		training: func(_ *Spec, r *Result, d *run.Dataset, s *run.Settings, t *Training, _ yield) error {
			return latents(r, d, s, t.Result)
		}},
	{kind: Pool,
		training: func(_ *Spec, r *Result, d *run.Dataset, _ *run.Settings, t *Training, _ yield) error {
			return pool(r, d, t.Result)
		}},
	{kind: Regions,
		training: func(_ *Spec, r *Result, d *run.Dataset, s *run.Settings, t *Training, _ yield) error {
			return lengths(r, d, s, t.Result)
		}},
	{kind: Posterior, draws: true,
		training: func(_ *Spec, r *Result, _ *run.Dataset, _ *run.Settings, t *Training, _ yield) error {
			t.Posterior.add(r)
			return nil
		}},
	{kind: Exchange, draws: true,
		training: func(_ *Spec, r *Result, _ *run.Dataset, _ *run.Settings, t *Training, _ yield) error {
			t.Posterior.interventions(r)
			return nil
		}},
	{kind: Pairings, draws: true,
		training: func(_ *Spec, r *Result, _ *run.Dataset, _ *run.Settings, t *Training, _ yield) error {
			t.Posterior.pairings(r)
			return nil
		}},
	{kind: Combined, draws: true, labels: true, evaluates: ofClassification},
	{kind: CombinedGraphs, draws: true, labels: true, evaluates: ofClassification},
	{kind: Graphs, draws: true, evaluates: ofClassification,
		results: func(_ *Spec, r *Result, inputs Inputs, s *run.Settings, y yield) error {
			return collected(inputs, func(c *collection) error { return r.scored(c.graphs(s, y)) })
		}},
	{kind: TSNE, draws: true,
		results: func(m *Spec, r *Result, inputs Inputs, s *run.Settings, y yield) error {
			return collected(inputs, func(c *collection) error { return c.layouts(r, m, s.EvalSeed, y) })
		}},
	{kind: Scans, reported: "quality"},
	{kind: Collected, reported: "sizes"},
	{kind: Shared, reported: "run",
		results: func(_ *Spec, r *Result, inputs Inputs, s *run.Settings, y yield) error {
			return fit(r, inputs, false, s, y)
		}},
	{kind: Alone, reported: "run",
		results: func(_ *Spec, r *Result, inputs Inputs, s *run.Settings, y yield) error {
			return fit(r, inputs, true, s, y)
		}},
	{kind: Conditions, draws: true, evaluates: ofClassification,
		results: func(_ *Spec, r *Result, inputs Inputs, s *run.Settings, y yield) error {
			return collected(inputs, func(c *collection) error { return r.scored(c.conditions(s, y)) })
		}},
	{kind: Baselines, draws: true,
		results: func(_ *Spec, r *Result, inputs Inputs, s *run.Settings, y yield) error {
			return r.scored(baselines(inputs, s, y))
		}},
	{kind: Sizes, draws: true,
		results: func(_ *Spec, r *Result, inputs Inputs, s *run.Settings, y yield) error {
			return r.scored(sizes(inputs, s, y))
		}},
}

// measurement returns how a kind is found out, of those that fit; the error lists these.
func (m *Spec) measurement(fits func(*measurement) bool) (*measurement, error) {
	var names []string
	for i := range table {
		if !fits(&table[i]) {
			continue
		}
		if table[i].kind == m.Kind {
			return &table[i], nil
		}
		names = append(names, string(table[i].kind))
	}
	return nil, diag.Option("measure", string(m.Kind), "one of "+strings.Join(names, ", "))
}

// is returns the row of a kind, one without any property for an unknown kind.
func (m *Spec) is() measurement {
	if i := slices.IndexFunc(table, func(t measurement) bool { return t.kind == m.Kind }); i >= 0 {
		return table[i]
	}
	return measurement{}
}
