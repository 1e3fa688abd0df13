package text

import (
	"encoding/csv"
	"slices"
	"strings"

	"cadem/core/diag"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/xml"
)

// A graphML is what a GraphML file holds: nodes with attributes, and edges of one layer, or
// of several if an attribute of the edges names the layer.
type graphML struct {
	keys  map[string]graphMLKey
	names []string // of the attributes of nodes
	nodes [][]string
	edges [][]string // layer, from, to, weight
}

type graphMLKey struct {
	edge   bool
	column int
	name   string
}

// maxAttributes of nodes are read; more are left out.
const maxAttributes = 32

// readGraphML reads a GraphML file (graphml.graphdrawing.org) without nested graphs, ports
// and hyperedges.
func readGraphML(file string, text string) (*graphML, error) {
	r, err := xml.NewReader([]byte(text))
	if err != nil {
		return nil, input.XMLError(file, "GraphML", err)
	}
	g := &graphML{keys: map[string]graphMLKey{}}
	bad := func(line int, field, found, expected string) (*graphML, error) {
		return nil, &diag.Error{File: file, Line: line, Where: field, Found: found, Expected: expected}
	}
	var row []string // of the element that is open
	element := ""
	for {
		t, err := r.Next()
		if err != nil {
			return nil, input.XMLError(file, "GraphML", err)
		}
		if t.Kind == xml.EOF {
			return g, nil
		}
		if t.Kind == xml.End && t.Name == element {
			if element == "node" {
				g.nodes = append(g.nodes, row)
			} else {
				g.edges = append(g.edges, row)
			}
			element = ""
		}
		if t.Kind != xml.Start {
			continue
		}
		switch t.Name {
		case "graphml", "graph", "default", "desc":
			if t.Name == "graph" && element != "" {
				return bad(t.Line, "graph", "a graph inside of a "+element, "one graph")
			}
		case "key":
			id, _ := t.Attr("id")
			key := graphMLKey{name: id}
			if name, ok := t.Attr("attr.name"); ok {
				key.name = name
			}
			switch what, _ := t.Attr("for"); what {
			case "edge":
				key.edge = true
			case "node", "all":
				if len(g.names) == maxAttributes {
					continue
				}
				key.column = len(g.names) + 1
				g.names = append(g.names, key.name)
			default:
				continue
			}
			g.keys[id] = key
		case "node":
			id, ok := t.Attr("id")
			if !ok || element != "" {
				return bad(t.Line, "node", "a node without id or inside of another element", `<node id="...">`)
			}
			element, row = "node", []string{id}
		case "edge":
			from, ok1 := t.Attr("source")
			to, ok2 := t.Attr("target")
			if !ok1 || !ok2 || element != "" {
				return bad(t.Line, "edge", "an edge without ends or inside of another element", `<edge source="..." target="...">`)
			}
			element, row = "edge", []string{"", from, to, "1"}
		case "data":
			id, _ := t.Attr("key")
			key, ok := g.keys[id]
			if !ok || element == "" {
				continue
			}
			value, err := r.Content()
			if err != nil {
				return nil, input.XMLError(file, "GraphML", err)
			}
			v := strings.TrimSpace(string(value))
			name := input.Plain(key.name)
			switch {
			case element == "node" && !key.edge:
				for len(row) <= key.column {
					row = append(row, "")
				}
				row[key.column] = v
			case element == "edge" && slices.Contains(weightColumns, name):
				row[3] = v
			case element == "edge" && slices.Contains(layerColumns, name):
				row[0] = v
			}
		case "hyperedge", "port":
			return bad(t.Line, t.Name, "an element that is not read", "nodes and edges")
		}
	}
}

// isGraphML tells whether a text is a GraphML file.
func isGraphML(text string) bool {
	head := strings.TrimSpace(text[:min(len(text), 4096)])
	return strings.HasPrefix(head, "<") && strings.Contains(head, "<graphml")
}

// texts returns the edges as an edge list, of several layers or of one, and the nodes as a
// node file.
func (g *graphML) texts() (edges string, kind Kind, nodes string, err error) {
	var e, n strings.Builder
	out := csv.NewWriter(&e)
	several := slices.ContainsFunc(g.edges, func(row []string) bool { return row[0] != "" })
	kind = Edges
	head := []string{"layer", "source", "target", "weight"}
	if !several {
		head, kind = head[1:], Layer
	}
	out.Write(head)
	for _, row := range g.edges {
		if !several {
			row = row[1:]
		}
		out.Write(row)
	}
	out.Flush()
	out = csv.NewWriter(&n)
	out.Write(append([]string{"nodeID"}, g.names...))
	for _, row := range g.nodes {
		for len(row) <= len(g.names) {
			row = append(row, "")
		}
		out.Write(row)
	}
	out.Flush()
	return e.String(), kind, n.String(), out.Error()
}
