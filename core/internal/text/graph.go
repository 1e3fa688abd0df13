package text

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// Options say how edge lists become a graph.
type Options struct {
	Columns  string // what the columns of lists are; "": what the lists say
	Mutual   bool   // of a layer with links in both directions and in one, those in one are left out
	Mention  bool   // ids that are words come in the order of the files, as before 2027
	Unplaced bool   // columns x, y and z are as other columns, as before there were places
	Classed  bool   // numbers that are not whole are classes, too, as once
	Rows     int    // nodes that arrays beside the lists have: numbers that no list names are nodes, too
}

// readEdges is the result of reading edge lists and the files of layers and nodes together.
type readEdges struct {
	options Options
	list    *edgeList
	nodes   *directory
	ordered bool
	layers  []string
	notes   sentences
	of      *attributes // of a node file
	named   bool        // the node file has names
}

// firstEdges returns the name of the first edge list.
func (s *Set) firstEdges() string { return s.edges[0].file }

// readAll reads all lists, and the files of layers and nodes.
func (s *Set) readAll(o Options) (*readEdges, error) {
	o.Mutual = false
	if s.read != nil && s.read.options == o {
		return s.read, nil
	}
	if err := s.oneOfEach(); err != nil {
		return nil, err
	}
	lists, err := s.arrange(o.Columns, o.Mention)
	if err != nil {
		return nil, err
	}
	r := &readEdges{options: o, notes: slices.Clone(s.notes)}
	for _, note := range s.several {
		r.notes = append(r.notes, note+".")
	}
	layers := s.listed
	if layers != nil {
		r.layers = slices.Clone(layers.keys)
	}
	if t := s.tables[Layers]; t != nil {
		if layers, r.layers, err = readLayers(t[0]); err != nil {
			return nil, err
		}
	}
	var generated bool
	if t := s.tables[Nodes]; t != nil {
		generated = t[0].generated
		if r.nodes, r.of, err = readNodes(t[0], generated && !o.Mention); err != nil {
			return nil, err
		}
		r.notes = append(r.notes, r.of.notes...)
		r.ordered, r.named = !generated, len(r.nodes.names) > 0
	}
	if r.ordered {
		if note := r.nodes.countRows(lists); note != "" {
			r.notes = append(r.notes, note)
		}
	}
	if err := s.nameLayers(lists, r); err != nil {
		return nil, err
	}
	reader := newEdgeReader(layers, r.nodes, lists)
	for _, f := range lists {
		if err := reader.read(f); err != nil {
			return nil, err
		}
	}
	if o.Rows > 0 && r.nodes == nil {
		reader.number(o.Rows)
	}
	r.list = reader.done(o.Mention)
	for _, id := range r.list.ids {
		if r.list.numbers && slices.ContainsFunc(lists, func(f *edgeFile) bool { return !f.isOneLayer() }) {
			id = "layer " + id
		}
		r.layers = append(r.layers, id)
	}
	if r.nodes == nil {
		r.nodes = newDirectory("node", s.firstEdges())
		for _, id := range r.list.nodes {
			r.nodes.add(id, "")
		}
		if len(reader.filled) == 0 {
			r.notes.add("There is no node file: the nodes are the %d that have an edge.", len(r.list.nodes))
		} else {
			r.notes.add("There is no node file: the nodes are the %d that arrays have a row for; %s no edge: %s.", o.Rows,
				figure.Does(len(reader.filled), "node", "has", "have"), input.Some(reader.filled))
		}
	}
	notes, err := aboutIDs("node", r.nodes.keys)
	if err != nil {
		return nil, err
	}
	r.notes = append(r.notes, notes...)
	if of := r.beginsOf(); len(of[0])*len(of[1]) > 0 && len(lists) == len(of[0])+len(of[1]) {
		r.notes.add("The nodes of %s are numbered from 0 to %d and those of %s from 1 to %d: if these are the same nodes, number them alike.",
			strings.Join(of[0], ", "), r.nodes.n-2, strings.Join(of[1], ", "), r.nodes.n-1)
	}
	if notes, err = aboutIDs("layer", r.list.ids); err != nil {
		return nil, err
	}
	r.notes = append(r.notes, notes...)
	if n := r.list.across; n > 0 {
		r.notes.add("%s nodes of different layers and %s left out.",
			figure.Does(n, "row", "joins", "join"), figure.Plural(n, "was", "were"))
	}
	if n := r.list.headers; n > 0 {
		r.notes.add("%s the header and %s left out.",
			figure.Does(n, "row", "repeats", "repeat"), figure.Plural(n, "was", "were"))
	}
	if n := r.list.blank; n > 0 {
		r.notes.add("%s no weight: 1 was taken.", figure.Does(n, "row", "has", "have"))
	}
	if n := r.list.points; n > 0 && n == r.list.grouped {
		r.notes.add("The points of all %s were read as decimal: if they separate thousands, leave them out, 1719 for 1.719.", figure.Count(n, "weight"))
	}
	r.notes = append(r.notes, r.list.notes...)
	one := len(r.layers) == 1
	r.signs()
	if one && len(r.layers) > 1 && lists[0].header != nil { // signs made two layers of what may be more
		if offers := lists[0].offers(); strings.Contains(offers, "-columns") {
			r.notes = append(r.notes, lists[0].file+": "+offers+".")
		}
	}
	s.read = r
	return r, nil
}

