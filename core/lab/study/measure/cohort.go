package measure

import (
	"strconv"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// cohortLayers is the number of layers of a connectome.
const cohortLayers = 2

// fit fits encoders to the graphs of prepared scans and adds up the embeddings of each over
// its nodes: one pair of encoders a layer for all graphs, or for each graph its own, from the same
// first weights.
//
// Shared, a step follows the mean of the losses of all graphs: as many steps as the paper
// gives, each graph with its own consensus, samples and pairs.
func fit(r *Result, inputs Inputs, alone bool, s *run.Settings, yield pause.Yield) error {
	if s.CaDeM().DropoutRate > 0 && s.CaDeM().Dropout == "entries" {
		return diag.Option("dropout", "entries", "columns, or a dropout_rate of 0: graphs of a cohort come with their features propagated")
	}
	scans, err := scannedOf(inputs)
	if err != nil {
		return err
	}
	r.Groups(&Items{class: scans.class, groups: scans.groups})
	if err := each(inputs, func(in *Result) error {
		if a := in.Array(ArrayNumbers); a != nil {
			for i := range a.Shape[0] {
				r.Row(ArrayNumbers, a.Row(i))
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for i := range scans.class {
		for l, layer := range scans.graph(i).Layers {
			x := layer.Features
			r.sums(ArrayFeature.Layer(l), mat.NewDense(x.Rows, x.Cols, x.Dense))
		}
	}
	trainings, each, per := 1, len(scans.class), s.CaDeM().Epochs*s.CaDeM().InnerSteps
	if alone {
		trainings, each = each, 1
	}
	for i := range trainings {
		own := scans.part(i*each, each)
		if !s.OfCaDeM() {
			if err := closedForm(r, own, s, func(done, total int) error { return yield(i*total+done, trainings*total) }); err != nil {
				return err
			}
			continue
		}
		pause := func(int, int) error { return yield(i*per, trainings*per) }
		run, err := cadem.NewFrom(own, *s.CaDeM(), s.ModelSeed, precision.Single, cadem.Given{Yield: pause})
		if err != nil {
			return err
		}
		for g := range each {
			pooled(run.Embeddings(g), untrained, r.sums)
		}
		if !alone { // a training alone is soon done again
			inputs.Trains(run)
		}
		for !run.Done() {
			if err := run.Step(); err != nil {
				return err
			}
			if err := yield(i*per+run.Progress().Step, trainings*per); err != nil {
				return err
			}
		}
		for g := range each {
			pooled(run.Embeddings(g), "", r.sums)
		}
		p := run.Progress()
		r.Parameters += run.Parameters()
		r.Steps, r.RankS, r.First, r.Last = r.Steps+p.Step, p.Rank, p.First, p.Losses
		if p.EarlyStopped {
			r.EarlyStopped = true
		}
		r.Row(ArrayRun, []float64{float64(p.Step), float64(p.Rank)})
	}
	return nil
}

// closedForm does for graphs what fit does, by a method in place of CaDeM's that trains nothing.
func closedForm(r *Result, scans multiplex.Source, s *run.Settings, yield pause.Yield) error {
	var graphs []*multiplex.Graph
	for i := range scans.Len {
		graphs = append(graphs, scans.Graph(i))
	}
	t, err := s.Train(graphs, precision.Single, run.Watch{Within: yield})
	if err != nil {
		return err
	}
	for g := range graphs {
		e := run.AsCaDeM(t.Embeddings(g))
		pooled(e, untrained, r.sums)
		pooled(e, "", r.sums)
	}
	report := t.Report()
	rank, _ := report.Figure("rank_S")
	r.RankS = int(rank)
	r.Row(ArrayRun, []float64{0, rank})
	return nil
}

// loops returns m nodes with nothing but a link to themselves.
func loops(m int) (*multiplex.CSR, error) {
	edges := make([]multiplex.Edge, m)
	for i := range edges {
		edges[i] = multiplex.Edge{I: i, J: i, Weight: 1}
	}
	return multiplex.FromEdges(m, edges)
}

// target is the class of a scan.
func (c *Items) target() multiplex.LabelSet {
	classes := 0
	for _, k := range c.class {
		classes = max(classes, k+1)
	}
	return multiplex.LabelSet{Name: "class", Classes: numbered(classes), Of: c.class}
}

// numbered names classes by their numbers.
func numbered(classes int) (names []string) {
	for k := range classes {
		names = append(names, strconv.Itoa(k))
	}
	return names
}

// many reports whether classes are too many for classifiers with a weight for each.
func (c *Items) many() bool { return len(c.target().Classes) > evaluate.ManyClasses }

// conditions scores the sums over nodes of trained embeddings, beside untrained ones and the
// sums of the propagated features.
func (c *Items) conditions(w *Work) error {
	if c.many() {
		return w.Result.scored(c.nearest(w.Settings, w.Yield))
	}
	return w.Result.scored(evaluate.Table(evaluate.Input{Trained: c.embeddings(""), Untrained: c.embeddings(untrained), Trivial: c.features(),
		Targets: []multiplex.LabelSet{c.target()}, Groups: c.groups, Classify: true, Deals: w.deals(w.Result)}, w.Settings.Scoring(), w.Settings.EvalSeed, w.Yield))
}

// steps reports the progress of part at of a work.
func steps(yield pause.Yield, at, parts int) func(done, total int) error {
	return func(done, total int) error { return yield(1000*at+1000*done/max(total, 1), 1000*parts) }
}

// Baselines are scans' data without a graph, or without pooling.
const (
	ByFC      = "fc"      // correlations of all pairs of regions
	ByMoments = "moments" // skewness and kurtosis of all regions
	ByLength  = "length"  // the number of frames alone
	ByRegions = "regions" // Propagated features of all regions, not added up
)

// baselines scores what is known of prepared scans without a graph.
func baselines(w *Work) error {
	return w.known(&sameRegions{}, known{ByFC, ArrayFC, 0, evaluate.Correlation}, known{ByMoments, ArrayMoments, 0, evaluate.StandardisedDistance},
		known{ByLength, ArrayQuality, 1, evaluate.StandardisedDistance}, known{ByRegions, ArrayZ, 0, evaluate.StandardisedDistance})
}

// Data known without embeddings: an array of inputs, or its first columns, and how it identifies one of many classes.
type known struct {
	name    string
	array   ArrayName
	columns int // 0: all
	how     evaluate.Nearness
}

// of returns the data of inputs, a row an item.
func (k *known) of(inputs Inputs) (*mat.Dense, error) {
	x, err := stacked(inputs, k.array)
	if err != nil || k.columns == 0 {
		return x, err
	}
	raw := x.RawMatrix()
	raw.Cols = k.columns
	x.SetRawMatrix(raw)
	return x, nil
}

// known scores data of inputs by a linear probe, functional connectivity by a ridge regression; many classes by the nearest
// mean. It releases the data of one before the next. Same, if not nil, is to find the same regions.
func (w *Work) known(same *sameRegions, list ...known) error {
	c, s, scores := &Items{}, w.Settings, []evaluate.Score(nil)
	err := each(w.Inputs, func(in *Result) error {
		if c.add(in); same == nil {
			return nil
		}
		return same.check(in)
	})
	if err != nil {
		return err
	}
	for at, k := range list {
		var found []evaluate.Score
		var x *mat.Dense
		if tell := steps(w.Yield, at, len(list)); c.many() {
			found, err = c.nearestRows(w.Inputs, &k, s, tell)
		} else if x, err = k.of(w.Inputs); err == nil {
			read := evaluate.Probes
			if k.name == ByFC {
				read = evaluate.Ridges
			}
			found, err = read([]evaluate.Embedding{{Name: k.name, Tokens: []*mat.Dense{x}}}, []multiplex.LabelSet{c.target()}, c.groups, s.Scoring(), s.EvalSeed,
				tell)
		}
		if err != nil {
			return err
		}
		scores = append(scores, found...)
	}
	return w.Result.scored(scores, nil)
}
