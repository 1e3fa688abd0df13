package connectome

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
)

// A matrix is a table of numbers whose kind is not settled yet.
type matrix struct {
	file          string
	rows, cols    int
	values        []float64
	rowNames      []string // nil when there are none
	columnNames   []string
	counted       []string // a header that only counts the columns, which names nothing without a table that counts so, too
	variable      string
	regionsOfRows bool   // the file says that rows are regions
	framesOfRows  bool   // the title of a column says that rows are frames
	connectivity  bool   // the file says that it holds connectivity
	numbered      bool   // a column that numbered the rows was left out
	words         int    // columns of words, names of rows among them
	passed        int    // columns of different words that name nothing
	title         string // of the names or numbers of rows
	lines         []int  // of the rows; nil when they come from no text
	grouped       bool   // a column distinguishes rows of several subjects or runs
	refused       error  // why rows are not frames of one run, one after the other
	tr            float64
	notes         []string

	columns []*formats.Column // those of signals, and of what is not settled yet
	headed  bool              // there is a header
	titled  int               // the line of a header that holds numbers; 0 of others
}

// isWord reports whether a field is neither a number nor missing.
func isWord(s string) bool {
	_, ok := formats.Number(s)
	return !ok && !multiplex.IsMissing(s)
}

// numbers reads a table of numbers, with names of columns, of rows, of both or of neither. Columns that count rows, or
// that hold words, are left out with a note. Titles may stand in comments above the table.
func numbers(t *formats.Table) (*matrix, error) {
	m, err := columnsOf(t)
	if err != nil {
		return nil, err
	}
	m.groups()
	m.wordColumns()
	m.counters()
	m.cols = len(m.columns)
	switch {
	case m.cols == 0 && m.refused != nil:
		return nil, m.refused
	case m.cols == 0:
		return nil, diag.At(t.File, 0, "file", "no columns of numbers", "a series or functional connectivity")
	}
	m.values = make([]float64, 0, m.rows*m.cols)
	for i, line := range m.lines {
		for _, c := range m.columns {
			if c.Words > 0 && c.Line == line {
				where := fmt.Sprintf("column %d", c.At)
				return nil, diag.At(t.File, line, where, strconv.Quote(c.Word), "a number")
			}
			m.values = append(m.values, c.Values[i])
		}
	}
	for _, c := range m.columns {
		if m.headed {
			m.columnNames = append(m.columnNames, c.Title)
		}
	}
	m.columns = nil
	m.headerOfNumbers()
	title := letters(m.title)
	m.framesOfRows = slices.Contains(frameTitles, title)
	m.regionsOfRows = slices.Contains(regionTitles, title)
	return m, nil
}

// columnsOf finds the header of a table and gives the columns its titles.
func columnsOf(t *formats.Table) (*matrix, error) {
	m := &matrix{file: t.File}
	if t.Said != "" {
		m.notes = append(m.notes, t.Said)
	}
	header := t.Header
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r formats.Row) bool { // AFNI ends its files with a comment
		return strings.HasPrefix(r.Fields[0], "#")
	})
	if header != nil && !slices.ContainsFunc(header, isWord) { // nothing but missing values
		rows, header = slices.Insert(rows, 0, formats.Row{Line: t.First, Fields: header}), nil
	}
	if header == nil && len(rows) > 1 && isHeader(rows) {
		m.titled, header, rows = rows[0].Line, rows[0].Fields, rows[1:]
	}
	if len(rows) == 0 {
		return nil, diag.At(t.File, 0, "file", "no rows of numbers", "a series or functional connectivity")
	}
	columns, err := (&formats.Table{File: t.File, Rows: rows}).Columns()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		m.lines = append(m.lines, r.Line)
	}
	m.rows = len(rows)
	n := len(columns)
	first, last := columns[0], columns[n-1]
	for k := len(t.Above) - 1; header == nil && k >= 0; k-- {
		header = titlesIn(t.Above[k], n)
	}
	empty := !slices.ContainsFunc(last.Cells, func(s string) bool { return s != "" })
	switch short := len(header) == n-1; {
	case header == nil || len(header) == n:
	case short && empty: // lines end with a separator, except for the first
		header = append(slices.Clone(header), "")
	case short && (2*first.Words > m.rows || counts(first.Values)): // none above the names of rows, as in R
		header = append([]string{""}, header...)
	default:
		return nil, diag.At(t.File, rows[0].Line, "", figure.Count(n, "column"),
			fmt.Sprintf("%d as in the header", len(header)))
	}
	for k, title := range header {
		columns[k].Title = title
	}
	triangle := n == m.rows                              // the last column may be empty then
	if n > 1 && !triangle && empty && last.Title == "" { // every line ends with a separator
		columns = columns[:n-1]
	}
	m.columns, m.headed = columns, header != nil
	return m, nil
}

