package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
	"cadem/core/multiplex"
)

// readLayers reads a layer file: an id and a name a line, with or without a header.
func readLayers(file, text string) (*directory, []string, error) {
	t, err := readTable(file, text)
	if err != nil {
		return nil, nil, err
	}
	d := newDirectory("layer", file)
	var layers []string
	for k := range t.rows {
		r := &t.rows[k]
		if k == 0 && !input.IsWhole(r.fields[0]) {
			continue // a header; some published ones say nodeID
		}
		if t.blanks && len(r.fields) > 2 {
			r.fields = []string{r.fields[0], strings.Join(r.fields[1:], " ")}
		}
		if len(r.fields) != 2 {
			return nil, nil, &diag.Error{File: file, Line: r.line, Where: "columns", Found: figure.Count(len(r.fields), "column"),
				Expected: "2: layerID layerLabel"}
		}
		id, name := input.Canonical(r.fields[0]), r.fields[1]
		if _, again := d.ids[id]; again || id == "" {
			return nil, nil, &diag.Error{File: file, Line: r.line, Where: "layerID", Found: input.Quote(id), Expected: "an id that no other line has"}
		}
		if _, again := d.names[name]; again || name == "" {
			return nil, nil, &diag.Error{File: file, Line: r.line, Where: "layerLabel", Found: input.Quote(name), Expected: "a name that no other layer has"}
		}
		if len(layers) == input.MaxLayers {
			return nil, nil, &diag.Error{File: file, Line: r.line, Found: fmt.Sprintf("more than %d layers", input.MaxLayers),
				Expected: fmt.Sprintf("at most %d", input.MaxLayers)}
		}
		d.add(id, name)
		layers = append(layers, name)
	}
	if len(layers) == 0 {
		return nil, nil, &diag.Error{File: file, Found: "no layers", Expected: "one a line: layerID layerLabel"}
	}
	return d, layers, nil
}

// attributes are what a table says of nodes.
type attributes struct {
	names   []string
	labels  []multiplex.LabelSet
	columns []multiplex.Column
	notes   []string
}

// readNodes reads a node file: a header, then a line for every node with its id, its
// name if there is such a column, and attributes. Attributes that are categories
// become label sets, numbers columns; of the others a note is kept.
func readNodes(file, text string) (d *directory, a *attributes, err error) {
	t, err := readTable(file, text)
	if err != nil {
		return nil, nil, err
	}
	header, err := t.header()
	if err != nil {
		return nil, nil, err
	}
	nameAt := slices.IndexFunc(header, func(h string) bool {
		return slices.Contains(nameColumns, input.Plain(h)) || input.Plain(h) == "label"
	})
	rows := t.rows[1:]
	switch {
	case len(rows) == 0:
		return nil, nil, &diag.Error{File: file, Found: "a header and no nodes", Expected: "a line for every node"}
	case len(rows) > input.MaxNodes:
		return nil, nil, &diag.Error{File: file, Line: rows[input.MaxNodes].line, Found: fmt.Sprintf("more than %d nodes", input.MaxNodes),
			Expected: fmt.Sprintf("at most %d", input.MaxNodes)}
	}
	d, a = newDirectory("node", file), &attributes{}
	for i := range rows {
		r := &rows[i]
		if err := t.width(r, len(header), nameAt == len(header)-1); err != nil {
			return nil, nil, err
		}
		id, name := input.Canonical(r.fields[0]), ""
		if first, again := d.ids[id]; again {
			return nil, nil,
				&diag.Error{File: file, Line: r.line, Where: header[0], Found: input.Quote(id) + fmt.Sprintf(" again (first in line %d)", rows[first].line),
					Expected: "an id for one node only"}
		}
		if id == "" {
			return nil, nil, &diag.Error{File: file, Line: r.line, Where: header[0], Found: `""`, Expected: "the id of a node"}
		}
		if nameAt >= 0 {
			name = r.fields[nameAt]
		}
		d.add(id, name)
		a.names = append(a.names, cmp.Or(name, id))
	}
	for i := range a.names {
		if d.names[a.names[i]] == ambiguous {
			a.names[i] += " (" + rows[i].fields[0] + ")"
		}
	}
	var numbers, left []string
	for c := 1; c < len(header); c++ {
		if c == nameAt {
			continue
		}
		of := make([]string, len(rows))
		for i := range rows {
			of[i] = rows[i].fields[c]
		}
		set := variable.NewLabelSet(header[c], of)
		if variable.FewClasses(set) {
			a.labels = append(a.labels, *set)
		} else if column := variable.NewColumn(header[c], of); column != nil {
			a.columns, numbers = append(a.columns, *column), append(numbers, header[c])
		} else {
			left = append(left, header[c])
		}
	}
	if len(numbers) > 0 {
		a.notes = append(a.notes, numbersNote(file, numbers))
	}
	if len(left) > 0 {
		a.notes = append(a.notes, fmt.Sprintf("%s: %s no categories and %s left out: too many different values, or only one.",
			file, strings.Join(left, ", ")+figure.Plural(len(left), " holds", " hold"), figure.Plural(len(left), "was", "were")))
	}
	return d, a, nil
}

// numbersNote says what becomes of columns of numbers.
func numbersNote(file string, names []string) string {
	return fmt.Sprintf("%s: %s numbers and no categories: %s can colour the pictures.", file,
		strings.Join(names, ", ")+figure.Plural(len(names), " holds", " hold"), figure.Plural(len(names), "it", "they"))
}

// header returns the first row of a table of nodes, which must name its columns.
func (t *table) header() ([]string, error) {
	h := &t.rows[0]
	if first := input.Plain(h.fields[0]); !slices.Contains(idColumns, first) && !slices.Contains(nameColumns, first) {
		return nil, &diag.Error{File: t.file, Line: h.line, Where: "header", Found: input.Quote(h.fields[0]),
			Expected: "a header line whose first column is nodeID, node, id or name"}
	}
	if len(h.fields) > input.MaxColumns {
		return nil, &diag.Error{File: t.file, Line: h.line, Where: "header", Found: figure.Count(len(h.fields), "column"),
			Expected: fmt.Sprintf("at most %d", input.MaxColumns)}
	}
	for c, name := range h.fields {
		if name == "" {
			return nil, &diag.Error{File: t.file, Line: h.line, Where: "header", Found: fmt.Sprintf("no name for column %d", c+1),
				Expected: "a name for every column"}
		}
		if slices.Contains(h.fields[:c], name) {
			return nil, &diag.Error{File: t.file, Line: h.line, Where: "header", Found: "a second column " + input.Quote(name),
				Expected: "another name for every column"}
		}
	}
	return h.fields, nil
}
