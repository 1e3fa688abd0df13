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

// Confounds are signals that do not come from the brain's activity: head motion, fluid,
// white matter.
type Confounds struct {
	File    string
	Names   []string
	Frames  int
	Columns [][]float64 // of each name, a value for each frame
}

// displacement is the column of fMRIPrep that says how far the head moved between frames.
const displacement = "framewise_displacement"

// newConfounds reads a table of confounds with a row for each frame: fMRIPrep's TSV, or
// numbers with or without a header. Entries that are missing in the first row, where
// derivatives have none, become the mean of their column; elsewhere they are an error, but
// in columns that are not used. The error is a [*diag.Error].
func newConfounds(t *formats.Table) (*Confounds, error) {
	c := &Confounds{File: t.File, Names: t.Header, Frames: len(t.Rows)}
	width := len(t.Header)
	if t.Header == nil && len(t.Rows) > 0 {
		width = len(t.Rows[0].Fields)
		for k := range width {
			c.Names = append(c.Names, fmt.Sprintf("column %d", k+1))
		}
	}
	for k := range width {
		column := make([]float64, 0, c.Frames)
		for _, row := range t.Rows {
			v, err := number(t.File, row, c.Names, k)
			if err != nil {
				return nil, err
			}
			column = append(column, v)
		}
		c.Columns = append(c.Columns, column)
	}
	if c.Frames < LeastFrames || width == 0 {
		return nil, &diag.Error{File: t.File, Where: "frames", Found: fmt.Sprint(c.Frames), Expected: fmt.Sprintf("at least %d rows of confounds", LeastFrames)}
	}
	for k, column := range c.Columns {
		if !math.IsNaN(column[0]) {
			continue
		}
		sum := 0.0
		for _, v := range column[1:] {
			sum += v
		}
		if !math.IsNaN(sum) && c.Names[k] != displacement {
			column[0] = sum / float64(c.Frames-1)
		}
	}
	return c, nil
}

// number reads field k of a row; a missing one is NaN.
func number(file string, row formats.Row, names []string, k int) (float64, error) {
	if k >= len(row.Fields) || len(row.Fields) > len(names) {
		return 0, &diag.Error{File: file, Line: row.Line, Found: figure.Count(len(row.Fields), "column"), Expected: fmt.Sprint(len(names))}
	}
	v, ok := value(row.Fields[k])
	if !ok || math.IsInf(v, 0) {
		return 0, &diag.Error{File: file, Line: row.Line, Where: names[k], Found: strconv.Quote(row.Fields[k]), Expected: "a finite number or n/a"}
	}
	return v, nil
}

// Window returns the rows of n frames from the given one on. It panics if they are not there.
func (c *Confounds) Window(from, n int) *Confounds {
	if from < 0 || n < 0 || from+n > c.Frames {
		panic(ErrShape)
	}
	w := &Confounds{File: c.File, Names: c.Names, Frames: n}
	for _, column := range c.Columns {
		w.Columns = append(w.Columns, column[from:from+n])
	}
	return w
}

// pick returns the columns to regress out, cut to n frames: all, or those of the usual
// model if the names are fMRIPrep's. Columns with missing entries are left out.
func (c *Confounds) pick(all bool, n int) (names []string, columns [][]float64) {
	usual := func(name string) bool {
		if name == "csf" || name == "white_matter" {
			return true
		}
		for _, axis := range []string{"trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z"} {
			if rest, ok := strings.CutPrefix(name, axis); ok {
				return slices.Contains([]string{"", "_derivative1", "_power2", "_derivative1_power2"}, rest)
			}
		}
		return false
	}
	if !slices.Contains(c.Names, "trans_x") {
		all = true
	}
	for k, name := range c.Names {
		if name == displacement || !all && !usual(name) {
			continue
		}
		column := c.Columns[k][:n]
		if slices.ContainsFunc(column, func(v float64) bool { return math.IsNaN(v) }) {
			continue
		}
		names, columns = append(names, name), append(columns, column)
	}
	return names, columns
}

// motion returns the mean displacement of the first n frames, and the share of them with
// more than 0.5 mm; nil when the table does not tell.
func (c *Confounds) motion(n int) (mean, moved *float64) {
	k := slices.Index(c.Names, displacement)
	if k < 0 {
		return nil, nil
	}
	sum, known, far := 0.0, 0.0, 0.0
	for _, v := range c.Columns[k][:n] {
		if math.IsNaN(v) {
			continue
		}
		sum += v
		known++
		if v > 0.5 {
			far++
		}
	}
	if known == 0 {
		return nil, nil
	}
	sum, far = sum/known, far/known
	return &sum, &far
}
