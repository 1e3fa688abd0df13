package connectome

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats"
	"cadem/core/multiplex"
)

// A matrix is a table of numbers whose kind is not settled yet.
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
	title         string // of the names or numbers of rows
	lines         []int  // of the rows; nil when they come from no text
	grouped       bool   // a column tells rows of several subjects or runs apart
	refused       error  // why rows are not frames of one run, one after the other
	tr            float64
	notes         []string
}

// value reads a field, and reports whether it is a number or missing, which is NaN.
func value(s string) (float64, bool) {
	if multiplex.IsMissing(s) {
		return math.NaN(), true
	}
	return formats.Number(s)
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
	numbered bool // there is one that numbers the rows
	grouped  bool
	refused  error
	notes    []string
}

// numbers reads a table of numbers, with names of columns, of rows, of both or of neither. Columns that count rows, or
// that hold words, are left out with a note. Titles may stand in comments above the table.
func numbers(t *formats.Table, comments []string) (*matrix, error) {
	s, err := newSheet(t, comments)
	if err != nil {
		return nil, err
	}
	s.groups()
	s.wordColumns()
	s.counters()
	m := &matrix{file: t.File, rows: len(s.rows), rowNames: s.names, words: s.words, numbered: s.numbered, title: s.title, grouped: s.grouped, refused: s.refused}
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
		return nil, &diag.Error{File: t.File, Where: "file", Found: "no columns of numbers", Expected: "a series or functional connectivity"}
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
				return nil, &diag.Error{File: t.File, Line: row.Line, Where: fmt.Sprintf("column %d", k+1), Found: strconv.Quote(f), Expected: "a number"}
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
func newSheet(t *formats.Table, comments []string) (*sheet, error) {
	s := &sheet{file: t.File}
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
	case len(header) == s.width-1 && s.empty(s.width-1): // lines end with a separator, except for the first
		s.header = append(slices.Clone(header), "")
	case len(header) == s.width-1 && s.namesRows(): // no title above the names of rows, as R writes it
		s.header = append([]string{""}, header...)
	default:
		return nil, &diag.Error{File: t.File, Line: s.rows[0].Line, Found: figure.Count(s.width, "column"), Expected: fmt.Sprintf("%d as in the header", len(header))}
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

// namesRows reports whether the first column has words, or numbers the rows.
func (s *sheet) namesRows() bool {
	return 2*s.wordsIn(0) > len(s.rows) || counts(s.fields(0))
}

// wordsIn counts the words of a column.
func (s *sheet) wordsIn(k int) int {
	words := 0
	for _, row := range s.rows {
		if isWord(row.Fields[k]) {
			words++
		}
	}
	return words
}

// empty reports whether a column holds nothing at all, not even a word for it.
func (s *sheet) empty(k int) bool {
	return !slices.ContainsFunc(s.rows, func(r formats.Row) bool { return r.Fields[k] != "" })
}

// wordColumns finds the names of rows in the first column of words; others hold no signals.
func (s *sheet) wordColumns() {
	var left []string
	for k := range s.width {
		words := s.wordsIn(k)
		if 2*words <= len(s.rows) || s.drop[k] {
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

// An Atlas is a table of regions: their names, positions and networks.
type Atlas struct {
	File      string
	Names     []string
	Networks  []string     // names, in order of first appearance; nil when there are none
	Network   []int        // of each region; -1 if it has none
	Centroids [][3]float64 // x (right), y (front), z (up) in mm; nil when they are not given
	Synthetic bool         // drawn, not anybody's
}

// Names of columns, in lower case, in order of preference.
var (
	nameColumns    = []string{"name", "region", "label", "roi", "parcel", "regionname", "roi name", "roi_name", "label_name"}
	networkColumns = []string{"yeo7_name", "network_name", "network", "yeo7", "yeo_7network", "cabnp_name", "network_label", "network_label_7network"}
	placeColumns   = [3][]string{{"x", "r", "x_mni", "mni_x", "centroid_x"},
		{"y", "a", "y_mni", "mni_y", "centroid_y"}, {"z", "s", "z_mni", "mni_z", "centroid_z"}}
)

// placesIn returns the columns of x, y and z; -1 for all unless all are there.
func placesIn(header []string) (at [3]int) {
	for d := range at {
		at[d] = column(header, placeColumns[d]...)
	}
	if slices.Contains(at[:], -1) {
		return [3]int{-1, -1, -1}
	}
	return at
}

// networkOf returns the network that a name such as 7Networks_LH_Vis_1 or RH_DorsAttn_Post_2 begins with, as the parcellations
// of Schaefer and others have it; "" for other names.
func networkOf(name string) string {
	words := strings.Split(name, "_")
	if strings.HasSuffix(words[0], "Networks") {
		words = words[1:]
	}
	if len(words) > 2 && (words[0] == "LH" || words[0] == "RH") {
		return words[1]
	}
	return ""
}

// networksOf returns the networks of all names; nil unless every name tells, in a table that has little but names: others with such
// names hold series or connectivity.
func networksOf(t *formats.Table, column int) (list []string) {
	const most = 3 // columns
	if len(t.Header) > most {
		return nil
	}
	return namedNetworks(t, column)
}

func namedNetworks(t *formats.Table, column int) (list []string) {
	for _, row := range t.Rows {
		if column >= len(row.Fields) || networkOf(row.Fields[column]) == "" {
			return nil
		}
		list = append(list, networkOf(row.Fields[column]))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(list)))) < 2 {
		return nil // what all names have in common is not a network
	}
	return list
}

// column returns the first of some names in a header.
func column(header []string, names ...string) int {
	for _, name := range names {
		if k := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(h, name) }); k >= 0 {
			return k
		}
	}
	return -1
}

// isAtlas reports whether a table lists regions: it has a column of names, and one of networks
// or of places.
func isAtlas(t *formats.Table) bool {
	name := column(t.Header, nameColumns...)
	return name >= 0 && (column(t.Header, networkColumns...) >= 0 || column(t.Header, "x") >= 0 || placesIn(t.Header)[0] >= 0 ||
		networksOf(t, name) != nil)
}

// newAtlas reads a table of regions that [isAtlas] recognises: a column "name" (or "region",
// "label"), and optionally "network" (or "yeo7_name") and "x", "y", "z" in mm. The error is
// a [*diag.Error].
func newAtlas(t *formats.Table) (*Atlas, error) {
	a := &Atlas{File: t.File}
	name, network := column(t.Header, nameColumns...), column(t.Header, networkColumns...)
	place := placesIn(t.Header)
	places := place[0] >= 0
	var named []string
	if network < 0 && len(t.Rows) > 0 {
		named = namedNetworks(t, name)
	}
	var lines []int
	for i, row := range t.Rows {
		if len(row.Fields) != len(t.Header) {
			return nil, &diag.Error{File: t.File, Line: row.Line, Found: figure.Count(len(row.Fields), "column"),
				Expected: fmt.Sprintf("%d as in the header", len(t.Header))}
		}
		a.Names, lines = append(a.Names, row.Fields[name]), append(lines, row.Line)
		if network >= 0 || named != nil {
			k, s := -1, ""
			if named != nil {
				s = named[i]
			} else {
				s = row.Fields[network]
			}
			if !multiplex.IsMissing(s) && s != "0" {
				if k = slices.Index(a.Networks, s); k < 0 {
					k = len(a.Networks)
					a.Networks = append(a.Networks, s)
				}
			}
			a.Network = append(a.Network, k)
		}
		if places {
			var p [3]float64
			for d, k := range place {
				v, ok := formats.Number(row.Fields[k])
				if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, &diag.Error{File: t.File, Line: row.Line, Where: t.Header[k], Found: strconv.Quote(row.Fields[k]),
						Expected: "a finite number of mm"}
				}
				p[d] = v
			}
			a.Centroids = append(a.Centroids, p)
		}
	}
	if len(a.Names) < 2 {
		return nil, &diag.Error{File: t.File, Where: "regions", Found: fmt.Sprint(len(a.Names)), Expected: "at least 2"}
	}
	if _, err := index(t.File, a.Names, lines); err != nil {
		return nil, err
	}
	return a, nil
}

