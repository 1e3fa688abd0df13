// Package text reads the text files of a multiplex graph: edge lists with layer, node and label
// files, GraphML, GEXF, GML, networks of Pajek and Infomap, muxViz and multinet files, and tables.
// Errors are a [*diag.Error] that names file, line and field.
package text

import (
	"path"
	"slices"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
)

// A Set is the text files that were opened together: edge lists and accompanying files.
type Set struct {
	Files   []FileReport // all that were opened, those of arrays among them
	Aside   []string     // files that hold no data
	edges   []*edgeFile
	tables  map[Kind][]*textFile // of layers, nodes and labels
	titles  map[string]string    // of the layers that a configuration names, by file
	listed  *directory           // these layers in its order
	loose   []*textFile          // text that is not sorted in yet
	notes   sentences            // on how tables were put together
	chosen  []string             // columns of lists
	several []string             // which attributes have more values than were read
	rows    []*textFile          // the names of the rows of matrices as a node file

	nodes   *directory // of the graph that was made last
	ordered bool       // a node file gives their order
	read    *readEdges // what was read last
	built   *built     // and the graph built from it
}

// NewSet returns an empty set of files, of which some are lists of links in columns that were chosen; "": none were.
func NewSet(columns string) Set {
	parts, _ := choicesOf(columns)
	return Set{tables: map[Kind][]*textFile{}, chosen: parts}
}

// forced returns the list that a text is by the columns that were chosen, whatever else it may be; nil if they are not about it.
// Titles have to name both ends of links; roles by their order have to be as many as the columns, and give way to what a file says.
func (s *Set) forced(file, text string) *edgeFile {
	if len(s.chosen) == 0 {
		return nil
	}
	f, first := newEdgeFile(file, text)
	titles := f.head
	if titles == nil {
		return nil
	}
	if first.scan() && len(first.fields) == len(titles)+1 {
		titles = append([]string{""}, titles...)
	}
	for _, choice := range s.chosen {
		f.header = nil
		named := strings.Contains(choice, "=")
		if named || isPaired(titles) || isHeaded(titles) || f.evidence(false).titles(f.head, &f.layout) {
			f.header = titles
		}
		f.columns = noColumns(len(titles))
		f.columns.titled(titles)
		if c, err := chosenColumns(choice, f.header, f.columns); err == nil && f.suits(choice) && (named || f.header == nil || !isHeaded(titles)) {
			f.columns, f.given, f.resolved = c, true, named
			return f
		}
	}
	return nil
}

// Notes says how texts were read, of which no graph of lists says it.
func (s *Set) Notes() []string {
	if s.HasEdges() {
		return nil
	}
	return s.notes
}

// HasEdges reports whether there are edge lists.
func (s *Set) HasEdges() bool { return len(s.edges) > 0 }

// AddArrays notes a file of arrays.
func (s *Set) AddArrays(file string) { s.Files = append(s.Files, FileReport{file, Arrays}) }

// A textFile is a text and its kind.
type textFile struct {
	name, text string
	lines      []int32 // of its records, where it was made of something else
	kind       Kind
	ids        int       // the column of the ids of nodes, from 1; 0: by its title
	edges      *edgeFile // of an edge list, or of the graph that it holds the nodes of
	err        error     // why the kind is not known
	at         int       // among the files
	generated  bool      // the nodes of a graph that was made of something else, in no order
	regions    bool      // a table of regions, whose rows are those of matrices without names
}

// scanner begins to read a text as a table. One that was made of something else has commas, whatever its fields hold.
func (t *textFile) scanner() *scanner {
	l := layout{separator: ','}
	if !t.generated {
		l = layoutOf(t.text)
	}
	s := newScanner(t.name, t.text, l)
	s.lines, s.table, s.ids = t.lines, true, t.ids
	return s
}

