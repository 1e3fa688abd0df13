package text

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
)

// A dialect is a format of other programs whose lines are not the rows of a table.
type dialect struct {
	is    func(file string, lines iter.Seq[string]) bool // by the lines that are no comments
	line  func(g *linked, fields []string) bool          // reads a line, and reports whether it is right
	says  string                                         // what a line should hold
	third string                                         // the column behind the ends of links
}

// longest is after how many lines that a table may have, too, a file is taken for one.
const longest = 1 << 15

// dialects are all of them, made without a call, as [input.Identify] has its table. The first that recognises a file reads it.
var dialects = [...]dialect{
	{isLGL, (*linked).lgl, "# and a node, then its neighbours, each with its weight or without (LGL of igraph)", weightColumn},
	{isDIMACS, (*linked).dimacs, "e or a, the two ends of a link and perhaps its weight (DIMACS)", weightColumn},
	{isSIF, (*linked).sif, "a source, a word for the kind of its links, and targets (SIF of Cytoscape); " +
		"signs, as CARNIVAL has them, are weights: -columns source,weight,target", layerColumn},
	{isTriples, (*linked).triple, "a subject, a predicate, an object and a point (N-Triples)", layerColumn},
	{isTGF, (*linked).tgf, "the two ends of a link and perhaps a label (TGF)", "label"},
	{isDictionary, (*linked).dictionary, "two nodes and a dictionary of attributes, as write_edgelist of networkx writes them", ""},
	{isMETIS, (*linked).metis, "the neighbours of a node (METIS)", weightColumn},
	{isAdjacency, (*linked).neighbours, "a node and its neighbours: nx.write_graphml keeps their attributes", ""},
}

// A linked is what is read from the lines of a dialect: edges and nodes as tables.
type linked struct {
	edges, nodes strings.Builder
	titles       []string // of the edges
	named        []string // titles of the nodes; nil: there is no table of them
	seen         map[string]bool
	at           int     // the line that is read
	text         string  // which it is
	lines, of    []int32 // of the edges, and of the nodes
	node         string  // that the lines below are of
	sizes        []int   // of METIS, and the lines below them
	rows         int
	past         bool // the nodes
}

// add adds a node, and reports true.
//
//go:noinline
func (g *linked) add(id ...string) bool {
	if !g.seen[id[0]] {
		g.seen[id[0]] = true
		WriteRecord(&g.nodes, append(id, make([]string, len(g.named))...)[:len(g.named)])
		g.of = append(g.of, int32(g.at))
	}
	return true
}

// join adds a link with the values of the columns behind its ends, and reports whether they are not too many.
//
//go:noinline
func (g *linked) join(a, b string, values ...string) bool {
	g.add(a)
	g.add(b)
	if len(values) == 0 && len(g.titles) > 2 && g.titles[2] == weightColumn {
		values = []string{"1"}
	}
	g.link(append([]string{a, b}, values...))
	return a != "" && b != "" && 2+len(values) <= len(g.titles)
}

// link writes a link between nodes that are there.
func (g *linked) link(fields []string) {
	WriteRecord(&g.edges, fields)
	g.lines = append(g.lines, int32(g.at))
}

// graph returns what was read.
func (g *linked) graph() *Graph {
	return &Graph{Edges: titled(g.titles, &g.edges), Nodes: titled(g.named, &g.nodes),
		edgeLines: g.lines, nodeLines: g.of}
}

// titled returns rows below their titles; "" without titles.
func titled(titles []string, rows *strings.Builder) string {
	if titles == nil {
		return ""
	}
	var b strings.Builder
	WriteRecord(&b, titles)
	return b.String() + rows.String()
}

// WriteRecord writes a row of CSV, with quotes around all but plain words and numbers.
//
//go:noinline
func WriteRecord(b *strings.Builder, fields []string) {
	for k, f := range fields {
		if k > 0 {
			b.WriteByte(',')
		}
		quoted := strings.HasPrefix(f, "--")
		for i := 0; i < len(f) && !quoted; i++ {
			c := f[i]
			quoted = (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_'
		}
		if quoted {
			f = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
		}
		b.WriteString(f)
	}
	b.WriteByte('\n')
}

// linesOf lists the lines of a text that are no comments, from the first that is not empty.
func linesOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		begun := false
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if begun = begun || !input.IsComment(line); begun && (line == "" || line == "#" || !input.IsComment(line)) && !yield(line) {
				return
			}
		}
	}
}

// dialectOf returns the dialect of a text; nil if it is of none.
func dialectOf(file, text string) *dialect {
	name, lines := strings.ToLower(file), linesOf(text)
	for k := range dialects {
		if dialects[k].is(name, lines) {
			return &dialects[k]
		}
	}
	return nil
}

