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

// EmbedGraphs makes a graph of every scan of the data, or reads those of a collection where kind is [CombinedGraphs]; embeds
// all of them by a method other than CaDeM with one set of weights, and scores how well their classes are told. The
// embeddings of nodes are added up over the nodes of a graph, as those of CaDeM are. Clock is that of a task; it may be nil.
func EmbedGraphs(r *Result, kind Kind, spec *run.DataSpec, s *run.Settings, files *run.Files, clock func() float64, yield func(done, total int) error) error {
	source, err := openGraphs(kind, spec, files)
	if err != nil {
		return err
	}
	part := func(from int) func(done, total int) error { // a third of the work
		return func(done, total int) error { return yield(1000*from+1000*done/max(total, 1), 3000) }
	}
	var graphs []*multiplex.Graph
	c := &collection{}
	for i := 0; i < len(spec.Scans); i++ {
		scan := &spec.Scans[i]
		g, err := source.graph(scan)
		if err == errFewerRegions {
			graphs, c.class, c.groups = nil, nil, nil
			i = -1
			continue
		}
		if err != nil {
			return err
		}
		g.Name = scan.Name
		graphs, c.class, c.groups = append(graphs, g), append(c.class, scan.Class), append(c.groups, scan.Group)
		if err := part(0)(i+1, len(spec.Scans)); err != nil {
			return err
		}
	}
	if c.many() {
		return &diag.Error{Where: "classes", Found: fmt.Sprint(len(c.target().Classes)),
			Expected: fmt.Sprintf("at most %d: of more, the nearest mean tells for CaDeM, and for no other method", evaluate.ManyClasses)}
	}
	if clock == nil {
		clock = func() float64 { return 0 }
	}
	began := clock()
	t, err := s.Start(graphs, cadem.Single)
	if err != nil {
		return err
	}
	if err := t.Finish(nil, part(1)); err != nil {
		return err
	}
	r.Seconds = clock() - began
	var list []baseline.Embedding
	for g := range graphs {
		list = append(list, t.Embeddings(g)...)
	}
	report, now := t.Report(), t.Progress()
	parameters, _ := report.Figure("parameters")
	r.Hash, r.Steps, r.EarlyStopped, r.Parameters = baseline.Hash(list), now.Steps, now.Early, int(parameters)
	r.Notes = append(source.said(), report.Notes...)
	tokens := pooledTokens(s.Method, t, len(graphs))
	return r.scored(evaluate.Table(evaluate.Input{Trained: tokens[:1], Targets: []multiplex.LabelSet{c.target()}, Groups: c.groups, Classify: true},
		s.Evaluation, s.EvalSeed, part(2)))
}

// A grapher gives the graphs of scans, or of a collection, one after the other.
type grapher interface {
	graph(*run.Scan) (*multiplex.Graph, error)
	said() []string // of those that it gave, in sentences
}

func openGraphs(kind Kind, spec *run.DataSpec, files *run.Files) (grapher, error) {
	if kind == CombinedGraphs {
		return openCollection(spec, files)
	}
	return openScans(spec, files)
}

// pooledTokens are what represents graphs by the embeddings of a method, a row a graph: sums over the nodes, or the
// embedding of a graph that is embedded as a whole.
func pooledTokens(m *baseline.Method, t *run.MethodRun, graphs int) []evaluate.Embedding {
	var of []baseline.Embedding
	for g := range graphs {
		for k, e := range t.Embeddings(g) {
			sums := columnSums(e.X)
			if g == 0 {
				of = append(of, baseline.Embedding{Name: e.Name, X: mat.NewDense(graphs, len(sums), nil)})
			}
			of[k].X.SetRow(g, sums)
		}
	}
	return run.MethodTokens(m, of)
}
