package communities

import (
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// An Aggregate is a graph of too many links to draw, as groups of nodes and the numbers of links inside and between them. Groups are
// counted from the one with the most nodes on. Links count alike, whatever their weights, and those of a node to itself not at all.
type Aggregate struct {
	Of    []int // M: the group of every node; -1 if it has no link in any layer, for which there is no group
	Nodes []int // K: of each group
	Rest  int   // how many groups the last one stands for, the smallest; 0 if each is one by itself
	Links []int // N x K x K: of each layer, links between two groups; on the diagonal those inside
}

// Communities divides the nodes of a graph by the modularity of all layers together, as [Search] has it, and returns them as groups, at most
// most of them, 2 or more: the last one stands for all smaller ones. The graph decides alone, to the last bit. The error is that of wait.
func Communities(g *multiplex.Graph, most int, wait pause.Work) (*Aggregate, error) {
	layers := g.Adjacencies()
	of, err := Search{Resolution: 1, Refined: true, Wait: wait, Order: func(dst []int, round int) {
		s := rng.New(0, "communities")
		s.At(uint64(round))
		s.Perm(dst)
	}}.Find(layers)
	if err != nil {
		return nil, err
	}
	return aggregate(layers, of, most, wait)
}

// aggregate makes groups of a division.
func aggregate(layers []*multiplex.CSR, of []int, most int, wait pause.Work) (*Aggregate, error) {
	a := divided(layers, of, most)
	k := len(a.Nodes)
	a.Links = make([]int, len(layers)*k*k)
	for l, m := range layers {
		links := a.Links[l*k*k:]
		for i, c := range a.Of {
			row := m.Index[m.Start[i]:m.Start[i+1]]
			for _, j := range row {
				if int(j) < i {
					links[c*k+a.Of[j]]++
					links[a.Of[j]*k+c]++
				}
			}
			if err := wait.After(len(row)); err != nil {
				return nil, err
			}
		}
		for c := range k {
			links[c*k+c] /= 2
		}
	}
	return a, nil
}

// divided finds the group of every node, and counts the nodes of each.
func divided(layers []*multiplex.CSR, of []int, most int) *Aggregate {
	a := &Aggregate{Of: make([]int, len(of))}
	size, group := make([]int, len(of)), make([]int, len(of)) // of each part of the division
	for i, c := range of {
		a.Of[i] = -1
		for _, m := range layers {
			if row := m.Index[m.Start[i]:m.Start[i+1]]; len(row) > 1 || len(row) == 1 && int(row[0]) != i {
				a.Of[i] = c
			}
		}
		if a.Of[i] >= 0 {
			size[c]++
		}
	}
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
	return a
}

// Graph returns the graph whose nodes are the groups, and whose weights are the links between them.
func (a *Aggregate) Graph() *multiplex.Graph {
	g, k := &multiplex.Graph{}, len(a.Nodes)
	var m *multiplex.CSR
	for p, n := range a.Links {
		c, d := p/k%k, p%k
		if c == 0 && d == 0 {
			m = &multiplex.CSR{Rows: k, Cols: k, Start: make([]int32, k+1)}
			g.Layers = append(g.Layers, multiplex.Layer{Adjacency: m})
		}
		if c != d && n > 0 {
			m.Index, m.Value = append(m.Index, int32(d)), append(m.Value, float64(n))
		}
		m.Start[c+1] = int32(len(m.Index))
	}
	return g
}
