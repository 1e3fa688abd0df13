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
}

// value reads a field, and reports whether it is a number or missing, which is NaN.
func value(s string) (float64, bool) {
	if x, ok := formats.Number(s); ok {
		return x, true
	}
	return math.NaN(), multiplex.IsMissing(s)
}

func isWord(s string) bool {
	_, ok := value(s)
	return !ok
}

// A sheet is a table whose header is separate from its rows.
type sheet struct {
	file   string
	header []string // of all columns, "" if it has no title; nil when there is none
	titled int      // the line of a header that holds numbers; 0 of others
	rows   []formats.Row
	width  int
	drop   []bool   // columns that are not signals
	names  []string // of the rows; nil when they have none
	title  string   // of the column of names, or of one that numbers the rows

	words    int  // columns of words
	passed   int  // those of different words that name nothing
	numbered bool // there is one that numbers the rows
	grouped  bool
	refused  error
	notes    []string
}

// numbers reads a table of numbers, with names of columns, of rows, of both or of neither. Columns that count rows, or
// that hold words, are left out with a note. Titles may stand in comments above the table.
func numbers(t *formats.Table) (*matrix, error) {
	s, err := newSheet(t)
	if err != nil {
		return nil, err
	}
	s.groups()
	s.wordColumns()
	s.counters()
	m := &matrix{file: t.File, rows: len(s.rows), rowNames: s.names, words: s.words, passed: s.passed,
		numbered: s.numbered, title: s.title, grouped: s.grouped, refused: s.refused}
	for k, dropped := range s.drop {
		if dropped {
			continue
		}
		m.cols++
		if s.header != nil {
			m.columnNames = append(m.columnNames, s.header[k])
		}
	}
	if m.cols == 0 && m.refused != nil {
		return nil, m.refused
	}
	if m.cols == 0 {
		return nil, diag.At(t.File, 0, "file", "no columns of numbers",
			"a series or functional connectivity")
	}
	m.values = make([]float64, 0, m.rows*m.cols)
	for _, row := range s.rows {
		m.lines = append(m.lines, row.Line)
		for k, f := range row.Fields {
			if s.drop[k] {
				continue
			}
			v, ok := value(f)
			if !ok {
				return nil, diag.At(t.File, row.Line, fmt.Sprintf("column %d", k+1), strconv.Quote(f),
					"a number")
			}
			m.values = append(m.values, v)
		}
	}
	s.headerOfNumbers(m)
	title := letters(s.title)
	m.framesOfRows, m.regionsOfRows, m.notes = slices.Contains(frameTitles, title), slices.Contains(regionTitles, title), s.notes
	return m, nil
}

