package text

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/multiplex"
)

// Graph makes a graph of the edge lists. Mutual leaves out, of a layer with links in both
// directions and in one, those in one.
//
// Layers are made undirected: of the rows that join a pair the largest weight is kept. Without a
// node file the nodes are those that have an edge, numbered in order of their ids, whether these
// count from 0 or from 1. Features are the identity.
func (s *Set) Graph(mutual bool) (*multiplex.Graph, *Report, error) {
	report := &Report{Files: s.Files, Notes: []string{}}
	names, texts := s.names, s.texts
	if err := oneOfEach(report.Files, names); err != nil {
		return nil, nil, err
	}
	g := &multiplex.Graph{}
	var layers, nodes *directory
	var err error
	if names[Layers] != nil {
		var layerNames []string
		if layers, layerNames, err = readLayers(names[Layers][0], texts[Layers][0]); err != nil {
			return nil, nil, err
		}
		for _, name := range layerNames {
			g.Layers = append(g.Layers, multiplex.Layer{Name: name})
		}
	}
	if names[Nodes] != nil {
		var a *attributes
		if nodes, a, err = readNodes(names[Nodes][0], texts[Nodes][0]); err != nil {
			return nil, nil, err
		}
		g.Nodes, g.Labels, g.Columns = a.names, a.labels, a.columns
		report.Notes = append(report.Notes, a.notes...)
	}
	reader := newEdgeReader(layers, nodes, slices.Concat(texts[Edges], texts[Layer])...)
	for k, file := range names[Edges] {
		if err := reader.read(file, texts[Edges][k], ""); err != nil {
			return nil, nil, err
		}
	}
	for k, file := range names[Layer] {
		if err := reader.read(file, texts[Layer][k], cmp.Or(s.titles[file], input.Stem(file))); err != nil {
			return nil, nil, err
		}
	}
	edgeFile := append(names[Edges], names[Layer]...)[0]
	g.Name = graphName(edgeFile)
	list := reader.done()
	for _, id := range list.ids {
		if !list.words {
			id = "layer " + id
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: id})
	}
	named := false
	if nodes == nil {
		g.Nodes = list.nodes
		nodes = newDirectory("node", edgeFile)
		for _, id := range list.nodes {
			nodes.add(id, "")
		}
		report.Notes = append(report.Notes, fmt.Sprintf("There is no node file: the nodes are the %d that have an edge.", len(list.nodes)))
	} else {
		named = len(nodes.names) > 0
	}
	for k, file := range names[Labels] {
		a, err := readLabels(file, texts[Labels][k], nodes)
		if err != nil {
			return nil, nil, err
		}
		if a.names != nil && !named {
			g.Nodes, named = a.names, true
		}
		for _, set := range a.labels {
			if slices.ContainsFunc(g.Labels, func(other multiplex.LabelSet) bool { return other.Name == set.Name }) {
				return nil, nil, &diag.Error{File: file, Where: "header", Found: "a second set of labels " + input.Quote(set.Name),
					Expected: "names that no other file has"}
			}
			g.Labels = append(g.Labels, set)
		}
		g.Columns = append(g.Columns, a.columns...)
		report.Notes = append(report.Notes, a.notes...)
	}
	if err := report.build(g, list, edgeFile, names[Layers], mutual); err != nil {
		return nil, nil, err
	}
	return g, report, nil
}

// oneOfEach refuses what does not make one graph.
func oneOfEach(files []FileReport, names map[Kind][]string) error {
	if len(files) == 0 {
		return &diag.Error{Found: "no files", Expected: "an edge list"}
	}
	if names[Edges] == nil && names[Layer] == nil {
		var found []string
		for _, f := range files {
			found = append(found, fmt.Sprintf("%s (%s)", f.Name, f.Kind))
		}
		return &diag.Error{Found: strings.Join(found, ", "), Expected: "an edge list among them: layerID nodeID nodeID weight"}
	}
	if names[Edges] != nil && names[Layer] != nil {
		return &diag.Error{File: names[Layer][0], Found: "the edges of one layer beside " + names[Edges][0],
			Expected: "all layers in one file, or each in one of its own"}
	}
	for _, kind := range []Kind{Edges, Layers, Nodes} {
		if len(names[kind]) > 1 {
			return &diag.Error{File: names[kind][1], Found: fmt.Sprintf("a second file of %s beside %s", kind, names[kind][0]), Expected: "one"}
		}
	}
	return nil
}

// graphName returns the name of a graph from that of its edge list.
func graphName(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	for _, end := range []string{"_multiplex", "-multiplex", "_edges", "-edges"} {
		if stem, ok := strings.CutSuffix(name, end); ok && stem != "" {
			return stem
		}
	}
	return name
}

// build makes the layers of g from the edge list and writes the report on them.
func (r *Report) build(g *multiplex.Graph, list *edgeList, edgeFile string, layerFile []string, mutual bool) error {
	m := len(g.Nodes)
	x := multiplex.Identity(m)
	connected := make([]bool, m)
	var oneWay []string
	for l := range g.Layers {
		layer, edges := &g.Layers[l], list.layers[l]
		title := "layer " + strings.TrimPrefix(layer.Name, "layer ")
		if len(edges) == 0 {
			e := &diag.Error{File: edgeFile, Where: title, Found: "no edges", Expected: "at least one: without edges nothing propagates"}
			if list.zero[l] > 0 {
				e.Found = "only edges of weight 0"
			} else if layerFile != nil {
				e.Found += " of this layer, which " + layerFile[0] + " lists"
			}
			return e
		}
		loops, repeated, pairs, both, same := tally(edges)
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
	r.Nodes = m
	for _, is := range connected {
		if !is {
			r.Isolated++
		}
	}
	if r.Isolated > 0 {
		r.Note("%s no edge in any layer.", figure.Count(r.Isolated, "node")+figure.Plural(r.Isolated, " has", " have"))
	}
	if err := g.Check(); err != nil {
		var d *diag.Error
		if errors.As(err, &d) {
			d.File = edgeFile
		}
		return err
	}
	return nil
}