// Read takes up a text file.
func (s *Set) Read(f *input.File) error {
	text, err := input.Text(f)
	if err != nil {
		return err
	}
	var g *Graph
	switch name := input.Identify([]byte(text[:min(len(text), input.HeadSize)]), 0).Name; {
	case isMPX(text):
		g, err = readMPX(f.Name, text)
	case isXML(text, "graphml"):
		g, err = graphOf(readGraphML(f.Name, text))
	case isXML(text, "gexf"):
		g, err = graphOf(gexf.read(f.Name, text))
	case name == input.GMLName:
		g, err = graphOf(readGML(f.Name, text))
	case name == input.JSONName, name == input.CytoscapeName:
		g, err = graphOf(readJSON(f.Name, text))
	case name == input.PajekName, name == input.InfomapName:
		g, err = readPajek(f.Name, text)
	default:
		if whole, note := triangle(f.Name, text); whole != "" {
			text, s.notes = whole, append(s.notes, note)
		}
		kind, edges, bad := Edges, s.forced(f.Name, text), error(nil)
		if edges == nil || !edges.resolved {
			if bad := foreign(f.Name, text); bad != nil {
				return bad
			}
			by := edges
			if d := dialectOf(f.Name, text); d != nil && edges == nil {
				g, err = d.read(f.Name, text)
				break
			} else if d != nil {
			} else if kind, edges, bad = kindOf(f.Name, text); kind == "" && by != nil {
				kind, edges, bad = Edges, by, nil
			}
		}
		s.addFile(&textFile{name: f.Name, text: text, kind: kind, edges: edges, err: bad})
		return nil
	}
	if err == nil {
		s.AddGraph(f.Name, g)
	}
	return err
}

// addFile adds the last of the texts that a file is.
func (s *Set) addFile(t *textFile) {
	t.at = len(s.Files)
	s.loose, s.Files = append(s.loose, t), append(s.Files, FileReport{Name: t.name})
}

// A Graph is one that a file holds in another form, as two tables in CSV: edges with the columns source, target and their attributes, and
// nodes with the column id and theirs, "" where there are none.
type Graph struct {
	Edges, Nodes         string
	edgeLines, nodeLines []int32   // of their records in the file; nil where it has no lines
	relation             string    // the column that holds layers by the format, if there is one
	several              sentences // which attributes have more values than were read
}

// AddGraph takes up such a graph.
func (s *Set) AddGraph(file string, g *Graph) {
	kind, e, err := kindOf(file, g.Edges)
	if strings.TrimSpace(g.Nodes) != "" {
		lines := g.nodeLines
		if lines != nil { // the header has one, too
			lines = append([]int32{1}, lines...)
		}
		s.loose = append(s.loose, &textFile{name: file, text: g.Nodes, lines: lines, kind: Nodes, edges: e, at: len(s.Files), generated: true})
	}
	if e != nil {
		e.lines = g.edgeLines
		if k := slices.Index(e.header, g.relation); k > 0 && e.columns.layer < 0 {
			e.columns.layer, e.relation = k, g.relation
		}
	}
	s.several = append(s.several, g.several...)
	s.addFile(&textFile{name: file, text: g.Edges, kind: kind, edges: e, err: err})
}

// NameRows takes the names of the rows of matrices for a node file, unless there is one; nil: they have none.
func (s *Set) NameRows(file string, ids []string) {
	if s.rows = nil; ids == nil || s.tables[Nodes] != nil {
		return
	}
	var b strings.Builder
	b.WriteString("id\n")
	for _, id := range ids {
		WriteRecord(&b, []string{id})
	}
	s.rows = []*textFile{{name: file, text: b.String(), kind: Nodes}}
}

// Listed returns the ids of the nodes of a node file in the order of the rows of matrices, and their names; nil if there is none
// that can be read.
func (s *Set) Listed() [][]string {
	t := s.tables[Nodes]
	if t == nil {
		return nil
	}
	d, a, err := readNodes(t[0], t[0].generated)
	if err != nil {
		return nil
	}
	rows := d.rows()
	a.reorder(rows)
	return [][]string{reorder(d.keys, rows), a.names}
}

// NodeFile returns the name of the node file, "" if there is none.
func (s *Set) NodeFile() string {
	if t := s.tables[Nodes]; t != nil {
		return t[0].name
	}
	return ""
}