// NetworkLabels is the name of the label set that [Atlas.Annotate] adds.
const NetworkLabels = "network"

// Annotate adds, to a graph whose nodes are the regions in this order, their positions and, as a
// label set, their networks. Facts missing from the table are left out.
func (a *Atlas) Annotate(g *multiplex.Graph) {
	if a.Networks != nil {
		g.Labels = append(g.Labels, multiplex.LabelSet{Name: NetworkLabels, Classes: a.Networks, Of: a.Network})
	}
	g.Places = a.Centroids
}

// readSheet reads a table of text with the comments above it. Layouts of other programs become the tables that they are.
func readSheet(f formats.File) (*formats.Table, []string, error) {
	var comments []string
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(f.Data, []byte("\ufeff"))))
	lines.Split(scanLines)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line != "" && line[0] != '#' && line[0] != '%' {
			break
		}
		if line != "" {
			comments = append(comments, line)
		}
	}
	if isNetCC(comments) {
		t, err := netCC(f)
		return t, nil, err
	}
	t, err := formats.ReadTable(f)
	if err != nil {
		return nil, nil, err
	}
	if regions := brainNetNodes(t); regions != nil {
		return regions, nil, nil
	}
	return t, comments, nil
}

// scanLines splits at every kind of line end.
func scanLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if k := bytes.IndexAny(data, "\r\n"); k >= 0 {
		switch {
		case data[k] == '\n':
			return k + 1, data[:k], nil
		case k+1 < len(data) && data[k+1] == '\n':
			return k + 2, data[:k], nil
		case k+1 < len(data) || atEOF:
			return k + 1, data[:k], nil
		}
		return 0, nil, nil // more will tell
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// isNetCC reports whether comments begin a file of 3dNetCorr of AFNI: "# 40  # Number of network ROIs".
func isNetCC(comments []string) bool {
	return len(comments) > 1 && strings.Contains(comments[0], "Number of network ROIs") && strings.Contains(comments[1], "Number of netcc matrices")
}

// netCC returns the matrix CC, Pearson correlation, of such a file; its rows and columns have the names, or the numbers, of
// the regions.
func netCC(f formats.File) (*formats.Table, error) {
	bad := func(line int, found, expected string) (*formats.Table, error) {
		return nil, &diag.Error{File: f.Name, Line: line, Found: found, Expected: expected}
	}
	t := &formats.Table{File: f.Name}
	lines := bufio.NewScanner(bytes.NewReader(f.Data))
	lines.Buffer(nil, len(f.Data)+1)
	lines.Split(scanLines)
	var matrices []string
	regions, labels, before, inside := 0, false, 0, false
	for line := 1; lines.Scan(); line++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		if fields[0] == "#" {
			switch {
			case regions == 0 && len(fields) > 1:
				n, err := strconv.Atoi(fields[1])
				if err != nil || n < 2 || n > len(f.Data) {
					return bad(line, strconv.Quote(text), "the number of regions, at least 2")
				}
				regions = n
			case len(fields) == 2 && fields[1] == "WITH_ROI_LABELS":
				labels = true
			case len(fields) == 2:
				matrices, inside = append(matrices, fields[1]), fields[1] == "CC"
			}
			continue
		}
		if matrices == nil { // names first, if any, then numbers
			if before++; before == 1 || !labels && len(t.Header) == 0 {
				t.Header = append([]string{"ROI"}, fields...)
			}
			continue
		}
		if !inside {
			continue
		}
		if len(fields) != regions || len(t.Header) != regions+1 || len(t.Rows) == regions {
			return bad(line, fmt.Sprintf("line %d of CC with %d values, for %d names", len(t.Rows)+1, len(fields), max(len(t.Header)-1, 0)),
				fmt.Sprintf("%d lines of %d values, a name each", regions, regions))
		}
		t.Rows = append(t.Rows, formats.Row{Line: line, Fields: append([]string{""}, fields...)})
	}
	if len(t.Rows) != regions {
		return bad(0, fmt.Sprintf("%d rows of the matrix CC among %s", len(t.Rows), formats.List(matrices, 20)), fmt.Sprintf("%d: 3dNetCorr writes them", regions))
	}
	// As names, also where they are numbers.
	for k := range t.Rows {
		name := t.Header[k+1]
		if !isWord(name) {
			name = "ROI " + name
		}
		t.Header[k+1], t.Rows[k].Fields[0] = name, name
	}
	return t, nil
}

// brainNetNodes returns the table of regions that a file of nodes of BrainNet Viewer is: rows of x, y, z, colour, size and
// name; nil for other tables. Names may be missing, written "-"; then regions have the numbers of their rows.
func brainNetNodes(t *formats.Table) *formats.Table {
	if t.Header != nil || len(t.Rows) < 2 {
		return nil
	}
	regions := &formats.Table{File: t.File, Header: []string{"x", "y", "z", "name"}}
	for k, row := range t.Rows {
		if len(row.Fields) != 6 {
			return nil
		}
		for _, f := range row.Fields[:5] {
			if _, ok := formats.Number(f); !ok {
				return nil
			}
		}
		name := row.Fields[5]
		if !isWord(name) {
			return nil
		}
		if name == "-" {
			name = strconv.Itoa(k + 1)
		}
		regions.Rows = append(regions.Rows, formats.Row{Line: row.Line, Fields: []string{row.Fields[0], row.Fields[1], row.Fields[2], name}})
	}
	return regions
}
