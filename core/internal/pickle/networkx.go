package pickle

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
)

// A namedGraph is a graph of networkx and its name.
type namedGraph struct {
	name string
	*pyGraph
}

// field returns a dictionary of the graph's state by the first of several names: versions of
// networkx differ in them, and later ones keep views under the old names.
func (g *pyGraph) field(names ...string) *pyDict {
	for _, name := range names {
		if g.state == nil {
			return nil
		}
		for k, key := range g.state.keys {
			if d, ok := g.state.values[k].(*pyDict); ok && key == name {
				return d
			}
		}
	}
	return nil
}

// A graphWriter writes graphs of networkx as two tables.
type graphWriter struct {
	*pickleWalk
	file, name       string         // of the graph that is being read
	known            map[any]int    // the nodes that were met, numbers or text, by number
	ids              []string       // what they are called
	called           map[string]any // the nodes by what they are called
	edge, node       columns
	several, doubled bool // there are several graphs; one has several edges of a pair
	kept             map[string][]string
	order            []string // of the nodes
}

// columns are the attributes of edges or of nodes.
type columns struct {
	fixed []string // the first ones, which are not attributes
	names []string
	at    map[string]int
	left  map[string]bool // attributes that hold more than a number or a word
}

// mostAttributes of edges and of nodes are kept.
const mostAttributes = 128

// writeGraphs writes what graphs were met.
func (w *pickleWalk) writeGraphs() error {
	if len(w.graphs) == 0 {
		return nil
	}
	g := &graphWriter{pickleWalk: w, file: w.u.s.File, known: map[any]int{}, called: map[string]any{}, several: len(w.graphs) > 1, kept: map[string][]string{}}
	for _, one := range w.graphs {
		g.doubled = g.doubled || strings.HasPrefix(one.class, "Multi")
	}
	g.edge.fixed, g.node.fixed = []string{"source", "target"}, []string{"id"}
	if g.several {
		g.edge.fixed = append([]string{"layer"}, g.edge.fixed...)
	}
	if g.doubled {
		g.edge.fixed = append(g.edge.fixed, "key")
	}
	// The columns have to be known before the first row is written.
	if err := g.each(func(_ []string, attributes *pyDict) error { return g.edge.meet(attributes) }); err != nil {
		return err
	}
	var edges strings.Builder
	out := csv.NewWriter(&edges)
	out.Write(g.edge.head())
	err := g.each(func(fixed []string, attributes *pyDict) error {
		row, size := g.edge.row(fixed, attributes)
		if err := w.u.s.Keep(g.name, size+size/2); err != nil {
			return err
		}
		return out.Write(row)
	})
	if err != nil {
		return err
	}
	out.Flush()
	w.out.Edges = edges.String()
	if err := g.nodes(); err != nil {
		return err
	}
	for _, c := range []struct {
		what string
		columns
	}{{"edges", g.edge}, {"nodes", g.node}} {
		if len(c.left) > 0 {
			var names []string
			for name := range c.left {
				names = append(names, input.Quote(name))
			}
			slices.Sort(names)
			w.out.Notes = append(w.out.Notes, fmt.Sprintf("Of the %s in %s what is no number or word was left out: %s.", c.what, g.file, strings.Join(names, ", ")))
		}
	}
	return nil
}

func (g *graphWriter) bad(found, expected string) error {
	return diag.At(g.file, 0, g.name, found, expected)
}

// each calls do for every edge of every graph: with its layer if there are several graphs, its
// ends, its key if a pair may have several edges, and its attributes.
func (g *graphWriter) each(do func(fixed []string, attributes *pyDict) error) error {
	for _, one := range g.graphs {
		g.name = one.name
		from := one.field("_adj", "adj", "_succ", "succ", "edge")
		if from == nil {
			return g.bad("a graph of networkx without its neighbours", "one that pickle wrote as a whole")
		}
		undirected := !strings.Contains(one.class, "Di")
		var seen []bool
		for k, u := range from.keys {
			at, err := g.id(u)
			if err != nil {
				return err
			}
			source := g.ids[at]
			to, ok := from.values[k].(*pyDict)
			if !ok {
				return g.bad("neighbours of "+input.Quote(source)+" that are no dictionary", "a dictionary")
			}
			for l, v := range to.keys {
				end, err := g.id(v)
				if err != nil {
					return err
				}
				if end < len(seen) && seen[end] { // written from the other end
					continue
				}
				target := g.ids[end]
				if err := g.u.s.Keep(g.name, 8); err != nil { // the same neighbours may occur many times
					return err
				}
				fixed := []string{source, target}
				if g.several {
					fixed = append([]string{one.name}, fixed...)
				}
				attributes, _ := to.values[l].(*pyDict)
				switch {
				case !strings.HasPrefix(one.class, "Multi"):
					if g.doubled {
						fixed = append(fixed, "0")
					}
					err = do(fixed, attributes)
				case attributes == nil:
					err = g.bad(fmt.Sprintf("edges from %s to %s that are no dictionary", input.Quote(source), input.Quote(target)), "a dictionary by their keys")
				default:
					for e, key := range attributes.keys {
						word, ok := scalar(key)
						if !ok {
							word = strconv.Itoa(e)
						}
						inner, _ := attributes.values[e].(*pyDict)
						if err = do(append(slices.Clone(fixed), word), inner); err != nil {
							break
						}
					}
				}
				if err != nil {
					return err
				}
			}
			if undirected {
				for len(seen) < len(g.ids) {
					seen = append(seen, false)
				}
				seen[at] = true
			}
		}
	}
	return nil
}

