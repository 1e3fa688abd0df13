package text

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
	"cadem/core/multiplex"
)

// Options say how edge lists become a graph.
type Options struct {
	Columns string // what the columns of lists are; "": what the lists say
	Mutual  bool   // of a layer with links in both directions and in one, those in one are left out
	Mention bool   // ids that are words come in the order in which the files name them, as programs before 2027 had them
	Rows    int    // nodes that arrays beside the lists have: numbers that no list names are nodes, too
}

// A Question is what files leave open.
type Question struct {
	File     string     `json:"file"`
	Header   []string   `json:"header,omitempty"`
	Roles    []string   `json:"roles"` // what each column is taken for: source, target, layer, weight, or "-"
	Rows     [][]string `json:"rows"`  // how the list begins
	Readings []Reading  `json:"readings"`
	Why      string     `json:"why"` // in words
}

// readEdges is what edge lists and the files of layers and nodes hold together.
type readEdges struct {
	options Options
	list    *edgeList
	nodes   *directory
	ordered bool
	layers  []string
	notes   []string
	of      *attributes // of a node file
	named   bool        // the node file has names
}

// edgeFile returns the name of the first edge list.
func (s *Set) firstEdges() string { return s.edges[0].file }

// arrange settles the columns of all lists, and asks where they can be read in two ways.
func (s *Set) arrange(choice string, mention bool) ([]*edgeFile, error) {
	var lists []*edgeFile
	used := choice == ""
	for _, f := range s.edges {
		c := *f
		lists = append(lists, &c)
		if early := earlyColumns(f.columns.n, len(s.edges)); mention && choice == "" && f.header == nil && !f.given && early != "" {
			c.columns, _ = chosenColumns(early, nil, f.columns.n)
			c.given = true
			continue
		}
		if choice == "" || f.matrix {
			continue
		}
		named := strings.Contains(choice, "=")
		if named != (f.header != nil) && named || !named && f.columns.n != strings.Count(choice, ",")+1 {
			continue
		}
		columns, err := chosenColumns(choice, f.header, f.columns.n)
		if err != nil {
			return nil, err
		}
		c.columns, c.given, used = columns, true, true
	}
	if !used {
		return nil, diag.Option("columns", choice, fmt.Sprintf("one name for each of the %s of %s", figure.Count(s.edges[0].columns.n, "column"), s.firstEdges()))
	}
	for _, f := range lists {
		if f.strange && !f.given {
			return nil, &diag.Error{File: f.file, Line: f.first, Where: "header", Found: "titles that are not known: " + some(f.header),
				Expected: "source, target and, for several layers, layer among them; or to be told what the columns are: -columns " + f.readings[0].Columns}
		}
		if f.unclear() {
			return nil, &diag.Error{File: f.file, Where: "columns",
				Found:    fmt.Sprintf("%d that can be read as %s or as %s", f.columns.n, &f.readings[0], &f.readings[1]),
				Expected: "to be told which: -columns " + f.readings[0].Columns}
		}
	}
	return lists, nil
}

// earlyColumns are those that programs before 2027 took for granted, so that runs that were kept then still open: in a list
// alone the layer comes first; of several lists each is a layer.
func earlyColumns(n, lists int) string {
	switch {
	case n == 3 && lists > 1:
		return "source,target,weight"
	case n >= 2 && n <= 4:
		return layouts[n][0]
	}
	return ""
}

