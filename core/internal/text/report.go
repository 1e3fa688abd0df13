package text

import (
	"fmt"
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
	connected := make([]bool, m)
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
		loops, repeated, pairs, both, same := tally(m, edges)
		kept := edges
		if mutual && both > 0 && both < pairs {
			kept = mutualEdges(edges)
			r.Note("%s of %s in one direction only %s left out; of the others the smaller weight of a pair was kept.", figure.Count(pairs-both, "link"), title,
				figure.Plural(pairs-both, "was", "were"))
		}
		a, err := multiplex.FromEdges(m, kept)
		if err != nil {
			return fmt.Errorf("%s: layer %s: %w", edgeFile, layer.Name, err)
		}
		layer.Adjacency, layer.Features = a, x
		c := LayerReport{LayerSummary: layer.Summary(), Arcs: len(edges), Direction: Directed, Mutual: both, Repeated: repeated, Zero: list.zero[l]}
		for _, e := range kept {
			if e.I != e.J {
				connected[e.I], connected[e.J] = true, true
			}
		}
		switch {
		case both == 0:
			c.Direction = OneWay
			oneWay = append(oneWay, title)
		case both == pairs && same == pairs:
			c.Direction = BothWays
			r.Note("L%s stores each of its %s in both directions.", title[1:], figure.Count(c.Edges, "undirected edge"))
		default:
			larger := ""
			if same < both && len(kept) == len(edges) {
				larger = ", with the larger of the two weights of a pair"
			}
			r.Note("%s of %s %s made %s%s.", figure.Count(len(edges)-loops, "arc"), title, figure.Plural(len(edges)-loops, "was", "were"),
				figure.Count(c.Edges, "undirected edge"), larger)
		}
		if repeated > 0 {
			r.Note("%s of %s %s an earlier one and %s merged with it, keeping the largest weight.", figure.Count(repeated, "row"), title,
				figure.Plural(repeated, "repeats", "repeat"), figure.Plural(repeated, "was", "were"))
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
	for _, is := range connected {
		if !is {
			r.Isolated++
		}
	}
	if r.Isolated > 0 {
		r.Note("%s no edge in any layer.", figure.Does(r.Isolated, "node", "has", "have"))
	}
	return nil
}

// mutualEdges returns the self loops and, with the smaller weight, the pairs that come in
// both directions.
func mutualEdges(edges []multiplex.Edge) []multiplex.Edge {
	type arc struct{ i, j int }
	heaviest := make(map[arc]float64, len(edges))
	for _, e := range edges {
		heaviest[arc{e.I, e.J}] = max(heaviest[arc{e.I, e.J}], e.Weight)
	}
	var kept []multiplex.Edge
	for _, e := range edges {
		if back, ok := heaviest[arc{e.J, e.I}]; ok {
			kept = append(kept, multiplex.Edge{I: e.I, J: e.J, Weight: min(heaviest[arc{e.I, e.J}], back)})
		}
	}
	return kept
}

// byPair returns the numbers of edges among m nodes so that those of a pair stand together: sorted by the
// higher node, then by the lower one, each time in one pass.
func byPair(m int, edges []multiplex.Edge) []int32 {
	key, order, next := make([]int32, len(edges)), make([]int32, len(edges)), make([]int32, len(edges))
	start := make([]int32, m+1)
	for k := range order {
		order[k] = int32(k)
	}
	for _, low := range []bool{false, true} {
		clear(start)
		for k := range edges {
			i, j := edges[k].I, edges[k].J
			if (i < j) == low {
				key[k] = int32(i)
			} else {
				key[k] = int32(j)
			}
			start[key[k]+1]++
		}
		for i := range m {
			start[i+1] += start[i]
		}
		for _, k := range order {
			at := key[k]
			next[start[at]] = k
			start[at]++
		}
		order, next = next, order
	}
	return order
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

// tally counts, among the rows of a layer of m nodes, self loops, rows that repeat an earlier one,
// pairs, and pairs that come in both directions, with or without the same weight.
// Loops are not pairs.
func tally(m int, edges []multiplex.Edge) (loops, repeated, pairs, both, same int) {
	order := byPair(m, edges)
	for k := 0; k < len(order); {
		first := &edges[order[k]]
		low, high := min(first.I, first.J), max(first.I, first.J)
		var heaviest [2]float64 // in direction low to high, and back
		rows := 0
		for ; k < len(order); k++ {
			e := &edges[order[k]]
			if min(e.I, e.J) != low || max(e.I, e.J) != high {
				break
			}
			direction := 0
			if e.I > e.J {
				direction = 1
			}
			heaviest[direction] = max(heaviest[direction], e.Weight)
			rows++
		}
		switch {
		case low == high:
			loops++
			repeated += rows - 1
		case heaviest[0] > 0 && heaviest[1] > 0:
			pairs++
			both++
			repeated += rows - 2
			if heaviest[0] == heaviest[1] {
				same++
			}
		default:
			pairs++
			repeated += rows - 1
		}
	}
	return loops, repeated, pairs, both, same
}
