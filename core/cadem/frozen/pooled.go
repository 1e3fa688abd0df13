package frozen

import (
	"fmt"
	"slices"

	"cadem.example/core/cadem"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/multiplex"
)

// Pooled returns the model of all layers together, R = sum over views of B X W + 1 b', as package baseline has it: R is asked for as [S], of which
// it has the place here, and there are no C and P. Views beyond the layers are of features as they are, in layers without links; w is of every view
// (columns of X x d), that of nodes without features a row of R for each node.
func Pooled(g *multiplex.Graph, w [][]float64, bias []float64) *Model {
	d, rows := len(bias), []int{0, g.M()}
	wide := withOwn(g, g.LayerNames()[:len(w)-g.N()])
	m := &Model{Maps: &cadem.Maps{Options: cadem.Released()}, Graphs: []*multiplex.Graph{wide}, Rank: []int{d}, d: d, rows: rows, trail: &inputs.Trail{},
		own: len(w) - g.N(), pooled: g}
	o, c := &m.Maps.Options, &consensus{mean: make([]float64, d)}
	o.Dim, o.Propagation, o.RowScale, o.DropoutRate = d, pooled, "unit", 0
	less(c.mean, bias)
	for l, x := range multiplex.RowsOf(wide.Layers, o.RowScale) {
		p := &part{x: []*multiplex.Features{x}, w: w[l]}
		m.spread(p)
		op := operator{CSR: multiplex.NewPropagator(wide.Layers[l].Adjacency, multiplex.Looped).Matrix()}
		m.layers = append(m.layers, &layer{ops: []operator{op}, features: p.x, sums: [2]*sum{{}, {}}})
		live := make([]int32, x.Cols)
		for k := range live {
			live[k] = int32(k)
		}
		m.Maps.Live, c.sums = append(m.Maps.Live, live), append(c.sums, &sum{parts: []*part{p}})
	}
	m.consensus = []*consensus{c}
	return m
}

// pooled is the propagation of such a model.
const pooled = "looped"

// withOwn adds layers without links, for the features of the named ones as they are.
func withOwn(g *multiplex.Graph, names []string) *multiplex.Graph {
	wide, none := *g, &multiplex.CSR{Rows: g.M(), Cols: g.M(), Start: make([]int32, g.M()+1)}
	wide.Layers = slices.Clone(g.Layers)
	for _, l := range g.Layers {
		if slices.Contains(names, l.Name) {
			wide.Layers = append(wide.Layers, multiplex.Layer{Name: "features of " + l.Name, Adjacency: none, Features: l.Features})
		}
	}
	return &wide
}

// savePooled fills in the layers of a file.
func (m *Model) savePooled(s *Saved, c *consensus) {
	for l, sum := range c.sums {
		q, b := &s.layers[l], multiplex.NewPropagator(m.Graphs[0].Layers[l].Adjacency, multiplex.Looped)
		q.us, q.messages = sum.parts[0].w, sum.parts[0].g
		for i := range m.nodes() {
			first, second := b.Scales(i)
			q.scales = append(q.scales, first, second)
		}
	}
}

// slotsPooled lists all arrays of a file.
func (s *Saved) slotsPooled() []slot {
	m, d := len(s.Nodes), s.Dim
	all := []slot{{"R", &s.Known.S, m, d}, {"mean_R", &s.meanS, d, -1}}
	for l := range s.layers {
		q, of := &s.layers[l], fmt.Sprintf("_%d", l+1)
		all = append(all, slot{"U_R" + of, &q.us, s.inputs(l), d}, slot{"messages" + of, &q.messages, m, d}, slot{"scales" + of, &q.scales, m, 2})
	}
	return all
}
