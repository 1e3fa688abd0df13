package measure

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/diag"
	"cadem/core/evaluate"
	"cadem/core/multiplex"
	"cadem/core/run"
)

// cohortLayers is the number of layers of a connectome.
const cohortLayers = 2

// fit fits encoders to the graphs of prepared scans and adds up the embeddings of each over
// its nodes: one pair of encoders a layer for all graphs, or for each graph its own, from the same
// first weights.
//
// Shared, a step follows the mean of the losses of all graphs: as many steps as the paper
// gives, each graph with its own consensus, samples and pairs.
func fit(r *Result, inputs []*Result, alone bool, s *run.Settings, yield func(done, total int) error) error {
	if s.Training.DropoutRate > 0 && s.Training.Dropout == "entries" {
		return diag.Option("dropout", "entries", "columns, or a dropout_rate of 0: graphs of a cohort come with their features propagated")
	}
	graphs, err := graphsOf(inputs)
	if err != nil {
		return err
	}
	c := collectionOf(inputs)
	r.integers("class", c.class)
	r.integers("group", c.groups)
	for _, g := range graphs {
		for l := range g.Layers {
			x := g.Layers[l].Features
			r.sums(fmt.Sprintf("feature_%d", l+1), mat.NewDense(x.Rows, x.Cols, x.Dense))
		}
	}
	trainings, per := [][]*multiplex.Graph{graphs}, s.Training.Epochs*s.Training.InnerSteps
	if alone {
		trainings = nil
		for i := range graphs {
			trainings = append(trainings, graphs[i:i+1])
		}
	}
	for i, own := range trainings {
		if s.Compared != nil {
			if err := embed(r, own, s, func(done, total int) error { return yield(i*total+done, len(trainings)*total) }); err != nil {
				return err
			}
			continue
		}
		pause := func(int, int) error { return yield(i*per, len(trainings)*per) }
		run, err := cadem.NewFrom(own, s.Training, s.ModelSeed, cadem.Single, cadem.Given{Yield: pause})
		if err != nil {
			return err
		}
		for g := range own {
			pooled(run.Embeddings(g), "untrained:", r.sums)
		}
		for !run.Done() {
			if err := run.Step(); err != nil {
				return err
			}
			if err := yield(i*per+run.Progress().Step, len(trainings)*per); err != nil {
				return err
			}
		}
		for g := range own {
			pooled(run.Embeddings(g), "", r.sums)
		}
		p := run.Progress()
		r.Steps, r.RankS, r.First, r.Last = r.Steps+p.Step, p.Rank, p.First, p.Losses
		if p.EarlyStopped {
			r.EarlyStopped = true
		}
		r.row("run", []float64{float64(p.Step), float64(p.Rank)})
	}
	return nil
}

// embed does for graphs what fit does, by a method in place of CaDeM's that trains nothing.
func embed(r *Result, graphs []*multiplex.Graph, s *run.Settings, yield func(done, total int) error) error {
	t, err := baseline.Start(s.Compared.Method, &baseline.Setup{Graphs: graphs, Options: s.Compared.Options, Source: baseline.Seeded(s.ModelSeed)})
	if err != nil {
		return err
	}
	for !baseline.Done(t) {
		if err := t.Step(yield); err != nil {
			return err
		}
	}
	for g := range graphs {
		e := run.AsCaDeM(t.Embeddings(g))
		pooled(e, "untrained:", r.sums)
		pooled(e, "", r.sums)
	}
	report := t.Report()
	rank, _ := report.Figure("rank_S")
	r.RankS = int(rank)
	r.row("run", []float64{0, rank})
	return nil
}

