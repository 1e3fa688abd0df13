package text

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/multiplex"
)

// A Report says what was read and how it was used.
type Report struct {
	Files    []FileReport  `json:"files"`
	Nodes    int           `json:"nodes"`
	Isolated int           `json:"isolated"` // nodes without an edge in any layer
	Layers   []LayerReport `json:"layers"`
	Notes    []string      `json:"notes"` // plain sentences
}

// A FileReport says what a file was taken for.
type FileReport struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
}

// A Direction says how the edges of a layer were stored.
type Direction string

const (
	OneWay   Direction = "one way"  // no pair in both directions: taken as undirected, each edge stored once
	BothWays Direction = "both"     // every pair in both directions with one weight: undirected, each edge stored twice
	Directed Direction = "directed" // some pairs in both directions: made undirected
)

// A LayerReport counts what was read for a layer and the result.
type LayerReport struct {
	multiplex.LayerSummary
	Arcs      int       `json:"arcs"` // rows of the file, loops included, weight 0 excluded
	Direction Direction `json:"direction"`
	Mutual    int       `json:"mutual"`   // pairs that came in both directions
	Repeated  int       `json:"repeated"` // rows merged with an earlier one of the same direction
	Zero      int       `json:"zero"`     // rows of weight 0, which are not edges
}

// Note adds a sentence.
func (r *Report) Note(format string, values ...any) {
	(*sentences)(&r.Notes).add(format, values...)
}

// sentences are notes on what was read.
type sentences []string

func (n *sentences) add(format string, values ...any) {
	*n = append(*n, fmt.Sprintf(format, values...))
}

// build makes the layers of g from the edge list and writes the report on them.
func (r *Report) build(g *multiplex.Graph, list *edgeList, s *Set, mutual bool) error {
	m := len(g.Nodes)
	x := multiplex.Identity(m)
	edgeFile := s.firstEdges()
	var oneWay []string
	for l := range g.Layers {
		layer, edges := &g.Layers[l], list.layers[l]
		title := "layer " + strings.TrimPrefix(layer.Name, "layer ")
		if len(edges) == 0 {
			e := diag.At(edgeFile, 0, title, "no edges", "at least one: without edges nothing propagates")
			if list.zero[l] > 0 {
				e.Found = "only edges of weight 0"
			} else if list.across > 0 {
				e.Found = fmt.Sprintf("no edges within it; %s of different layers",
					figure.Does(list.across, "row", "joins nodes", "join nodes"))
			} else if t := s.tables[Layers]; t != nil {
				e.Found += " of this layer, which " + t[0].name + " lists"
			}
			return e
		}
		arcs, err := multiplex.FromArcs(m, edges)
		if err != nil {
			return fmt.Errorf("%s: layer %s: %w", edgeFile, layer.Name, err)
		}
		layer.Adjacency, layer.Features = arcs.Undirected(), x
		c := LayerReport{LayerSummary: layer.Summary(), Arcs: len(edges), Direction: Directed,
			Repeated: len(edges) - arcs.NNZ(), Zero: list.zero[l]}
		loops, pairs := c.SelfLoops, c.Edges
		c.Mutual = arcs.NNZ() - loops - pairs
		switch {
		case c.Mutual == 0:
			c.Direction = OneWay
			oneWay = append(oneWay, title)
		case arcs.IsSymmetric():
			c.Direction = BothWays
			r.Note("L%s stores each of its %s in both directions.", title[1:], figure.Count(c.Edges, "undirected edge"))
		default:
			larger := ""
			if n := pairs - c.Mutual; mutual && n > 0 {
				layer.Adjacency = arcs.Mutual().Undirected()
				c.LayerSummary = layer.Summary()
				r.Note("%s of %s in one direction only %s left out; of the others the smaller weight of a pair was kept.",
					figure.Count(n, "link"), title, figure.Plural(n, "was", "were"))
			} else if arcs.Value != nil {
				if common := arcs.Mutual(); layer.Adjacency.Filtered(common.Has).Hash() != common.Hash() {
					larger = ", with the larger of the two weights of a pair"
				}
			}
			r.Note("%s of %s %s made %s%s.", figure.Count(len(edges)-loops, "arc"), title, figure.Plural(len(edges)-loops, "was", "were"),
				figure.Count(c.Edges, "undirected edge"), larger)
		}
		if n := c.Repeated; n > 0 {
			r.Note("%s of %s %s an earlier one and %s merged with it, keeping the largest weight.", figure.Count(n, "row"), title,
				figure.Plural(n, "repeats", "repeat"), figure.Plural(n, "was", "were"))
		}
		if loops > 0 {
			r.Note("L%s has %s; %s kept.", title[1:], figure.Count(c.SelfLoops, "self loop"), figure.Plural(c.SelfLoops, "it was", "they were"))
		}
		if c.Zero > 0 {
			r.Note("%s of %s %s weight 0 and %s left out.", figure.Count(c.Zero, "row"), title, figure.Plural(c.Zero, "has", "have"),
				figure.Plural(c.Zero, "was", "were"))
		}
		r.Layers = append(r.Layers, c)
	}
	switch {
	case len(oneWay) == len(g.Layers):
		r.Note("No layer has a pair in both directions: the edges were taken as undirected.")
	case len(oneWay) > 0:
		r.Note("No pair comes in both directions in %s: the edges were taken as undirected.", strings.Join(oneWay, ", "))
	}
	if alone := apart(m, list.layers); len(alone) > 0 {
		var names []string
		for _, l := range alone {
			names = append(names, strings.TrimPrefix(g.Layers[l].Name, "layer "))
		}
		r.Note("%s no node with another layer: ids are compared as text, with their capitals and zeros.",
			figure.Plural(len(names), "Layer ", "Layers ")+strings.Join(names, ", ")+figure.Plural(len(names), " shares", " share"))
	}
	r.Nodes = m
	r.Whole(g)
	return nil
}

