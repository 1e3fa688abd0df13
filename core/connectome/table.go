package connectome

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats"
)

// A matrix is a table of numbers of which it is not settled what it is.
type matrix struct {
	file          string
	rows, cols    int
	values        []float64
	rowNames      []string // nil when there are none
	columnNames   []string
	variable      string
	regionsOfRows bool   // the file says that rows are regions
	framesOfRows  bool   // the title of a column says that rows are frames
	connectivity  bool   // the file says that it holds connectivity
	numbered      bool   // a column that numbered the rows was left out
	words         int    // columns of words, names of rows among them
	title         string // of the names or numbers of rows, as [letters] has it
	tr            float64
	notes         []string
}

// Titles of a first column that numbers the rows, and what each of them makes the rows. They are compared as [letters] has
// them.
var (
	frameTitles = []string{"volume", "vol", "tr", "scan", "time", "times", "timepoint", "timestamp",
		"timestep", "frame", "image", "t", "seconds", "sec", "subbrick"}
	regionTitles = []string{"region", "roi", "parcel", "node", "area", "regionname", "roiname", "parcelname", "channel"}
	indexTitles  = []string{"", "unnamed", "index", "idx", "row", "rownames", "observation", "obs", "sample"}
)

// letters returns the letters of a title in lower case, without a unit in brackets: "Time (s)" is "time", "frame_index" is
// "frame", "Unnamed: 0" is "unnamed".
func letters(title string) string {
	title, _, _ = strings.Cut(strings.ToLower(title), "(")
	title, _, _ = strings.Cut(title, "[")
	title = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, title)
	for _, ending := range []string{"index", "idx", "number", "num", "nr", "no", "id"} {
		if rest := strings.TrimSuffix(title, ending); rest != "" && slices.Contains(frameTitles, rest) {
			return rest
		}
	}
	return title
}

