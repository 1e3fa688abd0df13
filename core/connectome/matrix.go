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
	regionsOfRows bool // the file says that rows are regions
	tr            float64
}

// numbers reads a table of numbers, with names of columns, of rows, of both or of neither.
func numbers(t *formats.Table) (*matrix, error) {
	m := &matrix{file: t.File, rows: len(t.Rows)}
	if m.rows == 0 {
		return nil, &diag.Error{File: t.File, Where: "file", Found: "no rows of numbers", Expected: "a series or functional connectivity"}
	}
	first := 0 // column of the first number
	for _, row := range t.Rows {
		if _, err := strconv.ParseFloat(row.Fields[0], 64); err != nil && !missing(row.Fields[0]) {
			first = 1
		}
	}
	width := len(t.Rows[0].Fields)
	rowNames := first == 1
	if len(t.Header) == width && slices.Contains(numberColumns, strings.ToLower(t.Header[0])) {
		first = 1 // numbers of the rows
	}
	m.cols = width - first
	for _, row := range t.Rows {
		if len(row.Fields) != width {
			return nil, &diag.Error{File: t.File, Line: row.Line, Found: figure.Count(len(row.Fields), "column"),
				Expected: fmt.Sprintf("%d as in line %d", width, t.Rows[0].Line)}
		}
		if rowNames {
			m.rowNames = append(m.rowNames, row.Fields[0])
		}
		for k, s := range row.Fields[first:] {
			v, err := strconv.ParseFloat(s, 64)
			if missing(s) {
				v, err = math.NaN(), nil
			}
			if err != nil {
				return nil, &diag.Error{File: t.File, Line: row.Line, Where: fmt.Sprintf("column %d", first+k+1), Found: strconv.Quote(s), Expected: "a number"}
			}
			m.values = append(m.values, v)
		}
	}
	switch h := t.Header; {
	case len(h) == width:
		m.columnNames = h[first:]
	case len(h) == m.cols: // no title above the names of rows, as R writes it
		m.columnNames = h
	case h != nil:
		return nil, &diag.Error{File: t.File, Line: t.Rows[0].Line, Found: figure.Count(width, "column"), Expected: fmt.Sprintf("%d as in the header", len(h))}
	}
	return m, nil
}

// numberColumns are titles of a first column that only counts the rows.
var numberColumns = []string{"", "unnamed: 0", "index", "time", "frame", "t"}

func missing(s string) bool {
	switch strings.ToLower(s) {
	case "", "n/a", "na", "nan":
		return true
	}
	return false
}

// isFC tells whether a matrix is one of functional connectivity: square and symmetric.
func (m *matrix) isFC() bool {
	if m.rows != m.cols {
		return false
	}
	for i := range m.rows {
		for j := range i {
			if !alike(m.values[i*m.cols+j], m.values[j*m.cols+i]) {
				return false
			}
		}
	}
	return true
}

// series makes a series of a matrix. What its rows are is known from the hint, the file's
// names or the number of regions; otherwise from the signals: neighbouring frames of one
// region resemble each other more than neighbouring regions do in one frame.
func (r *reader) series(m *matrix) error {
	known := 0 // number of regions
	if r.in.Atlas != nil {
		known = len(r.in.Atlas.Names)
	} else if r.names != nil {
		known = len(r.names)
	}
	regions, why := false, ""
	switch {
	case r.hints.Rows == "regions" || r.hints.Rows == "frames":
		regions = r.hints.Rows == "regions"
	case m.regionsOfRows:
		regions = true
	case m.rowNames != nil:
		regions = true // a column of words beside numbers names regions, not frames
	case m.columnNames != nil:
	case known > 0 && (m.rows == known) != (m.cols == known):
		regions, why = m.rows == known, fmt.Sprintf("%d is the number of regions", known)
	default:
		x := centred(m.values, m.rows, m.cols)
		alongRows, alongColumns := resemblance(x, m.rows, m.cols, m.cols, 1), resemblance(x, m.cols, m.rows, 1, m.cols)
		regions = alongRows > alongColumns
		// In resting subjects at a TR of 0.72 s: 0.19 to 0.35 along time, 0.10 to 0.17 along
		// regions, at least 0.10 apart.
		const least, apart = 0.18, 0.1
		if !(math.Abs(alongRows-alongColumns) >= apart && max(alongRows, alongColumns) >= least) {
			if !r.guess {
				return &diag.Error{File: m.file, Where: "orientation", Found: fmt.Sprintf("a matrix of %d x %d without names", m.rows, m.cols),
					Expected: "to be told whether its rows are regions or frames"}
			}
			r.in.Unclear = true
		}
		why = "neighbouring frames resemble each other"
	}
	s := &Series{Name: m.file, TR: m.tr}
	if regions {
		s.Frames, s.Values, s.Regions = m.cols, m.values, m.rowNames
	} else {
		s.Frames, s.Regions = m.rows, m.columnNames
		s.Values = make([]float64, len(m.values))
		for t := range m.rows {
			for i := range m.cols {
				s.Values[i*m.rows+t] = m.values[t*m.cols+i]
			}
		}
	}
	if why != "" {
		r.in.Notes = append(r.in.Notes, fmt.Sprintf("%s: %d regions x %d frames, for %s.", m.file, s.M(), s.Frames, why))
	}
	r.in.Series, r.in.Rows = s, "frames"
	if regions {
		r.in.Rows = "regions"
	}
	return nil
}

// centred returns a matrix less the means of its rows and of its columns.
func centred(x []float64, rows, cols int) []float64 {
	x = slices.Clone(x)
	column := make([]float64, cols)
	for i := range rows {
		row, mean := x[i*cols:(i+1)*cols], 0.0
		for _, v := range row {
			mean += v
		}
		mean /= float64(cols)
		for j := range row {
			row[j] -= mean
			column[j] += row[j]
		}
	}
	for k := range x {
		x[k] -= column[k%cols] / float64(rows)
	}
	return x
}

// resemblance returns the median over lines of the correlation of a line of mean 0 with
// itself moved by one place. There are n lines of k places; the next line is line values
// away, the next place place values.
func resemblance(x []float64, n, k, line, place int) float64 {
	all := make([]float64, 0, n)
	for i := range n {
		square, product, last := 0.0, 0.0, 0.0
		for t := range k {
			v := x[i*line+t*place]
			square += float64(v * v)
			product += float64(v * last)
			last = v
		}
		if square > 0 {
			all = append(all, product/square)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