// missing are numbers that tables of 0 and 1 have where there is no answer, or can be none.
var missing = [...]float64{9, 10, 11, 99, 999}

// Whole says what is to be said of a whole graph: that weights beside 1 may stand for what is missing, and which nodes no layer joins
// with another one, which it counts.
func (r *Report) Whole(g *multiplex.Graph) {
	for l := range g.Layers {
		weights := g.Layers[l].Adjacency.Value // nil if all are 1
		other := func(w float64) bool { return w != 1 && !slices.Contains(missing[:], w) }
		if first := slices.IndexFunc(weights, func(w float64) bool { return w != 1 }); first >= 0 && slices.Contains(weights, 1) &&
			!slices.ContainsFunc(weights, other) {
			r.Note("Layer %s has weights of 1 and numbers such as %g alone: if these stand for what is missing, write NA in their place.",
				strings.TrimPrefix(g.Layers[l].Name, "layer "), weights[first])
		}
	}

	for i := range r.Nodes {
		joined := func(l multiplex.Layer) bool {
			row := l.Adjacency.Index[l.Adjacency.Start[i]:l.Adjacency.Start[i+1]]
			return len(row) > 1 || len(row) == 1 && int(row[0]) != i
		}
		r.Isolated += btoi(!slices.ContainsFunc(g.Layers, joined))
	}
	if r.Isolated > 0 {
		r.Note("%s no edge in any layer.", figure.Does(r.Isolated, "node", "has", "have"))
	}
}

// apart returns those of several layers of m nodes that have no node with edges in another one.
func apart(m int, layers [][]multiplex.Edge) (alone []int) {
	of := make([]int, m) // the first layer of each node, from 1
	shares := make([]bool, len(layers))
	for l, edges := range layers {
		for _, e := range edges {
			for _, i := range [...]int{e.I, e.J} {
				if of[i] == 0 {
					of[i] = l + 1
				} else if of[i] != l+1 {
					shares[l], shares[of[i]-1] = true, true
				}
			}
		}
	}
	for l := range layers {
		if !shares[l] && len(layers) > 1 {
			alone = append(alone, l)
		}
	}
	return alone
}
