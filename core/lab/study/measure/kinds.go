package measure

import (
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/property"
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
	Posterior Kind = "posterior"     // information of pooled embeddings about their layer, over the training
	Trace     Kind = "trace"         // the layer in the common embeddings, over the training
	Untrained Kind = "untrained"     // information of untrained encoders of many seeds about their own layer
	Exchange  Kind = "interventions" // answers of psi when common parts are exchanged
	Pairings  Kind = "pairings"      // the parts of a few pooled graphs; every pair is an answer of psi
	Unseen    Kind = "unseen"        // information about their layer of copies that nothing was fitted to
	Links     Kind = "links"         // prediction of held-out links, by trainings of its own
	Regions   Kind = "regions"       // the length of every node's private embedding
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
	Collected  Kind = "collection" // no result of others: the graphs of a collection, prepared
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

// A Subject is what a measurement is of.
type Subject int

// Subjects of measurements.
const (
	ATraining    Subject = iota
	AGraph               // without any training
	Preparation          // of scans, or of the graphs of a collection, for trainings to come
	OtherResults         // of tasks before
)

// A Work holds the inputs of a measurement: settings, a result to add to, and a data set and its training, data to prepare, or
// the results of other tasks.
type Work struct {
	*Spec
	Result   *Result
	Settings *run.Settings
	Yield    pause.Yield
	Dataset  *run.Dataset
	Training *Training
	Data     *run.DataSpec
	Files    *run.Files
	Inputs   Inputs
}

// A Measurement is the function of a kind and its subject.
type Measurement struct {
	Kind Kind
	Of   Subject
	// Draws reports whether it depends on the evaluation's seed.
	Draws bool
	// Labels reports whether the data must have a label set.
	Labels bool
	// Evaluates reports whether clustering (or classification) options affect this measure, on data that are
	// scored so; nil: they do not.
	Evaluates func(clustering bool, scored examples.Scoring) bool
	// Reported is the array that reports need; "": all of them.
	Reported ArrayName
	// Bytes estimates what a result takes that is compared, beside its arrays; nil: little.
	Bytes func(in *Result) int64
	// Options returns its own options, by default, where orders may have them; nil: none.
	Options func() any
	// Refuses reports whether data that it cannot measure make a result that says why, and no error.
	Refuses bool
	Do      func(w *Work) error
}

func ofClassification(clustering bool, _ examples.Scoring) bool { return !clustering }

func ofClustering(clustering bool, _ examples.Scoring) bool { return clustering }

func ofBoth(clustering bool, scored examples.Scoring) bool {
	return scored == examples.Both || clustering == (scored == examples.Clustering)
}

// combined is the row of what methods other than CaDeM are measured by. It is apart from the table, whose functions the program
// that trains them must not link: [EmbedGraph] and [Spec.EmbedGraphs] are all that it calls.
var combined = Measurement{Draws: true, Labels: true, Evaluates: ofClassification}

// table lists everything else that can be measured. Nothing in it is computed, so that it is linked with its readers alone.
var table = []Measurement{
	{Kind: Scores, Draws: true, Evaluates: ofBoth, Do: func(w *Work) error { return w.scores(run.Tokens, w.Dataset.Classify, w.Dataset.Cluster) }},
	{Kind: Clusters, Draws: true, Labels: true, Evaluates: ofClustering, Do: func(w *Work) error { return w.scores(run.Tokens, false, true) }},
	{Kind: Classes, Draws: true, Labels: true, Evaluates: ofClassification, Do: func(w *Work) error {
		return w.scores(func(e *cadem.Embeddings) []evaluate.Embedding { return realTokens(e, w.Settings.EvalSeed) }, true, false)
	}},
	{Kind: Features, Draws: true, Labels: true, Evaluates: ofClassification, Do: (*Work).features},
	{Kind: Links, Do: (*Work).linked},
	{Kind: Losses, Do: func(w *Work) error { w.Result.losses(w.Training.Result, w.Settings.CaDeM().InnerSteps); return nil }},
	{Kind: Ceiling, Do: func(w *Work) error { return ceilingOf(w.Result, w.Dataset) }},
	{Kind: Maps, Draws: true, Evaluates: ofClustering, Do: (*Work).maps},
	{Kind: Latents, Draws: true, Do: latents},
	{Kind: Picture, Do: (*Work).picture},
	{Kind: Tables, Do: (*Work).tables},
	{Kind: Pool, Do: func(w *Work) error { return pool(w.Result, w.Dataset, w.Training.Result) }},
	{Kind: Posterior, Draws: true, Do: func(w *Work) error { return w.Training.Posterior.add(w.Result) }},
	{Kind: Trace, Draws: true, Do: func(w *Work) error { return w.Training.Posterior.addTrace(w) }},
	{Kind: Untrained, Draws: true, Labels: true, Evaluates: ofClassification, Do: (*Work).untrained},
	{Kind: Exchange, Draws: true, Do: func(w *Work) error { return w.Training.Posterior.interventions(w.Result) }},
	{Kind: Unseen, Draws: true, Do: func(w *Work) error {
		u := w.Training.Probe.Unseen(w.Settings.EvalSeed)
		w.Result.Arrays = append(w.Result.Arrays, Array{ArrayUnseen, []int{3}, []float64{u.Phi, u.Private, u.Common}})
		return nil
	}},
	{Kind: Pairings, Draws: true, Do: func(w *Work) error { return w.Training.Posterior.pairings(w.Result) }},

	{Kind: Overlaps, Of: AGraph, Do: func(w *Work) error { w.Result.Compared = multiplex.Compare(w.Dataset.Graph.Layers); return nil }},
	{Kind: Shares, Of: AGraph, Reported: ArrayF, Do: sharing},
	{Kind: HeldOut, Of: AGraph, Draws: true, Refuses: true, Do: heldOut},
	{Kind: Trained, Of: AGraph, Refuses: true, Do: (*Work).linked},
	{Kind: Transfer, Of: AGraph, Draws: true, Do: transfer},
	{Kind: ZeroLoss, Of: AGraph, Refuses: true, Do: zeroLoss},
	{Kind: Faithful, Of: AGraph, Draws: true, Refuses: true, Do: faithful},
	{Kind: Induction, Of: AGraph, Draws: true, Evaluates: ofClassification, Refuses: true, Do: induction},

	{Kind: Collected, Of: Preparation, Reported: ArraySizes, Do: prepareGraphs},

	{Kind: Graphs, Of: OtherResults, Draws: true, Evaluates: ofClassification, Do: func(w *Work) error { return w.collected((*Items).graphs) }},
	{Kind: TSNE, Of: OtherResults, Draws: true, Do: func(w *Work) error { return w.collected((*Items).layouts) }},
	{Kind: Shared, Of: OtherResults, Reported: ArrayRun, Bytes: func(in *Result) int64 { return in.bytes(true) },
		Do: func(w *Work) error { return fit(w.Result, w.Inputs, false, w.Settings, w.Yield) }},
	{Kind: Alone, Of: OtherResults, Reported: ArrayRun, Bytes: func(in *Result) int64 { return in.bytes(false) },
		Do: func(w *Work) error { return fit(w.Result, w.Inputs, true, w.Settings, w.Yield) }},
	{Kind: Conditions, Of: OtherResults, Draws: true, Evaluates: ofClassification, Do: func(w *Work) error { return w.collected((*Items).conditions) }},
	{Kind: Baselines, Of: OtherResults, Draws: true, Do: baselines},
	{Kind: Sizes, Of: OtherResults, Draws: true, Do: sizes},
	{Kind: Numbers, Of: OtherResults, Draws: true, Do: numbers},
	{Kind: Stability, Of: OtherResults, Do: stability},
}

// registered are further measurements.
var registered []Measurement

// Register adds measurements to those that there are. The main packages call it.
func Register(list ...Measurement) { registered = append(registered, list...) }

// rows are all measurements but [combined].
func rows() []Measurement { return slices.Concat(registered, table) }

// measure does the measurement of a kind, which has to suit its subject.
func (m *Spec) measure(of Subject, w *Work) error {
	var names []string
	for _, row := range rows() {
		if row.Of != of {
			continue
		}
		if row.Kind == m.Kind {
			w.Spec = m
			err := row.Do(w)
			if row.Refuses {
				err = w.Result.Refuse(err)
			}
			return err
		}
		names = append(names, string(row.Kind))
	}
	return diag.Option("measure", string(m.Kind), "one of "+strings.Join(names, ", "))
}

// is returns the row of a kind, one without any property for an unknown kind.
func (m *Spec) is() (row Measurement) {
	if m.Kind == Combined || m.Kind == CombinedGraphs {
		return combined
	}
	for _, row = range rows() {
		if row.Kind == m.Kind {
			return row
		}
	}
	return Measurement{}
}

// Options lists the options of all measurements that orders may have.
func Options() (list []property.Property) {
	for _, row := range rows() {
		if row.Options != nil {
			list = append(list, property.Table(row.Options())...)
		}
	}
	return list
}
