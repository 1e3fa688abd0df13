package text

import (
	"fmt"

	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// A gexfReader goes through a GEXF file (gexf.net) of version 1.0 to 1.3.
type gexfReader struct {
	*xml.Reader
	g      *network
	graph  bool // the graph has begun
	direct bool // edges have a direction unless they say otherwise
}

// readGEXF reads a GEXF file without nodes inside of nodes. The kind of an edge, which version 1.3 has for
// parallel edges, is its layer.
func readGEXF(file, text string) (*network, error) {
	x, err := xml.NewReader([]byte(text))
	if err != nil {
		return nil, input.XMLError(file, "GEXF", err)
	}
	g := newNetwork(file, text, "<node ", "<edge ", "<attvalue ")
	r := &gexfReader{Reader: x, g: g}
	if err := eachElement(x, file, "GEXF", r.element); err != nil {
		return nil, err
	}
	if err := g.ends("the id of a <node> of this file"); err != nil {
		return nil, err
	}
	if k, ok := g.edges.keys["\x00kind"]; ok && g.edges.attributes[k].used > 0 {
		g.relation = "kind"
	}
	return g, nil
}

// element reads an element that is not part of a node or an edge.
func (r *gexfReader) element(t *xml.Token) error {
	if r.Depth() == 1 && t.Name != "gexf" {
		return r.g.bad(int32(t.Line), "GEXF", "a document of the kind "+input.Quote(t.Name), "<gexf>")
	}
	switch t.Name {
	case "gexf", "nodes", "edges":
		return nil
	case "graph":
		if r.graph {
			return r.g.bad(int32(t.Line), "graph", "a second graph", "one graph a file")
		}
		r.graph = true
		value, _ := t.Attr("defaultedgetype")
		r.direct = value == "directed"
		return nil
	case "attributes":
		return r.attributes(t)
	case "node", "edge":
		return r.row(t)
	}
	return r.Skip()
}

// attributes reads the declarations of attributes, up to and with their end.
func (r *gexfReader) attributes(t *xml.Token) error {
	e := &r.g.nodes
	if class, _ := t.Attr("class"); class == "edge" {
		e = &r.g.edges
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
		case "attribute":
			a := networkAttribute{line: int32(t.Line)}
			a.key, _ = t.Attr("id")
			a.name, _ = t.Attr("title")
			if a.name = oneLine(a.name); a.name == "" {
				a.name = oneLine(a.key)
			}
			if k, again := e.keys[a.key]; again {
				return r.g.bad(a.line, "attribute", fmt.Sprintf("%s again (first in line %d)", input.Quote(a.key), e.attributes[k].line),
					"an id for one attribute only")
			}
			_, err = r.g.declare(e, a)
		case "default":
			if r.Depth() == depth+2 {
				a := &e.attributes[len(e.attributes)-1]
				var fill []byte
				if fill, err = r.Content(); err == nil {
					a.fill, a.filled = oneLine(string(fill)), true
				}
			}
		default:
			err = r.Skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// row reads a node or an edge.
func (r *gexfReader) row(t *xml.Token) error {
	g, e := r.g, &r.g.nodes
	row := networkRow{line: int32(t.Line), start: int32(len(g.cells))}
	says := []string{"label", "pid"}
	if t.Name == "node" {
		row.id, _ = t.Attr("id")
		row.id = oneLine(row.id)
		if err := g.node(row.id, row.line, `<node id="...">`); err != nil {
			return err
		}
	} else {
		e, says = &g.edges, []string{"weight", "kind", "label", "start", "end"}
		var source, target bool
		row.id, source = t.Attr("source")
		row.target, target = t.Attr("target")
		if !source || !target {
			return g.bad(row.line, "edge", "an edge without ends", `<edge source="..." target="...">`)
		}
		row.id, row.target = oneLine(row.id), oneLine(row.target)
		if value, says := t.Attr("type"); says && value == "directed" || !says && r.direct {
			g.directed++
		}
	}
	for _, name := range says {
		if value, ok := t.Attr(name); ok {
			if err := g.say(e, row.line, name, value); err != nil {
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

// inside reads the attributes of a node or an edge, up to and with its end. It passes over how it is drawn and when it was there.
func (r *gexfReader) inside(e *networkElements, line int32) error {
	for depth := r.Depth(); r.Depth() >= depth; {
		t, err := r.Next()
		if err != nil {
			return err
		}
		if t.Kind != xml.Start {
			continue
		}
		switch t.Name {
		case "attvalues":
		case "attvalue":
			err = r.value(e, t)
		case "nodes", "edges", "node", "edge":
			err = r.g.bad(int32(t.Line), t.Name, fmt.Sprintf("<%s> inside of the %s of line %d", t.Name, e.name, line),
				"one graph, without groups: ungroup the nodes and save again")
		default:
			err = r.Skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// value reads a value of an element. Undeclared values are attributes, too.
func (r *gexfReader) value(e *networkElements, t *xml.Token) error {
	id, ok := t.Attr("for")
	if !ok {
		id, _ = t.Attr("id") // version 1.0
	}
	value, _ := t.Attr("value")
	k, ok := e.keys[id]
	if !ok {
		var err error
		if k, err = r.g.declare(e, networkAttribute{key: id, name: oneLine(id), spoken: true, line: int32(t.Line)}); err != nil {
			return err
		}
	}
	r.g.set(e, k, value)
	return nil
}
