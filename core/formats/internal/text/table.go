package text

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
)

// A table is a file of columns: comma, semicolon or tab separated with quotes as in
// RFC 4180, or separated by blanks.
type table struct {
	file   string
	blanks bool // separated by blanks
	rows   []row
}

type row struct {
	line   int
	fields []string
}

// readTable splits a text into rows. Comment lines count before the first row only:
// further down a name may begin with # or %.
func readTable(file, text string) (*table, error) {
	line := 1
	for {
		head, rest, found := strings.Cut(text, "\n")
		if !input.IsComment(head) {
			break
		}
		if !found {
			return nil, &diag.Error{File: file, Found: "only comments", Expected: "a header line and rows"}
		}
		text, line = rest, line+1
	}
	t := &table{file: file}
	separator := separatorOf(file, text)
	if separator == 0 {
		t.blanks = true
		for text != "" {
			var head string
			head, text, _ = strings.Cut(text, "\n")
			if fields := strings.Fields(head); len(fields) > 0 {
				t.rows = append(t.rows, row{line, fields})
			}
			line++
		}
		return t, nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = separator
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = separator != '\t'
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			at := 0
			var p *csv.ParseError
			if errors.As(err, &p) {
				at = line + p.StartLine - 1
			}
			return nil, &diag.Error{File: file, Line: at, Found: "a quotation mark out of place",
				Expected: `quotes around a whole field, doubled inside: "a ""b"" c"`}
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		at, _ := r.FieldPos(0)
		t.rows = append(t.rows, row{line + at - 1, fields})
	}
}

// separatorOf returns what separates the columns, 0 for blanks. It counts in the first
// row, outside of quotes; the ending of the file name decides where it can.
func separatorOf(file, text string) rune {
	var n [3]int // comma, semicolon, tab
	quoted := false
scan:
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == ',':
			n[0]++
		case r == ';':
			n[1]++
		case r == '\t':
			n[2]++
		case r == '\n':
			break scan
		}
	}
	lower := strings.ToLower(file)
	switch {
	case strings.HasSuffix(lower, ".csv") && n[0] > 0:
		return ','
	case strings.HasSuffix(lower, ".tsv") && n[2] > 0:
		return '\t'
	case n[0] > 0 && n[0] >= n[1] && n[0] >= n[2]:
		return ','
	case n[1] > 0 && n[1] >= n[2]:
		return ';'
	case n[2] > 0:
		return '\t'
	}
	return 0
}

// width checks that a row has n columns. In a table separated by blanks the last
// column may hold blanks itself if it is a name.
func (t *table) width(r *row, n int, lastIsName bool) error {
	if t.blanks && lastIsName && len(r.fields) > n {
		r.fields = append(r.fields[:n-1:n-1], strings.Join(r.fields[n-1:], " "))
	}
	if len(r.fields) != n {
		return &diag.Error{File: t.file, Line: r.line, Found: figure.Count(len(r.fields), "column"),
			Expected: fmt.Sprintf("%d as in line %d", n, t.rows[0].line)}
	}
	return nil
}
