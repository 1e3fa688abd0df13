package text

import (
	"cmp"
	"fmt"
	"strings"

	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// A graphXML is a format of graphs in XML.
type graphXML struct {
	name, root       string
	key, keys        string   // what declares an attribute, and the element that does
	title            string   // what it is called there
	values           string   // the elements that hold those of nodes and edges
	relation         string   // the property of edges that holds their layer
	ofNodes, ofEdges []string // properties without a declaration, and what they are called here where that is another name
	nested           string   // what is expected instead of nodes and edges inside of others
	value            func(*xmlGraph, *networkElements, *xml.Token) error
}

// An xmlGraph goes through a file.
type xmlGraph struct {
	*graphXML
	*xml.Reader
	g     *network
	graph bool   // the graph has begun
	class string // what GEXF declares attributes of
	own   []byte // text of the element that is open
	label []byte // text of a label inside of it
}

// read reads a file.
func (f *graphXML) read(file, text string) (*network, error) {
	x, err := xml.NewReader([]byte(text))
	if err != nil {
		return nil, input.XMLError(file, f.name, err)
	}
	g := newNetwork(file, text, "<node ", "<edge ", "<"+f.values+" ")
	r := &xmlGraph{graphXML: f, Reader: x, g: g}
	if err := x.Each(r.element); err != nil {
		return nil, input.XMLError(file, f.name, err)
	}
	if err := g.ends("the id of a <node> of this file"); err != nil {
		return nil, err
	}
	if k, ok := g.edges.keys["\x00"+f.relation]; ok && g.edges.attributes[k].line > 0 && g.edges.attributes[k].used > 0 {
		g.relation = f.relation
	}
	return g, nil
}

// element reads an element that is not part of a node or an edge.
func (r *xmlGraph) element(t *xml.Token) error {
	line := int32(t.Line)
	switch {
	case r.Depth() == 1 && t.Name != r.root:
		return r.g.bad(line, r.name, "a document of the kind "+input.Quote(t.Name), "<"+r.root+">")
	case t.Name == r.root, t.Name == "nodes", t.Name == "edges":
		return nil
	case t.Name == "graph" && r.graph:
		return r.g.bad(line, "graph", "a second graph", "one graph a file")
	case t.Name == "graph":
		r.graph = true
		return nil
	case t.Name == r.keys:
		return r.declare(t)
	case t.Name == r.keys+"s": // of GEXF
		class, _ := t.Attr("class")
		r.class = cmp.Or(class, "node")
		return nil
	case t.Name == "node", t.Name == "edge":
		return r.row(t)
	case t.Name == "hyperedge":
		return r.g.bad(line, t.Name, "an edge that joins more than two nodes", "edges with a source and a target")
	}
	return r.Skip()
}

// declare reads the declaration of an attribute. One that does not say what it is for is for all.
func (r *xmlGraph) declare(t *xml.Token) error {
	a := networkAttribute{line: int32(t.Line)}
	a.key, _ = t.Attr("id")
	a.name, _ = t.Attr(r.title)
	a.name = cmp.Or(oneLine(a.name), oneLine(a.key))
	what, _ := t.Attr("for")
	if err := r.Each(func(t *xml.Token) (err error) {
		if t.Name == "default" {
			a.fill, _, err = r.text()
			a.fill, a.filled = oneLine(a.fill), true
		}
		return err
	}); err != nil {
		return err
	}
	what = cmp.Or(r.class, what, "all")
	a.all = what == "all"
	for _, e := range []*networkElements{&r.g.nodes, &r.g.edges} {
		if a.all || what == e.name {
			if err := r.once(e, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// once declares an attribute that nothing declared before.
func (r *xmlGraph) once(e *networkElements, a networkAttribute) error {
	if k, again := e.keys[a.key]; again {
		return r.g.bad(a.line, r.key, fmt.Sprintf("%s again (first in line %d)", input.Quote(a.key), e.attributes[k].line),
			"an id for one "+r.key+" only")
	}
	_, err := r.g.declare(e, a)
	return err
}

// put gives the element that is open a value. Undeclared values are attributes, too.
func (r *xmlGraph) put(e *networkElements, id, value string, line int32) (err error) {
	k, ok := e.keys[id]
	if !ok {
		if k, err = r.g.declare(e, networkAttribute{key: id, name: oneLine(id), spoken: true, line: line}); err != nil {
			return err
		}
	}
	r.g.set(e, k, value)
	return nil
}

// row reads a node or an edge, up to and with its end.
func (r *xmlGraph) row(t *xml.Token) error {
	g, e, says := r.g, &r.g.nodes, r.ofNodes
	row := networkRow{line: int32(t.Line), start: int32(len(g.cells))}
	if t.Name == "node" {
		row.id, _ = t.Attr("id")
		row.id = oneLine(row.id)
		if err := g.node(row.id, row.line, `<node id="...">`); err != nil {
			return err
		}
	} else {
		var source, target bool
		e, says = &g.edges, r.ofEdges
		row.id, source = t.Attr("source")
		row.target, target = t.Attr("target")
		if !source || !target {
			return g.bad(row.line, "edge", "an edge without ends", `<edge source="..." target="...">`)
		}
		row.id, row.target = oneLine(row.id), oneLine(row.target)
	}
	for _, name := range says {
		name, called, other := strings.Cut(name, " ")
		if value, ok := t.Attr(name); ok {
			if !other {
				called = name
			}
			if err := g.say(e, row.line, called, value); err != nil {
				return err
			}
		}
	}
	if err := r.Each(func(t *xml.Token) error { return r.inside(e, t, row.line) }); err != nil {
		return err
	}
	row.end = int32(len(g.cells))
	e.rows = append(e.rows, row)
	return nil
}

// inside reads what is inside of a node or an edge that begins in a line. It passes over how it is drawn and when it was there.
func (r *xmlGraph) inside(e *networkElements, t *xml.Token, line int32) error {
	found, expected := fmt.Sprintf("<%s> inside of the %s of line %d", t.Name, e.name, line), r.nested
	switch t.Name {
	case r.values:
		return r.value(r, e, t)
	case "attvalues":
		return nil
	case "graph":
		found, expected = fmt.Sprintf("a graph inside of the %s of line %d", e.name, line), input.WantUngrouped
	case "port":
		found, expected = fmt.Sprintf("a port of the %s of line %d", e.name, line), "edges that join nodes, not ports of nodes"
	case "node", "edge", "hyperedge", "nodes", "edges":
	default:
		return r.Skip()
	}
	return r.g.bad(int32(t.Line), t.Name, found, expected)
}
