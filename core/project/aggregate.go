package project

import (
	"cmp"
	"math"
	"slices"

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
	Places []float64 // K x 2: where groups lie, the same in all layers, about the origin
	Radii  []float64 // K: of a disc for each; the discs are apart, and their area is in proportion to the nodes, from a least one on
}

const (
	coverage = 0.15 // of the square from -1 to 1, that discs of all nodes have
	smallest = 0.02 // radius of a disc
	apart    = 1.6  // of the sum of the radii: least distance of two discs, whose rings and names need room
)

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
	if err := a.divide(g, of, most, wait); err != nil {
		return nil, err
	}
	k := len(a.Nodes)
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
	}
	a.place(g)
	return a, nil
}

// divide finds the group of every node, and counts the nodes of each.
func (a *Aggregate) divide(g *multiplex.Graph, of []int, most int, wait pause.Work) error {
	a.Of = make([]int, len(of))
	size := make([]int, len(of)) // of each part of the division
	for i, c := range of {
		work := 0
		a.Of[i] = -1
		for _, l := range g.Layers {
			neighbours := l.Adjacency.Index[l.Adjacency.Start[i]:l.Adjacency.Start[i+1]]
			if work += len(neighbours); slices.ContainsFunc(neighbours, func(j int32) bool { return int(j) != i }) {
				a.Of[i] = c
			}
		}
		if a.Of[i] >= 0 {
			size[c]++
		}
		if err := wait.After(work); err != nil {
			return err
		}
	}
	var order []int
	for c, n := range size {
		if n > 0 {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(c, d int) int { return cmp.Compare(size[d], size[c]) })
	if len(order) > most {
		a.Rest = len(order) - most + 1
	}
	group := make([]int, len(of))
	a.Nodes = make([]int, min(most, len(order)))
	for r, c := range order {
		group[c] = min(r, most-1)
		a.Nodes[group[c]] += size[c]
	}
	for i, c := range a.Of {
		if c >= 0 {
			a.Of[i] = group[c]
		}
	}
	return nil
}

// place puts the groups in the plane: in the middle of their nodes where the data say where these lie, else as their links draw them.
func (a *Aggregate) place(g *multiplex.Graph) {
	k, all := len(a.Nodes), 0
	for _, n := range a.Nodes {
		all += n
	}
	for _, n := range a.Nodes {
		a.Radii = append(a.Radii, max(smallest, math.Sqrt(4*coverage/math.Pi*float64(n)/float64(all))))
	}
	a.Places = make([]float64, 2*k)
	if at := Places(g); at != nil {
		for i, c := range a.Of {
			if c >= 0 {
				a.Places[2*c] += float64(at[2*i]) / float64(a.Nodes[c])
				a.Places[2*c+1] += float64(at[2*i+1]) / float64(a.Nodes[c])
			}
		}
	} else if k > 0 {
		for i, v := range a.drawn() {
			a.Places[i] = float64(v)
		}
	}
	a.separate()
}

// drawn lays the groups out by the links between them.
func (a *Aggregate) drawn() []float32 {
	k := len(a.Nodes)
	between := &multiplex.Graph{}
	for _, links := range a.Links {
		m := &multiplex.CSR{Rows: k, Cols: k, Start: make([]int32, 1, k+1)}
		for c := range k {
			for d, n := range links[c*k : (c+1)*k] {
				if d != c && n > 0 {
					m.Index, m.Value = append(m.Index, int32(d)), append(m.Value, float64(n))
				}
			}
			m.Start = append(m.Start, int32(len(m.Index)))
		}
		between.Layers = append(between.Layers, multiplex.Layer{Adjacency: m})
	}
	f := NewForceDirected(between, rng.New(0, "layout"))
	for !f.Done() {
		f.Step()
	}
	return f.Layout(nil)
}

// separate moves discs that are too near each other apart, both by as much, until none are. It ends: every move spreads them farther around their
// middle.
func (a *Aggregate) separate() {
	at := a.Places
	for moved := true; moved; {
		moved = false
		for c := range a.Nodes {
			for d := range c {
				x, y := at[2*c]-at[2*d], at[2*c+1]-at[2*d+1]
				far, least := math.Sqrt(float64(x*x)+float64(y*y)), apart*(a.Radii[c]+a.Radii[d])
				if far >= least {
					continue
				}
				if far == 0 { // in one place
					x, far = 1e-9, 1e-9
				}
				by := (1.01*least/far - 1) / 2 // a little more than they lack
				at[2*c] += float64(by * x)
				at[2*c+1] += float64(by * y)
				at[2*d] -= float64(by * x)
				at[2*d+1] -= float64(by * y)
				moved = true
			}
		}
	}
}
