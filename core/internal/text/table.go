package text

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
)

// A Table is a text file of rows and columns, separated by commas, semicolons, tabs or
// blanks.
type Table struct {
	File   string
	Header []string // nil before it is known whether there is one, and if the first row holds numbers like the others
	First  int      // the line of the header, or of the first row
	Rows   []Row    // the header's among them as long as Header is nil

	Above []string // the comments above the first of them, with their signs
	Said  string   // that commas of numbers separate thousands; "" where there are none

	layout layout
	scan   *scanner  // what read it
	notes  sentences // on comments
}

// A Row is a row of a [Table].
type Row struct {
	Line   int // from 1
	Fields []string
}

// ReadTable reads a text file of rows and columns. Its first row is a header if none of its
// fields is a number and the file goes on; rows may differ in length. Fields in quotes may have decimal commas where commas
// separate them, too. The error is a [*diag.Error].
func ReadTable(f input.File) (*Table, error) {
	text, err := input.Text(&f)
	if err != nil {
		return nil, err
	}
	t, err := readTable(&textFile{name: f.Name, text: text})
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		if !input.IsComment(line) {
			break
		}
		if line = strings.TrimSpace(line); line != "" {
			t.Above = append(t.Above, line)
		}
	}
	l := t.layout
	if l.grouped > 0 {
		t.Said = l.commas(f.Name)
	}
	if l.separator == ',' {
		l.comma, _ = l.decimalCommas(text)
	}
	if l.comma && l != t.layout {
		for _, r := range t.Rows {
			for k, field := range r.Fields {
				r.Fields[k] = l.point(field)
			}
		}
	}
	isNumber := func(s string) bool { _, ok := input.Number(s); return ok }
	if len(t.Rows) > 1 && !slices.ContainsFunc(t.Rows[0].Fields, isNumber) {
		t.Header, t.Rows = t.Rows[0].Fields, t.Rows[1:]
	}
	return t, nil
}

// readTable splits a text into rows.
func readTable(f *textFile) (*Table, error) {
	s := f.scanner()
	rows, err := readRows(s)
	if err != nil {
		return nil, err
	}
	return &Table{File: f.name, Rows: rows, First: rows[0].Line, layout: s.layout, scan: s}, nil
}

// readRows reads all records.
func readRows(s *scanner) (rows []Row, err error) {
	for s.scan() {
		rows = append(rows, Row{s.line, s.clone()})
	}
	if err = s.err; err == nil && rows == nil {
		err = diag.At(s.file, 0, "", "only comments", "a header line and rows")
	}
	return rows, err
}

// Fields cuts a line as tables are cut.
func Fields(line string) []string {
	l := layoutOf(line)
	fields, _ := l.split(strings.TrimRight(line, "\r"), nil)
	return fields
}

// Column returns what a column holds; nil where a row has no such field.
func (t *Table) Column(k int) (list []string) {
	for _, r := range t.Rows {
		if k >= len(r.Fields) {
			return nil
		}
		list = append(list, r.Fields[k])
	}
	return list
}

// headedTable reads a table of nodes, all of whose rows have the columns of its header. The last column may hold blanks, if it is one of
// names and these are named.
func headedTable(f *textFile, isNode func(id string) bool, named bool) (*Table, error) {
	t, err := readTable(f)
	if err != nil {
		return nil, err
	}
	named = named && t.lastIsName()
	err = t.titles(isNode)
	for k := 0; k < len(t.Rows) && err == nil; k++ {
		err = t.width(&t.Rows[k], named)
	}
	return t, err
}

// titles makes the first row the header, if it is one: it names the column of the nodes, or leaves that name out, or
// is none of the ids that isNode knows, nil of those of a single column, and no row like the others. A header that is one field short has
// none for the first column.
// Without a header columns are called by their numbers.
func (t *Table) titles(isNode func(id string) bool) error {
	for _, r := range t.Rows {
		r.Fields[0] = t.layout.id(r.Fields[0])
	}
	h := t.Rows[0]
	first := h.Fields[0]
	short := len(t.Rows) > 1 && len(t.Rows[1].Fields) == len(h.Fields)+1 && !t.lastIsName()
	known := isHeaded(h.Fields) || slices.Contains(indexColumns, input.Plain(first))
	node := isNode == nil && len(h.Fields) == 1 || isNode != nil && isNode(first)
	if !known && !short && (input.IsWhole(first) || node || t.isRow()) {
		t.Header = []string{"node"}
		for c := 2; c <= len(h.Fields); c++ {
			t.Header = append(t.Header, fmt.Sprintf("column %d", c))
		}
		if len(h.Fields) == 2 {
			t.Header[1] = input.Stem(t.File)
		}
		t.notes = t.scan.comments(false)
		return nil
	}
	t.Header, t.notes = h.Fields, t.scan.comments(true)
	t.Rows = slices.DeleteFunc(t.Rows, func(r Row) bool { return slices.Equal(r.Fields, t.Header) }) // lists put together have several
	if short {
		t.Header = append([]string{""}, t.Header...)
	}
	if len(t.Header) > input.MaxColumns {
		return diag.At(t.File, h.Line, "header", figure.Count(len(t.Header), "column"),
			fmt.Sprintf("at most %d", input.MaxColumns))
	}
	for c, name := range t.Header {
		if name == "" && c > 0 {
			return diag.At(t.File, h.Line, "header", fmt.Sprintf("no name for column %d", c+1),
				"a name for every column")
		}
		if slices.Contains(t.Header[:c], name) {
			return diag.At(t.File, h.Line, "header", "a second column "+input.Quote(name),
				"another name for every column")
		}
	}
	return nil
}

// isRow reports whether the first row is one like the others, although its node is not known: it holds a number, or a word that
// comes again below it.
func (t *Table) isRow() bool {
	for c, f := range t.Rows[0].Fields {
		if c == 0 {
			continue
		}
		if _, ok := input.Number(f); ok {
			return true
		}
		for _, r := range t.Rows[1:] {
			if c < len(r.Fields) && f != "" && r.Fields[c] == f && !slices.Equal(r.Fields, t.Rows[0].Fields) {
				return true
			}
		}
	}
	return false
}

// lastIsName reports whether the header names the last column of a table that blanks separate a name, which
// may hold blanks.
func (t *Table) lastIsName() bool {
	head := t.Rows[0].Fields
	return t.layout.separator == ' ' && isName(head[len(head)-1])
}

// width checks that a row has as many columns as the header. In a table separated by blanks the last
// column may hold blanks itself if it is a name.
func (t *Table) width(r *Row, lastIsName bool) error {
	n := len(t.Header)
	if t.layout.separator == ' ' && lastIsName && len(r.Fields) > n {
		r.Fields = append(r.Fields[:n-1:n-1], strings.Join(r.Fields[n-1:], " "))
	}
	if len(r.Fields) != n {
		return diag.At(t.File, r.Line, "", figure.Count(len(r.Fields), "column"),
			fmt.Sprintf("%d as in line %d", n, t.First))
	}
	return nil
}