// Sort decides what every text is, now that all files are known, and returns the tables of numbers.
func (s *Set) Sort() (tables []*variable.Variable, err error) {
	if err := s.muxViz(); err != nil {
		return nil, err
	}
	if err := s.mergeNodes(); err != nil {
		return nil, err
	}
	for _, t := range s.loose {
		if t.edges != nil && t.kind == Edges && variable.SaysFeatures(&variable.Variable{Name: input.Stem(t.name)}) &&
			(t.edges.counter || t.edges.header == nil && t.edges.evidence(false).isNumeric()) {
			t.kind = "" // by its name
		}
		if t.kind == Edges && t.edges != nil {
			s.edges = append(s.edges, t.edges)
		}
	}
	for _, t := range s.loose {
		vars, err := s.table(t)
		if err != nil {
			return nil, err
		}
		if t.kind == "" && vars == nil && s.areNodes(t) {
			t.kind = Nodes
		}
		if t.kind == "" && s.HasEdges() && isProse(t.text) {
			s.Aside = append(s.Aside, t.name)
			continue
		}
		if t.kind == "" || t.kind == Edges && t.edges == nil {
			return nil, t.err
		}
		tables = append(tables, vars...)
		s.Files[t.at].Kind = t.kind
		if t.kind == Nodes || t.kind == Labels {
			s.findIDs(t)
		}
		if t.kind == Layers || t.kind == Nodes || t.kind == Labels {
			s.tables[t.kind] = append(s.tables[t.kind], t)
		}
	}
	if tables, err = s.matrixTables(tables); err != nil {
		return nil, err
	}
	s.loose = nil
	if t := s.tables[Nodes]; len(t) == 2 && t[0].generated != t[1].generated {
		// A node file beside a graph that lists its nodes, too: the file gives their order, the graph attributes.
		if t[0].generated {
			t[0], t[1] = t[1], t[0]
		}
		s.tables[Nodes], s.tables[Labels] = t[:1], append(s.tables[Labels], t[1])
	}
	s.regions()
	s.decide()
	s.follow()
	s.labelEnds()
	for k := range s.Files {
		for _, f := range s.edges {
			if f.file == s.Files[k].Name && f.isOneLayer() {
				s.Files[k].Kind = Layer
			}
		}
	}
	return tables, nil
}

// isProse reports whether a text is sentences, whose lines differ in their number of words, or less than two lines.
func isProse(text string) bool {
	lines, differ, before := 0, 0, 0
	for line := range linesOf(text) {
		n := 0
		for range strings.FieldsSeq(line) {
			n++
		}
		if n > 0 {
			lines, differ, before = lines+1, differ+btoi(n != before), n
		}
	}
	return lines < 3 || 2*differ > lines
}

// matrixTables adds matrices with the same names above and beside to the tables where a matrix with other names is among these, and
// nothing else: tables are joined by their names.
func (s *Set) matrixTables(tables []*variable.Variable) ([]*variable.Variable, error) {
	mixed := slices.ContainsFunc(tables, func(v *variable.Variable) bool {
		return v.IsSquare() && !v.Offered && !variable.SaysFeatures(v) && !variable.SaysLabels(v)
	})
	if !mixed || slices.ContainsFunc(s.edges, func(f *edgeFile) bool { return !f.matrix }) {
		return tables, nil
	}
	for _, t := range s.loose {
		if t.edges == nil {
			continue
		}
		t.kind = ""
		vars, err := s.table(t)
		if err != nil {
			return nil, err
		}
		tables, s.Files[t.at].Kind = append(tables, vars...), Arrays
	}
	s.edges = nil
	return tables, nil
}

// table reads what a text holds as a table: numbers where it is one of features, or of no other kind, and
// the measurements of a table of nodes.
func (s *Set) table(t *textFile) (vars []*variable.Variable, err error) {
	features := variable.SaysFeatures(&variable.Variable{Name: input.Stem(t.name)})
	plain := !features && (t.kind == Labels || t.kind == Nodes)
	if !plain && t.kind != "" && (!features || t.kind == Edges) {
		return nil, nil
	}
	first := t.scanner()
	ofNodes := plain && (!first.scan() || t.generated || isHeaded(first.fields) || s.HasEdges() && len(first.fields) > 1)
	if plain && !ofNodes {
		vars = column(t)
	}
	if vars == nil {
		vars, err = numericTable(t, ofNodes)
	}
	if vars != nil && !vars[0].Offered {
		t.kind = Arrays
	}
	for _, v := range vars {
		v.Limit(input.RoomFor(int64(len(t.text))))
	}
	return vars, err
}

// column reads a file of labels, a word a line, in the order of the nodes; nil if it is none.
func column(t *textFile) []*variable.Variable {
	if t.kind != Labels {
		return nil
	}
	s := newScanner(t.name, t.text, layout{separator: '\n'})
	s.table = true
	var words []string
	numeric := true
	for s.scan() {
		if strings.ContainsAny(s.fields[0], ",;\t ") {
			return nil
		}
		_, is := input.Number(s.fields[0])
		numeric = numeric && is
		words = append(words, strings.Clone(s.fields[0]))
	}
	if numeric || s.err != nil {
		return nil
	}
	return []*variable.Variable{variable.NewText(t.name, input.Stem(t.name), []int{len(words)}, words)}
}

