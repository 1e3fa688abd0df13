package parity

import (
	"encoding/json"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem/core/baseline"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// methodCases replays the golden cases of the methods that CaDeM is compared with, by the names of
// the methods in the files.
var methodCases = map[string]func(r *Report, file string, data []byte) error{
	"vgae":           (*Report).vgae,
	"dgi":            (*Report).dgi,
	"mvgrl_node":     (*Report).mvgrl,
	"mvgrl_graph":    (*Report).mvgrlGraph,
	"graphmae":       (*Report).graphMAE,
	"hdmi":           (*Report).hdmi,
	"dmg":            (*Report).dmg,
	"random_encoder": (*Report).randomEncoder,
	"closed":         (*Report).closedForm,
	"deepwalk":       func(r *Report, file string, data []byte) error { return r.walkedMethod("deepwalk", file, data) },
	"node2vec":       func(r *Report, file string, data []byte) error { return r.walkedMethod("node2vec", file, data) },
	"graph2vec":      (*Report).graph2vec,
	"mcgc":           (*Report).mcgc,
	"mne":            (*Report).mne,
}

// method replays a file of one of them. It tells whether it knows the method.
func (r *Report) method(file string, data []byte, name json.RawMessage) bool {
	var of string
	if json.Unmarshal(name, &of) != nil || methodCases[of] == nil {
		return false
	}
	r.with(func(file string, data []byte) error { return methodCases[of](r, file, data) }, file, data)
	return true
}

// A methodGraph is how cases of methods describe a graph.
type methodGraph struct {
	Name  string
	M, F  int
	Edges [][][3]float64  // of each layer: i, j, weight; once per edge
	X     json.RawMessage // M x F, or "identity"
}

// graph builds it.
func (c *methodGraph) graph() (*multiplex.Graph, error) {
	g := &multiplex.Graph{Name: c.Name}
	for l, list := range c.Edges {
		var edges []multiplex.Edge
		for _, e := range list {
			edges = append(edges, multiplex.Edge{I: int(e[0]), J: int(e[1]), Weight: e[2]})
		}
		a, err := multiplex.FromEdges(c.M, edges)
		if err != nil {
			return nil, err
		}
		x := multiplex.Identity(c.M)
		if string(c.X) != `"identity"` {
			var values tensor
			if err := json.Unmarshal(c.X, &values); err != nil {
				return nil, err
			}
			if x, err = multiplex.DenseFeatures(c.M, c.F, values.data); err != nil {
				return nil, err
			}
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: x})
	}
	return g, nil
}

// given is a source of what a case lists, by what it is for. What it does not list is a mistake of
// the reader.
type given map[string][]float64

func (g given) Uniform(dst []float64, _, _ float64, what string, round int) {
	g.Normal(dst, 0, what, round)
}

func (g given) Normal(dst []float64, _ float64, what string, round int) {
	values := g[key(what, round)]
	if len(values) != len(dst) {
		panic(fmt.Errorf("%s: %d values, the method draws %d", key(what, round), len(values), len(dst)))
	}
	copy(dst, values)
}

func (g given) Permutation(dst []int, what string, round int) { g.Below(dst, 0, what, round) }

func (g given) Below(dst []int, _ int, what string, round int) {
	values := make([]float64, len(dst))
	g.Normal(values, 0, what, round)
	for i, v := range values {
		dst[i] = int(v)
	}
}

func key(what string, round int) string { return fmt.Sprintf("%s@%d", what, round) }

// randomEncoder replays the untrained encoder.
func (r *Report) randomEncoder(file string, data []byte) error {
	var f struct {
		Cases []struct {
			methodGraph
			Propagation string
			R1, R2      []tensor
			Expect      struct{ Embedding []tensor }
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	m, err := baseline.Lookup("random")
	if err != nil {
		return err
	}
	for _, c := range f.Cases {
		g, err := c.graph()
		if err != nil {
			return err
		}
		o := &baseline.RandomOptions{Propagation: c.Propagation, Hidden: c.R1[0].shape[1], Dim: c.R2[0].shape[1]}
		draws := given{}
		for l := range g.Layers {
			draws[key(fmt.Sprintf("layer %d/R1", l+1), 0)], draws[key(fmt.Sprintf("layer %d/R2", l+1), 0)] = c.R1[l].data, c.R2[l].data
		}
		list, _, err := embedded(m, &baseline.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Source: draws, Double: true})
		if err != nil {
			return err
		}
		for l, e := range list {
			r.compare(file, strings.TrimSpace(c.Name+": embedding"), 64, e.X.RawMatrix().Data, c.Expect.Embedding[l].data, 1e-9)
		}
	}
	return nil
}

// closedForm replays the closed form. Embeddings are compared by X X'W, which does not depend on how
// the directions are turned.
func (r *Report) closedForm(file string, data []byte) error {
	var f struct {
		Cases []struct {
			methodGraph
			Settings struct {
				Dim          int
				Private      string
				Agreement    float64
				FeatureScale string `json:"feature_scale"`
			}
			W      tensor
			Expect struct {
				Agreement []float64
				Chance    float64
				Shared    int
				Common    tensor
				Private   []tensor
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	m, err := baseline.Lookup("closed")
	if err != nil {
		return err
	}
	for _, c := range f.Cases {
		g, err := c.graph()
		if err != nil {
			return err
		}
		o := m.Options().(*baseline.ClosedOptions)
		property.Defaults(o)
		o.Dim, o.Private, o.Agreement, o.FeatureScale = c.Settings.Dim, c.Settings.Private, c.Settings.Agreement, c.Settings.FeatureScale
		list, report, err := embedded(m, &baseline.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Double: true})
		if err != nil {
			return err
		}
		figure := func(name string, want float64) {
			got, _ := report.Figure(name)
			r.compare(file, c.Name+": "+strings.TrimRight(name, "_0123456789"), 64, []float64{got}, []float64{want}, 1e-9)
		}
		figure("rank_S", float64(c.Expect.Shared))
		figure("chance", c.Expect.Chance)
		for k, v := range c.Expect.Agreement {
			figure(fmt.Sprintf("agreement_%d", k+1), v)
		}
		for l, want := range append([]tensor{c.Expect.Common}, c.Expect.Private...) {
			x := list[l].X
			var along, got mat.Dense
			along.Mul(x.T(), mat.NewDense(c.M, len(c.W.data)/c.M, c.W.data))
			got.Mul(x, &along)
			r.compare(file, c.Name+": "+strings.TrimRight(list[l].Name, "_0123456789"), 64, got.RawMatrix().Data, want.data, 1e-8)
		}
	}
	return nil
}

// embedded takes all steps of a method and returns the embeddings of its first graph.
func embedded(m *baseline.Method, s *baseline.Setup) ([]baseline.Embedding, *baseline.Report, error) {
	t, err := baseline.Start(m, s)
	if err != nil {
		return nil, nil, err
	}
	for !baseline.Done(t) {
		if err := t.Step(nil); err != nil {
			return nil, nil, err
		}
	}
	report := t.Report()
	return t.Embeddings(0), &report, nil
}
