//go:build !lean

package synth

import (
	"slices"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// Counts are the numbers of a data set as papers print them: what is known of one that is
// not to be had. [Counts.Draw] makes another of that size.
type Counts struct {
	Name     string
	Nodes    int
	Features int
	PerNode  int // features of every node
	Classes  int
	Layers   []LayerCount
}

// A LayerCount is the number of stored entries of a layer: both directions of every edge, and
// a self loop at every node.
type LayerCount struct {
	Name    string
	Entries int
}

// DBLP has the counts that the paper prints of DBLP, whose last layer joins nine pairs of ten: nodes, features and classes
// (Table X of its supplement), and the entries of its layers (where it presents its real networks). How many features a node has is
// not printed; it is taken from IMDB.
var DBLP = Counts{
	Name: "DBLP-7907 (drawn)", Nodes: 7907, Features: 2000, PerNode: 76, Classes: 4,
	Layers: []LayerCount{{"PAP", 144_783}, {"PPrefP", 90_145}, {"PATAP", 57_137_515}},
}

// StandInOptions are the settings of the graph in place of DBLP.
type StandInOptions struct {
	Nodes int `name:"nodes" symbol:"M" min:"60" max:"7907" default:"7907" group:"data" doc:"Number of nodes. With fewer the layers join the same share of all pairs."`
}

// StandIn is the generator "dblp".
var StandIn = New("dblp", "An invented graph with as many nodes, links, features and classes as the paper prints of DBLP.", standIn)

// standIn draws [DBLP], with that number of nodes and one link less, so that saved files are not recognised as the real one by their counts.
func standIn(o *StandInOptions, seed uint64) (*multiplex.Graph, error) {
	c := DBLP
	c.Layers = slices.Clone(c.Layers)
	for k := range c.Layers {
		l := &c.Layers[k]
		joined := (l.Entries - c.Nodes) / 2 // pairs of nodes
		l.Entries = o.Nodes + 2*(joined*(o.Nodes*(o.Nodes-1)/2)/(c.Nodes*(c.Nodes-1)/2))
	}
	c.Nodes = o.Nodes
	c.Layers[0].Entries -= 2
	g, err := c.Draw(seed)
	if err != nil {
		return nil, err
	}
	for k := range g.Layers {
		g.Layers[k].Features = g.Layers[k].Features.RowNormalized()
	}
	return g, nil
}

// Draw returns a graph of exactly these counts: binary features and layers. Nodes of the same class
// share more features and, as far as there are pairs, half of the edges. Features are not
// normalised. The error says why counts make no sparse matrix.
func (c *Counts) Draw(seed uint64) (*multiplex.Graph, error) {
	m := c.Nodes
	of := uniformLabels(rng.New(seed, "counted/classes"), m, c.Classes)
	x, err := c.features(of, rng.New(seed, "counted/features"))
	if err != nil {
		return nil, err
	}
	g := &multiplex.Graph{Name: c.Name, Labels: []multiplex.LabelSet{{Name: "class", Classes: numbered("class", c.Classes), Of: of}}}
	for _, l := range c.Layers {
		a, err := exactly(m, (l.Entries-m)/2, of, rng.New(seed, "counted/pairs/"+l.Name))
		if err != nil {
			return nil, err
		}
		if a, err = withLoops(a); err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: l.Name, Adjacency: a, Features: multiplex.SparseFeatures(x)})
	}
	return g, nil
}

// features draws for every node as many features as it has, half of them of those that its
// class prefers.
func (c *Counts) features(of []int, s *rng.Stream) (*multiplex.CSR, error) {
	x := &multiplex.CSR{Rows: c.Nodes, Cols: c.Features, Start: make([]int32, c.Nodes+1)}
	has := make([]bool, c.Features)
	part := c.Features / c.Classes
	for i := range c.Nodes {
		clear(has)
		for n := 0; n < c.PerNode; {
			j := s.IntN(c.Features)
			if n%2 == 0 {
				j = of[i]*part + s.IntN(part)
			}
			if !has[j] {
				has[j] = true
				n++
			}
		}
		for j, ok := range has {
			if ok {
				x.Index = append(x.Index, int32(j))
			}
		}
		x.Start[i+1] = int32(len(x.Index))
	}
	return multiplex.NewCSR(x.Rows, x.Cols, x.Start, x.Index, nil)
}

// exactly joins n of the pairs of m nodes. Pairs are visited in order, each of a kind being
// taken with the share of its kind that is still wanted (selection sampling: Knuth, The Art
// of Computer Programming 2, 3.4.2, algorithm S).
func exactly(m, n int, of []int, s *rng.Stream) (*multiplex.CSR, error) {
	var left [2]int // pairs of different classes and of the same
	for i := range m {
		for j := i + 1; j < m; j++ {
			left[kind(of, i, j)]++
		}
	}
	wanted := [2]int{1: min(n/2, left[1])}
	if wanted[0] = n - wanted[1]; wanted[0] > left[0] {
		wanted[0], wanted[1] = left[0], n-left[0]
	}
	return adjacency(m, func(i, j int) bool {
		k := kind(of, i, j)
		take := s.IntN(left[k]) < wanted[k]
		left[k]--
		if take {
			wanted[k]--
		}
		return take
	})
}

func kind(of []int, i, j int) int {
	if of[i] == of[j] {
		return 1
	}
	return 0
}

// withLoops returns a matrix without self loops with one at every node.
func withLoops(a *multiplex.CSR) (*multiplex.CSR, error) {
	start, index := make([]int32, a.Rows+1), make([]int32, 0, a.NNZ()+a.Rows)
	for i := range a.Rows {
		row, at := a.Index[a.Start[i]:a.Start[i+1]], 0
		for at < len(row) && int(row[at]) < i {
			at++
		}
		index = append(append(append(index, row[:at]...), int32(i)), row[at:]...)
		start[i+1] = int32(len(index))
	}
	return multiplex.NewCSR(a.Rows, a.Cols, start, index, nil)
}
