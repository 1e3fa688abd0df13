package measure

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/lab/run"
)

// EmbedGraph embeds the nodes of a graph by a method other than CaDeM, and scores the method's embedding of all layers, or the combiner's for it, in
// classification, or its prediction of links: the kinds [Combined] and [Links], the only ones that methods have. Clock is that of a task.
func EmbedGraph(r *Result, specs []Spec, d *run.Dataset, s *run.Settings, clock func() float64, yield pause.Yield) error {
	for i := range specs {
		if m := &specs[i]; m.Kind != Combined && m.Kind != Links {
			return diag.Option("measure", string(m.Kind), fmt.Sprintf("%s or %s", Combined, Links))
		} else if m.Kind == Combined && len(d.Graph.Labels) == 0 {
			return NoLabels
		}
	}
	var t *run.Run
	if Trains(specs) {
		var err error
		if t, err = r.embed([]*multiplex.Graph{d.Graph}, d.Notes, s, clock, steps(yield, 0, 2)); err != nil {
			return r.Refuse(err)
		}
	}
	for i := range specs {
		m := &specs[i]
		if m.Kind == Links {
			if err := r.Refuse(m.links(r, d, s, nil, steps(yield, 1, 2))); err != nil {
				return err
			}
			continue
		}
		tokens := run.Scored(s.Method, t.Embeddings(0))
		r.Wide(s, tokens)
		if err := m.together(r, tokens, m.of(slices.Clone(d.Graph.Labels)), nil, s, steps(yield, 1, 2)); err != nil {
			return err
		}
	}
	return nil
}

// EmbedGraphs embeds the graphs that [Spec.Graphs] made of scans, by a method other than CaDeM with one set of weights, and scores the
// classification of graphs. The embeddings of nodes are added up over the nodes of a graph, as those of CaDeM are. Clock is that of a task.
func (m *Spec) EmbedGraphs(r *Result, scans []run.Scan, graphs []*multiplex.Graph, notes []string, s *run.Settings, clock func() float64,
	yield pause.Yield) error {
	c := &Items{}
	for i := range scans {
		c.class, c.groups = append(c.class, scans[i].Class), append(c.groups, scans[i].Group)
	}
	if c.many() {
		return &diag.Error{Where: "classes", Found: fmt.Sprint(len(c.target().Classes)),
			Expected: fmt.Sprintf("at most %d: of more, the nearest mean tells for CaDeM, and for no other method", evaluate.ManyClasses)}
	}
	t, err := r.embed(graphs, notes, s, clock, steps(yield, 0, 2))
	if err != nil {
		return err
	}
	return m.together(r, pooledTokens(s.Method, t, len(graphs)), []multiplex.LabelSet{c.target()}, c.groups, s, steps(yield, 1, 2))
}

// Graphs makes a graph of every scan of the data, or reads those of a collection for the kind [CombinedGraphs], and says in sentences what that
// did. Yield may be nil.
func (m *Spec) Graphs(spec *run.DataSpec, files *run.Files, yield pause.Yield) (graphs []*multiplex.Graph, said []string, err error) {
	source, err := m.openGraphs(spec, files)
	if err != nil {
		return nil, nil, err
	}
	err = (&Items{}).Read(spec.Scans, func() { graphs = nil }, func(scan *run.Scan) error {
		g, err := source.Graph(scan)
		if err == nil {
			g.Name = scan.Name
			graphs = append(graphs, g)
		}
		return err
	}, func(done, of int) error { return yield.At(done, of) })
	return graphs, source.Said(), err
}

// embed trains a method on graphs.
func (r *Result) embed(graphs []*multiplex.Graph, notes []string, s *run.Settings, clock func() float64, yield pause.Yield) (
	*run.Run, error) {
	began := clock()
	t, err := s.Train(graphs, precision.Single, run.Watch{Within: yield})
	if err != nil {
		return nil, err
	}
	r.Seconds = clock() - began
	var list []train.Embedding
	for g := range graphs {
		list = append(list, t.Embeddings(g)...)
	}
	report, now := t.Report(), t.Progress()
	parameters, _ := report.Figure("parameters")
	r.Hash, r.Steps, r.EarlyStopped, r.Parameters = train.Hash(list), now.Steps, now.Early, int(parameters)
	r.Notes = slices.Concat(notes, report.Notes)
	return t, nil
}

// together scores the first of a method's tokens, which are those of all layers.
func (m *Spec) together(r *Result, tokens []evaluate.Embedding, targets []multiplex.LabelSet, groups []int, s *run.Settings, yield pause.Yield) error {
	in := evaluate.Input{Trained: tokens[:1], Targets: targets, Groups: groups, Classify: true, Deals: m.deals(r)}
	if m.Fitted {
		in.Fit = evaluate.Fitted
	}
	return r.scored(evaluate.Table(in, s.Scoring(), s.EvalSeed, yield))
}

// pooledTokens represent graphs by the embeddings of a method, a row a graph: sums over the nodes, or the embedding
// of a graph that is embedded as a whole.
func pooledTokens(m *train.Method, t *run.Run, graphs int) []evaluate.Embedding {
	var of []train.Embedding
	for g := range graphs {
		for k, e := range t.Embeddings(g) {
			sums := columnSums(e.X)
			if g == 0 {
				of = append(of, train.Embedding{Name: e.Name, X: mat.NewDense(graphs, len(sums), nil)})
			}
			of[k].X.SetRow(g, sums)
		}
	}
	return run.Scored(m, of)
}
