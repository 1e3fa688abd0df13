package text

import (
	"fmt"
	"slices"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
)

// A table is a file of columns.
type table struct {
	file   string
	layout layout
	header []string // nil before it is known whether there is one
	first  int      // line of the first record
	rows   []row    // the header's among them as long as header is nil
}

type row struct {
	line   int
	fields []string
}

// readTable splits a text into rows.
func readTable(f *textFile) (*table, error) {
	s := f.scanner()
	t := &table{file: f.name, layout: s.layout}
	for {
		ok, err := s.scan()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		t.rows = append(t.rows, row{s.line, s.clone()})
	}
	if t.rows == nil {
		return nil, &diag.Error{File: f.name, Found: "only comments", Expected: "a header line and rows"}
	}
	t.first = t.rows[0].line
	return t, nil
}

// titles makes the first row the header, if it is one: it names the column of the nodes, or leaves that name out, or
// is none of the ids that isNode knows and no row like the others. A header that is one field short has none for the first column.
// Without a header columns are called by their numbers.
func (t *table) titles(isNode func(id string) bool) error {
	for _, r := range t.rows {
		r.fields[0] = t.layout.id(r.fields[0])
	}
	h := t.rows[0]
	first, column := h.fields[0], input.Plain(h.fields[0])
	short := len(t.rows) > 1 && len(t.rows[1].fields) == len(h.fields)+1 && !t.lastIsName()
	known := slices.Contains(idColumns, column) || slices.Contains(nameColumns, column) || slices.Contains(indexColumns, column)
	if !known && !short && (input.IsWhole(first) || isNode(first) || t.isRow()) {
		t.header = []string{"node"}
		for c := 2; c <= len(h.fields); c++ {
			t.header = append(t.header, fmt.Sprintf("column %d", c))
		}
		if len(h.fields) == 2 {
			t.header[1] = input.Stem(t.file)
		}
		return nil
	}
	t.header = h.fields
	t.rows = slices.DeleteFunc(t.rows, func(r row) bool { return slices.Equal(r.fields, t.header) }) // lists put together have several
	if short {
		t.header = append([]string{""}, t.header...)
	}
	if len(t.header) > input.MaxColumns {
		return &diag.Error{File: t.file, Line: h.line, Where: "header", Found: figure.Count(len(t.header), "column"),
			Expected: fmt.Sprintf("at most %d", input.MaxColumns)}
	}
	for c, name := range t.header {
		if name == "" && c > 0 {
			return &diag.Error{File: t.file, Line: h.line, Where: "header", Found: fmt.Sprintf("no name for column %d", c+1),
				Expected: "a name for every column"}
		}
		if slices.Contains(t.header[:c], name) {
			return &diag.Error{File: t.file, Line: h.line, Where: "header", Found: "a second column " + input.Quote(name),
				Expected: "another name for every column"}
		}
	}
	return nil
}

// isRow tells whether the first row is one like the others, although its node is not known: it holds a number, or a word that
// comes again below it.
func (t *table) isRow() bool {
	for c, f := range t.rows[0].fields {
		if c == 0 {
			continue
		}
		if _, ok := input.Number(f); ok {
			return true
		}
		for _, r := range t.rows[1:] {
			if c < len(r.fields) && f != "" && r.fields[c] == f && !slices.Equal(r.fields, t.rows[0].fields) {
				return true
			}
		}
	}
	return false
}

// lastIsName tells whether the header names the last column of a table that blanks separate a name, which
// may hold blanks.
func (t *table) lastIsName() bool {
	last := input.Plain(t.rows[0].fields[len(t.rows[0].fields)-1])
	return t.layout.separator == ' ' && (slices.Contains(nameColumns, last) || last == "label")
}

// width checks that a row has as many columns as the header. In a table separated by blanks the last
// column may hold blanks itself if it is a name.
func (t *table) width(r *row, lastIsName bool) error {
	n := len(t.header)
	if t.layout.separator == ' ' && lastIsName && len(r.fields) > n {
		r.fields = append(r.fields[:n-1:n-1], strings.Join(r.fields[n-1:], " "))
	}
	if len(r.fields) != n {
		return &diag.Error{File: t.file, Line: r.line, Found: figure.Count(len(r.fields), "column"), Expected: fmt.Sprintf("%d as in line %d", n, t.first)}
	}
	return nil
}