// value reads a field; a missing one is NaN. Where a comma does not separate columns it may stand before the decimals.
func value(s string) (float64, error) {
	if missing(s) {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && strings.Count(s, ",") == 1 {
		return strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	}
	return v, err
}

func isWord(s string) bool {
	_, err := value(s)
	return err != nil
}

func missing(s string) bool {
	switch strings.ToLower(s) {
	case "", "n/a", "na", "nan":
		return true
	}
	return false
}

// A sheet is a table of which header and rows are told apart.
type sheet struct {
	file   string
	header []string // of all columns, "" where it has no title; nil when there is none
	rows   []formats.Row
	width  int
	drop   []bool   // columns that are no signals
	names  []string // of the rows; nil when they have none
	title  string   // of the column of names, or of one that numbers the rows

	words    int  // columns of words
	numbered bool // there is one that numbers the rows
	notes    []string
}

// numbers reads a table of numbers, with names of columns, of rows, of both or of neither. Columns that count rows, or
// that hold words, are left out with a note. Titles may stand in comments above the table.
func numbers(t *formats.Table, comments []string) (*matrix, error) {
	s, err := newSheet(t, comments)
	if err != nil {
		return nil, err
	}
	s.wordColumns()
	s.counters()
	m := &matrix{file: t.File, rows: len(s.rows), rowNames: s.names, notes: s.notes, words: s.words, numbered: s.numbered}
	for k, dropped := range s.drop {
		if dropped {
			continue
		}
		m.cols++
		if s.header != nil {
			m.columnNames = append(m.columnNames, s.header[k])
		}
	}
	if m.cols == 0 {
		return nil, &diag.Error{File: t.File, Where: "file", Found: "no columns of numbers", Expected: "a series or functional connectivity"}
	}
	m.values = make([]float64, 0, m.rows*m.cols)
	for _, row := range s.rows {
		for k, f := range row.Fields {
			if s.drop[k] {
				continue
			}
			v, err := value(f)
			if err != nil {
				return nil, &diag.Error{File: t.File, Line: row.Line, Where: fmt.Sprintf("column %d", k+1), Found: strconv.Quote(f), Expected: "a number"}
			}
			m.values = append(m.values, v)
		}
	}
	s.headerOfNumbers(m)
	m.title = letters(s.title)
	switch {
	case slices.Contains(frameTitles, m.title):
		m.framesOfRows = true
	case slices.Contains(regionTitles, m.title):
		m.regionsOfRows = true
	}
	return m, nil
}

// newSheet finds the header and checks that rows are of one length.
func newSheet(t *formats.Table, comments []string) (*sheet, error) {
	s := &sheet{file: t.File}
	header := t.Header
	for _, row := range t.Rows {
		if !strings.HasPrefix(row.Fields[0], "#") { // AFNI ends its files with a comment
			s.rows = append(s.rows, row)
		}
	}
	if header != nil && !slices.ContainsFunc(header, isWord) { // nothing but missing values, or decimal commas
		line := 2
		if len(s.rows) > 0 {
			line = s.rows[0].Line
		}
		s.rows, header = append([]formats.Row{{Line: max(1, line-1), Fields: header}}, s.rows...), nil
	}
	if header == nil && len(s.rows) > 1 && isHeader(s.rows) {
		header, s.rows = s.rows[0].Fields, s.rows[1:]
	}
	if len(s.rows) == 0 {
		return nil, &diag.Error{File: t.File, Where: "file", Found: "no rows of numbers", Expected: "a series or functional connectivity"}
	}
	s.width = len(s.rows[0].Fields)
	for _, row := range s.rows {
		if len(row.Fields) != s.width {
			return nil, &diag.Error{File: t.File, Line: row.Line, Found: figure.Count(len(row.Fields), "column"),
				Expected: fmt.Sprintf("%d as in line %d", s.width, s.rows[0].Line)}
		}
	}
	for header == nil && len(comments) > 0 {
		last := comments[len(comments)-1]
		if titles := titlesIn(last, s.width); titles != nil {
			header = titles
		}
		comments = comments[:len(comments)-1]
	}
	switch {
	case header == nil:
	case len(header) == s.width:
		s.header = header
	case len(header) == s.width-1 && s.empty(s.width-1): // lines end with a separator, but for the first
		s.header = append(slices.Clone(header), "")
	case len(header) == s.width-1 && s.namesRows(): // no title above the names of rows, as R writes it
		s.header = append([]string{""}, header...)
	default:
		return nil, &diag.Error{File: t.File, Line: s.rows[0].Line, Found: figure.Count(s.width, "column"), Expected: fmt.Sprintf("%d as in the header", len(header))}
	}
	s.drop = make([]bool, s.width)
	if last := s.width - 1; last > 0 && s.empty(last) && (s.header == nil || s.header[last] == "") {
		s.drop[last] = true // every line ends with a separator
	}
	return s, nil
}

// isHeader tells whether the first row, which holds numbers, is a header: it has words in columns of numbers, or it counts
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
	// Codes of regions, such as 2001, 2002, 2101, above what are no whole numbers.
	for _, row := range rows[1:] {
		for _, f := range row.Fields[len(row.Fields)-min(len(row.Fields), len(first)):] {
			if v, err := value(f); err == nil && v != math.Trunc(v) {
				return true
			}
		}
	}
	return false
}

// rises tells whether fields are rising whole numbers, at least three.
func rises(fields []string) bool {
	last := -1.0
	for _, f := range fields {
		v, err := value(f)
		if err != nil || !(v > last) || v != math.Trunc(v) {
			return false
		}
		last = v
	}
	return len(fields) >= 3
}

// counts tells whether fields are whole numbers one after the other.
func counts(fields []string) bool {
	if !rises(fields) {
		return false
	}
	first, _ := value(fields[0])
	last, _ := value(fields[len(fields)-1])
	return last-first == float64(len(fields)-1)
}

// titlesIn returns the titles of so many columns that a comment holds; nil if it holds something else.
func titlesIn(comment string, width int) []string {
	comment = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(comment), "#%"))
	if key, list, ok := strings.Cut(comment, "="); ok && strings.EqualFold(strings.TrimSpace(key), "ColumnLabels") { // of AFNI
		comment = strings.Trim(strings.TrimSpace(list), `"`)
	}
	titles := split(comment)
	for k := range titles {
		titles[k] = strings.Trim(strings.TrimSpace(titles[k]), `"`)
	}
	if len(titles) > width && titles[len(titles)-1] == "" {
		titles = titles[:len(titles)-1]
	}
	if len(titles) != width || width < 2 || !slices.ContainsFunc(titles, isWord) {
		return nil
	}
	return titles
}

