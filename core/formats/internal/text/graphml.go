package text

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/xml"
)

// A graphML is what a GraphML file (graphml.graphdrawing.org) holds: nodes and edges with all of
// their attributes, in the order of the file. It does not decide what an attribute is used for.
type graphML struct {
	file     string
	size     int // of the file
	nodes    graphMLElements
	edges    graphMLElements
	cells    []graphMLCell // of all elements
	directed int           // edges that have a direction
}

// graphMLElements are the nodes or the edges.
type graphMLElements struct {
	name       string // "node" or "edge"
	attributes []graphMLAttribute
	keys       map[string]int // attributes by the id of their key
	rows       []graphMLRow
}

// A graphMLAttribute is what a key declares, or what else an element says of itself: those are
// left out when a key has their name.
type graphMLAttribute struct {
	key, name, kind string // kind is attr.type, such as "double"
	fill            string // the value of elements without one
	filled          bool
	all             bool // of nodes and edges
	spoken          bool // no key declares it
	line            int32
	used            int   // elements that have it
	last            int32 // the row that had it last, from 1
}

// A graphMLRow is an element. The id of an edge is its source.
type graphMLRow struct {
	id, target string
	line       int32
	start, end int32 // its cells
}

type graphMLCell struct {
	attribute int32
	value     string
}

// maxKeys of a GraphML file are read: each takes memory before anything uses it.
const maxKeys = 4096

// isGraphML tells whether a text is a GraphML file.
func isGraphML(text string) bool {
	head := strings.TrimSpace(text[:min(len(text), 4096)])
	return strings.HasPrefix(head, "<") && (strings.Contains(head, "<graphml") || strings.Contains(head, ":graphml"))
}

// A graphMLReader goes through a file.
type graphMLReader struct {
	*xml.Reader
	g      *graphML
	lines  map[string]int32 // where each node is
	graph  bool             // the graph has begun
	direct bool             // edges have a direction unless they say otherwise
	own    []byte           // text of the element that is open
	label  []byte           // text of a label inside of it
}

// readGraphML reads a GraphML file without nested graphs, ports and hyperedges.
func readGraphML(file string, text string) (*graphML, error) {
	x, err := xml.NewReader([]byte(text))
	if err != nil {
		return nil, input.XMLError(file, "GraphML", err)
	}
	g := &graphML{file: file, size: len(text), cells: make([]graphMLCell, 0, strings.Count(text, "<data "))}
	for kind, e := range map[string]*graphMLElements{"node": &g.nodes, "edge": &g.edges} {
		e.name, e.keys = kind, map[string]int{}
		e.rows = make([]graphMLRow, 0, strings.Count(text, "<"+kind+" "))
	}
	r := &graphMLReader{Reader: x, g: g, lines: map[string]int32{}}
	for {
		t, err := r.Next()
		if err == nil && t.Kind == xml.EOF {
			break
		}
		if err == nil && t.Kind == xml.Start {
			err = r.element(t)
		}
		if err != nil {
			return nil, input.XMLError(file, "GraphML", err)
		}
	}
	if err := g.ends(r.lines); err != nil {
		return nil, err
	}
	g.multigraph()
	return g, nil
}

func (g *graphML) bad(line int32, field, found, expected string) error {
	return &diag.Error{File: g.file, Line: int(line), Where: field, Found: found, Expected: expected}
}

// element reads an element that is no part of a node or an edge.
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
	a := graphMLAttribute{line: int32(t.Line)}
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
	for _, e := range []*graphMLElements{&r.g.nodes, &r.g.edges} {
		if !a.all && what != e.name {
			continue
		}
		if k, again := e.keys[a.key]; again {
			return r.g.bad(a.line, "key", fmt.Sprintf("%s again (first in line %d)", input.Quote(a.key), e.attributes[k].line), "an id for one key only")
		}
		if _, err := r.declare(e, a); err != nil {
			return err
		}
	}
	return nil
}

