package connectome

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/linalg"
	"cadem.example/core/formats"
)

// isWhole reports whether a matrix holds whole numbers >= 0 alone, some of them missing, as one of links or of counts does.
func (m *matrix) isWhole() bool {
	return !slices.ContainsFunc(m.values, func(v float64) bool { return v < 0 || v != math.Trunc(v) && !math.IsNaN(v) })
}

// alignColumns brings the columns of a square matrix with the same names on both sides into the order of the rows, and
// reports whether it is one.
func (m *matrix) alignColumns() bool {
	order := find(m.rowNames, m.columnNames, plain)
	if m.rows != m.cols || order == nil {
		return false
	}
	if !slices.IsSorted(order) {
		x := make([]float64, 0, len(m.values))
		for i := range m.rows {
			for _, j := range order {
				x = append(x, m.values[i*m.cols+j])
			}
		}
		m.values, m.columnNames = x, m.rowNames
	}
	return true
}

// isConnectivity reports whether a matrix is one of regions by regions: it has the same names on both sides, or the same
// values, or values on one side of its diagonal alone, or one value all along it, which no series has.
func (m *matrix) isConnectivity() bool {
	if m.rows != m.cols {
		return false
	}
	if m.alignColumns() || m.connectivity || m.triangle() != "" {
		return true
	}
	if i, _ := m.unlike(1); i < 0 {
		return true
	}
	const least = 5 // two are equal by chance, five are not
	if m.rows < least {
		return false
	}
	for i := range m.rows {
		v, first := m.values[i*m.cols+i], m.values[0]
		if v != first && !(math.IsNaN(v) && math.IsNaN(first)) {
			return false
		}
	}
	return true
}

// triangle returns the only side of the diagonal, "above" or "below", with values other than 0 in a square matrix; "" if
// both or neither has them.
func (m *matrix) triangle() string {
	above, below := false, false
	for i := range m.rows {
		for j := range i {
			a, b := m.values[j*m.cols+i], m.values[i*m.cols+j]
			above, below = above || holds(a), below || holds(b)
		}
	}
	switch {
	case above && !below:
		return "above"
	case below && !above:
		return "below"
	}
	return ""
}

// holds reports whether a value says something: it is neither missing nor 0.
func holds(v float64) bool { return !math.IsNaN(v) && v != 0 }

// mirror copies what is on one side of the diagonal alone to the other, and says which side that is.
func (m *matrix) mirror() (side string) {
	if side = m.triangle(); side == "" {
		return ""
	}
	m.values = slices.Clone(m.values)
	for i := range m.rows {
		for j := range i {
			above, below := &m.values[j*m.cols+i], &m.values[i*m.cols+j]
			if side == "above" {
				*below = *above
			} else {
				*above = *below
			}
		}
	}
	return side
}

// unlike returns the first pair of a square matrix whose two directions differ; -1 when there is none. The diagonal counts
// for nothing, and nor does what is missing in both directions. Values in units of unit differ if more than rounding parts them.
func (m *matrix) unlike(unit float64) (i, j int) {
	for i := range m.rows {
		for j := range i {
			a, b := m.values[i*m.cols+j], m.values[j*m.cols+i]
			if !alike(a, b, unit) && !(math.IsNaN(a) && math.IsNaN(b)) {
				return j, i
			}
		}
	}
	return -1, -1
}

// largest returns the largest size of a finite value of a square matrix beside its diagonal.
func (m *matrix) largest() (v float64) {
	for k, x := range m.values {
		if x = math.Abs(x); k/m.cols != k%m.cols && x > v && !math.IsInf(x, 0) {
			v = x
		}
	}
	return v
}

// connectivity takes a square matrix for functional connectivity, which has no direction.
func (r *reader) connectivity(m *matrix) error {
	r.in.Regions = m.rowNames
	if r.in.Regions == nil {
		r.in.Regions = m.columnNames
	}
	err := r.undirected(m, r.in.Regions, 1)
	r.in.FC = m.values
	return err
}