// nodes writes the nodes of all graphs. One that several graphs have gets its attributes from the
// first that knows them.
func (g *graphWriter) nodes() error {
	differ := ""
	for pass := range 2 {
		for _, one := range g.graphs {
			g.name = one.name
			nodes := one.field("_node", "node")
			if nodes == nil {
				continue
			}
			for k, key := range nodes.keys {
				at, err := g.id(key)
				if err != nil {
					return err
				}
				id := g.ids[at]
				attributes, _ := nodes.values[k].(*pyDict)
				if pass == 0 {
					if err := g.node.meet(attributes); err != nil {
						return err
					}
					continue
				}
				row, size := g.node.row([]string{id}, attributes)
				if err := g.u.s.Keep(g.name, 2*size+48+16*len(row)); err != nil {
					return err
				}
				old, ok := g.kept[id]
				if !ok {
					g.kept[id], g.order = row, append(g.order, id)
					continue
				}
				for c, value := range row {
					switch {
					case old[c] == "":
						old[c] = value
					case value != "" && value != old[c] && differ == "":
						differ = fmt.Sprintf("Graphs in %s differ in nodes: %s of %s is %s and, in %s, %s. The first was kept.", g.file,
							input.Quote(g.node.head()[c]), input.Quote(id), input.Quote(old[c]), input.Quote(one.name), input.Quote(value))
					}
				}
			}
		}
	}
	if differ != "" {
		g.out.Notes = append(g.out.Notes, differ)
	}
	if len(g.order) == 0 {
		return nil
	}
	var b strings.Builder
	out := csv.NewWriter(&b)
	out.Write(g.node.head())
	for _, id := range g.order {
		out.Write(g.kept[id])
	}
	out.Flush()
	g.out.Nodes = b.String()
	return nil
}

// id returns the number of a node, which is called as str calls it in Python.
func (g *graphWriter) id(x any) (int, error) {
	switch x.(type) {
	case int64, float64, string:
	case *pyList:
		return 0, g.bad("a node that is a tuple", "numbers and text: nx.relabel_nodes(graph, str) makes text of the nodes")
	default:
		return 0, g.bad("a node that is no number or text", "numbers and text: nx.relabel_nodes(graph, str) makes text of the nodes")
	}
	if at, ok := g.known[x]; ok {
		return at, nil
	}
	id, _ := x.(string)
	if id == "" {
		id, _ = scalar(x)
	}
	if strings.TrimSpace(id) == "" || strings.ContainsAny(id, "\r\n") {
		return 0, g.bad("a node called "+input.Quote(id), "a name without line ends that is not blank")
	}
	if g.called[id] != nil {
		return 0, g.bad("nodes that are the number and the text "+id, "one of them: nx.relabel_nodes(graph, str) makes text of numbers")
	}
	if err := g.u.s.Keep(g.name, 2*len(id)+160); err != nil {
		return 0, err
	}
	g.known[x], g.called[id] = len(g.ids), x
	g.ids = append(g.ids, id)
	return len(g.ids) - 1, nil
}

// scalar returns a number or a word as Python writes it; false of anything else.
func scalar(x any) (string, bool) {
	switch v := x.(type) {
	case nil:
		return "", true
	case bool:
		if v {
			return "True", true
		}
		return "False", true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return pyFloat(v), true
	case string:
		if !strings.ContainsAny(v, "\r\n") {
			return v, true
		}
		return strings.NewReplacer("\r", " ", "\n", " ").Replace(v), true
	}
	return "", false
}

// pyFloat returns a number as Python writes it.
func pyFloat(x float64) string {
	size := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+"))
	case size != 0 && (size < 1e-4 || size >= 1e16):
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// meet takes note of attributes.
func (c *columns) meet(attributes *pyDict) error {
	if c.at == nil {
		c.at, c.left = map[string]int{}, map[string]bool{}
	}
	if attributes == nil {
		return nil
	}
	for k, key := range attributes.keys {
		name, ok := scalar(key)
		if name == "" || !ok || attributes.values[k] == nil {
			continue
		}
		if _, known := c.at[name]; known {
			continue
		}
		if _, ok := scalar(attributes.values[k]); !ok || len(c.names) == mostAttributes {
			if len(c.left) < mostAttributes {
				c.left[name] = true
			}
			continue
		}
		c.at[name] = len(c.fixed) + len(c.names)
		c.names = append(c.names, name)
	}
	return nil
}

// head returns the names of the columns. An attribute that is called as one of the first columns is said to be one: a second column "layer"
// with a number behind would be the other end's.
func (c *columns) head() []string {
	head := slices.Clone(c.fixed)
	for _, name := range c.names {
		for slices.Contains(head, name) {
			name = "attribute " + name
		}
		head = append(head, name)
	}
	return head
}

// row returns the values of the columns and their size in bytes.
func (c *columns) row(fixed []string, attributes *pyDict) (row []string, size int) {
	row = make([]string, len(c.fixed)+len(c.names))
	copy(row, fixed)
	if attributes != nil {
		for k, key := range attributes.keys {
			name, _ := scalar(key)
			if at, ok := c.at[name]; ok {
				row[at], _ = scalar(attributes.values[k])
			}
		}
	}
	for _, s := range row {
		size += len(s) + 1
	}
	return row, size
}