// Question returns what the columns of a list leave open under a choice of columns: they can be read in two ways, or the
// graph has a single layer, which another reading may change. Nil is nothing.
func (s *Set) Question(choice string) *Question {
	ask := func(f *edgeFile, why string) *Question {
		q := &Question{File: f.file, Header: f.header, Roles: f.roles(), Readings: append([]Reading{}, f.readings...), Why: why, Rows: [][]string{}}
		scan := f.scanner()
		for len(q.Rows) < 5 {
			if ok, err := scan.scan(); !ok || err != nil {
				break
			}
			q.Rows = append(q.Rows, scan.clone())
		}
		return q
	}
	if choice != "" {
		return nil
	}
	for _, f := range s.edges {
		if f.strange && !f.given {
			return ask(f, "The titles of the columns of this list are not known.")
		}
		if f.unclear() {
			return ask(f, "The columns of this list can be read in two ways.")
		}
	}
	if len(s.edges) == 1 && s.edges[0].isOneLayer() && !s.edges[0].matrix && s.edges[0].columns.n > 2 {
		return ask(s.edges[0], "No column of this list is known to say the layer of a link.")
	}
	return nil
}

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
	r := &readEdges{options: o}
	layers := s.listed
	if layers != nil {
		r.layers = slices.Clone(layers.keys)
	}
	if t := s.tables[Layers]; t != nil {
		if layers, r.layers, err = readLayers(t[0].name, t[0].text); err != nil {
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
		r.notes = append(r.notes, fmt.Sprintf("There is no node file: the nodes are the %d that have an edge.", len(r.list.nodes)))
		if len(reader.filled) > 0 {
			r.notes[len(r.notes)-1] = fmt.Sprintf("There is no node file: the nodes are the %d that arrays have a row for; %s no edge: %s.", o.Rows,
				figure.Count(len(reader.filled), "node")+figure.Plural(len(reader.filled), " has", " have"), some(reader.filled))
		}
	}
	r.notes = append(r.notes, aboutIDs("node", r.nodes.keys)...)
	r.notes = append(r.notes, aboutIDs("layer", r.list.ids)...)
	if n := r.list.across; n > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s nodes of different layers and %s left out.", figure.Count(n, "row")+figure.Plural(n, " joins", " join"),
			figure.Plural(n, "was", "were")))
	}
	if n := r.list.blank; n > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s no weight: 1 was taken.", figure.Count(n, "row")+figure.Plural(n, " has", " have")))
	}
	s.read = r
	return r, nil
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
		return &diag.Error{File: single[0].file, Found: "the edges of one layer beside " + several[0].file,
			Expected: "all layers in one file, or each in one of its own"}
	case len(several) > 1:
		return &diag.Error{File: several[1].file, Found: fmt.Sprintf("a second file of %s beside %s", Edges, several[0].file), Expected: "one"}
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
	}
	return nil
}

// roles tells what each column is taken for.
func (f *edgeFile) roles() []string {
	roles := slices.Repeat([]string{leftColumn}, f.columns.n)
	for _, c := range []struct {
		at   int
		role string
	}{{f.columns.source, sourceColumn}, {f.columns.target, targetColumn}, {f.columns.layer, layerColumn}, {f.columns.other, layerColumn},
		{f.columns.weight, weightColumn}} {
		if c.at >= 0 {
			roles[c.at] = c.role
		}
	}
	return roles
}

// said tells how the columns of a list were read: those of a list without a header, and those that are left
// out.
func (f *edgeFile) said(several bool) string {
	if f.matrix {
		return f.file + " was read as a matrix with the names of its nodes above and beside."
	}
	roles := f.roles()
	if f.header == nil {
		if f.columns.n < 3 {
			return ""
		}
		for c := range roles {
			if roles[c] == leftColumn {
				roles[c] = "nothing"
			}
			roles[c] = fmt.Sprintf("%d as %s", c+1, roles[c])
		}
		name := f.file
		if several {
			name = fmt.Sprintf("Lists of %d columns", f.columns.n)
		}
		return fmt.Sprintf("%s: columns were taken %s.", name, strings.Join(roles, ", "))
	}
	var left []string
	for c, title := range f.header {
		if roles[c] == leftColumn {
			left = append(left, cmp.Or(title, "the first one, without a title"))
		}
	}
	var notes []string
	if f.relation != "" {
		notes = append(notes, fmt.Sprintf("%s: %s of edges was taken as their layer.", f.file, f.relation))
	}
	if left != nil {
		note := fmt.Sprintf("%s: %s not used: %s", f.file, figure.Plural(len(left), "a column is", "columns are"), strings.Join(left, ", "))
		if title := f.mayWeigh(roles); title != "" {
			note += fmt.Sprintf("; -columns weight=%s takes one as weights", title)
		}
		notes = append(notes, note+".")
	}
	return strings.Join(notes, " ")
}

// mayWeigh returns the title of a column of numbers that is not used, where there are no weights: "" if there is none.
func (f *edgeFile) mayWeigh(roles []string) string {
	const rows = 100 // that are looked at
	s := f.scanner()
	numbers := slices.Repeat([]bool{f.columns.weight < 0}, len(roles))
	for range rows {
		if ok, err := s.scan(); !ok || err != nil || len(s.fields) != len(roles) {
			break
		}
		for c, v := range s.fields {
			_, ok := number(v)
			numbers[c] = numbers[c] && ok
		}
	}
	for c, title := range f.header {
		if roles[c] == leftColumn && numbers[c] && !slices.Contains(idColumns, input.Plain(title)) && !slices.Contains(indexColumns, input.Plain(title)) &&
			len(title) <= 40 {
			return title
		}
	}
	return ""
}

