package connectome

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/multiplex"
)

// saysMotion says by its name whether a file holds the motion that a program of realignment
// found: rp_*.txt of SPM, *.par of FSL, dfile*.1D of AFNI.
func saysMotion(name string) bool {
	base := strings.ToLower(path.Base(clean(name)))
	return strings.HasPrefix(base, "rp_") || strings.HasSuffix(base, ".par") ||
		strings.HasPrefix(base, "dfile") || strings.Contains(base, "_mcf.")
}

// isMovement reports whether a matrix may be the motion of a head in rows of frames: six numbers
// without names, or with their derivatives and squares.
func (m *matrix) isMovement() bool {
	return slices.Contains([]int{6, 12, 24}, m.cols) && m.rows > m.cols && m.rowNames == nil &&
		m.columnNames == nil && !m.connectivity &&
		len(m.whole()) == 0
}

// movement takes a matrix for confounds that has the columns of motion, and as many rows as a
// wider series beside it has frames.
func (r *reader) movement() (err error) {
	for k, m := range r.matrices {
		beside := func(s *matrix) bool {
			return s != m && min(s.rows, s.cols) > m.cols && (s.rows == m.rows || s.cols == m.rows)
		}
		i := slices.IndexFunc(r.parts, func(p part) bool {
			return p.file.Name == m.file &&
				p.table != nil
		})
		dense := r.dense != nil && r.dense.Columns.Len == m.rows
		if r.in.Confounds != nil || i < 0 || !m.isMovement() || !dense &&
			!slices.ContainsFunc(r.matrices, beside) {
			continue
		}
		if r.in.Confounds, err = newConfounds(r.parts[i].table); err != nil {
			return err
		}
		r.matrices = slices.Delete(r.matrices, k, k+1)
		r.in.note("%s: %d columns without names and a row for each frame were taken for the "+
			"motion of the head, which is regressed out; confounds=off "+
			"leaves it.", m.file, m.cols)
		return nil
	}
	return nil
}

// motionTitles are those of motion in the form of [letters].
var motionTitles = []string{"transx", "transy", "transz", "rotx", "roty", "rotz", "roll",
	"pitch", "yaw"}

// findMotion takes for confounds what has the columns of motion beside a series of the same
// recording, whatever its last word.
func (b *bidsFolder) findMotion() {
	narrow, wide := map[string]bool{}, map[string]bool{}
	for _, f := range b.data() {
		head := b.heads[clean(f.name)]
		_, m, _ := glimpse(head)
		narrow[f.name] = f.suffix != "timeseries" && f.suffix != "bold" && m != nil && m.isMovement()
		wide[f.key(recordedKeys...)] = wide[f.key(recordedKeys...)] || !narrow[f.name]
	}
	for _, f := range b.data() {
		if narrow[f.name] && wide[f.key(recordedKeys...)] {
			f.role = confoundsRole
		}
	}
}

// motionAmong lists the files that hold confounds, it seems, of series that are wider.
func motionAmong(files []formats.File) (motion []string) {
	widest := 0
	var narrow []*matrix
	for _, f := range files {
		if kind := kindOf(f); kind == partCIFTI || kind == partArrays {
			widest = math.MaxInt
			continue
		}
		p, m, _ := glimpse(f)
		if p.kind == partConfounds || p.kind == partMotion {
			motion = append(motion, f.Name)
		} else if m != nil {
			if widest = max(widest, m.cols); m.isMovement() {
				narrow = append(narrow, m)
			}
		}
	}
	for _, m := range narrow {
		if m.cols < widest {
			motion = append(motion, m.file)
		}
	}
	return motion
}