// namesRows tells whether the first column has words, or numbers the rows.
func (s *sheet) namesRows() bool {
	words, fields := 0, make([]string, len(s.rows))
	for i, row := range s.rows {
		if fields[i] = row.Fields[0]; isWord(fields[i]) {
			words++
		}
	}
	return 2*words > len(s.rows) || counts(fields)
}

// empty tells whether a column holds nothing at all, not even a word for it.
func (s *sheet) empty(k int) bool {
	return !slices.ContainsFunc(s.rows, func(r formats.Row) bool { return r.Fields[k] != "" })
}

// wordColumns finds the names of rows in the first column of words; others hold no signals.
func (s *sheet) wordColumns() {
	var left []string
	for k := range s.width {
		words := 0
		for _, row := range s.rows {
			if isWord(row.Fields[k]) {
				words++
			}
		}
		if 2*words <= len(s.rows) || s.drop[k] {
			continue
		}
		s.drop[k] = true
		s.words++
		var names []string
		distinct := map[string]bool{}
		for _, row := range s.rows {
			names, distinct[row.Fields[k]] = append(names, row.Fields[k]), true
		}
		if s.names == nil && len(distinct) == len(s.rows) {
			s.names, s.title = names, s.titleOf(k)
			continue
		}
		left = append(left, s.columnName(k))
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

// counters finds columns that number the rows, by the title of the first or by what they hold.
func (s *sheet) counters() {
	first := slices.Index(s.drop, false)
	for k := range s.width {
		if s.drop[k] {
			continue
		}
		title := letters(s.titleOf(k))
		titled := k == first && s.header != nil && !namesFrame(s.header[k]) &&
			(slices.Contains(frameTitles, title) || slices.Contains(indexTitles, title) && (title != "" || s.header[k] == ""))
		fields := make([]string, len(s.rows))
		for i, row := range s.rows {
			fields[i] = row.Fields[k]
		}
		steady := len(fields) >= LeastFrames && (counts(fields) && beginsAt01(fields) || k == first && s.titleOf(k) == "" && even(fields))
		if k == first && s.names == nil && s.header != nil && slices.Contains(regionTitles, title) && rises(fields) {
			s.drop[k], s.title = true, s.header[k]
			if !counts(fields) {
				s.names = fields
			}
			continue
		}
		if !titled && !steady {
			continue
		}
		s.drop[k], s.numbered = true, true
		if s.title == "" {
			s.title = s.titleOf(k)
		}
		s.notes = append(s.notes, fmt.Sprintf("%s: %s numbers the lines and was left out.", s.file, quoted(s.columnName(k))))
		if k == first {
			first = slices.Index(s.drop, false) // pandas may have written two of them
		}
	}
}

func quoted(s string) string {
	if strings.HasPrefix(s, "column ") {
		return s
	}
	return fmt.Sprintf("the column %q", s)
}

func beginsAt01(fields []string) bool {
	v, _ := value(fields[0])
	return v == 0 || v == 1
}

// even tells whether fields rise by one step throughout, as far as their digits go.
func even(fields []string) bool {
	first, _ := value(fields[0])
	last, _ := value(fields[len(fields)-1])
	step := (last - first) / float64(len(fields)-1)
	if !(step > 0) || math.IsInf(step, 0) {
		return false
	}
	for k, f := range fields {
		v, err := value(f)
		if err != nil || !(math.Abs(v-first-float64(step*float64(k))) <= 1e-3*step) {
			return false
		}
	}
	return true
}

// headerOfNumbers takes a header that only counts the columns for no names.
func (s *sheet) headerOfNumbers(m *matrix) {
	if !counts(m.columnNames) {
		return
	}
	first, last := m.columnNames[0], m.columnNames[m.cols-1]
	m.columnNames = nil
	m.notes = append(m.notes, fmt.Sprintf("%s: the first line, %s to %s, numbers the columns; it was taken for no values.", m.file, first, last))
}