// undirected makes the two directions of a square matrix of values in units of unit alike, if they are not.
func (r *reader) undirected(m *matrix, regions []string, unit float64) error {
	if side := m.mirror(); side != "" {
		r.in.note("%s: values stand %s the diagonal alone; they were mirrored to the other side.", m.file, side)
	}
	i, j := m.unlike(unit)
	switch {
	case i < 0:
		return nil
	case r.hints.Directions == "mean":
		mean := make([]float64, len(m.values))
		for i := range m.rows {
			for j := range m.cols {
				mean[i*m.cols+j] = (m.values[i*m.cols+j] + m.values[j*m.cols+i]) / 2
			}
		}
		m.values = mean
		r.in.Notes = append(r.in.Notes, m.file+": of every pair the mean of both directions.")
		return nil
	}
	line, places := 0, fmt.Sprintf("%v in row %d and %v in row %d", m.values[i*m.cols+j], i+1, m.values[j*m.cols+i], j+1)
	if m.lines != nil {
		line, places = m.lines[i], fmt.Sprintf("%v in line %d and %v in line %d", m.values[i*m.cols+j], m.lines[i], m.values[j*m.cols+i], m.lines[j])
	}
	err := diag.At(m.file, line, region(regions, i)+" and "+region(regions, j), places+": connectivity that is not symmetric",
		"the same value in both directions; directions=mean takes the mean of both. A directed graph is opened as a "+
			"layer beside others (-mutual keeps links in both directions)")
	if r.guess {
		r.in.Directed = err
		return nil
	}
	return err
}

// centred returns a matrix less the means of its rows and of its columns.
func centred(x []float64, rows, cols int) []float64 {
	x = slices.Clone(x)
	for i := range rows {
		linalg.Centre(x[i*cols:(i+1)*cols], 1)
	}
	linalg.Centre(x, cols)
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

// namesFrame reports whether a word names a point in time: vol_0000, "scan 3", TR-12, 2.16s, 10:32:05 or a date.
func namesFrame(word string) bool {
	word = strings.ToLower(strings.TrimSpace(word))
	for _, ending := range []string{".gz", ".nii", ".img", ".dcm"} {
		word = strings.TrimSuffix(word, ending)
	}
	if seconds := strings.TrimSpace(strings.TrimRight(word, "secmn")); seconds != word {
		if _, ok := formats.Number(seconds); ok {
			return true
		}
	}
	digits := strings.Count(word, ":") + strings.Count(word, "-") + strings.Count(word, "/")
	if digits >= 1 && strings.Trim(word, "0123456789:-/.,t z+") == "" && strings.ContainsAny(word, "0123456789") {
		return true
	}
	stem := strings.TrimRight(word, "0123456789")
	if stem == word {
		return false
	}
	stem = strings.TrimRight(stem, " _-.:=#")
	if k := strings.LastIndexAny(stem, " _-."); k >= 0 && !strings.HasSuffix(stem, "time point") {
		stem = stem[k+1:]
	}
	return slices.Contains(frameTitles, letters(stem)) || letters(stem) == "tp"
}

// nameFrames reports whether all names name points in time.
func nameFrames(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(s string) bool { return !namesFrame(s) })
}

// running reports whether names are one word with numbers that follow each other.
func running(names []string) bool {
	first, last := "", 0
	for k, name := range names {
		stem := strings.TrimRight(name, "0123456789")
		n, err := strconv.Atoi(name[len(stem):])
		if err != nil || k > 0 && (stem != first || n != last+1) {
			return false
		}
		first, last = stem, n
	}
	return len(names) > 1
}

// givenByPrograms reports whether a name is the first of those that R and MATLAB give columns without names.
func givenByPrograms(name string) bool {
	return slices.Contains([]string{"V1", "X1", "Var1", "Column1"}, name)
}

// known reports whether most of some names are among those of the regions.
func known(names, regions []string) bool {
	of, n := plainly(regions), 0
	for _, s := range names {
		if of[plain(s)] {
			n++
		}
	}
	return 2*n > len(names)
}

