package frozen

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// A change is the difference between a model and another one.
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
	return m.Graphs[g].Layers[l].Adjacency.Has(i, j)
}

// WithLink is [Model.WithLinks] for the link between nodes i and j, with its errors.
func (m *Model) WithLink(g, l, i, j int, weight float64) (*Model, error) {
	return m.WithLinks(g, l, multiplex.Edge{I: i, J: j, Weight: weight})
}

// WithLinks returns the model of its graphs with other weights of some links of a layer of graph g, 0 for no link. Weights, whitening,
// trimming and split stay the same. The error is a [*diag.Error].
func (m *Model) WithLinks(g, l int, links ...multiplex.Edge) (*Model, error) {
	for _, e := range links {
		if math.IsNaN(e.Weight) || math.IsInf(e.Weight, 0) || e.Weight < 0 {
			return nil, diag.Option("weight", fmt.Sprint(e.Weight), "a finite number of 0 or more")
		}
	}
	n, old := m.changed(change{graph: g, layer: l}), m.Graphs[g]
	graph := *old
	graph.Layers = slices.Clone(old.Layers)
	var entries []multiplex.Edge
	for _, e := range links {
		entries = append(entries, e, multiplex.Edge{I: e.J, J: e.I, Weight: e.Weight})
	}
	a := replaced(old.Layers[l].Adjacency, entries...)
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
	for _, k := range n.edit.layers(len(m.layers)) {
		q := n.layers[k]
		q.features = slices.Clone(q.features)
		before := graph.Layers[k].Features
		graph.Layers[k].Features = valued(before, node, feature, value, 1)
		x, by := value, 1.0
		if after := rowLength(graph.Layers[k].Features, node); m.Maps.Options.RowScale == "unit" && after > 0 {
			x, by = value/after, rowLength(before, node)/after
		}
		if !m.lives(k, feature) {
			x = 0
		}
		q.features[g] = valued(q.features[g], node, feature, x, by)
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
	n.base, n.edit = m, c
	n.Graphs, n.layers, n.consensus = slices.Clone(m.Graphs), slices.Clone(m.layers), make([]*consensus, len(m.consensus))
	for _, l := range c.layers(len(m.layers)) {
		q := *m.layers[l]
		n.layers[l] = &q
	}
	return &n
}

// followAll has the sums of changed layers follow.
func (m *Model) followAll() {
	for _, l := range m.edit.layers(len(m.layers)) {
		for target, s := range m.layers[l].sums {
			m.layers[l].sums[target] = m.follow(l, s)
		}
	}
}

// follow returns a sum of a layer after the change, given the one before.
func (m *Model) follow(l int, before *sum) *sum {
	s := &sum{left: before.left}
	for _, old := range before.parts {
		p := *old
		if p.held { // L_l, with what is taken off
			p.level = m.layers[l].ops[0].known
			m.level(l, &p)
		} else if p.x = m.layers[l].features; m.edit.features {
			at := m.rows[m.edit.graph] + m.edit.node
			p.g = slices.Clone(p.g)
			row := p.g[at*m.d:][:m.d]
			clear(row)
			p.row(m.edit.node, m.edit.graph, row)
		}
		s.parts = append(s.parts, &p)
	}
	return s
}

// rowLength returns the Euclidean length of a row of features.
func rowLength(x *multiplex.Features, node int) float64 {
	sum := 0.0
	entries(x, node, func(_ int, v float64) { sum += float64(v * v) })
	return math.Sqrt(sum)
}

// valued returns features with another value of one of a node, its others multiplied by a number.
func valued(x *multiplex.Features, node, feature int, value, by float64) *multiplex.Features {
	if x.Dense != nil {
		d := slices.Clone(x.Dense)
		for k := range x.Cols {
			d[node*x.Cols+k] *= by
		}
		d[node*x.Cols+feature] = value
		return &multiplex.Features{Rows: x.Rows, Cols: x.Cols, Dense: d}
	}
	s := x.Sparse
	ErrShape.Unless(s != nil)
	var row []multiplex.Edge
	entries(x, node, func(f int, v float64) { row = append(row, multiplex.Edge{I: node, J: f, Weight: float64(v * by)}) })
	return multiplex.SparseFeatures(replaced(s, append(row, multiplex.Edge{I: node, J: feature, Weight: value})...))
}

// replaced returns a matrix with other entries; zeros are not stored. The last of several for one place counts.
func replaced(a *multiplex.CSR, entries ...multiplex.Edge) *multiplex.CSR {
	rows := map[int][]multiplex.Edge{}
	values := a.Value != nil
	for _, e := range entries {
		rows[e.I] = append(slices.DeleteFunc(rows[e.I], func(old multiplex.Edge) bool { return old.J == e.J }), e)
		values = values || e.Weight != 0 && e.Weight != 1
	}
	n := &multiplex.CSR{Rows: a.Rows, Cols: a.Cols, Start: make([]int32, 1, len(a.Start)), Index: make([]int32, 0, len(a.Index)+len(entries))}
	put := func(j int, v float64) {
		n.Index = append(n.Index, int32(j))
		if values {
			n.Value = append(n.Value, v)
		}
	}
	for i := range a.Rows {
		changed := rows[i]
		sorting.Stable(changed, func(x, y multiplex.Edge) int { return cmp.Compare(x.J, y.J) })
		next := 0
		upTo := func(j int) { // the entries of the row that come before a column
			for ; next < len(changed) && changed[next].J < j; next++ {
				if changed[next].Weight != 0 {
					put(changed[next].J, changed[next].Weight)
				}
			}
		}
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			j := int(a.Index[k])
			if upTo(j); next < len(changed) && changed[next].J == j {
				continue // which comes with the next column
			}
			v := 1.0
			if a.Value != nil {
				v = a.Value[k]
			}
			put(j, v)
		}
		upTo(a.Cols)
		n.Start = append(n.Start, int32(len(n.Index)))
	}
	return n
}
