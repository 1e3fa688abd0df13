package text

import (
	"bytes"
	"cmp"
	"fmt"

	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// A graphMLReader goes through a file.
type graphMLReader struct {
	*xml.Reader
	g      *network
	graph  bool   // the graph has begun
	direct bool   // edges have a direction unless they say otherwise
	own    []byte // text of the element that is open
	label  []byte // text of a label inside of it
}

// readGraphML reads a GraphML file (graphml.graphdrawing.org) without nested graphs, ports and hyperedges.
func readGraphML(file string, text string) (*network, error) {
	x, err := xml.NewReader([]byte(text))
	if err != nil {
		return nil, input.XMLError(file, "GraphML", err)
	}
	g := newNetwork(file, text, "<node ", "<edge ", "<data ")
	r := &graphMLReader{Reader: x, g: g}
	if err := eachElement(x, file, "GraphML", r.element); err != nil {
		return nil, err
	}
	if err := g.ends("the id of a <node> of this file"); err != nil {
		return nil, err
	}
	// Edges may have their type in an attribute, as neo4j writes it.
	if k, ok := g.edges.keys["\x00label"]; ok && g.edges.attributes[k].line > 0 {
		g.relation = "label"
	}
	g.multigraph()
	return g, nil
}

// element reads an element that is not part of a node or an edge.
func (r *graphMLReader) element(t *xml.Token) error {
	if r.Depth() == 1 && t.Name != "graphml" {
		return r.g.bad(int32(t.Line), "GraphML", "a document of the kind "+input.Quote(t.Name), "<graphml>")
	}
	switch t.Name {
	case "graphml":
		return nil
	case "graph":
		if r.graph {
			return r.g.bad(int32(t.Line), "graph", "a second graph", "one graph a file")
		}
		r.graph = true
		value, _ := t.Attr("edgedefault")
		r.direct = value == "directed"
		return nil
	case "key":
		return r.key(t)
	case "node", "edge":
		return r.row(t)
	case "hyperedge":
		return r.g.bad(int32(t.Line), t.Name, "an edge that joins more than two nodes", "edges with a source and a target")
	}
	return r.Skip()
}

// key reads the declaration of an attribute. One that does not say what it is for is for all.
func (r *graphMLReader) key(t *xml.Token) error {
	a := networkAttribute{line: int32(t.Line)}
	a.key, _ = t.Attr("id")
	a.name, _ = t.Attr("attr.name")
	a.name = cmp.Or(oneLine(a.name), oneLine(a.key))
	a.kind, _ = t.Attr("attr.type")
	what, _ := t.Attr("for")
	for depth := r.Depth(); r.Depth() >= depth; {
		t, err := r.Next()
		if err != nil {
			return err
		}
		if t.Kind == xml.Start && t.Name == "default" {
			if a.fill, _, err = r.text(); err != nil {
				return err
			}
			a.fill, a.filled = oneLine(a.fill), true
		}
	}
	a.all = what == "" || what == "all"
	for _, e := range []*networkElements{&r.g.nodes, &r.g.edges} {
		if !a.all && what != e.name {
			continue
		}
		if k, again := e.keys[a.key]; again {
			return r.g.bad(a.line, "key", fmt.Sprintf("%s again (first in line %d)", input.Quote(a.key), e.attributes[k].line), "an id for one key only")
		}
		if _, err := r.g.declare(e, a); err != nil {
			return err
		}
	}
	return nil
}

// row reads a node or an edge.
func (r *graphMLReader) row(t *xml.Token) error {
	g, e := r.g, &r.g.nodes
	row := networkRow{line: int32(t.Line), start: int32(len(g.cells))}
	var ok bool
	switch t.Name {
	case "node":
		row.id, _ = t.Attr("id")
		row.id = oneLine(row.id)
		if err := g.node(row.id, row.line, `<node id="...">`); err != nil {
			return err
		}
	case "edge":
		e = &g.edges
		target := false
		row.id, ok = t.Attr("source")
		row.target, target = t.Attr("target")
		if !ok || !target {
			return g.bad(row.line, "edge", "an edge without ends", `<edge source="..." target="...">`)
		}
		row.id, row.target = oneLine(row.id), oneLine(row.target)
		value, says := t.Attr("directed")
		if !says && r.direct || value == "true" || value == "1" {
			g.directed++
		}
	}
	for _, name := range [...]string{"label", "labels", "key", "id"} {
		if value, ok := t.Attr(name); ok && (name != "id" || t.Name == "edge") {
			if name == "id" {
				name = "key"
			}
			if err := r.g.say(e, row.line, name, value); err != nil {
				return err
			}
		}
	}
	if err := r.inside(e, row.line); err != nil {
		return err
	}
	row.end = int32(len(g.cells))
	e.rows = append(e.rows, row)
	return nil
}

// inside reads what a node or an edge holds, up to and with its end.
func (r *graphMLReader) inside(e *networkElements, line int32) error {
	bad := func(t *xml.Token, found, expected string) error {
		return r.g.bad(int32(t.Line), t.Name, found, expected)
	}
	for depth := r.Depth(); r.Depth() >= depth; {
		t, err := r.Next()
		if err != nil {
			return err
		}
		if t.Kind != xml.Start {
			continue
		}
		switch t.Name {
		case "data":
			err = r.data(e, t)
		case "graph":
			err = bad(t, fmt.Sprintf("a graph inside of the %s of line %d", e.name, line), "one graph, without groups: ungroup the nodes and save again")
		case "port":
			err = bad(t, fmt.Sprintf("a port of the %s of line %d", e.name, line), "edges that join nodes, not ports of nodes")
		case "node", "edge", "hyperedge":
			err = bad(t, fmt.Sprintf("<%s> inside of the %s of line %d", t.Name, e.name, line), "nodes and edges beside each other")
		default:
			err = r.Skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// data reads a value of an element. Values without a key are attributes, too.
func (r *graphMLReader) data(e *networkElements, t *xml.Token) error {
	id, _ := t.Attr("key")
	line := int32(t.Line)
	text, label, err := r.text()
	if err != nil {
		return err
	}
	if label != "" {
		// yEd keeps what it draws, the text of a node or an edge among it, in elements of its own.
		name := "name"
		if e.name == "edge" {
			name = "label"
		}
		if err := r.g.say(e, line, name, label); err != nil || text == "" {
			return err
		}
	}
	k, ok := e.keys[id]
	if !ok {
		if k, err = r.g.declare(e, networkAttribute{key: id, name: oneLine(id), spoken: true, line: line}); err != nil {
			return err
		}
	}
	r.g.set(e, k, text)
	return nil
}

// text reads the element that is open up to and with its end. It returns its own text and that of
// the first label inside of it, and passes over whatever else there is.
func (r *graphMLReader) text() (text, label string, err error) {
	depth, labelled := r.Depth(), 0
	r.own, r.label = r.own[:0], r.label[:0]
	for r.Depth() >= depth {
		t, err := r.Next()
		if err != nil {
			return "", "", err
		}
		switch {
		case t.Kind == xml.Start && len(r.label) == 0 && (t.Name == "NodeLabel" || t.Name == "EdgeLabel"):
			labelled = r.Depth()
		case t.Kind == xml.Text && r.Depth() == depth:
			r.own = append(r.own, t.Bytes()...)
		case t.Kind == xml.Text && r.Depth() == labelled:
			r.label = append(r.label, t.Bytes()...)
		case t.Kind == xml.End && r.Depth() < labelled:
			r.label, labelled = bytes.TrimSpace(r.label), 0
		}
	}
	return string(bytes.TrimSpace(r.own)), oneLine(string(r.label)), nil
}

// multigraph keeps the ids of edges, as the attribute "key", when several edges have the same: these
// are not ids but NetworkX's keys of parallel edges.
func (g *network) multigraph() {
	k, ok := g.edges.keys["\x00key"]
	if !ok {
		return
	}
	different := map[string]bool{}
	for _, row := range g.edges.rows {
		for _, c := range g.cells[row.start:row.end] {
			if c.attribute == int32(k) && c.value != "" {
				different[c.value] = true
			}
		}
	}
	if a := &g.edges.attributes[k]; len(different) < 2 || len(different) == a.used {
		a.used = 0
	}
}
