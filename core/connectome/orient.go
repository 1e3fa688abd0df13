package connectome

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
)

// namesFrame tells whether a word names a point in time: vol_0000, "scan 3", TR-12, 2.16s, 10:32:05 or a date.
func namesFrame(word string) bool {
	word = strings.ToLower(strings.TrimSpace(word))
	for _, ending := range []string{".gz", ".nii", ".img", ".dcm"} {
		word = strings.TrimSuffix(word, ending)
	}
	if seconds := strings.TrimSpace(strings.TrimRight(word, "secmn")); seconds != word {
		if _, err := strconv.ParseFloat(seconds, 64); err == nil {
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

// nameFrames tells whether all names name points in time.
func nameFrames(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(s string) bool { return !namesFrame(s) })
}

// running tells whether names are one word with numbers that follow each other.
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

// givenByPrograms tells whether a name is the first of those that R and MATLAB give columns without names.
func givenByPrograms(name string) bool {
	return slices.Contains([]string{"V1", "X1", "Var1", "Column1"}, name)
}

// known tells whether most of some names are among those of the regions.
func known(names, regions []string) bool {
	if len(names) == 0 || len(regions) == 0 {
		return false
	}
	of := map[string]bool{}
	for _, s := range regions {
		of[plain(s)] = true
	}
	n := 0
	for _, s := range names {
		if of[plain(s)] {
			n++
		}
	}
	return 2*n > len(names)
}

// A lie tells how a matrix of signals lies.
type lie struct {
	regions bool   // rows are regions, not frames
	why     string // "" when names say so
	unclear bool
}

// lies tells how a matrix of signals lies: by the hint, the file, its names, the number of regions, or else by the
// signals: neighbouring frames of one region resemble each other more than neighbouring regions do in one frame. Words
// that name frames never turn it.
func (r *reader) lies(m *matrix) lie {
	regions := r.names
	if r.in.Atlas != nil {
		regions = r.in.Atlas.Names
	}
	count := len(regions)
	rowFrames, columnFrames := nameFrames(m.rowNames), nameFrames(m.columnNames)
	rows, columns := m.rowNames != nil && !rowFrames, m.columnNames != nil && !columnFrames
	switch {
	case r.hints.Rows == "regions" || r.hints.Rows == "frames":
		return lie{regions: r.hints.Rows == "regions"}
	case known(m.columnNames, regions) != known(m.rowNames, regions):
		return lie{regions: known(m.rowNames, regions)}
	case rowFrames != columnFrames:
		return lie{regions: columnFrames}
	case m.framesOfRows || m.regionsOfRows:
		return lie{regions: m.regionsOfRows}
	case rows && columns: // a header names regions, unless it counts and rows do not
		return lie{regions: running(m.columnNames) && !running(m.rowNames) && (m.cols > m.rows || givenByPrograms(m.columnNames[0]))}
	case rows || columns:
		return lie{regions: rows}
	case count > 0 && (m.rows == count) != (m.cols == count):
		return lie{regions: m.rows == count, why: fmt.Sprintf("%d is the number of regions", count)}
	}
	x := centred(m.values, m.rows, m.cols)
	alongRows, alongColumns := resemblance(x, m.rows, m.cols, m.cols, 1), resemblance(x, m.cols, m.rows, 1, m.cols)
	// In resting subjects at a TR of 0.72 s: 0.19 to 0.35 along time, 0.10 to 0.17 along
	// regions, at least 0.10 apart.
	const least, apart = 0.18, 0.1
	return lie{regions: alongRows > alongColumns, why: "neighbouring frames resemble each other",
		unclear: !(math.Abs(alongRows-alongColumns) >= apart && max(alongRows, alongColumns) >= least)}
}

// series makes a series of a matrix.
func (r *reader) series(m *matrix) error {
	l := r.lies(m)
	if l.unclear {
		if !r.guess {
			return &diag.Error{File: m.file, Where: "orientation", Found: fmt.Sprintf("a matrix of %d x %d without names", m.rows, m.cols),
				Expected: "to be told whether its rows are regions or frames"}
		}
		r.in.Unclear = true
	}
	s := &Series{Name: m.file, TR: m.tr}
	frames := m.rowNames // what names them
	if l.regions {
		s.Frames, s.Values, s.Regions, frames = m.cols, m.values, m.rowNames, m.columnNames
	} else {
		s.Frames, s.Regions = m.rows, m.columnNames
		s.Values = make([]float64, len(m.values))
		for t := range m.rows {
			for i := range m.cols {
				s.Values[i*m.rows+t] = m.values[t*m.cols+i]
			}
		}
	}
	switch {
	case l.why != "":
		r.in.Notes = append(r.in.Notes, fmt.Sprintf("%s: %d regions x %d frames, for %s.", m.file, s.M(), s.Frames, l.why))
	case frames != nil:
		r.in.Notes = append(r.in.Notes, fmt.Sprintf("%s: %d regions x %d frames; %q and so on name frames.", m.file, s.M(), s.Frames, frames[0]))
	}
	r.in.Series, r.in.Rows = s, "frames"
	if l.regions {
		r.in.Rows = "regions"
	}
	return nil
}