// offers says which columns of a list may hold its layers, and how one is chosen; "" when none may.
func (f *edgeFile) offers() string {
	if f.matrix || f.columns.n < 3 || f.columns.layer >= 0 && f.header != nil {
		return ""
	}
	if f.header == nil {
		for _, r := range f.readings {
			if strings.Contains(r.Columns, layerColumn) && r.Layers > 1 && r.cost < f.readings[0].cost+2*decisive {
				return fmt.Sprintf("columns were taken as %s; if they are %s, say -columns %s", f.readings[0].Columns, &r, r.Columns)
			}
		}
		if at := f.columns.layer; at >= 0 {
			return fmt.Sprintf("column %d was taken as the layer and holds one value; -columns says what columns are otherwise", at+1)
		}
		return fmt.Sprintf("columns were taken as %s; if one of them is the layer, say so: -columns %s", f.readings[0].Columns, layouts[f.columns.n][0])
	}
	has := make([]map[string]bool, f.columns.n)
	s := f.scanner()
	for {
		if ok, err := s.scan(); !ok || err != nil {
			break
		}
		for c, v := range s.fields[:min(len(s.fields), len(has))] {
			if has[c] == nil {
				has[c] = map[string]bool{}
			}
			if v != "" && len(has[c]) <= input.MaxLayers {
				has[c][strings.Clone(v)] = true
			}
		}
	}
	var found []string
	first := ""
	for c, title := range f.header {
		if c == f.columns.source || c == f.columns.target || c == f.columns.weight || len(found) > 7 {
			continue
		}
		n := len(has[c])
		if n >= 2 && n <= input.MaxLayers && first == "" {
			if first = title; len(title) > 40 {
				first = "NAME"
			}
		}
		if len([]rune(title)) > 20 {
			title = string([]rune(title)[:20]) + "…"
		}
		found = append(found, fmt.Sprintf("%s (%s)", cmp.Or(title, "no title"), figure.Count(n, "value")))
	}
	switch {
	case found == nil:
		return ""
	case first == "":
		return "no column is called layer; there " + figure.Plural(len(found), "is ", "are ") + strings.Join(found, ", ")
	}
	return fmt.Sprintf("no column is called %s; there %s: -columns layer=%s takes one", strings.Join(layerColumns[:4], ", "),
		figure.Plural(len(found), "is ", "are ")+strings.Join(found, ", "), first)
}

// number makes nodes of the numbers from 0 or from 1 on that no list names, so that there are n of them; it leaves
// all as it is unless the numbers show where they begin.
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

