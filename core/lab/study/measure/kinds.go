package measure

import (
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

// A Kind names what a [Spec] finds out.
type Kind string

// Measurements of a training.
const (
	Scores    Kind = "scores"        // the table of scores on the labels of the data
	Clusters  Kind = "clusters"      // how clusters agree with the labels, however else the data are scored
	Classes   Kind = "classes"       // scores of classification, controls among them
	Features  Kind = "features"      // scores without any encoder
	Losses    Kind = "losses"        // the terms of the loss after every outer epoch
	Ceiling   Kind = "ceiling"       // the best possible score on Syn1
	Maps      Kind = "maps"          // clusters of data in the plane
	Latents   Kind = "latents"       // recovery of known latent directions
	Pool      Kind = "pool"          // the means over the nodes
	Regions   Kind = "regions"       // the length of every node's private embedding
	Posterior Kind = "posterior"     // information of pooled embeddings about their layer, over the training
	Trace     Kind = "trace"         // the layer in the common embeddings, over the training
	Untrained Kind = "untrained"     // information of untrained encoders of many seeds about their own layer
	Exchange  Kind = "interventions" // answers of psi when common parts are exchanged
	Pairings  Kind = "pairings"      // the parts of a few pooled graphs; every pair is an answer of psi
	Unseen    Kind = "unseen"        // information about their layer of copies that nothing was fitted to
	Links     Kind = "links"         // prediction of held-out links, by trainings of its own
	Picture   Kind = "picture"       // the layers and the embeddings, to be drawn
	Tables    Kind = "tables"        // what goes through the model, to be drawn
	Combined  Kind = "combined"      // classification by the method's embedding of all layers
	// CombinedGraphs is Combined where the data list the graphs of a collection, not scans.
	CombinedGraphs Kind = "combined graphs"
)

// Measurements of a graph without any training.
const (
	Overlaps  Kind = "overlaps"  // its layers by their links alone
	Shares    Kind = "shares"    // what they share, by their evidence for each other
	HeldOut   Kind = "held out"  // prediction of held-out links by the others of the same layers
	Trained   Kind = "trained"   // prediction of held-out links by trainings of the task's settings
	Transfer  Kind = "transfer"  // prediction of the links of a left-out layer by the others
	ZeroLoss  Kind = "zero loss" // freedom of the consensus under the matching loss
	Induction Kind = "induction" // how a model embeds held-out nodes, with trainings of its own
	Faithful  Kind = "faithful"  // how places of a training of its own move as links go, in the order of their contributions and in others
)

// Measurements of the results of other tasks.
const (
	Graphs     Kind = "graphs"     // scores of many pooled graphs
	TSNE       Kind = "tsne"       // pictures of many pooled graphs
	Scans      Kind = "scans"      // no result of others: the graphs of scans, prepared
	Collected  Kind = "collection" // no result of others: the graphs of a collection, prepared
	Contrast   Kind = "contrast"   // no result of others: two conditions of scans, tested
	Retest     Kind = "retest"     // no result of others: two recordings of each subject, compared
	Shared     Kind = "shared"     // a training of one pair of encoders a layer for all prepared scans
	Alone      Kind = "alone"      // a training for each prepared scan
	Conditions Kind = "conditions" // scores of these trainings
	Baselines  Kind = "baselines"  // scores of prepared scans without any training
	Sizes      Kind = "sizes"      // scores of prepared graphs by their sizes alone
	Numbers    Kind = "numbers"    // a number of every scan, predicted from prepared scans or from embeddings
	Stability  Kind = "stability"  // how far apart what layers share is between seeds
)

// A yield is called often with what is done of a total; its error ends the work.
type yield = pause.Yield

// The subject of a measurement.
const (
	aTraining    = iota
	aGraph       // without any training
	preparation  // of scans, or of the graphs of a collection, for trainings to come
	otherResults // of tasks before
)

// A work holds the inputs of a measurement: settings, a result to add to, and a data set and its training, data to prepare, or
// the results of other tasks.
type work struct {
	*Spec
	r      *Result
	s      *run.Settings
	y      yield
	d      *run.Dataset
	t      *Training
	data   *run.DataSpec
	files  *run.Files
	inputs Inputs
}

// A measurement is the function of a kind and its subject.
type measurement struct {
	kind Kind
	of   int
	// draws reports whether it depends on the evaluation's seed.
	draws bool
	// labels reports whether the data must have a label set.
	labels bool
	// evaluates reports whether clustering (or classification) options affect this measure, on data that are
	// scored so; nil: they do not.
	evaluates func(clustering bool, scored examples.Scoring) bool
	// reported is the array that reports need; "": all of them.
	reported ArrayName
	// bytes estimates what a result takes that is compared, beside its arrays; nil: little.
	bytes func(in *Result) int64
	do    func(w *work) error
}

func ofClassification(clustering bool, _ examples.Scoring) bool { return !clustering }

func ofClustering(clustering bool, _ examples.Scoring) bool { return clustering }

func ofBoth(clustering bool, scored examples.Scoring) bool {
	return scored == examples.Both || clustering == (scored == examples.Clustering)
}

// combined is the row of what methods other than CaDeM are measured by. It is apart from the table, whose functions the program
// that trains them must not link: [EmbedGraph] and [Spec.EmbedGraphs] are all that it calls.
var combined = measurement{draws: true, labels: true, evaluates: ofClassification}

// table lists everything else that can be measured. Nothing in it is computed, so that it is linked with its readers alone.
var table = []measurement{
	{kind: Scores, draws: true, evaluates: ofBoth, do: func(w *work) error { return w.scores(run.Tokens, w.d.Classify, w.d.Cluster) }},
	{kind: Clusters, draws: true, labels: true, evaluates: ofClustering, do: func(w *work) error { return w.scores(run.Tokens, false, true) }},
	{kind: Classes, draws: true, labels: true, evaluates: ofClassification, do: func(w *work) error {
		return w.scores(func(e *cadem.Embeddings) []evaluate.Embedding { return realTokens(e, w.s.EvalSeed) }, true, false)
	}},
	{kind: Features, draws: true, labels: true, evaluates: ofClassification, do: func(w *work) error { return w.features(w.r, w.d, w.s, w.y) }},
	{kind: Links, do: func(w *work) error { return w.links(w.r, w.d, w.s, w.y) }},
	{kind: Losses, do: func(w *work) error { w.r.losses(w.t.Result, w.s.CaDeM().InnerSteps); return nil }},
	{kind: Ceiling, do: func(w *work) error { return ceilingOf(w.r, w.d) }},
	{kind: Maps, draws: true, evaluates: ofClustering, do: func(w *work) error { return w.maps(w.r, w.d, w.s, w.t.Result) }},
	{kind: Latents, draws: true, do: func(w *work) error { return latents(w.r, w.d, w.s, w.t.Result) }},
	{kind: Picture, do: func(w *work) error { return w.picture() }},
	{kind: Tables, do: func(w *work) error { return w.tables() }},
	{kind: Pool, do: func(w *work) error { return pool(w.r, w.d, w.t.Result) }},
	{kind: Regions, do: func(w *work) error { return lengths(w.r, w.d, w.s, w.t.Result) }},
	{kind: Posterior, draws: true, do: func(w *work) error { w.t.Posterior.add(w.r); return nil }},
	{kind: Trace, draws: true, do: func(w *work) error { w.t.Posterior.addTrace(w); return nil }},
	{kind: Untrained, draws: true, labels: true, evaluates: ofClassification, do: func(w *work) error { return w.untrainedSeeds() }},
	{kind: Exchange, draws: true, do: func(w *work) error { w.t.Posterior.interventions(w.r); return nil }},
	{kind: Unseen, draws: true, do: func(w *work) error {
		u := w.t.Probe.Unseen(w.s.EvalSeed)
		w.r.Arrays = append(w.r.Arrays, Array{ArrayUnseen, []int{3}, []float64{u.Phi, u.Private, u.Common}})
		return nil
	}},
	{kind: Pairings, draws: true, do: func(w *work) error { w.t.Posterior.pairings(w.r); return nil }},

	{kind: Overlaps, of: aGraph, do: func(w *work) error { w.r.Compared = multiplex.Compare(w.d.Graph.Layers); return nil }},
	{kind: Shares, of: aGraph, reported: ArrayF, do: sharing},
	{kind: HeldOut, of: aGraph, draws: true, do: func(w *work) error { return w.r.Refuse(heldOut(w)) }},
	{kind: Trained, of: aGraph, do: func(w *work) error { return w.r.Refuse(w.links(w.r, w.d, w.s, w.y)) }},
	{kind: Transfer, of: aGraph, draws: true, do: transfer},
	{kind: ZeroLoss, of: aGraph, do: func(w *work) error { return w.r.Refuse(zeroLoss(w)) }},
	{kind: Faithful, of: aGraph, draws: true, do: func(w *work) error { return w.r.Refuse(faithful(w)) }},
	{kind: Induction, of: aGraph, draws: true, evaluates: ofClassification, do: func(w *work) error { return w.r.Refuse(induction(w)) }},

	{kind: Scans, of: preparation, reported: ArrayQuality, do: func(w *work) error { return prepareScans(w.r, w.data, w.s, w.files, w.y) }},
	{kind: Contrast, of: preparation, draws: true, do: contrasted},
	{kind: Retest, of: preparation, draws: true, do: retested},
	{kind: Collected, of: preparation, reported: ArraySizes, do: func(w *work) error { return prepareGraphs(w.r, w.data, w.s, w.files, w.y) }},

	{kind: Graphs, of: otherResults, draws: true, evaluates: ofClassification, do: func(w *work) error {
		return collected(w.inputs, func(c *Items) error { return w.r.scored(c.graphs(w.s, w.deals(w.r), w.y)) })
	}},
	{kind: TSNE, of: otherResults, draws: true, do: func(w *work) error {
		return collected(w.inputs, func(c *Items) error { return c.layouts(w.r, w.Spec, w.s.EvalSeed, w.y) })
	}},
	{kind: Shared, of: otherResults, reported: ArrayRun, bytes: func(in *Result) int64 { return in.bytes(true) },
		do: func(w *work) error { return fit(w.r, w.inputs, false, w.s, w.y) }},
	{kind: Alone, of: otherResults, reported: ArrayRun, bytes: func(in *Result) int64 { return in.bytes(false) },
		do: func(w *work) error { return fit(w.r, w.inputs, true, w.s, w.y) }},
	{kind: Conditions, of: otherResults, draws: true, evaluates: ofClassification, do: func(w *work) error {
		return collected(w.inputs, func(c *Items) error { return w.r.scored(c.conditions(w.s, w.deals(w.r), w.y)) })
	}},
	{kind: Baselines, of: otherResults, draws: true, do: func(w *work) error { return w.r.scored(baselines(w.inputs, w.s, w.y)) }},
	{kind: Sizes, of: otherResults, draws: true, do: func(w *work) error { return w.r.scored(sizes(w.inputs, w.s, w.y)) }},
	{kind: Numbers, of: otherResults, draws: true, do: numbers},
	{kind: Stability, of: otherResults, do: stability},
}

// measure does the measurement of a kind, which has to suit its subject.
func (m *Spec) measure(of int, w *work) error {
	var names []string
	for i := range table {
		if table[i].of != of {
			continue
		}
		if table[i].kind == m.Kind {
			w.Spec = m
			return table[i].do(w)
		}
		names = append(names, string(table[i].kind))
	}
	return diag.Option("measure", string(m.Kind), "one of "+strings.Join(names, ", "))
}

// is returns the row of a kind, one without any property for an unknown kind.
func (m *Spec) is() measurement {
	if m.Kind == Combined || m.Kind == CombinedGraphs {
		return combined
	}
	if i := slices.IndexFunc(table, func(t measurement) bool { return t.kind == m.Kind }); i >= 0 {
		return table[i]
	}
	return measurement{}
}
