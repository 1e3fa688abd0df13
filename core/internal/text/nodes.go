package text

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
	"cadem.example/core/multiplex"
)

// readLayers reads a layer file: an id and a name a line, with or without a header.
func readLayers(f *textFile) (*directory, []string, error) {
	file := f.name
	t, err := readTable(f)
	if err != nil {
		return nil, nil, err
	}
	d := newDirectory("layer", file)
	d.inFile = true
	var layers []string
	for k, r := range t.Rows {
		bad := func(where, found, expected string) (*directory, []string, error) {
			return nil, nil, diag.At(file, r.Line, where, found, expected)
		}
		if k == 0 && !input.IsWhole(r.Fields[0]) {
			continue // a header; some published ones say nodeID
		}
		if t.layout.separator == ' ' && len(r.Fields) > 2 {
			r.Fields = []string{r.Fields[0], strings.Join(r.Fields[1:], " ")}
		}
		if len(r.Fields) != 2 {
			return bad("columns", figure.Count(len(r.Fields), "column"), "2: layerID layerLabel")
		}
		id, name := r.Fields[0], r.Fields[1]
		if _, again := d.ids[input.Name(id)]; again || id == "" {
			return bad("layerID", input.Quote(id), "an id that no other line has")
		}
		if _, again := d.names[input.Name(name)]; again || name == "" {
			return bad("layerLabel", input.Quote(name), "a name that no other layer has")
		}
		if len(layers) == input.MaxLayers {
			return bad("", fmt.Sprintf("more than %d layers", input.MaxLayers), fmt.Sprintf("at most %d", input.MaxLayers))
		}
		d.add(id, name)
		layers = append(layers, name)
	}
	if len(layers) == 0 {
		return nil, nil, diag.At(file, 0, "", "no layers", "one a line: layerID layerLabel")
	}
	return d, layers, nil
}

// attributes are the columns of a node table.
type attributes struct {
	names   []string
	labels  []multiplex.LabelSet
	columns []multiplex.Column
	notes   sentences
}

// reorder brings each node to its row.
func (a *attributes) reorder(rows []int) {
	a.names = reorder(a.names, rows)
	for k := range a.labels {
		a.labels[k].Of = reorder(a.labels[k].Of, rows)
	}
	for k := range a.columns {
		a.columns[k].Of = reorder(a.columns[k].Of, rows)
	}
}

// readNodes reads a node file: a line for every node with its id, its name if there is such a column, and
// attributes. Attributes that are categories become label sets, numbers columns; of the others a note is
// kept. The nodes come in the order of the file, or in natural order.
func readNodes(f *textFile, inOrder bool) (d *directory, a *attributes, err error) {
	t, err := headedTable(f, nil, true)
	if err != nil {
		return nil, nil, err
	}
	rows := t.Rows
	switch {
	case len(rows) == 0:
		return nil, nil, diag.At(f.name, 0, "", "a header and no nodes", "a line for every node")
	case len(rows) > input.MaxListed:
		return nil, nil, diag.At(f.name, rows[input.MaxListed].Line, "", fmt.Sprintf("more than %d nodes", input.MaxListed),
			fmt.Sprintf("at most %d", input.MaxListed)+input.Natively)
	}
	if inOrder {
		sorting.Stable(rows, func(r, s Row) int { return Natural(r.Fields[0], s.Fields[0]) })
	}
	nameAt := slices.IndexFunc(t.Header[1:], isName) + 1
	if nameAt > 0 && input.Plain(t.Header[nameAt]) == "label" { // Gephi's are names, and those of DGL classes
		of := map[string]bool{}
		for _, r := range rows {
			of[r.Fields[nameAt]] = true
		}
		if 3*len(of) <= len(rows) && !of[""] {
			nameAt = slices.IndexFunc(t.Header, func(h string) bool { return isName(h) && h != t.Header[nameAt] && h != t.Header[0] })
		}
	}
	d, a = newDirectory("node", f.name), &attributes{}
	d.inFile, d.called = true, isName(t.Header[0])
	for i := range rows {
		r := &rows[i]
		id, name := r.Fields[0], ""
		if first, again := d.ids[input.Name(id)]; again {
			at, before := max(r.Line, rows[first].Line), min(r.Line, rows[first].Line)
			return nil, nil, diag.At(f.name, at, cmp.Or(t.Header[0], "node"), input.Quote(id)+fmt.Sprintf(" again (first in line %d)", before),
				"an id for one node only")
		}
		if id == "" {
			return nil, nil, diag.At(f.name, r.Line, cmp.Or(t.Header[0], "node"), `""`, "the id of a node")
		}
		if nameAt > 0 {
			name = r.Fields[nameAt]
		}
		d.add(id, name)
		a.names = append(a.names, cmp.Or(name, id))
	}
	for i := range a.names {
		if d.names[input.Name(a.names[i])] == ambiguous {
			a.names[i] += " (" + rows[i].Fields[0] + ")"
		}
	}
	a.notes = t.notes
	var numbers, left []string
	for c := 1; c < len(t.Header); c++ {
		if c == nameAt {
			continue
		}
		of := make([]string, len(rows))
		for i := range rows {
			of[i] = rows[i].Fields[c]
		}
		set := variable.NewLabelSet(t.Header[c], of)
		if variable.FewClasses(set) && !(f.regions && isAxis(t.Header[c])) {
			a.labels = append(a.labels, *set)
		} else if column := variable.NewColumn(t.Header[c], of); column != nil {
			a.columns, numbers = append(a.columns, *column), append(numbers, t.Header[c])
		} else {
			left = append(left, t.Header[c])
		}
	}
	if len(numbers) > 0 {
		a.notes = append(a.notes, numbersNote(f.name, numbers))
	}
	if len(left) > 0 {
		a.notes.add("%s: %s no categories and %s left out: too many different values, or only one.",
			f.name, strings.Join(left, ", ")+figure.Plural(len(left), " holds", " hold"), figure.Plural(len(left), "was", "were"))
	}
	return d, a, nil
}

