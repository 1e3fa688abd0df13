package text

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cadem.example/core/internal/input"
)

// findIDs looks for the column of a table of nodes that holds the ends of links, where the one that its titles say holds none.
func (s *Set) findIDs(t *textFile) {
	known := map[string]bool{}
	for _, f := range s.edges {
		for _, v := range f.ends() {
			known[input.Name(v)] = true
		}
	}
	rows, err := readTable(t)
	if err != nil || len(known) == 0 || t.generated {
		return
	}
	count := make([]int, len(rows.Rows[0].Fields))
	for _, r := range rows.Rows {
		for c, f := range r.Fields[:min(len(r.Fields), len(count))] {
			count[c] += btoi(known[input.Name(rows.layout.id(f))])
		}
	}
	if best := slices.Index(count, slices.Max(count)); count[0] == 0 && 2*count[best] > len(rows.Rows) {
		if t.ids = best + 1; best == rows.scan.front { // which was swapped
			t.ids = 1
		}
	}
}

// areNodes reports whether the first column of a text names every node of the lists once, as lists of people do that have no titles.
func (s *Set) areNodes(t *textFile) bool {
	rows, err := readTable(t)
	if err != nil || !s.HasEdges() || len(rows.Rows[0].Fields) < 2 {
		return false
	}
	names := map[string]bool{}
	for _, r := range rows.Rows {
		names[input.Name(r.Fields[0])] = true
	}
	for _, f := range s.edges {
		c := *f
		if c.columns.source < 0 && len(c.readings) > 0 { // these are decided later
			c.columns, _ = chosenColumns(c.readings[0].Columns, nil, c.columns)
		}
		list := c.ends()
		if list == nil || slices.ContainsFunc(list, func(v string) bool { return !names[input.Name(v)] }) {
			return false
		}
	}
	return len(names) == len(rows.Rows)
}

// labelEnds makes labels of what two columns of lists say of the ends of links, as the classes of pupils who meet, where no other file
// says anything of nodes.
func (s *Set) labelEnds() {
	of, title := map[string]string{}, ""
	var from []string
	for _, f := range s.edges {
		a, b := f.aboutEnds()
		if a < 0 || s.tables[Nodes] != nil || s.tables[Labels] != nil {
			continue
		}
		scan := f.scanner()
		for scan.scan() && len(scan.fields) == f.columns.n {
			for _, c := range [...][2]int{{f.columns.source, a}, {f.columns.target, b}} {
				node, value := scan.fields[c[0]], scan.fields[c[1]]
				if known, again := of[node]; again && known != value {
					return
				}
				of[strings.Clone(node)] = strings.Clone(value)
			}
		}
		if title = "class"; f.header != nil {
			title = f.header[a]
		}
		f.about = []int{a, b}
		from = append(from, fmt.Sprintf("%s: columns %d and %d say the %s of the ends of links and were taken as labels.", f.file, a+1, b+1, title))
	}
	if len(of) == 0 {
		return
	}
	var b strings.Builder
	WriteRecord(&b, []string{"id", title})
	for node, value := range of { // in any order: the graph has its own
		WriteRecord(&b, []string{node, value})
	}
	s.notes = append(s.notes, from...)
	s.tables[Labels] = []*textFile{{name: s.firstEdges(), text: b.String(), kind: Labels, generated: true}}
}

// aboutEnds returns the columns of words that say something of the source and of the target of every link, the same of a node wherever it
// stands; -1 if there are none.
func (f *edgeFile) aboutEnds() (a, b int) {
	e, c := f.evidence(f.header != nil), f.columns
	if f.matrix || c.channels != "" || max(c.source, c.target) >= len(e.column) || f.strange || c.source < 0 {
		return -1, -1
	}
	roles := f.roles()
	for a := range e.column {
		for b := a + 1; b < len(e.column); b++ {
			if roles[a] != leftColumn || roles[b] != leftColumn || e.column[a].numbers+e.column[b].numbers > 0 || len(e.column[a].has) < 2 {
				continue
			}
			x, y := a, b
			if c.source > c.target {
				x, y = b, a
			}
			of, same := map[int32]int32{}, true
			for k := range e.rows {
				for _, pair := range [...][2]int32{{e.codes[c.source][k], e.codes[x][k]}, {e.codes[c.target][k], e.codes[y][k]}} {
					known, again := of[pair[0]]
					same = same && (!again || known == pair[1])
					of[pair[0]] = pair[1]
				}
			}
			if same && 2*len(e.column[x].has) <= len(of) {
				return x, y
			}
		}
	}
	return -1, -1
}

// regions takes a table of regions of a brain, by its columns x, y and z or one that counts its rows, for a list of the nodes of matrices, which have no names.
// One that numbers the regions says itself which rows they are.
func (s *Set) regions() {
	list := s.tables[Labels]
	if s.HasEdges() || s.tables[Nodes] != nil || len(list) != 1 {
		return
	}
	t, err := readTable(list[0])
	if err != nil || len(t.Rows) < 2 || input.IsWhole(t.Rows[1].Fields[0]) {
		return
	}
	axes, counted := 0, false
	body := Table{Rows: t.Rows[1:]}
	for k, title := range t.Rows[0].Fields {
		axes += btoi(isAxis(title))
		counted = counted || Counts(body.Column(k), "")
	}
	name := strings.ToLower(path.Base(list[0].name))
	if axes < 3 && !counted && !strings.Contains(name, "channels") && !strings.Contains(name, "electrodes") { // of BIDS
		return
	}
	list[0].kind, list[0].regions = Nodes, true
	s.tables[Nodes], s.tables[Labels] = list, nil
	s.Files[list[0].at].Kind = Nodes
}
