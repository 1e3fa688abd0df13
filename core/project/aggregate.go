package project

import (
	"cadem/core/baseline/communities"
	"cadem/core/multiplex"
	"cadem/core/pause"
	"cadem/core/rng"
)

// An Aggregate is a graph that has too many links to draw, as groups of nodes and the numbers of links inside and between them. Groups are
// counted from the one with the most nodes on. Links count alike, whatever their weights, and those of a node to itself not at all.
type Aggregate struct {
	Of     []int     // M: the group of every node; -1 if it has no link in any layer, for which there is no group
	Nodes  []int     // K: of each group
	Rest   int       // how many groups the last one stands for, the smallest; 0 if each is one by itself
	Links  [][]int   // of each layer, K x K: links between two groups; on the diagonal those inside
	Places []float32 // K x 2: where their links draw the groups, the same in all layers, as [ForceDirected.Layout] has it
}

// Communities divides the nodes of a graph, which has a link at least, by the modularity of all layers together, and returns them as groups, at most
// most of them, 2 or more: the last one stands for all smaller ones. The graph decides alone, to the last bit. The error is that of wait.
func Communities(g *multiplex.Graph, most int, wait pause.Work) (*Aggregate, error) {
	var layers []*multiplex.CSR
	for _, l := range g.Layers {
		layers = append(layers, l.Adjacency)
	}
	of, err := communities.Search{Resolution: 1, Pruned: true, Wait: wait, Order: func(dst []int, round int) {
		s := rng.New(0, "communities")
		s.At(uint64(round))
		s.Perm(dst)
	}}.Find(layers)
	if err != nil {
		return nil, err
	}
	return aggregate(g, of, most, wait)
}

// aggregate makes groups of a division.
func aggregate(g *multiplex.Graph, of []int, most int, wait pause.Work) (*Aggregate, error) {
	if len(of) != g.M() || most < 2 {
		panic(ErrShape)
	}
	a := &Aggregate{}
	a.divide(g, of, most)
	k := len(a.Nodes)
	between := &multiplex.Graph{}
	for _, layer := range g.Layers {
		links, m := make([]int, k*k), layer.Adjacency
		for i, c := range a.Of {
			for _, j := range m.Index[m.Start[i]:m.Start[i+1]] {
				if int(j) <= i {
					continue
				}
				d := a.Of[j]
				links[c*k+d]++
				if c != d {
					links[d*k+c]++
				}
			}
			if err := wait.After(int(m.Start[i+1] - m.Start[i])); err != nil {
				return nil, err
			}
		}
		a.Links = append(a.Links, links)
		between.Layers = append(between.Layers, multiplex.Layer{Adjacency: joined(links, k)})
	}
	f := NewForceDirected(between, rng.New(0, "layout"))
	for !f.Done() {
		f.Step()
	}
	a.Places = f.Layout(nil)
	return a, nil
}

// divide finds the group of every node, and counts the nodes of each.
func (a *Aggregate) divide(g *multiplex.Graph, of []int, most int) {
	a.Of = make([]int, len(of))
	size := make([]int, len(of)) // of each part of the division
	for i, c := range of {
		a.Of[i] = -1
		for _, l := range g.Layers {
			m := l.Adjacency
			if row := m.Index[m.Start[i]:m.Start[i+1]]; len(row) > 1 || len(row) == 1 && int(row[0]) != i {
				a.Of[i] = c
			}
		}
		if a.Of[i] >= 0 {
			size[c]++
		}
	}
	group := make([]int, len(of))
	for len(a.Nodes) < most {
		largest := 0
		for c, n := range size {
			if n > size[largest] {
				largest = c
			}
		}
		if size[largest] == 0 {
			break
		}
		group[largest] = len(a.Nodes)
		a.Nodes, size[largest] = append(a.Nodes, size[largest]), 0
	}
	for c, n := range size {
		if n > 0 {
			group[c] = most - 1
			a.Nodes[most-1] += n
			a.Rest = max(a.Rest, 1) + 1
		}
	}
	for i, c := range a.Of {
		if c >= 0 {
			a.Of[i] = group[c]
		}
	}
}

// joined has k groups as nodes, whose weights are the links between them.
func joined(links []int, k int) *multiplex.CSR {
	m := &multiplex.CSR{Rows: k, Cols: k, Start: make([]int32, 1, k+1)}
	for c := range k {
		for d, n := range links[c*k : (c+1)*k] {
			if d != c && n > 0 {
				m.Index, m.Value = append(m.Index, int32(d)), append(m.Value, float64(n))
			}
		}
		m.Start = append(m.Start, int32(len(m.Index)))
	}
	return m
}
