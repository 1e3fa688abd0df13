package multiplex

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
)

// A Graph is a multiplex graph: M nodes, N layers, and label sets that training
// never sees.
type Graph struct {
	Name    string
	Nodes   []string // M names; nil when the nodes have none
	Layers  []Layer
	Labels  []LabelSet
	Columns []Column     // numbers of the nodes; training never sees them
	Places  [][3]float64 // of M regions of a brain: x (right), y (front), z (up) in mm; nil for other nodes
	Truth   *Truth       // nil for graphs that were not drawn
}

// Truth is the generator's knowledge of its graph beside label sets. Training never sees it; fields
// that do not apply are nil or 0.
type Truth struct {
	Positions []float64 // M x 2, of the nodes in the plane
	Centres   [][]int   // of each layer: the sources of its private signal

	Class   int      // of the whole graph, one of many graphs
	Classes []string // names of the classes
	Group   int      // what graphs of different classes may have in common: a base graph

	SpectralRadius float64     // largest eigenvalue of the adjacency matrix
	Initial        [][]float64 // of each layer: the M values that its dynamics start from
	MeanFinal      []float64   // of each layer: the mean of the values they end with

	Shared  []float64   // M x k: the directions that all layers share, row by row
	Private [][]float64 // of each layer, M x k: its own
}

// A Layer is one kind of relation: a symmetric M x M adjacency matrix with weights
// >= 0 and an M x F feature matrix.
type Layer struct {
	Name      string
	Adjacency *CSR
	Features  *Features
}

// A LabelSet assigns classes to nodes.
type LabelSet struct {
	Name    string
	Classes []string // names of the classes
	Of      []int    // class of each node, Missing where it is not known
	Splits  []Split  // the data's own splits for scores; none: folds are dealt
	Marks   []int    // places of the classes in the table of colours and shapes; nil: their own order
}

// A Split says which nodes scores are trained on, chosen by and taken on. No node is in two parts.
type Split struct {
	Name                    string // to distinguish it from others of the same data, if there are any
	Train, Validation, Test []int  // Validation may be empty
}

// A Column is a number for every node, NaN if it is not known.
type Column struct {
	Name string
	Of   []float64
}

// Missing marks a node without a label.
const Missing = -1

// M returns the number of nodes.
func (g *Graph) M() int {
	if len(g.Layers) == 0 {
		return 0
	}
	return g.Layers[0].Adjacency.Rows
}

// N returns the number of layers.
func (g *Graph) N() int { return len(g.Layers) }

// LayerNames returns the names of the layers.
func (g *Graph) LayerNames() (names []string) {
	for l := range g.Layers {
		names = append(names, g.Layers[l].Name)
	}
	return names
}

// Adjacencies returns the matrices of the layers.
func (g *Graph) Adjacencies() (list []*CSR) {
	for l := range g.Layers {
		list = append(list, g.Layers[l].Adjacency)
	}
	return list
}

// Featureless reports whether no layer has features.
func (g *Graph) Featureless() bool {
	return !slices.ContainsFunc(g.Layers, func(l Layer) bool { return !l.Features.IsIdentity() })
}

// F returns the number of features.
func (g *Graph) F() int {
	if len(g.Layers) == 0 {
		return 0
	}
	return g.Layers[0].Features.Cols
}

// NodeName returns the name of node i, its number from 0 when it has none.
func (g *Graph) NodeName(i int) string {
	if g.Nodes != nil {
		return g.Nodes[i]
	}
	return fmt.Sprint(i)
}

// A Source gives graphs one at a time, so that they need not be in memory all at once. A graph may be asked for
// several times, in any order, and is the same one each time. [Held] is that of graphs that are there.
type Source struct {
	Len   int
	Graph func(i int) *Graph
	Held  bool // all are in memory anyway
}

// Held is the [Source] of graphs in memory.
func Held(graphs []*Graph) Source {
	return Source{len(graphs), func(i int) *Graph { return graphs[i] }, true}
}

// CheckAlike reports whether CaDeM can be fitted to all the graphs at once: there is one, each passes
// its Check, and all have as many layers and features. The error is a [*diag.Error].
func CheckAlike(graphs Source) error {
	if graphs.Len == 0 {
		return &diag.Error{Where: "graphs", Found: "none", Expected: "at least one"}
	}
	n, f := 0, 0
	for i := range graphs.Len {
		g := graphs.Graph(i)
		if err := g.Check(); err != nil {
			return err
		}
		if i == 0 {
			n, f = g.N(), g.F()
		}
		if g.N() != n || g.F() != f {
			return &diag.Error{Where: fmt.Sprintf("graph %d", i), Found: fmt.Sprintf("%d layers and %d features", g.N(), g.F()),
				Expected: fmt.Sprintf("%d and %d as in the first", n, f)}
		}
	}
	return nil
}