// newSheet finds the header and checks that rows are of one length.
func newSheet(t *formats.Table) (*sheet, error) {
	s := &sheet{file: t.File}
	if t.Said != "" {
		s.notes = append(s.notes, t.Said)
	}
	header := t.Header
	for _, row := range t.Rows {
		if !strings.HasPrefix(row.Fields[0], "#") { // AFNI ends its files with a comment
			s.rows = append(s.rows, row)
		}
	}
	if header != nil && !slices.ContainsFunc(header, isWord) { // nothing but missing values
		s.rows, header = append([]formats.Row{{Line: t.First, Fields: header}}, s.rows...), nil
	}
	if header == nil && len(s.rows) > 1 && isHeader(s.rows) {
		s.titled, header, s.rows = s.rows[0].Line, s.rows[0].Fields, s.rows[1:]
	}
	if len(s.rows) == 0 {
		return nil, diag.At(t.File, 0, "file", "no rows of numbers",
			"a series or functional connectivity")
	}
	s.width = len(s.rows[0].Fields)
	for _, row := range s.rows {
		if len(row.Fields) != s.width {
			return nil, diag.At(t.File, row.Line, "", figure.Count(len(row.Fields), "column"),
				fmt.Sprintf("%d as in line %d", s.width, s.rows[0].Line))
		}
	}
	for k := len(t.Above) - 1; header == nil && k >= 0; k-- {
		header = titlesIn(t.Above[k], s.width)
	}
	switch {
	case header == nil:
	case len(header) == s.width:
		s.header = header
	case len(header) == s.width-1 && s.empty(s.width-1): // lines end with a separator, except for the first
		s.header = append(slices.Clone(header), "")
	case len(header) == s.width-1 && s.namesRows(): // no title above the names of rows, as R writes it
		s.header = append([]string{""}, header...)
	default:
		return nil, diag.At(t.File, s.rows[0].Line, "", figure.Count(s.width, "column"),
			fmt.Sprintf("%d as in the header", len(header)))
	}
	s.drop = make([]bool, s.width)
	triangle := s.width == len(s.rows) // the last column may be empty then
	if last := s.width - 1; last > 0 && s.empty(last) && !triangle && (s.header == nil || s.header[last] == "") {
		s.drop[last] = true // every line ends with a separator
	}
	return s, nil
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
	if !rises(first) {
		return false
	}
	if counts(first) {
		for _, row := range rows[1:] {
			if len(row.Fields) >= len(first) && counts(row.Fields[len(row.Fields)-len(first):]) {
				return false
			}
		}
		return true
	}
	const codes = 8 // fewer may rise by chance
	if len(first) < codes {
		return false
	}
	// Codes of regions, such as 2001, 2002, 2101, above what are not whole numbers.
	for _, row := range rows[1:] {
		for _, f := range row.Fields[len(row.Fields)-min(len(row.Fields), len(first)):] {
			if v, ok := value(f); ok && v != math.Trunc(v) {
				return true
			}
		}
	}
	return false
}

// rises reports whether fields are rising whole numbers, at least three.
func rises(fields []string) bool {
	last := -1.0
	for _, f := range fields {
		v, ok := value(f)
		if !ok || !(v > last) || v != math.Trunc(v) {
			return false
		}
		last = v
	}
	return len(fields) >= 3
}

// counts reports whether fields are whole numbers one after the other.
func counts(fields []string) bool {
	if !rises(fields) {
		return false
	}
	first, _ := value(fields[0])
	last, _ := value(fields[len(fields)-1])
	return last-first == float64(len(fields)-1)
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

// namesRows reports whether the first column has words, or numbers the rows.
func (s *sheet) namesRows() bool {
	return s.holdsWords(0) || counts(s.fields(0))
}

// holdsWords reports whether more than half of a column are words.
func (s *sheet) holdsWords(k int) bool {
	words, others := 0, 0
	for _, row := range s.rows {
		if isWord(row.Fields[k]) {
			words++
		} else if others++; 2*others >= len(s.rows) {
			return false
		}
	}
	return 2*words > len(s.rows)
}

// empty reports whether a column holds nothing at all, not even a word for it.
func (s *sheet) empty(k int) bool {
	return !slices.ContainsFunc(s.rows, func(r formats.Row) bool { return r.Fields[k] != "" })
}

// wordColumns finds the names of rows in the first column of words; others hold no signals.
func (s *sheet) wordColumns() {
	var left []string
	for k := range s.width {
		if s.drop[k] || !s.holdsWords(k) {
			continue
		}
		s.drop[k] = true
		s.words++
		names, distinct := s.fields(k), map[string]bool{}
		again := 0
		for i, name := range names {
			if distinct[name] = true; again == 0 && i > 0 && name == names[0] && name != names[i-1] {
				again = i
			}
		}
		if s.names == nil && len(distinct) == len(s.rows) {
			s.names, s.title = names, s.titleOf(k)
			continue
		}
		if again > 0 && nameFrames(names) {
			s.secondRun(k, again)
			continue
		}
		left = append(left, s.columnName(k))
		if len(distinct) > 1 {
			s.passed++
		}
	}
	if len(left) > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s: %s of words left out: %s.", s.file, figure.Count(len(left), "column"), some(left)))
	}
}

func (s *sheet) titleOf(k int) string {
	if s.header == nil {
		return ""
	}
	return s.header[k]
}

func (s *sheet) columnName(k int) string {
	if title := s.titleOf(k); title != "" {
		return title
	}
	return fmt.Sprintf("column %d", k+1)
}
