package text

import (
	"bytes"

	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// graphML is GraphML (graphml.graphdrawing.org) without nested graphs, ports and hyperedges. Edges may have their type in an attribute, as
// neo4j writes it.
var graphML = graphXML{name: "GraphML", root: "graphml", key: "key", keys: "key", title: "attr.name", values: "data", relation: "label",
	ofNodes: []string{"label", "labels", "key"}, ofEdges: []string{"label", "labels", "key", "id key"},
	nested: "nodes and edges beside each other", value: (*xmlGraph).data}

// readGraphML reads a GraphML file.
func readGraphML(file, text string) (*network, error) {
	g, err := graphML.read(file, text)
	if err == nil {
		g.multigraph()
	}
	return g, err
}

// data reads a value of an element.
func (r *xmlGraph) data(e *networkElements, t *xml.Token) error {
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
	return r.put(e, id, text, line)
}

// text reads the element that is open up to and with its end. It returns its own text and that of
// the first label inside of it, and passes over whatever else there is.
func (r *xmlGraph) text() (text, label string, err error) {
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

// gexf is GEXF (gexf.net) of version 1.0 to 1.3 without nodes inside of nodes. The kind of an edge, which version 1.3 has for parallel
// edges, is its layer.
var gexf = graphXML{name: "GEXF", root: "gexf", key: "attribute", keys: "attribute", title: "title", values: "attvalue", relation: "kind",
	ofNodes: []string{"label", "pid"}, ofEdges: []string{"weight", "kind", "label", "start", "end"},
	nested: input.WantUngrouped, value: (*xmlGraph).attvalue}

// attvalue reads a value of an element.
func (r *xmlGraph) attvalue(e *networkElements, t *xml.Token) error {
	id, ok := t.Attr("for")
	if !ok {
		id, _ = t.Attr("id") // version 1.0
	}
	value, _ := t.Attr("value")
	return r.put(e, id, value, int32(t.Line))
}