// Check reports whether CaDeM can work with the graph: at least two layers over the same
// two or more nodes, each with an edge, symmetric finite weights >= 0, features of one
// width, labels that fit. The error is a [*diag.Error].
func (g *Graph) Check() error {
	bad := func(where, found, expected string) error {
		return &diag.Error{Where: where, Found: found, Expected: expected}
	}
	if g.N() < 2 {
		return bad("layers", fmt.Sprint(g.N()), "at least 2: with fewer there is nothing to tell apart")
	}
	m, f := g.M(), g.F()
	if m < 2 {
		return bad("nodes", fmt.Sprint(m), "at least 2")
	}
	if g.Nodes != nil && len(g.Nodes) != m {
		return bad("node names", fmt.Sprint(len(g.Nodes)), fmt.Sprintf("%d, one a node", m))
	}
	if g.Places != nil && len(g.Places) != m {
		return bad("places", fmt.Sprint(len(g.Places)), fmt.Sprintf("%d, one a node", m))
	}
	for _, l := range g.Layers {
		where := "layer " + l.Name
		a, x := l.Adjacency, l.Features
		switch {
		case a.Rows != m || a.Cols != m:
			return bad(where, fmt.Sprintf("a %d x %d adjacency matrix", a.Rows, a.Cols), fmt.Sprintf("%d x %d as in layer %s", m, m, g.Layers[0].Name))
		case a.NNZ() == 0:
			return bad(where, "no edges", "at least one: without edges nothing propagates")
		case x.Rows != m || x.Cols != f:
			return bad(where, fmt.Sprintf("a %d x %d feature matrix", x.Rows, x.Cols), fmt.Sprintf("%d x %d", m, f))
		case f < 1:
			return bad(where, "no features", "at least one")
		}
		if !a.IsSymmetric() {
			return bad(where, "a matrix that is not symmetric", "the same weight in both directions")
		}
		for _, v := range a.Value {
			if v < 0 {
				return bad(where, fmt.Sprintf("the weight %v", v), "weights >= 0")
			}
		}
		for i := range m {
			degree := 0.0
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				degree += a.at(int(k))
			}
			if math.IsInf(degree, 0) {
				return bad(where, fmt.Sprintf("weights of node %s that add up to infinity", g.NodeName(i)), "a finite sum")
			}
		}
	}
	for _, s := range g.Labels {
		where := "labels " + s.Name
		if len(s.Of) != m {
			return bad(where, fmt.Sprintf("%d labels", len(s.Of)), fmt.Sprintf("%d, one a node", m))
		}
		for i, c := range s.Of {
			if c != Missing && (c < 0 || c >= len(s.Classes)) {
				return bad(where, fmt.Sprintf("class %d for node %s", c, g.NodeName(i)), fmt.Sprintf("0 to %d or missing", len(s.Classes)-1))
			}
		}
	}
	return nil
}

// LayerSummary counts what a layer holds. Isolated nodes have no edge but possibly a
// self loop; Edges counts pairs i < j.
type LayerSummary struct {
	Name      string `json:"name"`
	Edges     int    `json:"edges"`
	SelfLoops int    `json:"self_loops"`
	Isolated  int    `json:"isolated"`
	MaxDegree int    `json:"max_degree"`
	Weighted  bool   `json:"weighted"`
}

// Summary counts the layer's edges.
func (l *Layer) Summary() LayerSummary {
	s := LayerSummary{Name: l.Name, Weighted: l.Adjacency.Value != nil}
	for i := range l.Adjacency.Rows {
		degree := 0
		for _, j := range l.Adjacency.Index[l.Adjacency.Start[i]:l.Adjacency.Start[i+1]] {
			if int(j) == i {
				s.SelfLoops++
				continue
			}
			degree++
		}
		s.Edges += degree
		s.MaxDegree = max(s.MaxDegree, degree)
		if degree == 0 {
			s.Isolated++
		}
	}
	s.Edges /= 2
	return s
}

// Counts returns how many nodes each class has and how many have no label.
func (s *LabelSet) Counts() (classes []int, missing int) {
	classes = make([]int, len(s.Classes))
	for _, c := range s.Of {
		if c == Missing {
			missing++
		} else {
			classes[c]++
		}
	}
	return classes, missing
}

// IsMissing reports whether a label read from a file means "no label".
func IsMissing(label string) bool {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "", "na", "n/a", "nan", "null", "none", "?":
		return true
	}
	return false
}

// ClassOf returns the class of node i in words, "" when it is missing.
func (s *LabelSet) ClassOf(i int) string {
	if s.Of[i] == Missing {
		return ""
	}
	return s.Classes[s.Of[i]]
}