// read reads a text of the dialect.
func (d *dialect) read(file, text string) (*Graph, error) {
	g := &linked{seen: map[string]bool{}, named: []string{"id", "name"}, titles: []string{sourceColumn, targetColumn}}
	if d.third != "" {
		g.titles = append(g.titles, d.third)
	}
	l := layout{separator: ' '}
	if d.third == layerColumn && strings.Contains(text, "\t") { // names in SIF may have blanks then
		l.separator = '\t'
	}
	begun := false
	for line := range strings.Lines(text) {
		g.at++
		line = strings.TrimSpace(line)
		sign := line != "" && line[0] == '#' && (d == &dialects[0] || line == "#")
		if begun = begun || sign || !input.IsComment(line); !begun || !sign && line != "" && input.IsComment(line) {
			continue
		}
		fields, _ := l.split(line, nil)
		if line != "" && fields[0] != "" || g.sizes != nil {
			if g.text = line; !d.line(g, fields) {
				return nil, diag.At(file, g.at, "", input.Quote(line), d.says)
			}
		}
	}
	return g.graph(), nil
}

func isLGL(file string, _ iter.Seq[string]) bool { return strings.HasSuffix(file, ".lgl") }

// isSIF recognises files by their name, unless titles say what the columns are.
func isSIF(file string, lines iter.Seq[string]) bool {
	for line := range lines {
		_, titled := headed(strings.Fields(line))
		return !titled && strings.HasSuffix(file, ".sif")
	}
	return false
}

func (g *linked) lgl(f []string) bool {
	if f[0] != "#" {
		return g.node != "" && g.join(g.node, f[0], f[1:]...)
	}
	g.node = f[len(f)-1]
	return len(f) == 2 && g.add(g.node)
}

// isDIMACS recognises the line "p edge 12 22" behind lines of comments, which begin with c.
func isDIMACS(_ string, lines iter.Seq[string]) bool {
	for line := range lines {
		if f := strings.Fields(line); len(f) > 0 && f[0] != "c" {
			return len(f) == 4 && f[0] == "p" && input.IsWhole(f[2])
		}
	}
	return false
}

func (g *linked) dimacs(f []string) bool {
	switch f[0] {
	case "e", "a":
		return len(f) > 2 && g.join(f[1], f[2], f[3:]...)
	}
	return f[0] == "p" || f[0] == "c" || f[0] == "n"
}

func (g *linked) sif(f []string) bool {
	if len(f) == 1 {
		return g.add(f[0])
	}
	_, number := input.Number(f[1])
	for _, target := range f[min(2, len(f)):] {
		number = number || !g.join(f[0], target, f[1])
	}
	return !number && len(f) > 2
}

// isTriples recognises links as RDF has them: <a> <knows> <b> .
func isTriples(_ string, lines iter.Seq[string]) bool {
	for line := range lines {
		f := strings.Fields(line)
		return len(f) > 3 && line[0] == '<' && f[1][0] == '<' && f[len(f)-1] == "."
	}
	return false
}

func (g *linked) triple(f []string) bool {
	if len(f) < 4 || f[2][0] != '<' && f[2][0] != '_' { // what it says of its subject is no link
		return len(f) > 3
	}
	return g.join(strings.Trim(f[0], "<>"), strings.Trim(f[2], "<>"), strings.Trim(f[1], "<>"))
}

// isTGF recognises a line # alone between nodes and edges that join these.
func isTGF(_ string, lines iter.Seq[string]) bool {
	cut, row := 0, 0
	for line := range lines {
		if row++; row > longest && cut == 0 {
			return false
		}
		cut += btoi(line == "#")
	}
	if cut != 1 {
		return false
	}
	ids, edges := map[string]bool{}, -1
	for line := range lines {
		f := append(strings.Fields(line), "", "")
		switch {
		case line == "#":
			edges = 0
		case edges < 0:
			ids[f[0]] = true
		case line != "" && !(ids[f[0]] && ids[f[1]]):
			return false
		case line != "":
			edges++
		}
	}
	return edges > 0
}

func (g *linked) tgf(f []string) bool {
	if f[0] == "#" {
		g.past = true
		return true
	}
	if !g.past {
		return g.add(f[0], strings.Join(f[1:], " "))
	}
	return len(f) > 1 && g.join(f[0], f[1], strings.Join(f[2:], " "))
}

// isDictionary recognises links with attributes as Python writes them: a b {'weight': 3}.
func isDictionary(_ string, lines iter.Seq[string]) bool {
	for line := range lines {
		ends, _ := cutDictionary(line)
		return len(ends) == 2 && strings.HasSuffix(strings.TrimRight(line, `"`), "}")
	}
	return false
}

// cutDictionary returns the fields before a dictionary, and what is inside of it. In a cell of CSV its quotes are doubled.
func cutDictionary(line string) (ends []string, inside string) {
	before, inside, _ := strings.Cut(line, "{")
	before, quoted := strings.CutSuffix(before, `"`)
	if inside = strings.TrimRight(inside, `}"`); quoted {
		inside = strings.ReplaceAll(inside, `""`, `"`)
	}
	separator := strings.IndexAny(before, ",\t;") // else blanks
	return strings.FieldsFunc(before, func(r rune) bool {
		return separator < 0 && r == ' ' || separator >= 0 && r == rune(before[separator])
	}), inside
}