// beginsOf returns the layers whose nodes are numbered from 0 to n-2, and those with nodes from 1 to n-1.
func (r *readEdges) beginsOf() (of [2][]string) {
	least, greatest, ok := r.nodes.span()
	if !ok || least != 0 || greatest != r.nodes.n-1 || r.nodes.inFile {
		return of
	}
	for l, edges := range r.list.layers {
		from, to := greatest, 0
		for _, e := range edges { // ids come in their order
			from, to = min(from, e.I, e.J), max(to, e.I, e.J)
		}
		if from < 2 && to == greatest-1+from {
			of[from] = append(of[from], r.layers[l])
		}
	}
	return of
}

// nameLayers gives the lists of one layer its name, joins the parts of lists, and says how columns were
// read.
func (s *Set) nameLayers(lists []*edgeFile, r *readEdges) error {
	of, joined := parts(lists)
	for _, names := range joined {
		r.notes = append(r.notes, strings.Join(names, ", ")+" are parts of one list and were joined.")
	}
	var several, single []*edgeFile
	for k, f := range lists {
		if of[k] != k {
			continue
		}
		if f.isOneLayer() {
			single = append(single, f)
		} else {
			several = append(several, f)
		}
	}
	switch {
	case len(several) > 0 && len(single) > 0:
		roles := several[0].roles()
		roles[several[0].columns.layer] = leftColumn
		return diag.At(single[0].file, 0, "", "the edges of one layer beside "+several[0].file,
			"all layers in one file, or each in one of its own; without the column of layers there: -columns "+strings.Join(roles, ","))
	case len(several) > 1 && !disjoint(several):
		return diag.At(several[1].file, 0, "", fmt.Sprintf("a second file of %s beside %s", Edges, several[0].file),
			"one")
	}
	var files []string
	for _, f := range single {
		name := f.file
		if rest, ok := partOf(name); ok && slices.ContainsFunc(joined, func(names []string) bool { return slices.Contains(names, f.file) }) {
			name = rest // what the parts have in common
		}
		files = append(files, name)
	}
	for k, name := range layerNames(files) {
		single[k].layer = cmp.Or(s.titles[single[k].file], name)
	}
	for k, f := range lists {
		f.layer = lists[of[k]].layer
	}
	said := map[string]bool{}
	for _, f := range lists {
		if note := f.said(len(lists) > 1); note != "" && !said[note] {
			said[note] = true
			r.notes = append(r.notes, note)
		}
		if note := f.layout.commas(f.file); note != "" {
			r.notes = append(r.notes, note)
		}
	}
	return nil
}