// isHeader reports whether the first row, which holds numbers, is a header: it has words in columns of numbers, or it counts
// the columns.
func isHeader(rows []formats.Row) bool {
	first, second := rows[0].Fields, rows[1].Fields
	words := 0
	for k, f := range first {
		if k > 0 && isWord(f) && k < len(second) && !isWord(second[k]) {
			words++
		}
	}
	if words > 0 && 2*words >= len(first)-1 {
		return true
	}
	if len(first) > 1 && (isWord(first[0]) || first[0] == "") {
		first = first[1:]
	}
	x := formats.Values(first)
	below := func(is func(x []float64) bool) bool {
		return slices.ContainsFunc(rows[1:], func(r formats.Row) bool {
			return is(formats.Values(r.Fields[max(len(r.Fields)-len(first), 0):]))
		})
	}
	const codes = 8 // fewer may rise by chance
	switch {
	case counts(x):
		return !below(func(x []float64) bool { return len(x) == len(first) && counts(x) })
	case !rises(x) || len(x) < codes:
		return false
	}
	// Codes of regions, such as 2001, 2002, 2101, above what are not whole numbers.
	return below(func(x []float64) bool {
		return slices.ContainsFunc(x, func(v float64) bool { return v == v && v != math.Trunc(v) })
	})
}

// titlesIn returns the titles of that number of columns in a comment; nil if it holds something else.
func titlesIn(comment string, width int) []string {
	comment = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(comment), "#%"))
	if key, list, ok := strings.Cut(comment, "="); ok && strings.EqualFold(strings.TrimSpace(key), "ColumnLabels") { // of AFNI
		comment = strings.Trim(strings.TrimSpace(list), `"`)
	}
	titles := formats.Fields(comment)
	if len(titles) > width && titles[len(titles)-1] == "" {
		titles = titles[:len(titles)-1]
	}
	if len(titles) != width || width < 2 || !slices.ContainsFunc(titles, isWord) {
		return nil
	}
	return titles
}

// wordColumns finds the names of rows in the first column of words; others hold no signals.
func (m *matrix) wordColumns() {
	var left []string
	m.columns = slices.DeleteFunc(m.columns, func(c *formats.Column) bool {
		if 2*c.Words <= m.rows {
			return false
		}
		m.words++
		n, again := c.Distinct(), 0
		for i := 1; again == 0 && i < m.rows; i++ {
			if c.Cells[i] == c.Cells[0] && c.Cells[i] != c.Cells[i-1] {
				again = i
			}
		}
		switch {
		case m.rowNames == nil && n == m.rows:
			m.rowNames, m.title = c.Cells, c.Title
		case again > 0 && nameFrames(c.Cells):
			m.secondRun(c, again)
		default:
			left = append(left, c.Name())
			if n > 1 {
				m.passed++
			}
		}
		return true
	})
	if len(left) > 0 {
		m.note("%s of words left out: %s.", figure.Count(len(left), "column"), some(left))
	}
}
