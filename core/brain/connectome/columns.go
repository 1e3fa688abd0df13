package connectome

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
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

// fields returns what a column holds.
func (s *sheet) fields(k int) []string {
	fields := make([]string, len(s.rows))
	for i, row := range s.rows {
		fields[i] = row.Fields[k]
	}
	return fields
}

func (s *sheet) note(format string, values ...any) {
	s.notes = append(s.notes, s.file+": "+fmt.Sprintf(format, values...))
}

// refuse keeps the first reason why rows are not frames of one run; i is the row where that shows.
func (s *sheet) refuse(k, i int, found, expected string) {
	if s.refused == nil {
		s.refused = diag.At(s.file, s.rows[i].Line, quoted(s.columnName(k)), found, expected)
	}
}

// secondRun refuses a column of times or of names of frames that begins again in row i.
func (s *sheet) secondRun(k, i int) {
	s.refuse(k, i, fmt.Sprintf("%s after %s, as where a second run begins below the first", s.rows[i].Fields[k], s.rows[i-1].Fields[k]),
		"the frames of one run, in the order of time: write each run into a file of its own")
}

// groups finds the columns that say whose row it is, or of when. A single value is not a signal; with several,
// successive rows are not a run.
func (s *sheet) groups() {
	regions := s.listsRegions()
	for k := range s.width {
		title := s.titleOf(k)
		if s.drop[k] || !slices.Contains(groupTitles, letters(title)) || strings.ContainsAny(title, "0123456789") { // such as Sub1
			continue
		}
		fields := s.fields(k)
		if nameFrames(fields) || slices.ContainsFunc(fields, isFraction) {
			continue
		}
		from := slices.IndexFunc(fields, func(f string) bool { v, ok := value(f); return !ok || !math.IsNaN(v) })
		if from < 0 {
			continue
		}
		s.drop[k] = true
		if isWord(fields[from]) {
			s.words++
		}
		change := slices.IndexFunc(fields, func(f string) bool { v, ok := value(f); return !equal(f, fields[from]) && !(ok && math.IsNaN(v)) })
		s.grouped = s.grouped || change >= 0
		switch {
		case change < 0:
			s.note("%s holds %s in every row and was left out.", quoted(title), fields[from])
		case regions:
			s.note("%s says something of the regions and was left out.", quoted(title))
		default:
			s.refuse(k, change, fmt.Sprintf("%q after %q: rows of several subjects or runs in one file", fields[change], fields[from]),
				"those of one: write the rows of each into a file of its own")
		}
	}
}

// listsRegions reports whether rows are regions by the title of a column, each another one.
func (s *sheet) listsRegions() bool {
	for k := range s.width {
		if !slices.Contains(regionTitles, letters(s.titleOf(k))) {
			continue
		}
		fields := s.fields(k)
		slices.Sort(fields)
		return !nameFrames(fields) && !slices.ContainsFunc(fields, isFraction) && len(slices.Compact(fields)) == len(s.rows)
	}
	return false
}

// equal reports whether two fields are one word or one number.
func equal(a, b string) bool {
	x, ok := value(a)
	y, both := value(b)
	return a == b || ok && both && x == y
}

func isFraction(f string) bool {
	v, ok := value(f)
	return ok && !math.IsNaN(v) && v != math.Trunc(v)
}

// counters finds columns that number the rows, or say when they were, by the title of the first or by what they hold.
func (s *sheet) counters() {
	first := slices.Index(s.drop, false)
	for k := range s.width {
		if s.drop[k] {
			continue
		}
		name, fields := s.titleOf(k), s.fields(k)
		title := letters(name)
		if k == first && s.names == nil && s.header != nil && slices.Contains(regionTitles, title) && rises(fields) {
			s.drop[k], s.title = true, name
			if !counts(fields) {
				s.names = fields
			}
			continue
		}
		fall, run := falls(fields), fields
		if fall > 0 {
			run = fields[:fall]
		}
		again := fall > 0 && equal(fields[fall], fields[0])
		long := len(run) >= LeastFrames
		titled := s.header != nil && !namesFrame(name)
		times := titled && slices.Contains(frameTitles, title) && (k == first || long && even(run))
		index := titled && k == first && slices.Contains(indexTitles, title) && (title != "" || name == "")
		steady := long && (counts(run) && beginsAt01(run) || k == first && name == "" && even(run)) && (fall == 0 || again)
		if !times && !index && !steady {
			continue
		}
		s.drop[k], s.numbered = true, true
		if s.title == "" {
			s.title = name
		}
		column := quoted(s.columnName(k))
		switch {
		case fall > 0 && (times || again):
			s.secondRun(k, fall)
		case !slices.ContainsFunc(fields, func(f string) bool { return !equal(f, fields[0]) }):
			s.note("%s holds %s in every row and was left out.", column, fields[0])
		case fall > 0 && name == "":
			s.note("%s has no title and was left out.", column)
		case fall > 0:
			s.note("%s was left out for its title.", column)
		default:
			s.note("%s only numbers the rows and was left out.", column)
		}
		if k == first {
			first = slices.Index(s.drop, false) // pandas may have written two of them
		}
	}
}

// falls returns the first place where a number is less than the one before; 0 when there is none.
func falls(fields []string) int {
	last := math.Inf(-1)
	for i, f := range fields {
		v, ok := value(f)
		if ok && v < last {
			return i
		}
		if ok && !math.IsNaN(v) {
			last = v
		}
	}
	return 0
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

// even reports whether fields rise by one step throughout, as far as their digits go.
func even(fields []string) bool {
	first, _ := value(fields[0])
	last, _ := value(fields[len(fields)-1])
	step := (last - first) / float64(len(fields)-1)
	if !(step > 0) || math.IsInf(step, 0) {
		return false
	}
	for k, f := range fields {
		v, ok := value(f)
		if !ok || !(math.Abs(v-first-float64(step*float64(k))) <= 1e-3*step) {
			return false
		}
	}
	return true
}

// headerOfNumbers says that a first row of numbers was read as a header; one that only counts the columns has no names.
func (s *sheet) headerOfNumbers(m *matrix) {
	counted := counts(m.columnNames)
	if s.titled == 0 && !counted {
		return
	}
	only, where := "", fmt.Sprintf("line %d", s.titled)
	if s.titled == 0 {
		where = "a comment"
	}
	if counted {
		only = "only numbers the columns and "
	}
	s.note("%s, %s to %s, %swas read as a header, not as data.", where, m.columnNames[0], m.columnNames[m.cols-1], only)
	if counted {
		m.columnNames, m.counted = nil, m.columnNames
	}
}