// Span tells from which to which number the nodes go that the lists name; false if some are no numbers or a node file
// lists them.
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
	if err := s.labels(g, report, r.nodes, r.named); err != nil {
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

// graph returns them to be changed: matrices are shared, but for whether they have weights.
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
func (s *Set) labels(g *multiplex.Graph, report *Report, nodes *directory, named bool) error {
	for _, t := range s.tables[Labels] {
		a, err := readLabels(t, nodes)
		if err != nil {
			return err
		}
		if a.names != nil && !named {
			g.Nodes, named = a.names, true
		}
		for _, set := range a.labels {
			if slices.ContainsFunc(g.Labels, func(other multiplex.LabelSet) bool { return other.Name == set.Name }) {
				return &diag.Error{File: t.name, Where: "header", Found: "a second set of labels " + input.Quote(set.Name),
					Expected: "names that no other file has"}
			}
			g.Labels = append(g.Labels, set)
		}
		g.Columns = append(g.Columns, a.columns...)
		report.Notes = append(report.Notes, a.notes...)
	}
	return nil
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
		return &diag.Error{Found: strings.Join(found, ", "), Expected: "an edge list among them: layerID nodeID nodeID weight"}
	}
	for _, kind := range []Kind{Layers, Nodes} {
		if t := s.tables[kind]; len(t) > 1 {
			return &diag.Error{File: t[1].name, Found: fmt.Sprintf("a second file of %s beside %s", kind, t[0].name), Expected: "one"}
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
func (r *Report) build(g *multiplex.Graph, list *edgeList, s *Set, mutual bool) error {
	m := len(g.Nodes)
	x := multiplex.Identity(m)
	connected := make([]bool, m)
	edgeFile := s.firstEdges()
	var oneWay []string
	for l := range g.Layers {
		layer, edges := &g.Layers[l], list.layers[l]
		title := "layer " + strings.TrimPrefix(layer.Name, "layer ")
		if len(edges) == 0 {
			e := &diag.Error{File: edgeFile, Where: title, Found: "no edges", Expected: "at least one: without edges nothing propagates"}
			if list.zero[l] > 0 {
				e.Found = "only edges of weight 0"
			} else if list.across > 0 {
				e.Found = fmt.Sprintf("no edges within it; %s of different layers",
					figure.Count(list.across, "row")+figure.Plural(list.across, " joins nodes", " join nodes"))
			} else if t := s.tables[Layers]; t != nil {
				e.Found += " of this layer, which " + t[0].name + " lists"
			}
			return e
		}
		loops, repeated, pairs, both, same := tally(m, edges)
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
	return nil
}

// Check tells whether a graph of the edge lists can be trained. That of a single layer cannot: what could be
// its layers is said.
func (s *Set) Check(g *multiplex.Graph) error {
	err := g.Check()
	bad, ok := err.(*diag.Error)
	if !ok {
		return err
	}
	if bad.File = s.firstEdges(); g.N() < 2 {
		for _, f := range s.edges {
			if offers := f.offers(); offers != "" {
				bad.Expected += "; " + offers
				break
			}
		}
	}
	return bad
}

// Tables gives a graph made of matrices, which name no nodes, the names and labels of its node and label files. A node
// file lists the nodes in the order of the rows, or by number. Otherwise the ids of tables, those of
// variables among them, are the numbers of rows, from 0 or from 1.
func (s *Set) Tables(g *multiplex.Graph, report *Report, keyed []*variable.Variable) error {
	m := g.M()
	d := newDirectory("node", "the matrices")
	s.nodes, s.ordered = d, false
	if t := s.tables[Nodes]; t != nil {
		listed, a, err := readNodes(t[0], t[0].generated)
		if err != nil {
			return err
		}
		if listed.n != m {
			return &diag.Error{File: t[0].name, Found: figure.Count(listed.n, "node"), Expected: fmt.Sprintf("%d, as the matrices have", m)}
		}
		order := make([]int, m)
		from, numbered := listed.numbered()
		for i := range order {
			order[i] = i
			if numbered {
				order[i] = listed.ids[strconv.Itoa(i+from)]
			}
		}
		a.reorder(order)
		d.file, d.inFile, s.ordered = t[0].name, true, true
		for _, i := range order {
			id, name := listed.keys[i], ""
			for n, at := range listed.names {
				if at == i {
					name = n
				}
			}
			d.add(id, name)
		}
		g.Nodes, g.Labels, g.Columns = a.names, append(g.Labels, a.labels...), append(g.Columns, a.columns...)
		report.Notes = append(report.Notes, a.notes...)
		return s.labels(g, report, d, len(listed.names) > 0)
	}
	from, err := s.countFrom(m, keyed, report)
	if err != nil {
		return err
	}
	for i := range m {
		d.add(strconv.Itoa(i+from), "")
	}
	return s.labels(g, report, d, false)
}

// countFrom tells whether the ids of tables count m rows from 0 or from 1.
func (s *Set) countFrom(m int, keyed []*variable.Variable, report *Report) (int, error) {
	zero, last, file := "", "", ""
	look := func(name string, ids []string) error {
		file = name
		for _, id := range ids {
			n := shortNumber(id)
			switch {
			case n < 0 || n > m:
				return &diag.Error{File: name, Where: "node", Found: input.Quote(id) + " beside matrices, which name no nodes",
					Expected: fmt.Sprintf("the number of a row, from 0 to %d or from 1 to %d; or a node file that lists the nodes in the order of the rows "+
						"(nodeID, one a line)", m-1, m)}
			case n == 0:
				zero = name
			case n == m:
				last = name
			}
		}
		return nil
	}
	for _, t := range s.tables[Labels] {
		table, err := readTable(t.name, t.text, t.lines)
		if err != nil {
			return 0, err
		}
		if err := table.titles(func(string) bool { return false }); err != nil {
			return 0, err
		}
		var ids []string
		for _, r := range table.rows {
			ids = append(ids, r.fields[0])
		}
		if err := look(t.name, ids); err != nil {
			return 0, err
		}
	}
	for _, v := range keyed {
		if v.Keys.Sure {
			if err := look(v.File(), v.Keys.IDs); err != nil {
				return 0, err
			}
		}
	}
	switch {
	case file == "":
		return 0, nil
	case zero != "" && last != "":
		return 0, &diag.Error{File: last, Where: "node", Found: fmt.Sprintf("node %d beside node 0 of %s", m, zero),
			Expected: fmt.Sprintf("ids from 0 to %d or from 1 to %d", m-1, m)}
	case zero == "" && last == "":
		return 0, &diag.Error{File: file, Where: "node", Found: fmt.Sprintf("neither 0 nor %d among the ids", m),
			Expected: "one of them: otherwise it is not known whether ids count rows from 0 or from 1; a node file (nodeID, one a line) says it, too"}
	case zero != "":
		report.Note("Ids of %s count the rows of the matrices from 0.", zero)
		return 0, nil
	}
	report.Note("Ids of %s count the rows of the matrices from 1.", last)
	return 1, nil
}
