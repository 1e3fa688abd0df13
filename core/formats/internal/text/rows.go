package text

import "cadem/core/formats/internal/input"

// A Table is a text file of rows and columns, separated by commas, semicolons, tabs or
// blanks.
type Table struct {
	File   string
	Header []string // nil if the first row holds numbers like the others
	First  int      // the line of the header, or of the first row
	Rows   []Row
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
	read, err := readTable(&textFile{name: f.Name, text: text})
	if err != nil {
		return nil, err
	}
	l := read.layout
	if l.separator == ',' {
		l.comma, _ = l.decimalCommas(text)
	}
	if l.comma && l != read.layout {
		for _, r := range read.rows {
			for k, field := range r.fields {
				r.fields[k] = l.point(field)
			}
		}
	}
	t := &Table{File: f.Name, First: read.first, Rows: make([]Row, 0, len(read.rows))}
	for k, r := range read.rows {
		if k == 0 && len(read.rows) > 1 && !hasNumber(r.fields) {
			t.Header = r.fields
			continue
		}
		t.Rows = append(t.Rows, Row{r.line, r.fields})
	}
	return t, nil
}

func hasNumber(fields []string) bool {
	for _, s := range fields {
		if _, ok := input.Number(s); ok {
			return true
		}
	}
	return false
}
