package frozen

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"cadem/core/cadem/evidence"
	"cadem/core/diag"
	"cadem/core/multiplex"
)

// A change is what a model differs in from another one.
type change struct {
	graph, layer int // layer -1: all
	features     bool
	node         int // of features
}

func (c change) layers(n int) (list []int) {
	for l := range n {
		if c.layer == l || c.layer < 0 {
			list = append(list, l)
		}
	}
	return list
}

// Linked reports whether nodes i and j of a layer of graph g are.
func (m *Model) Linked(g, l, i, j int) bool {
	a := m.Graphs[g].Layers[l].Adjacency
	_, there := slices.BinarySearch(a.Index[a.Start[i]:a.Start[i+1]], int32(j))
	return there
}

// WithLink is [Model.WithLinks] for the link between nodes i and j, with its errors.
func (m *Model) WithLink(g, l, i, j int, weight float64) (*Model, error) {
	return m.WithLinks(g, l, multiplex.Edge{I: i, J: j, Weight: weight})
}

// WithLinks returns the model of its graphs with other weights of some links of a layer of graph g, 0 for no link. Weights, whitening,
// and what was trimmed and split stay as they are. The error is a [*diag.Error].
func (m *Model) WithLinks(g, l int, links ...multiplex.Edge) (*Model, error) {
	for _, e := range links {
		if math.IsNaN(e.Weight) || math.IsInf(e.Weight, 0) || e.Weight < 0 {
			return nil, diag.Option("weight", fmt.Sprint(e.Weight), "a finite number of 0 or more")
		}
	}
	n, old := m.changed(change{graph: g, layer: l}), m.Graphs[g]
	graph := *old
	graph.Layers = slices.Clone(old.Layers)
	a := old.Layers[l].Adjacency
	for _, e := range links {
		a = linked(a, e.I, e.J, e.Weight)
	}
	graph.Layers[l].Adjacency = a
	n.Graphs[g] = &graph
	q := n.layers[l]
	q.ops = slices.Clone(q.ops)
	if m.trail.Evidence != nil {
		q.ops[g] = laplacian(evidence.NewLayer(a))
	} else {
		q.ops[g] = operator{CSR: multiplex.NewPropagator(a, multiplex.KindOf(m.Maps.Options.Propagation)).Matrix()}
	}
	n.followAll()
	return n, nil
}

// WithFeature returns the model of its graphs with another value of a feature of a node of graph g, in one layer or, for layer -1, in all.
// Features that training dropped stay without effect. The error is a [*diag.Error].
func (m *Model) WithFeature(g, l, node, feature int, value float64) (*Model, error) {
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return nil, diag.Option("value", fmt.Sprint(value), "a finite number")
	case m.Graphs[g].Layers[max(l, 0)].Features.IsIdentity():
		return nil, &diag.Error{Where: "features", Found: "nodes without features", Expected: "nodes with features, of which one can change"}
	}
	n := m.changed(change{graph: g, layer: l, features: true, node: node})
	graph := *m.Graphs[g]
	graph.Layers = slices.Clone(graph.Layers)
	n.Graphs[g] = &graph
	for _, k := range n.told.layers(len(m.layers)) {
		q := n.layers[k]
		q.features = slices.Clone(q.features)
		graph.Layers[k].Features = valued(graph.Layers[k].Features, node, feature, value)
		if m.lives(k, feature) {
			q.features[g] = valued(q.features[g], node, feature, value)
		}
	}
	n.followAll()
	return n, nil
}

// lives reports whether a feature reaches the encoders of a layer; where inputs are trimmed or split, dropout has left it some node.
func (m *Model) lives(l, feature int) bool {
	if m.trail.Prepared == nil {
		return slices.Contains(m.Maps.Live[l], int32(feature))
	}
	return true
}

// changed returns a copy of the model that a change can be made to.
func (m *Model) changed(c change) *Model {
	n := *m
	n.base, n.told = m, c
	n.Graphs, n.layers, n.consensus = slices.Clone(m.Graphs), slices.Clone(m.layers), make([]*consensus, len(m.consensus))
	for _, l := range c.layers(len(m.layers)) {
		q := *m.layers[l]
		n.layers[l] = &q
	}
	return &n
}

// followAll has the sums of changed layers follow.
func (m *Model) followAll() {
	for _, l := range m.told.layers(len(m.layers)) {
		for target, s := range m.layers[l].sums {
			m.layers[l].sums[target] = m.follow(l, s)
		}
	}
}

// follow returns a sum of a layer before the change as it is after.
func (m *Model) follow(l int, before *sum) *sum {
	s := &sum{left: before.left}
	for _, old := range before.parts {
		p := *old
		if p.held { // L_l, with what is taken off
			p.level = m.layers[l].ops[0].known
			m.level(l, &p)
		} else if p.x = m.layers[l].features; m.told.features {
			at := m.rows[m.told.graph] + m.told.node
			p.g = slices.Clone(p.g)
			row := p.g[at*m.d:][:m.d]
			clear(row)
			p.row(m.told.node, m.told.graph, row)
		}
		s.parts = append(s.parts, &p)
	}
	return s
}

// linked returns an adjacency matrix with another weight between i and j.
func linked(a *multiplex.CSR, i, j int, weight float64) *multiplex.CSR {
	n := replaced(a, i, j, weight)
	if i != j {
		n = replaced(n, j, i, weight)
	}
	return n
}

// valued returns features with another value of one.
func valued(x *multiplex.Features, node, feature int, value float64) *multiplex.Features {
	if x.Dense != nil {
		d := slices.Clone(x.Dense)
		d[node*x.Cols+feature] = value
		return &multiplex.Features{Rows: x.Rows, Cols: x.Cols, Dense: d}
	}
	s := x.Sparse
	if s == nil {
		panic(ErrShape)
	}
	return multiplex.SparseFeatures(replaced(s, node, feature, value))
}

// replaced returns a matrix with another entry, which is not stored where it is 0.
func replaced(a *multiplex.CSR, i, j int, v float64) *multiplex.CSR {
	from, to := int(a.Start[i]), int(a.Start[i+1])
	row := a.Index[from:to]
	at := from + sort.Search(len(row), func(k int) bool { return int(row[k]) >= j })
	there := at < to && int(a.Index[at]) == j
	n := &multiplex.CSR{Rows: a.Rows, Cols: a.Cols, Start: slices.Clone(a.Start), Index: slices.Clone(a.Index), Value: slices.Clone(a.Value)}
	if n.Value == nil && v != 0 && v != 1 {
		n.Value = slices.Repeat([]float64{1}, len(n.Index))
	}
	by := int32(0)
	switch {
	case there && v == 0:
		n.Index, by = slices.Delete(n.Index, at, at+1), -1
		if n.Value != nil {
			n.Value = slices.Delete(n.Value, at, at+1)
		}
	case there && n.Value != nil:
		n.Value[at] = v
	case !there && v != 0:
		n.Index, by = slices.Insert(n.Index, at, int32(j)), 1
		if n.Value != nil {
			n.Value = slices.Insert(n.Value, at, v)
		}
	}
	for k := i + 1; k < len(n.Start); k++ {
		n.Start[k] += by
	}
	return n
}
