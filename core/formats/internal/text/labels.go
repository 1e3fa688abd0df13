package text

import (
	"cmp"
	"fmt"
	"slices"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
)

// readLabels reads a labels file for the nodes of a directory. There are names of
// the nodes, if the file has a column for them.
func readLabels(f *textFile, d *directory) (*attributes, error) {
	a := &attributes{}
	t, err := readTable(f)
	if err != nil {
		return nil, err
	}
	if err := t.titles(func(id string) bool { _, ok := d.find(id); return ok }); err != nil {
		return nil, err
	}
	if len(t.header) < 2 {
		return nil, &diag.Error{File: f.name, Line: 1, Where: "columns", Found: "1 column", Expected: "at least 2: the node and its label"}
	}
	find := d.find
	if slices.Contains(nameColumns, input.Plain(t.header[0])) {
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
	columns := make([][]string, len(t.header))
	for c := range columns {
		columns[c] = make([]string, m)
	}
	where := cmp.Or(t.header[0], "node")
	for k := range t.rows {
		r := &t.rows[k]
		if err := t.width(r, false); err != nil {
			return nil, err
		}
		i, ok := find(r.fields[0])
		if !ok {
			return nil, d.unknown(f.name, r.line, where, r.fields[0])
		}
		if lineOf[i] != 0 {
			return nil,
				&diag.Error{File: f.name, Line: r.line, Where: where, Found: input.Quote(r.fields[0]) + fmt.Sprintf(" again (first in line %d)", lineOf[i]),
					Expected: "one line a node"}
		}
		lineOf[i] = r.line
		for c, v := range r.fields {
			columns[c][i] = v
		}
	}
	without := 0
	for _, line := range lineOf {
		if line == 0 {
			without++
		}
	}
	if without > 0 {
		a.notes = append(a.notes, fmt.Sprintf("%s: %s no line there and no label.", f.name, figure.Count(without, "node")+figure.Plural(without, " has", " have")))
	}
	for c := 1; c < len(t.header); c++ {
		name := t.header[c]
		s := variable.NewLabelSet(name, columns[c])
		_, missing := s.Counts()
		labelled := m - missing
		switch {
		case slices.Contains(nameColumns, input.Plain(name)) && !variable.FewClasses(s):
			if len(s.Classes) == m {
				a.names = columns[c]
			}
		case labelled == 0:
			a.notes = append(a.notes, fmt.Sprintf("%s: %s holds no labels and was left out.", f.name, name))
		case len(s.Classes) == 1:
			a.notes = append(a.notes, fmt.Sprintf("%s: %s has the same label for every node and was left out.", f.name, name))
		case len(s.Classes) == labelled && labelled > 2 && variable.NewColumn(name, columns[c]) != nil:
			a.columns = append(a.columns, *variable.NewColumn(name, columns[c]))
			a.notes = append(a.notes, numbersNote(f.name, []string{name}))
		case len(s.Classes) == labelled && labelled > 2:
			a.notes = append(a.notes, fmt.Sprintf("%s: %s has another label for every node and was left out.", f.name, name))
		default:
			a.labels = append(a.labels, *s)
		}
	}
	return a, nil
}
