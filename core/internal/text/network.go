package text

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
)

// A network is the content of a file of GraphML, GEXF or GML: nodes and edges with all of their
// attributes, in the order of the file. It does not decide how an attribute is used.
type network struct {
	file     string
	size     int // of the file
	nodes    networkElements
	edges    networkElements
	cells    []networkCell    // of all elements
	lines    map[string]int32 // where each node is
	relation string           // the column that holds layers by the format, if there is one
}

// newNetwork begins a network of a text. The words are those that begin its nodes, edges and values.
func newNetwork(file, text, node, edge, value string) *network {
	g := &network{file: file, size: len(text), lines: map[string]int32{}, cells: make([]networkCell, 0, strings.Count(text, value))}
	g.nodes = networkElements{name: "node", keys: map[string]int{}, rows: make([]networkRow, 0, strings.Count(text, node))}
	g.edges = networkElements{name: "edge", keys: map[string]int{}, rows: make([]networkRow, 0, strings.Count(text, edge))}
	return g
}

// isXML reports whether a text is XML whose root, or an element near it, has a name.
func isXML(text, root string) bool {
	head := strings.TrimSpace(text[:min(len(text), 4096)])
	return strings.HasPrefix(head, "<") && (strings.Contains(head, "<"+root) || strings.Contains(head, ":"+root))
}

// networkElements are the nodes or the edges.
type networkElements struct {
	name       string // "node" or "edge"
	attributes []networkAttribute
	keys       map[string]int // attributes by the id of their key
	rows       []networkRow
}

// A networkAttribute is declared by a key, or is another property of an element; the latter is left
// out when a key has its name.
type networkAttribute struct {
	key, name string
	fill      string // the value of elements without one
	filled    bool
	all       bool // of nodes and edges
	spoken    bool // no key declares it
	line      int32
	used      int   // elements that have it
	last      int32 // the row that had it last, from 1
	several   int   // elements that have other values, too
	again     int32 // the row of the last of them
}

// A networkRow is an element. The id of an edge is its source.
type networkRow struct {
	id, target string
	line       int32
	start, end int32 // its cells
}

type networkCell struct {
	attribute int32
	value     string
}

// maxKeys of a file are read: each takes memory before anything uses it.
const maxKeys = 4096

func (g *network) bad(line int32, field, found, expected string) error {
	return diag.At(g.file, int(line), field, found, expected)
}

// declare adds an attribute.
func (g *network) declare(e *networkElements, a networkAttribute) (int, error) {
	if len(e.attributes) == maxKeys {
		return 0, g.bad(a.line, "key", fmt.Sprintf("more than %d attributes", maxKeys), "fewer")
	}
	e.keys[a.key] = len(e.attributes)
	e.attributes = append(e.attributes, a)
	return len(e.attributes) - 1, nil
}

// say adds an element's own properties, without a key.
func (g *network) say(e *networkElements, line int32, name, value string) error {
	key := "\x00" + name // no key has this id
	k, ok := e.keys[key]
	if !ok {
		var err error
		if k, err = g.declare(e, networkAttribute{key: key, name: name, spoken: true, line: line}); err != nil {
			return err
		}
	}
	g.set(e, k, value)
	return nil
}

// set gives an attribute of the element that is open a value. The first one counts; elements with others are counted.
func (g *network) set(e *networkElements, k int, value string) {
	a := &e.attributes[k]
	row := int32(len(e.rows) + 1)
	if e == &g.edges { // a line of a list of edges is a line of text
		value = oneLine(value)
	}
	if a.last == row {
		at := len(g.cells) - 1
		for a.again != row && g.cells[at].attribute != int32(k) {
			at--
		}
		if a.again != row && g.cells[at].value != value {
			a.again = row
			a.several++
		}
		return
	}
	a.last = row
	if value != "" {
		a.used++
	}
	g.cells = append(g.cells, networkCell{int32(k), value})
}

// severalValues says of which attributes only the first of several values was read, as of those that change in time.
func (g *network) severalValues() (notes sentences) {
	for _, e := range []*networkElements{&g.nodes, &g.edges} {
		for _, a := range e.attributes {
			if a.several > 0 {
				notes.add("%s: %s several values of %s, over time perhaps: the first was taken", g.file,
					figure.Does(a.several, e.name, "has", "have"), a.name)
			}
		}
	}
	return notes
}

// oneLine returns a text without white space around it, and with a blank for every line end.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s)
}

// node checks the id of a node that begins in a line.
func (g *network) node(id string, line int32, example string) error {
	if id == "" {
		return g.bad(line, "node", "a node without id", example)
	}
	if first, again := g.lines[id]; again {
		return g.bad(line, "node", strings.TrimSuffix(fmt.Sprintf("%s again (first in line %d)", input.Quote(id), first), " (first in line 0)"),
			"an id for one node only")
	}
	if len(g.lines) == input.MaxListed {
		return g.bad(line, "node", fmt.Sprintf("more than %d nodes", input.MaxListed), fmt.Sprintf("at most %d", input.MaxListed)+input.Natively)
	}
	g.lines[id] = line
	return nil
}

// ends checks that edges join existing nodes. A file that names no node at all means those that its
// edges name.
func (g *network) ends(expected string) error {
	if len(g.lines) == 0 {
		return nil
	}
	for _, row := range g.edges.rows {
		for _, end := range [...]struct{ name, id string }{{"source", row.id}, {"target", row.target}} {
			if _, ok := g.lines[end.id]; !ok {
				return g.bad(row.line, end.name, input.Quote(end.id), expected)
			}
		}
	}
	return nil
}

// A networkColumn is an attribute as a column of a table.
type networkColumn struct {
	*networkAttribute
	title string // its name, which no other column has
}

// columns returns the attributes that elements have, those of keys in the order of their
// declaration, before the others by name. An attribute that no element has is left out, as is one
// declared for nodes and edges with a value for all of them, but used by the others only.
func (e *networkElements) columns(other *networkElements, taken []string) []networkColumn {
	var columns []networkColumn
	for k := range e.attributes {
		a := &e.attributes[k]
		fills := a.filled && a.fill != "" && len(e.rows) > 0
		if a.all && a.used == 0 && other.attributes[other.keys[a.key]].used > 0 {
			fills = false
		}
		if a.used > 0 || fills {
			columns = append(columns, networkColumn{networkAttribute: a})
		}
	}
	sorting.Stable(columns, func(a, b networkColumn) int {
		if !a.spoken || !b.spoken {
			return btoi(a.spoken) - btoi(b.spoken)
		}
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.key, b.key))
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

// graphOf makes tables of a graph with attributes, unless it could not be read. A file without nodes has no table of nodes.
func graphOf(g *network, err error) (*Graph, error) {
	if err != nil {
		return nil, err
	}
	t := &Graph{relation: g.relation, several: g.severalValues()}
	if t.Edges, t.edgeLines, err = g.table(&g.edges, &g.nodes, "source", "target"); err == nil && len(g.nodes.rows) > 0 {
		t.Nodes, t.nodeLines, err = g.table(&g.nodes, &g.edges, "id")
	}
	return t, err
}

// table writes elements as CSV, a line for each, and returns their lines in the file.
func (g *network) table(e, other *networkElements, head ...string) (text string, lines []int32, err error) {
	columns := e.columns(other, head)
	if len(head)+len(columns) > input.MaxColumns {
		return "", nil, g.bad(0, e.name, fmt.Sprintf("%d attributes", len(columns)), fmt.Sprintf("at most %d", input.MaxColumns-len(head)))
	}
	// Missing values may be far more than those present: a comma each, or the default value.
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