// isAxis reports whether a column says where nodes lie, if it comes with the two others. Several may share its numbers.
func isAxis(title string) bool {
	title = input.Plain(title)
	return title == "x" || title == "y" || title == "z"
}

// isPlace reports whether a column says where nodes lie.
func isPlace(title string) bool {
	return isAxis(title) || slices.Contains([]string{"lat", "lon", "lng", "long", "latitude", "longitude"}, input.Plain(title))
}

// numbersNote says what becomes of columns of numbers.
func numbersNote(file string, names []string) string {
	const most = 8
	list := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		list += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("%s: %s numbers and no categories: %s can colour the pictures, or be chosen as features.", file,
		list+figure.Plural(len(names), " holds", " hold"), figure.Plural(len(names), "it", "they"))
}

// readLabels reads a labels file for the nodes of a directory. There are names of
// the nodes, if the file has a column for them.
func readLabels(f *textFile, d *directory, o Options) (*attributes, error) {
	a := &attributes{}
	t, err := headedTable(f, func(id string) bool { _, ok := d.find(id); return ok }, false)
	if err != nil {
		return nil, err
	}
	if len(t.Header) < 2 {
		return nil, diag.At(f.name, 1, "columns", "1 column", "at least 2: the node and its label")
	}
	find := d.find
	if slices.Contains(nameColumns, input.Plain(t.Header[0])) {
		// A name that is a number may be the id of another node.
		find = func(s string) (int, bool) {
			if i, ok := d.named(s); ok {
				return i, true
			}
			return d.find(s)
		}
	}
	m := d.n
	lineOf := make([]int, m)
	columns := make([][]string, len(t.Header))
	for c := range columns {
		columns[c] = make([]string, m)
	}
	where := cmp.Or(t.Header[0], "node")
	for _, r := range t.Rows {
		i, ok := find(r.Fields[0])
		if !ok {
			return nil, d.unknown(f.name, r.Line, where, r.Fields[0])
		}
		if lineOf[i] != 0 {
			return nil,
				diag.At(f.name, r.Line, where, input.Quote(r.Fields[0])+fmt.Sprintf(" again (first in line %d)", lineOf[i]),
					"one line a node")
		}
		lineOf[i] = r.Line
		for c, v := range r.Fields {
			columns[c][i] = v
		}
	}
	a.notes = t.notes
	without := m - len(t.Rows)
	if without > 0 {
		a.notes.add("%s: %s no line there and no label.", f.name, figure.Does(without, "node", "has", "have"))
	}
	axes, numbers := 0, make([]*multiplex.Column, len(t.Header)) // axes say where every node lies
	for c, name := range t.Header {
		numbers[c] = variable.NewColumn(name, columns[c])
		axes += btoi(!o.Unplaced && isAxis(name) && numbers[c] != nil)
	}
	var measured []string
	for c := 1; c < len(t.Header); c++ {
		name := t.Header[c]
		s := variable.NewLabelSet(name, columns[c])
		_, missing := s.Counts()
		switch {
		case slices.Contains(nameColumns, input.Plain(name)) && !variable.FewClasses(s):
			if len(s.Classes) == m-missing && missing == without {
				a.names = columns[c]
			}
		case missing == m:
			a.notes.add("%s: %s holds no labels and was left out.", f.name, name)
		case len(s.Classes) == 1:
			a.notes.add("%s: %s has the same label for every node and was left out.", f.name, name)
		case numbers[c] != nil && (variable.AllDiffer(s) || axes == 3 && isAxis(name) || !o.Classed && variable.IsMeasured(s)):
			a.columns = append(a.columns, *numbers[c])
			measured = append(measured, name)
		case variable.AllDiffer(s):
			a.notes.add("%s: %s has another label for every node and was left out.", f.name, name)
		default:
			a.labels = append(a.labels, *s)
		}
	}
	if measured != nil {
		a.notes = append(a.notes, numbersNote(f.name, measured))
	}
	return a, nil
}