// decide chooses the columns of the lists without a header, those of one width together: one that is a
// layer by itself is likelier among several, one of several layers likelier alone.
func (s *Set) decide() {
	if len(s.edges) == 1 {
		if f := s.edges[0]; !f.strange {
			if k := f.likelyLayer(); k >= 0 {
				f.columns.layer, f.likely = k, true
			} else if all := f.likelyChannels(); all != "" {
				f.columns.channels, f.columns.weight, f.likely = all, int(all[0]), true
			}
		}
	}
	byWidth := map[int][]*edgeFile{}
	for _, f := range s.edges {
		if !f.given {
			byWidth[f.columns.n] = append(byWidth[f.columns.n], f)
		}
	}
	for _, files := range byWidth {
		var all []Reading
		for _, r := range files[0].readings {
			r.cost = 0
			for _, f := range files {
				k := slices.IndexFunc(f.readings, func(o Reading) bool { return o.Columns == r.Columns })
				if k < 0 {
					r.Columns = ""
					break
				}
				r.cost += f.readings[k].cost / float64(len(files))
				r.Layers, r.Nodes = max(r.Layers, f.readings[k].Layers), max(r.Nodes, f.readings[k].Nodes)
			}
			if (len(files) > 1) == !strings.Contains(r.Columns, layerColumn) {
				r.cost -= giftOfTradition
			}
			if s.tables[Layers] != nil && strings.HasPrefix(r.Columns, layerColumn) { // their ids stand beside
				r.cost -= giftOfLayers
			}
			if r.Columns != "" {
				all = append(all, r)
			}
		}
		sorting.Stable(all, byCost)
		for _, f := range files {
			if len(all) > 0 {
				f.readings = all
			}
			f.columns, _ = chosenColumns(f.readings[0].Columns, nil, f.columns)
		}
	}
}

// follow has the parts of one list that can be read in two ways follow one that cannot: its columns, and
// perhaps more behind them.
func (s *Set) follow() {
	of, _ := parts(s.edges)
	for k, f := range s.edges {
		if !f.unclear() {
			continue
		}
		for i, other := range s.edges {
			if of[i] != of[k] || other.given || other.unclear() {
				continue
			}
			for _, r := range f.readings {
				if strings.HasPrefix(r.Columns, other.readings[0].Columns) {
					f.columns, _ = chosenColumns(r.Columns, nil, f.columns)
					f.readings = []Reading{r}
					break
				}
			}
		}
	}
}

// unclear reports whether the columns of a list can be read in two ways, or have titles that are not known.
func (f *edgeFile) unclear() bool {
	return !f.given && (f.strange || len(f.readings) > 1 && f.readings[1].cost-f.readings[0].cost < decisive)
}

// layerNames names layers after their files: by the stems of the names if these differ, else by the names with their
// endings, else with the folders, too.
func layerNames(files []string) []string {
	clean := func(file string) string { return strings.TrimSuffix(strings.ReplaceAll(file, `\`, "/"), ".gz") }
	folder := func(file string) string {
		if dir := path.Base(path.Dir(clean(file))); dir != "." {
			return dir + "/"
		}
		return ""
	}
	for _, name := range []func(string) string{
		input.Stem,
		func(f string) string { return path.Base(clean(f)) },
		func(f string) string { return folder(f) + input.Stem(f) },
		func(f string) string { return folder(f) + path.Base(clean(f)) },
		clean,
	} {
		names, seen := []string{}, map[string]bool{}
		for _, f := range files {
			names = append(names, name(f))
			seen[input.Name(name(f))] = true
		}
		if len(seen) == len(files) {
			return names
		}
	}
	return files
}

// partOf returns the name of a file without the word that says which part of a list it is; false if there is
// none.
func partOf(file string) (rest string, ok bool) {
	stem := strings.ToLower(input.Stem(file))
	words := strings.FieldsFunc(stem, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	var others []string
	for _, word := range words {
		if variable.SplitWord(word) < 0 {
			others = append(others, word)
		}
	}
	return path.Join(path.Dir(strings.ReplaceAll(file, `\`, "/")), strings.Join(others, "_")), len(others) < len(words)
}

// parts returns for each list the first of those that it is a part of one list with, or itself.
func parts(lists []*edgeFile) (of []int, joined [][]string) {
	first := map[string]int{}
	at := map[int]int{}
	for k, f := range lists {
		rest, ok := partOf(f.file)
		if !ok {
			of = append(of, k)
			continue
		}
		i, again := first[rest]
		if !again {
			first[rest], i = k, k
		} else {
			if _, known := at[i]; !known {
				at[i] = len(joined)
				joined = append(joined, []string{lists[i].file})
			}
			joined[at[i]] = append(joined[at[i]], f.file)
		}
		of = append(of, i)
	}
	return of, joined
}
