package text

import (
	"fmt"
	"slices"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
)

// readLabels reads a labels file for the nodes of a directory. There are names of
// the nodes, if the file has a column for them.
func readLabels(file, text string, d *directory) (*attributes, error) {
	a := &attributes{}
	t, err := readTable(file, text)
	if err != nil {
		return nil, err
	}
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	if len(header) < 2 {
		return nil, &diag.Error{File: file, Line: t.rows[0].line, Where: "columns", Found: "1 column", Expected: "at least 2: the node and its label"}
	}
	find := d.find
	if slices.Contains(nameColumns, input.Plain(header[0])) {
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
	columns := make([][]string, len(header))
	for c := range columns {
		columns[c] = make([]string, m)
	}
	for k := range t.rows[1:] {
		r := &t.rows[k+1]
		if err := t.width(r, len(header), false); err != nil {
			return nil, err
		}
		i, ok := find(r.fields[0])
		if !ok {
			return nil, d.unknown(file, r.line, header[0], r.fields[0])
		}
		if lineOf[i] != 0 {
			return nil,
				&diag.Error{File: file, Line: r.line, Where: header[0], Found: input.Quote(r.fields[0]) + fmt.Sprintf(" again (first in line %d)", lineOf[i]),
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
		a.notes = append(a.notes, fmt.Sprintf("%s: %s no line there and no label.", file, figure.Count(without, "node")+figure.Plural(without, " has", " have")))
	}
	for c := 1; c < len(header); c++ {
		s := variable.NewLabelSet(header[c], columns[c])
		_, missing := s.Counts()
		labelled := m - missing
		switch {
		case slices.Contains(nameColumns, input.Plain(header[c])) && !variable.FewClasses(s):
			if len(s.Classes) == m {
				a.names = columns[c]
			}
		case labelled == 0:
			a.notes = append(a.notes, fmt.Sprintf("%s: %s holds no labels and was left out.", file, header[c]))
		case len(s.Classes) == 1:
			a.notes = append(a.notes, fmt.Sprintf("%s: %s has the same label for every node and was left out.", file, header[c]))
		case len(s.Classes) == labelled && labelled > 2 && variable.NewColumn(header[c], columns[c]) != nil:
			a.columns = append(a.columns, *variable.NewColumn(header[c], columns[c]))
			a.notes = append(a.notes, numbersNote(file, header[c:c+1]))
		case len(s.Classes) == labelled && labelled > 2:
			a.notes = append(a.notes, fmt.Sprintf("%s: %s has another label for every node and was left out.", file, header[c]))
		default:
			a.labels = append(a.labels, *s)
		}
	}
	return a, nil
}