// Tables gives a graph made of matrices, which name no nodes, the names and labels of its node and label files. A node
// file lists the nodes in the order of the rows, or by number. Otherwise the ids of tables, those of
// variables among them, are the numbers of rows, from 0 or from 1.
func (s *Set) Tables(g *multiplex.Graph, report *Report, keyed []*variable.Variable, o Options) error {
	m := g.M()
	d := newDirectory("node", "the matrices")
	s.nodes, s.ordered = d, false
	if t := append(slices.Clone(s.tables[Nodes]), s.rows...); t != nil {
		listed, a, err := readNodes(t[0], t[0].generated)
		if err != nil {
			return err
		}
		if listed.n != m {
			return diag.At(t[0].name, 0, "", figure.Count(listed.n, "node"),
				fmt.Sprintf("%d, as the matrices have", m))
		}
		rows, names := listed.rows(), make([]string, m)
		a.reorder(rows)
		d.file, d.inFile, s.ordered = t[0].name, true, true
		for name, i := range listed.names {
			if i != ambiguous {
				names[rows[i]] = name
			}
		}
		for i, key := range reorder(listed.keys, rows) {
			d.add(key, names[i])
		}
		g.Nodes, g.Labels, g.Columns = a.names, append(g.Labels, a.labels...), append(g.Columns, a.columns...)
		if _, numbered := listed.numbered(); t[0].regions && !numbered {
			report.Note("The matrices name no regions: their rows were taken in the order of the rows of %s.", t[0].name)
		}
		report.Notes = append(report.Notes, a.notes...)
		return s.labels(g, report, d, len(listed.names) > 0, o)
	}
	from, err := s.countFrom(m, keyed, report)
	if err != nil {
		return err
	}
	for i := range m {
		d.add(strconv.Itoa(i+from), "")
	}
	return s.labels(g, report, d, false, o)
}

// countFrom reports whether the ids of tables count m rows from 0 or from 1.
func (s *Set) countFrom(m int, keyed []*variable.Variable, report *Report) (int, error) {
	zero, last, file := "", "", ""
	look := func(name string, ids []string) error {
		file = name
		for _, id := range ids {
			n := shortNumber(id)
			switch {
			case n < 0 || n > m:
				return diag.At(name, 0, "node", input.Quote(id)+" beside matrices, which name no nodes",
					fmt.Sprintf("the number of a row, from 0 to %d or from 1 to %d; or a node file that lists the nodes in the order of the rows "+
						"(nodeID, one a line)", m-1, m))
			case n == 0:
				zero = name
			case n == m:
				last = name
			}
		}
		return nil
	}
	for _, t := range s.tables[Labels] {
		table, err := headedTable(t, func(string) bool { return false }, false)
		if err != nil {
			return 0, err
		}
		if err := look(t.name, table.Column(0)); err != nil {
			return 0, err
		}
	}
	for _, v := range keyed {
		if v.Keys.Sure || Counts(v.Keys.IDs, "") {
			if err := look(v.File(), v.Keys.IDs); err != nil {
				return 0, err
			}
		}
	}
	switch {
	case file == "":
		return 0, nil
	case zero != "" && last != "":
		return 0, diag.At(last, 0, "node", fmt.Sprintf("node %d beside node 0 of %s", m, zero),
			fmt.Sprintf("ids from 0 to %d or from 1 to %d", m-1, m))
	case zero == "" && last == "":
		return 0, diag.At(file, 0, "node", fmt.Sprintf("neither 0 nor %d among the ids", m),
			"one of them: otherwise it is not known whether ids count rows from 0 or from 1; a node file (nodeID, one a line) says it, too")
	case zero != "":
		report.Note("Ids of %s count the rows of the matrices from 0.", zero)
		return 0, nil
	}
	report.Note("Ids of %s count the rows of the matrices from 1.", last)
	return 1, nil
}
