package connectome

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
)

// Titles of columns that hold no signals, as [letters] has them. Those of a first column that numbers the rows say what the
// rows are; the last tell rows of several recordings apart.
var (
	frameTitles = []string{"volume", "vol", "tr", "scan", "time", "times", "timepoint", "timestamp",
		"timestep", "frame", "image", "t", "seconds", "sec", "subbrick"}
	regionTitles = []string{"region", "roi", "parcel", "node", "area", "regionname", "roiname", "parcelname", "channel"}
	anyTitles    = []string{"node", "area", "channel"} // of them, those that other graphs have, too
	indexTitles  = []string{"", "unnamed", "index", "idx", "row", "rownames", "observation", "obs", "sample"}
	groupTitles  = []string{"subject", "subj", "sub", "participant", "patient", "person", "session", "sess", "ses", "visit", "run", "task",
		"condition", "cond", "group", "cohort", "site", "dataset"}
)

// letters returns the letters of a title in lower case, without a unit in brackets: "Time (s)" is "time", "frame_index" is
// "frame", "subject_id" is "subject", "Unnamed: 0" is "unnamed".
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
		if rest := strings.TrimSuffix(title, ending); slices.Contains(frameTitles, rest) || slices.Contains(groupTitles, rest) {
			return rest
		}
	}
	return title
}

// rises reports whether numbers are whole, not negative and rising, at least three.
func rises(x []float64) bool {
	last := -1.0
	for _, v := range x {
		if !(v > last) || v != math.Trunc(v) {
			return false
		}
		last = v
	}
	return len(x) >= 3
}

// counts reports whether numbers are whole and one after the other.
func counts(x []float64) bool {
	return rises(x) && x[len(x)-1]-x[0] == float64(len(x)-1)
}

// even reports whether numbers rise by one step throughout, as far as their digits go.
func even(x []float64) bool {
	first := x[0]
	step := (x[len(x)-1] - first) / float64(len(x)-1)
	if !(step > 0) || math.IsInf(step, 0) {
		return false
	}
	for k, v := range x {
		if !(math.Abs(v-first-float64(step*float64(k))) <= 1e-3*step) {
			return false
		}
	}
	return true
}

func (m *matrix) note(format string, values ...any) {
	m.notes = append(m.notes, m.file+": "+fmt.Sprintf(format, values...))
}

// refuse keeps the first reason why rows are not frames of one run; i is the row where that shows.
func (m *matrix) refuse(c *formats.Column, i int, found, expected string) {
	if m.refused == nil {
		m.refused = diag.At(m.file, m.lines[i], quoted(c), found, expected)
	}
}

// secondRun refuses a column of times or of names of frames that begins again in row i.
func (m *matrix) secondRun(c *formats.Column, i int) {
	m.refuse(c, i, fmt.Sprintf("%s after %s, as where a second run begins below the first", c.Cells[i], c.Cells[i-1]),
		"the frames of one run, in the order of time: write each run into a file of its own")
}

// groups finds the columns that say whose row it is, or of when. A single value is not a signal; with several,
// successive rows are not a run.
func (m *matrix) groups() {
	regions := m.listsRegions()
	m.columns = slices.DeleteFunc(m.columns, func(c *formats.Column) bool {
		first, change := c.Change()
		numbered := strings.ContainsAny(c.Title, "0123456789") // such as Sub1
		if !slices.Contains(groupTitles, letters(c.Title)) || numbered || first < 0 || c.Parts || nameFrames(c.Cells) {
			return false
		}
		if isWord(c.Cells[first]) {
			m.words++
		}
		m.grouped = m.grouped || change >= 0
		switch {
		case change < 0:
			m.note("%s holds %s in every row and was left out.", quoted(c), c.Cells[first])
		case regions:
			m.note("%s says something of the regions and was left out.", quoted(c))
		default:
			m.refuse(c, change, fmt.Sprintf("%q after %q: rows of several subjects or runs in one file", c.Cells[change], c.Cells[first]),
				"those of one: write the rows of each into a file of its own")
		}
		return true
	})
}

// listsRegions reports whether rows are regions by the title of a column, each another one.
func (m *matrix) listsRegions() bool {
	for _, c := range m.columns {
		if slices.Contains(regionTitles, letters(c.Title)) {
			return !c.Parts && c.Distinct() == m.rows && !nameFrames(c.Cells)
		}
	}
	return false
}

// counters finds columns that number the rows, or say when they were, by the title of the first or by what they hold.
func (m *matrix) counters() {
	first := true // until a column stays; pandas may have written two that do not
	m.columns = slices.DeleteFunc(m.columns, func(c *formats.Column) bool {
		title, x := letters(c.Title), c.Values
		if first && m.rowNames == nil && slices.Contains(regionTitles, title) && rises(x) {
			if m.title, first = c.Title, false; !counts(x) {
				m.rowNames = c.Cells
			}
			return true
		}
		fall, run := c.Fall(), x
		if fall > 0 {
			run = x[:fall]
		}
		again := fall > 0 && x[fall] == x[0]
		long := len(run) >= LeastFrames
		titled := m.headed && !namesFrame(c.Title)
		times := titled && slices.Contains(frameTitles, title) && (first || long && even(run))
		index := titled && first && slices.Contains(indexTitles, title) && (title != "" || c.Title == "")
		steady := long && (counts(run) && run[0] <= 1 || first && c.Title == "" && even(run)) && (fall == 0 || again)
		if !times && !index && !steady {
			first = false
			return false
		}
		m.numbered = true
		m.title = cmp.Or(m.title, c.Title)
		one, change := c.Change()
		switch {
		case fall > 0 && (times || again):
			m.secondRun(c, fall)
		case change < 0:
			m.note("%s holds %s in every row and was left out.", quoted(c), c.Cells[max(one, 0)])
		case fall > 0 && c.Title == "":
			m.note("%s has no title and was left out.", quoted(c))
		case fall > 0:
			m.note("%s was left out for its title.", quoted(c))
		default:
			m.note("%s only numbers the rows and was left out.", quoted(c))
		}
		return true
	})
}

func quoted(c *formats.Column) string {
	if c.Title == "" || strings.HasPrefix(c.Title, "column ") {
		return c.Name()
	}
	return fmt.Sprintf("the column %q", c.Title)
}

// headerOfNumbers says that a first row of numbers was read as a header; one that only counts the columns has no names.
func (m *matrix) headerOfNumbers() {
	counted := counts(formats.Values(m.columnNames))
	if m.titled == 0 && !counted {
		return
	}
	only, where := "", fmt.Sprintf("line %d", m.titled)
	if m.titled == 0 {
		where = "a comment"
	}
	if counted {
		only = "only numbers the columns and "
	}
	m.note("%s, %s to %s, %swas read as a header, not as data.", where, m.columnNames[0], m.columnNames[m.cols-1], only)
	if counted {
		m.columnNames, m.counted = nil, m.columnNames
	}
}