// A lie says how a matrix of signals lies.
type lie struct {
	regions bool   // rows are regions, not frames
	why     string // "" when it was told, or is plain from names on one side
	unclear bool
}

// lies says how a matrix of signals lies: by the hint, the file, its names, the number of regions, or else by the
// signals: neighbouring frames of one region resemble each other more than neighbouring regions do in one frame. Words
// that name frames never turn it.
func (r *reader) lies(m *matrix) lie {
	regions, table := r.names, r.named
	if r.in.Atlas != nil {
		regions, table = r.in.Atlas.Names, r.in.Atlas.File
	}
	count := len(regions)
	if count == 0 && len(r.structures) > 0 {
		s := r.structures[0]
		if regions = s.rowNames; regions == nil {
			regions = s.columnNames
		}
		table, count = s.file, s.rows
	}
	rowFrames, columnFrames := nameFrames(m.rowNames), nameFrames(m.columnNames)
	rows, columns := m.rowNames != nil && !rowFrames, m.columnNames != nil && !columnFrames
	switch {
	case r.hints.Rows == "regions" || r.hints.Rows == "frames":
		return lie{regions: r.hints.Rows == "regions"}
	case known(m.columnNames, regions) != known(m.rowNames, regions):
		return lie{regions: known(m.rowNames, regions), why: table + " has the names of the regions"}
	case rowFrames != columnFrames:
		named := m.rowNames
		if columnFrames {
			named = m.columnNames
		}
		return lie{regions: columnFrames, why: fmt.Sprintf("%q and so on name frames", named[0])}
	case m.framesOfRows || m.regionsOfRows:
		if m.title == "" || !rows { // a format that has one order, or no names that may mislead
			return lie{regions: m.regionsOfRows}
		}
		return lie{regions: m.regionsOfRows, why: fmt.Sprintf("the column of %q is called %q", m.rowNames[0], m.title)}
	case rows && columns: // a header names regions, unless it counts and rows do not
		if running(m.columnNames) && !running(m.rowNames) && (m.cols > m.rows || givenByPrograms(m.columnNames[0])) {
			return lie{regions: true, why: fmt.Sprintf("the header only counts, %q to %q", m.columnNames[0], m.columnNames[m.cols-1])}
		}
		return lie{why: fmt.Sprintf("a header is taken to name regions (%q) where rows have names, too (%q)", m.columnNames[0], m.rowNames[0])}
	case rows || columns:
		return lie{regions: rows}
	case count > 0 && (m.rows == count) != (m.cols == count):
		return lie{regions: m.rows == count, why: fmt.Sprintf("%s has %d regions", table, count)}
	}
	x := centred(m.values, m.rows, m.cols)
	alongRows, alongColumns := resemblance(x, m.rows, m.cols, m.cols, 1), resemblance(x, m.cols, m.rows, 1, m.cols)
	// In resting subjects at a TR of 0.72 s: 0.19 to 0.35 along time, 0.10 to 0.17 along
	// regions, at least 0.10 apart.
	const least, apart = 0.18, 0.1
	if math.Abs(alongRows-alongColumns) >= apart && max(alongRows, alongColumns) >= least {
		return lie{regions: alongRows > alongColumns, why: "neighbouring frames of a region are more alike than neighbouring regions in a frame"}
	}
	return lie{regions: alongRows > alongColumns, unclear: true}
}

// series makes a series of a matrix.
func (r *reader) series(m *matrix) error {
	l := r.lies(m)
	if l.unclear {
		if !r.guess {
			return diag.At(m.file, 0, "orientation", fmt.Sprintf("a matrix of %d x %d without names", m.rows, m.cols),
				"to be told whether its rows are regions or frames")
		}
		r.in.Unclear = true
	}
	s := &Series{Name: m.file, TR: m.tr, lines: m.lines, byRegion: l.regions}
	if l.regions {
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
	if l.why != "" {
		r.in.note("%s: %d regions x %d frames, because %s.", m.file, s.M(), s.Frames, l.why)
	}
	r.in.Series, r.in.Rows = s, "frames"
	if l.regions {
		r.in.Rows = "regions"
	}
	return nil
}
