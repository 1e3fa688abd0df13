package text

import (
	"fmt"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/multiplex"
)

// A Report says what was read and what was made of it.
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

// A LayerReport counts what was read for a layer and what it became.
type LayerReport struct {
	multiplex.LayerSummary
	Arcs      int       `json:"arcs"` // rows of the file, loops included, weight 0 excluded
	Direction Direction `json:"direction"`
	Mutual    int       `json:"mutual"`   // pairs that came in both directions
	Repeated  int       `json:"repeated"` // rows merged with an earlier one of the same direction
	Zero      int       `json:"zero"`     // rows of weight 0, which are no edges
}

// Note adds a sentence.
func (r *Report) Note(format string, values ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, values...))
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
			e := &diag.Error{File: edgeFile, Where: title, Found: "no edges", Expected: "at least one: without edges nothing propagates"}
			if list.zero[l] > 0 {
				e.Found = "only edges of weight 0"
			} else if list.across > 0 {
				e.Found = fmt.Sprintf("no edges within it; %s of different layers",
					figure.Count(list.across, "row")+figure.Plural(list.across, " joins nodes", " join nodes"))
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
			r.Note("%s of %s %s made %s.", figure.Count(len(edges)-loops, "arc"), title, figure.Plural(len(edges)-loops, "was", "were"),
				figure.Count(c.Edges, "undirected edge"))
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
		r.Note("%s no edge in any layer.", figure.Count(r.Isolated, "node")+figure.Plural(r.Isolated, " has", " have"))
	}
	return nil
}