// graphsOf makes graphs of prepared scans that train as theirs would: every node is its only
// neighbour and has the propagated features for its own.
func graphsOf(inputs []*Result) ([]*multiplex.Graph, error) {
	m, err := regionsOf(inputs)
	if err != nil {
		return nil, err
	}
	nodes, err := loops(m)
	if err != nil {
		return nil, err
	}
	var graphs []*multiplex.Graph
	z := stack(inputs, "z")
	n, all := z.Dims()
	width := all / (cohortLayers * m)
	for i := range n {
		g := &multiplex.Graph{Name: fmt.Sprintf("scan %d", i+1)}
		for l := range cohortLayers {
			x, err := multiplex.DenseFeatures(m, width, z.RawRowView(i)[l*m*width:(l+1)*m*width])
			if err != nil {
				return nil, err
			}
			g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprintf("layer %d", l+1), Adjacency: nodes, Features: x})
		}
		graphs = append(graphs, g)
	}
	return graphs, nil
}

// regionsOf returns the number of regions of prepared scans, which must be the same ones in
// the same order; where they have no names, as many.
func regionsOf(inputs []*Result) (int, error) {
	first := inputs[0]
	m := first.Array("moments").Shape[1] / 2
	for _, in := range inputs {
		if other := in.Array("moments").Shape[1] / 2; other != m {
			return 0, &diag.Error{File: in.Name, Where: "regions", Found: fmt.Sprint(other), Expected: fmt.Sprintf("%d, as in %s", m, first.Name)}
		}
		for _, names := range in.Array("regions").Data {
			if names != first.Array("regions").Data[0] {
				return 0, &diag.Error{File: in.Name, Where: "regions", Found: "other names, or another order, than in " + first.Name,
					Expected: "the same; a table of regions beside the scans brings them into one order"}
			}
		}
	}
	return m, nil
}

// loops returns m nodes with nothing but a link to themselves.
func loops(m int) (*multiplex.CSR, error) {
	edges := make([]multiplex.Edge, m)
	for i := range edges {
		edges[i] = multiplex.Edge{I: i, J: i, Weight: 1}
	}
	return multiplex.FromEdges(m, edges)
}

// target is what is to be told of a scan.
func (c *collection) target() []multiplex.LabelSet {
	classes := 0
	for _, k := range c.class {
		classes = max(classes, k+1)
	}
	return []multiplex.LabelSet{{Name: "class", Classes: make([]string, classes), Of: c.class}}
}

// conditions scores the sums over nodes of trained embeddings, beside untrained ones and the
// sums of the propagated features.
func (c *collection) conditions(s *run.Settings, yield func(done, total int) error) ([]evaluate.Score, error) {
	return evaluate.Table(evaluate.Input{Trained: c.embeddings(""), Untrained: c.embeddings("untrained:"), Trivial: c.features(),
		Targets: c.target(), Groups: c.groups, Classify: true}, s.Evaluation, s.EvalSeed, yield)
}

// Baselines are what is known of scans without a graph, or without pooling.
const (
	ByFC      = "fc"      // correlations of all pairs of regions
	ByMoments = "moments" // skewness and kurtosis of all regions
	ByLength  = "length"  // the number of frames alone
	ByRegions = "regions" // propagated features of all regions, not added up
)

// baselines scores prepared scans by a linear probe, functional connectivity by a ridge regression.
func (c *collection) baselines(s *run.Settings, yield func(done, total int) error) ([]evaluate.Score, error) {
	if _, err := regionsOf(c.inputs); err != nil {
		return nil, err
	}
	lengths, quality := mat.NewDense(len(c.class), 1, nil), stack(c.inputs, "quality")
	for i := range c.class {
		lengths.Set(i, 0, quality.At(i, 0))
	}
	list := []evaluate.Embedding{
		{Name: ByMoments, Tokens: []*mat.Dense{stack(c.inputs, "moments")}},
		{Name: ByLength, Tokens: []*mat.Dense{lengths}},
		{Name: ByRegions, Tokens: []*mat.Dense{stack(c.inputs, "z")}},
	}
	scores, err := evaluate.Ridges([]evaluate.Embedding{{Name: ByFC, Tokens: []*mat.Dense{stack(c.inputs, "fc")}}}, c.target(), c.groups, s.Evaluation, s.EvalSeed)
	if err != nil {
		return nil, err
	}
	probes, err := evaluate.Probes(list, c.target(), c.groups, s.Evaluation, s.EvalSeed, yield)
	return append(scores, probes...), err
}
