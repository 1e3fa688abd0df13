package connectome

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
)

// Confounds are signals that do not come from the brain's activity: head motion, fluid,
// white matter.
type Confounds struct {
	File    string
	Names   []string
	Frames  int
	Columns [][]float64 // of each name, a value for each frame
	// MotionOnly says that they tell of motion alone and are not regressed out: the series was cleaned before.
	MotionOnly bool
	// Modern says that, where options leave it open, they pass the filter of the data and unsteady frames are left out.
	Modern bool
}

// displacement is the column of fMRIPrep that says how far the head moved between frames.
const displacement = "framewise_displacement"

// newConfounds reads a table of confounds with a row for each frame: fMRIPrep's TSV, or
// numbers with or without a header. Entries that are missing in the first row, where
// derivatives have none, become the mean of their column; elsewhere they are an error, but
// in columns that are not used. The error is a [*diag.Error].
func newConfounds(t *formats.Table) (*Confounds, error) {
	columns, err := t.Columns()
	if err != nil {
		return nil, err
	}
	c := &Confounds{File: t.File, Frames: len(t.Rows)}
	for _, of := range columns {
		for i, v := range of.Values {
			if line := t.Rows[i].Line; math.IsInf(v, 0) || of.Words > 0 && of.Line == line {
				return nil, diag.At(t.File, line, of.Name(), strconv.Quote(of.Cells[i]), "a finite number or n/a")
			}
		}
		c.Names, c.Columns = append(c.Names, of.Name()), append(c.Columns, of.Values)
	}
	if c.Frames < LeastFrames {
		return nil, diag.At(t.File, 0, "frames", fmt.Sprint(c.Frames),
			fmt.Sprintf("at least %d rows of confounds", LeastFrames))
	}
	for k, column := range c.Columns {
		if !math.IsNaN(column[0]) {
			continue
		}
		sum := 0.0
		for _, v := range column[1:] {
			sum += v
		}
		if !math.IsNaN(sum) && c.Names[k] != displacement && c.Names[k] != "std_dvars" {
			column[0] = sum / float64(c.Frames-1)
		}
	}
	return c, nil
}

// Window returns the rows of n frames from the given one on. It panics if they are not there.
func (c *Confounds) Window(from, n int) *Confounds {
	ErrShape.Unless(from >= 0 && n >= 0 && from+n <= c.Frames)
	w := &Confounds{File: c.File, Names: c.Names, Frames: n, MotionOnly: c.MotionOnly, Modern: c.Modern}
	for _, column := range c.Columns {
		w.Columns = append(w.Columns, column[from:from+n])
	}
	return w
}

// Columns of fMRIPrep that strategies name: signals of the head's motion with their derivatives and squares, and of fluid and
// white matter.
func withTerms(names ...string) (list []string) {
	for _, name := range names {
		for _, term := range []string{"", "_derivative1", "_power2", "_derivative1_power2"} {
			list = append(list, name+term)
		}
	}
	return list
}

// A strategy says which columns are regressed out: those of some names, and those that begin so.
type strategy struct {
	names, prefixes []string
	fd, dvars       float64 // beyond which a frame is left out; 0: never
}

// strategies lists the strategies of load_confounds of nilearn, by name. Cosines replace its high-pass.
var strategies = func() map[string]*strategy {
	motion := withTerms("trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z")
	basic := []string{"csf", "white_matter"}
	return map[string]*strategy{
		"simple":    {names: slices.Concat(motion, basic), prefixes: []string{"cosine"}},
		"scrubbing": {names: slices.Concat(motion, withTerms(basic...)), prefixes: []string{"cosine"}, fd: 0.5, dvars: 1.5},
		"compcor":   {names: motion, prefixes: []string{"cosine", "a_comp_cor_"}},
		"ica_aroma": {names: basic, prefixes: []string{"cosine", "aroma_motion_"}},
	}
}()

// takes reports whether a column is one of the strategy's.
func (s *strategy) takes(name string) bool {
	return slices.Contains(s.names, name) || slices.ContainsFunc(s.prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// usual are the columns that are taken unless something else is said: a strategy without cosines.
var usual = &strategy{names: append(withTerms("trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z"), "csf", "white_matter")}

// pick returns n frames, from one on, of the columns to regress out: all, those of a strategy, or if the names are fMRIPrep's
// those of the usual one. Columns with missing entries are left out.
func (c *Confounds) pick(which string, from, n int) (names []string, columns [][]float64) {
	s := strategies[which]
	if s == nil && which != "all" && slices.Contains(c.Names, "trans_x") {
		s = usual
	}
	for k, name := range c.Names {
		if name == displacement || s != nil && !s.takes(name) || c.Modern && strings.HasPrefix(name, unsteady) {
			continue
		}
		column := c.Columns[k][from : from+n]
		if slices.ContainsFunc(column, func(v float64) bool { return math.IsNaN(v) }) {
			continue
		}
		names, columns = append(names, name), append(columns, column)
	}
	return names, columns
}

// unsteady is how columns of fMRIPrep begin that mark a frame before the scanner is steady.
const unsteady = "non_steady_state_outlier"

// unsteady returns how many of the first n frames come before the scanner is steady.
func (c *Confounds) unsteady(n int) (first int) {
	for k, name := range c.Names {
		if strings.HasPrefix(name, unsteady) {
			for t, v := range c.Columns[k][:n] {
				if v > 0 {
					first = max(first, t+1)
				}
			}
		}
	}
	return first
}

// A limit is the most that a column of confounds may be in a frame that is kept.
type limit struct {
	column int
	most   float64
}

// limits returns the limits that options set, of columns that are there.
func (o *Options) limits(c *Confounds) (list []limit) {
	fd, dvars := o.FD, o.DVARS
	if s := strategies[o.Confounds]; s != nil && !c.MotionOnly {
		fd, dvars = cmp.Or(fd, s.fd), cmp.Or(dvars, s.dvars)
	}
	for _, l := range []struct {
		name string
		most float64
	}{{displacement, fd}, {"std_dvars", dvars}} {
		if k := slices.Index(c.Names, l.name); k >= 0 && l.most > 0 {
			list = append(list, limit{k, l.most})
		}
	}
	return list
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