// declare adds an attribute.
func (r *graphMLReader) declare(e *graphMLElements, a graphMLAttribute) (int, error) {
	if len(e.attributes) == maxKeys {
		return 0, r.g.bad(a.line, "key", fmt.Sprintf("more than %d attributes", maxKeys), "fewer")
	}
	e.keys[a.key] = len(e.attributes)
	e.attributes = append(e.attributes, a)
	return len(e.attributes) - 1, nil
}

// row reads a node or an edge.
func (r *graphMLReader) row(t *xml.Token) error {
	g, e := r.g, &r.g.nodes
	row := graphMLRow{line: int32(t.Line), start: int32(len(g.cells))}
	var ok bool
	switch t.Name {
	case "node":
		row.id, _ = t.Attr("id")
		if row.id = oneLine(row.id); row.id == "" {
			return g.bad(row.line, "node", "a node without id", `<node id="...">`)
		}
		if first, again := r.lines[row.id]; again {
			return g.bad(row.line, "node", fmt.Sprintf("%s again (first in line %d)", input.Quote(row.id), first), "an id for one node only")
		}
		if len(r.lines) == input.MaxNodes {
			return g.bad(row.line, "node", fmt.Sprintf("more than %d nodes", input.MaxNodes), fmt.Sprintf("at most %d", input.MaxNodes))
		}
		r.lines[row.id] = row.line
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
			if err := r.say(e, row.line, name, value); err != nil {
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
func (r *graphMLReader) inside(e *graphMLElements, line int32) error {
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

// data reads a value of an element. What no key declares is an attribute, too.
func (r *graphMLReader) data(e *graphMLElements, t *xml.Token) error {
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
		if err := r.say(e, line, name, label); err != nil || text == "" {
			return err
		}
	}
	k, ok := e.keys[id]
	if !ok {
		if k, err = r.declare(e, graphMLAttribute{key: id, name: oneLine(id), spoken: true, line: line}); err != nil {
			return err
		}
	}
	r.g.set(e, k, text)
	return nil
}

// say takes up what an element says of itself without a key.
func (r *graphMLReader) say(e *graphMLElements, line int32, name, value string) error {
	key := "\x00" + name // no key has this id
	k, ok := e.keys[key]
	if !ok {
		var err error
		if k, err = r.declare(e, graphMLAttribute{key: key, name: name, kind: "string", spoken: true, line: line}); err != nil {
			return err
		}
	}
	r.g.set(e, k, value)
	return nil
}

// set gives an attribute of the element that is open a value. The first one counts.
func (g *graphML) set(e *graphMLElements, k int, value string) {
	a := &e.attributes[k]
	row := int32(len(e.rows) + 1)
	if a.last == row {
		return
	}
	a.last = row
	if e == &g.edges { // a line of a list of edges is a line of text
		value = oneLine(value)
	}
	if value != "" {
		a.used++
	}
	g.cells = append(g.cells, graphMLCell{int32(k), value})
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

// oneLine returns a text without white space around it, and with a blank for every line end.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s)
}

// ends checks that edges join nodes that there are. A file that names no node at all is taken to
// mean those that its edges name.
func (g *graphML) ends(lines map[string]int32) error {
	if len(lines) == 0 {
		return nil
	}
	for _, row := range g.edges.rows {
		for _, end := range [...]struct{ name, id string }{{"source", row.id}, {"target", row.target}} {
			if _, ok := lines[end.id]; !ok {
				return g.bad(row.line, end.name, input.Quote(end.id), "the id of a <node> of this file")
			}
		}
	}
	return nil
}

// multigraph keeps the ids of edges, as the attribute "key", when several edges have the same: these
// are no ids but the keys by which NetworkX tells parallel edges apart.
func (g *graphML) multigraph() {
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

// A graphMLColumn is an attribute as a column of a table.
type graphMLColumn struct {
	*graphMLAttribute
	title string // its name, which no other column has
}

// columns returns the attributes that elements have, those of keys in the order of their
// declaration, before the others by name. What no element has is left out, as is what is declared
// for nodes and edges with a value for all of them, but used by the others only.
func (e *graphMLElements) columns(other *graphMLElements, taken ...string) []graphMLColumn {
	var columns []graphMLColumn
	for k := range e.attributes {
		a := &e.attributes[k]
		fills := a.filled && a.fill != "" && len(e.rows) > 0
		if a.all && a.used == 0 && other.attributes[other.keys[a.key]].used > 0 {
			fills = false
		}
		if a.used > 0 || fills {
			columns = append(columns, graphMLColumn{graphMLAttribute: a})
		}
	}
	slices.SortStableFunc(columns, func(a, b graphMLColumn) int {
		switch {
		case a.spoken && b.spoken:
			return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.key, b.key))
		case a.spoken:
			return 1
		case b.spoken:
			return -1
		}
		return 0
	})
	titles := map[string]bool{}
	for _, name := range taken {
		titles[name] = true
	}
	kept := columns[:0]
	for _, c := range columns {
		c.title = c.name
		if titles[strings.ToLower(c.title)] && strings.HasPrefix(c.key, "\x00") {
			continue
		}
		for titles[strings.ToLower(c.title)] {
			c.title += " (" + oneLine(c.key) + ")"
		}
		titles[strings.ToLower(c.title)] = true
		kept = append(kept, c)
	}
	return kept
}

// texts returns the edges as a table with the columns source, target and their attributes, and
// the nodes as one with the columns id and theirs, both as CSV with a line for each element,
// and in which line of the file each element is. There is no table of nodes in a file without.
func (g *graphML) texts() (edges, nodes string, edgeLines, nodeLines []int32, err error) {
	columns := g.edges.columns(&g.nodes, "source", "target")
	if edges, edgeLines, err = g.table(&g.edges, columns, "source", "target"); err != nil {
		return "", "", nil, nil, err
	}
	if len(g.nodes.rows) > 0 {
		columns = g.nodes.columns(&g.edges, "id")
		nodes, nodeLines, err = g.table(&g.nodes, columns, "id")
	}
	return edges, nodes, edgeLines, nodeLines, err
}

// table writes elements as CSV.
func (g *graphML) table(e *graphMLElements, columns []graphMLColumn, head ...string) (text string, lines []int32, err error) {
	if len(head)+len(columns) > input.MaxColumns {
		return "", nil, g.bad(0, e.name, fmt.Sprintf("%d attributes", len(columns)), fmt.Sprintf("at most %d", input.MaxColumns-len(head)))
	}
	// What elements lack may be far more than what they have: a comma, or the value of them all.
	const anything = 1 << 20
	size, lacking := 0, 0
	at := make([]int, len(e.attributes)) // the column of each attribute
	for k := range at {
		at[k] = -1
	}
	for k, c := range columns {
		at[e.keys[c.key]] = len(head) + k
		lacking += (len(e.rows) - c.used) * (2 + len(c.fill))
	}
	if lacking > g.size+anything {
		return "", nil, g.bad(0, e.name, figure.Count(len(columns), "attribute")+" that most elements lack, or with a long <default>",
			"attributes that most elements have: a table of all would be far larger than the file")
	}
	for _, row := range e.rows {
		size += len(row.id) + len(row.target) + 3
		for _, c := range g.cells[row.start:row.end] {
			size += len(c.value) + 1
		}
	}
	var b strings.Builder
	b.Grow(size + lacking)
	out := csv.NewWriter(&b)
	record := append([]string(nil), head...)
	for _, c := range columns {
		record = append(record, c.title)
	}
	out.Write(record)
	lines = make([]int32, 0, len(e.rows))
	for _, row := range e.rows {
		record[0], record[len(head)-1] = row.id, cmp.Or(row.target, row.id)
		for k, c := range columns {
			record[len(head)+k] = c.fill
		}
		for _, c := range g.cells[row.start:row.end] {
			if k := at[c.attribute]; k >= 0 {
				record[k] = c.value
			}
		}
		out.Write(record)
		lines = append(lines, row.line)
	}
	out.Flush()
	return b.String(), lines, out.Error()
}

// relation is the column in which edges say of what type they are by an attribute of their own, as neo4j
// writes it; "" when they do not.
func (g *graphML) relation() string {
	if k, ok := g.edges.keys["\x00label"]; ok && g.edges.attributes[k].line > 0 {
		return "label"
	}
	return ""
}