// disjoint reports whether no two lists have a layer in common, by their columns: each holds a kind of links.
func disjoint(lists []*edgeFile) bool {
	seen := map[string]bool{}
	for _, f := range lists {
		e, c := f.evidence(f.header != nil), f.columns.layer
		if c < 0 || c >= len(e.column) || f.header == nil {
			return false
		}
		for k := range e.column[c].has {
			if seen[e.values[k]] {
				return false
			}
		}
		for k := range e.column[c].has {
			seen[e.values[k]] = true
		}
	}
	return true
}

// number adds nodes for the numbers from 0 or from 1 on that no list names, up to n nodes; it changes nothing
// unless the numbers show where they begin.
func (r *edgeReader) number(n int) {
	d := &directory{n: len(r.nodeOf.keys), keys: r.nodeOf.keys}
	least, greatest, ok := d.span()
	if !ok || d.n >= n || greatest > n || greatest == n && least == 0 || least > 0 && greatest < n {
		return
	}
	from := min(least, 1)
	s := &scanner{}
	for i := range n {
		id := strconv.Itoa(i + from)
		before := len(r.nodeOf.keys)
		if _, err := r.nodeOf.number(s, id); err == nil && len(r.nodeOf.keys) > before {
			r.filled = append(r.filled, id)
		}
	}
}

// Span returns the first and the last number of the nodes that the lists name; false if some are not numbers or a node
// file lists them.
func (s *Set) Span(columns string) (least, greatest int, ok bool) {
	r, err := s.readAll(Options{Columns: columns})
	if err != nil || r.nodes.inFile {
		return 0, 0, false
	}
	return r.nodes.span()
}

// Count returns how many nodes the graph has.
func (s *Set) Count(o Options) (int, error) {
	r, err := s.readAll(o)
	if err != nil {
		return 0, err
	}
	return r.nodes.n, nil
}

// Graph makes a graph of the edge lists.
//
// Layers are made undirected: of the rows that join a pair the largest weight is kept. Without a
// node file the nodes are those that have an edge. Nodes and layers come in the order of the files that list them,
// otherwise in natural order of their ids. Features are the identity.
func (s *Set) Graph(o Options) (*multiplex.Graph, *Report, error) {
	report := &Report{Files: s.Files, Notes: []string{}}
	r, err := s.readAll(o)
	if err != nil {
		return nil, nil, err
	}
	s.nodes, s.ordered = r.nodes, r.ordered
	if s.built != nil && s.built.of == r && s.built.mutual == o.Mutual {
		return s.built.graph()
	}
	report.Notes = append(report.Notes, r.notes...)
	g := &multiplex.Graph{Name: graphName(s.firstEdges()), Nodes: r.list.nodes}
	if r.of != nil {
		g.Nodes, g.Labels, g.Columns = r.of.names, slices.Clone(r.of.labels), slices.Clone(r.of.columns)
	}
	for _, name := range r.layers {
		g.Layers = append(g.Layers, multiplex.Layer{Name: name})
	}
	if err := s.labels(g, report, r.nodes, r.named, o); err != nil {
		return nil, nil, err
	}
	if err := report.build(g, r.list, s, o.Mutual); err != nil {
		return nil, nil, err
	}
	s.built = &built{r, o.Mutual, g, report}
	return s.built.graph()
}

// built is a graph that was made of edge lists, and the report on it.
type built struct {
	of     *readEdges
	mutual bool
	g      *multiplex.Graph
	report *Report
}

// graph returns them to be changed: matrices are shared, except for whether they have weights.
func (b *built) graph() (*multiplex.Graph, *Report, error) {
	g, report := *b.g, *b.report
	g.Layers, g.Labels, g.Columns = slices.Clone(g.Layers), slices.Clone(g.Labels), slices.Clone(g.Columns)
	for l := range g.Layers {
		a := *g.Layers[l].Adjacency
		g.Layers[l].Adjacency = &a
	}
	report.Layers, report.Notes = slices.Clone(report.Layers), slices.Clone(report.Notes)
	return &g, &report, nil
}