// pairMotion gives series without BIDS names their motion: the file with the name of the series
// in its own, or the only one in its folder.
func (f *Found) pairMotion(motion []string) {
	paired := 0
	for k := range f.Scans {
		s := &f.Scans[k]
		var named, near []string
		for _, name := range motion {
			if strings.Contains(stem(name), stem(s.File)) && !slices.ContainsFunc(f.Scans,
				func(o collection.Scan) bool {
					return len(stem(o.File)) > len(stem(s.File)) && strings.Contains(stem(name),
						stem(o.File))
				}) {
				named = append(named, name)
			}
			if path.Dir(clean(name)) == path.Dir(clean(s.File)) {
				near = append(near, name)
			}
		}
		alone := !slices.ContainsFunc(f.Scans, func(o collection.Scan) bool {
			return o.File != s.File &&
				path.Dir(clean(o.File)) == path.Dir(clean(s.File))
		})
		if len(named) == 0 && alone {
			named = near
		}
		if len(named) == 1 {
			s.Confounds = named[0]
			paired++
		}
	}
	motion = slices.DeleteFunc(motion, func(name string) bool {
		return slices.ContainsFunc(f.Scans, func(s collection.Scan) bool { return s.Confounds == name })
	})
	if paired > 0 {
		f.Said = append(f.Said, fmt.Sprintf("Motion: of %s from a file with its name, or in its "+
			"folder.", figure.Count(paired, "recording")))
	}
	if len(motion) > 0 {
		f.Unused = append(f.Unused, Unused{"motion, it seems, of a series that its name does not " +
			"tell: name it in a table with the columns subject, condition, " +
			"file and confounds", motion})
	}
}

// isFlags reports whether a table marks frames: it is called after outliers or displacement, and
// says nothing but 0 and 1.
func isFlags(t *formats.Table, name string) bool {
	if !slices.Contains(t.Header, displacement) &&
		!strings.Contains(strings.ToLower(path.Base(clean(name))), "outlier") {
		return false
	}
	_, err := flagged(t)
	return err == nil
}

// flagged returns which frames a table marks, which holds 0 and 1 alone. The error is a
// [*diag.Error].
func flagged(t *formats.Table) ([]bool, error) {
	columns, err := t.Columns()
	if err != nil {
		return nil, err
	}
	marked := make([]bool, len(t.Rows))
	for _, c := range columns {
		for i, cell := range c.Cells {
			switch v := c.Values[i]; {
			case v == 1 || strings.EqualFold(cell, "true"):
				marked[i] = true
			case v != 0 && !multiplex.IsMissing(cell) && !strings.EqualFold(cell, "false"):
				return nil, diag.At(t.File, t.Rows[i].Line, c.Name(), strconv.Quote(cell),
					"0, or 1 for a frame that is left out; displacement in mm belongs "+
						"in a table of motion or of confounds")
			}
		}
	}
	return marked, nil
}

// mark marks the frames of the series that a table flags. Where they were left out before, their
// places are opened again: what is apart in time is not filtered as neighbours. The error is a
// [*diag.Error].
func (in *Input) mark(t *formats.Table) error {
	marked, err := flagged(t)
	if err != nil {
		return err
	}
	s, n := in.Series, count(marked)
	switch s.Frames {
	case len(marked):
		s.Marked = marked
		return nil
	case len(marked) - n:
	default:
		return diag.At(t.File, 0, "frames", fmt.Sprintf("%d, %d of them "+
			"marked", len(marked), n),
			fmt.Sprintf("%d, as many as the series %s has", s.Frames, s.Name))
	}
	if f := in.Confounds; f != nil && f.Frames == s.Frames {
		f.Frames = len(marked)
		for k, column := range f.Columns {
			f.Columns[k] = reopened(nil, column, marked)
		}
	}
	whole := *s
	whole.Frames, whole.gone, whole.Values, whole.lines = len(marked), marked, nil, nil
	for i := range s.M() {
		whole.Values = reopened(whole.Values, s.Row(i), marked)
	}
	in.Series = &whole
	return nil
}

// reopened appends x with marked frames put back, filled in along lines.
func reopened(to, x []float64, marked []bool) []float64 {
	from, t := len(to), 0
	for _, m := range marked {
		if m {
			to = append(to, 0)
			continue
		}
		to = append(to, x[t])
		t++
	}
	interpolate(to[from:], marked)
	return to
}

// gaps takes frames in which no region has a value for left out, and says so.
func (in *Input) gaps() {
	s := in.Series
	gone := slices.Repeat([]bool{true}, s.Frames)
	for i := range s.M() {
		for t, v := range s.Row(i) {
			gone[t] = gone[t] && v != v
		}
	}
	n := count(gone)
	if n == 0 || s.Frames-n < LeastFrames {
		return
	}
	for i := range s.M() {
		interpolate(s.Row(i), gone)
	}
	s.gone = gone
	in.note("%s: %s of %d without any value left out.", s.Name, figure.Count(n, "frame"), s.Frames)
}