func (g *linked) dictionary([]string) bool {
	ends, inside := cutDictionary(g.text)
	return len(ends) == 2 && g.join(strings.TrimSpace(ends[0]), strings.TrimSpace(ends[1]), g.attributes(inside)...)
}

// attributes returns the values of a dictionary of Python, each in the column of its key.
func (g *linked) attributes(inside string) []string {
	values := make([]string, len(g.titles)-2)
	for inside != "" {
		var key, value string
		key, inside, _ = strings.Cut(inside, ":")
		key, inside = strings.Trim(key, ` ,'"`), strings.TrimSpace(inside)
		ends := ","
		if inside != "" && (inside[0] == '\'' || inside[0] == '"') {
			ends, inside = inside[:1], inside[1:]
		}
		value, inside, _ = strings.Cut(inside, ends)
		if _, number, ok := strings.Cut(value, "("); ok && strings.HasPrefix(value, "np.") { // np.float64(1.5), as NumPy 2 writes it
			value = strings.TrimSuffix(number, ")")
		}
		inside = strings.TrimLeft(inside, " ,")
		k := slices.Index(g.titles, key) - 2
		if k < 0 {
			k = len(values)
			g.titles, values = append(g.titles, key), append(values, "")
		}
		values[k] = value
	}
	return values
}

// metisSizes reads the first line of METIS: the numbers of nodes and of edges, how many numbers of a node stand before its neighbours,
// and every how many one stands. The format says which have sizes and weights, as in 011; behind it may be how many weights a node has.
func metisSizes(f []string) []int {
	if len(f) < 2 || len(f) > 4 {
		return nil
	}
	f = append(slices.Clone(f), "000", "1")
	format := "00" + f[2]
	format = format[len(format)-3:]
	before := btoi(format[0] == '1') + btoi(format[1] == '1')*max(shortNumber(f[3]), 1)
	return []int{shortNumber(f[0]), shortNumber(f[1]), before, 1 + btoi(format[2] == '1')}
}

// isMETIS reports whether numbers of nodes and edges in the first line are those of the lines below, each with the neighbours of a node;
// that of a node without any is empty.
func isMETIS(_ string, lines iter.Seq[string]) bool {
	var size []int
	rows, ends, odd := 0, 0, 0
	for line := range lines {
		f := strings.Fields(line)
		if size == nil {
			if size = metisSizes(f); size == nil || size[0] < 1 {
				return false
			}
			continue
		}
		if rows++; rows > size[0] && line != "" || len(f) > 0 && (len(f) < size[2] || (len(f)-size[2])%size[3] > 0) {
			return false
		}
		for at := size[2]; at < len(f); at += size[3] {
			k := shortNumber(f[at])
			if k < 1 || k > size[0] {
				return false
			}
			ends, odd = ends+1, odd+rows*k*(rows*rows-k*k) // 0 where every link stands at both of its ends
		}
	}
	return size != nil && odd == 0 && ends == 2*size[1] && size[0] <= 2*rows
}

// isAdjacency recognises lists of neighbours, a line a node: lines below the first differ in length, none names a node twice, and nearly
// all neighbours have a line of their own.
func isAdjacency(_ string, lines iter.Seq[string]) bool {
	row, last, differ := 0, 0, false
	for line := range lines {
		n := 0
		for range strings.FieldsSeq(line) {
			n++
		}
		if strings.ContainsAny(line, ",;\t\"'{|") {
			return false
		}
		if n > 0 {
			differ, row, last = differ || row > 1 && n != last, row+1, n
		}
		if row > longest && !differ {
			return false
		}
	}
	if !differ {
		return false
	}
	first, all, known := map[string]bool{}, 0, 0
	for line := range lines {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if first[f[0]] {
			return false
		}
		first[f[0]] = true
		slices.Sort(f)
		if len(slices.Compact(f)) < len(strings.Fields(line)) {
			return false
		}
	}
	for line := range lines {
		for k, f := range strings.Fields(line) {
			all, known = all+btoi(k > 0), known+btoi(k > 0 && first[f])
		}
	}
	return len(first) > 3 && all >= len(first) && 10*known >= 9*all
}

func (g *linked) metis(f []string) bool {
	if g.sizes == nil {
		g.sizes = metisSizes(f)
		for k := range g.sizes[0] {
			g.add(strconv.Itoa(k + 1))
		}
		return true
	}
	g.rows++
	for at := g.sizes[2]; at < len(f); at += g.sizes[3] {
		g.join(strconv.Itoa(g.rows), f[at], f[at+1:at+g.sizes[3]]...)
	}
	return true
}

func (g *linked) neighbours(f []string) bool {
	g.add(f[0])
	for _, other := range f[1:] {
		if other[0] == '{' || !g.join(f[0], other) {
			return false
		}
	}
	return true
}