// labels adds what the files of labels hold, and their names of nodes if none are known.
func (s *Set) labels(g *multiplex.Graph, report *Report, nodes *directory, named bool, o Options) error {
	for _, t := range s.tables[Labels] {
		a, err := readLabels(t, nodes, o)
		if err != nil {
			return err
		}
		if a.names != nil && !named {
			if named = !slices.Contains(a.names, ""); named {
				g.Nodes = a.names
			} else {
				g.Nodes = addNames(g.Nodes, nodes.keys, a.names)
			}
		}
		for _, set := range a.labels {
			if slices.ContainsFunc(g.Labels, func(other multiplex.LabelSet) bool { return other.Name == set.Name }) {
				return diag.At(t.name, 0, "header", "a second set of labels "+input.Quote(set.Name),
					"names that no other file has")
			}
			g.Labels = append(g.Labels, set)
		}
		g.Columns = append(g.Columns, a.columns...)
		report.Notes = append(report.Notes, a.notes...)
	}
	return nil
}

// addNames gives nodes that have none the names of a table, which may be of some of the nodes. One that another node has gets the id
// behind it.
func addNames(names, ids, of []string) []string {
	all, taken := slices.Clone(names), map[string]bool{}
	if all == nil {
		all = slices.Clone(ids)
	}
	for _, name := range all {
		taken[name] = true
	}
	for i, name := range of {
		if name == "" || all[i] != ids[i] {
			continue
		}
		if taken[name] && name != ids[i] {
			name += " (" + ids[i] + ")"
		}
		all[i], taken[name] = name, true
	}
	return all
}

// endsAdvice says how a table with two columns of ids is taken for a list of links; "" if there is none.
func (s *Set) endsAdvice() string {
	for _, f := range append(slices.Clone(s.tables[Labels]), s.tables[Nodes]...) {
		t, err := readTable(f)
		if err != nil || len(t.Rows[0].Fields) < 2 {
			continue
		}
		a, b := t.Rows[0].Fields[0], t.Rows[0].Fields[1]
		if isHeaded([]string{a}) && strings.HasSuffix(input.Plain(b), "id") && len(a+b) < 100 {
			return fmt.Sprintf("; if each row of %s is a link, the names of the columns that are its ends: -columns source=%s,target=%s", f.name, a, b)
		}
	}
	return ""
}

// oneOfEach refuses what does not make one graph.
func (s *Set) oneOfEach() error {
	if len(s.Files) == 0 {
		return &diag.Error{Found: "no files", Expected: "an edge list"}
	}
	if !s.HasEdges() {
		var found []string
		for _, f := range s.Files {
			found = append(found, fmt.Sprintf("%s (%s)", f.Name, f.Kind))
		}
		return &diag.Error{Found: strings.Join(found, ", "), Expected: "an edge list among them: layerID nodeID nodeID weight, or " + aTable + s.endsAdvice()}
	}
	for _, kind := range []Kind{Layers, Nodes} {
		if t := s.tables[kind]; len(t) > 1 {
			return diag.At(t[1].name, 0, "", fmt.Sprintf("a second file of %s beside %s", kind, t[0].name),
				"one: all rows in one table, under the same titles")
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

// Check reports whether a graph of the edge lists can be trained. That of a single layer cannot: what could be
// its layers is said.
func (s *Set) Check(g *multiplex.Graph) error {
	err := g.Check()
	bad, ok := err.(*diag.Error)
	if !ok {
		return err
	}
	if bad.File = s.firstEdges(); g.N() < 2 {
		for _, note := range s.several {
			bad.Expected += "; " + note
		}
		for _, f := range s.edges {
			if offers := f.offers(); offers != "" {
				bad.Expected += "; " + offers
				break
			}
		}
	}
	return bad
}
