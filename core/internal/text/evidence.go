package text

import (
	"math"
	"slices"
	"strings"

	"cadem.example/core/internal/input"
)

// evidence is what the rows of a list, or a sample of them, show about its columns.
type evidence struct {
	rows   int
	codes  [][]int32 // of each column, its values numbered over all columns
	values []string
	column []columnEvidence
}

type columnEvidence struct {
	has      map[int32]int // how often each value comes
	numbers  int           // rows of numbers
	whole    int           // rows of whole numbers without sign
	rising   bool          // never less than in the row before
	last     float64       // number
	least    float64
	greatest float64
}

// widest is the largest number of columns of a list of links without known titles.
const widest = 64

// sampledRows is about how many rows of a list are looked at.
const sampledRows = 1 << 15

// evidenceOf looks at the rows of a list. From a long list it samples the rows whose second field has certain
// values, which keeps rows that share a node together, or every nth row if these are few.
func evidenceOf(begin func() *scanner) *evidence {
	s := begin()
	part := uint32(1 + strings.Count(s.rest, "\n")/sampledRows)
	if part == 1 {
		return lookAt(s)
	}
	s.rest = sampleOf(s, func(line string, row int) bool { return hash(s.second(line))%part == 0 })
	e := lookAt(s)
	if e.rows < sampledRows/8 {
		s = begin()
		s.rest = sampleOf(s, func(line string, row int) bool { return uint32(row)%part == 0 || row < sampledRows/8 })
		e = lookAt(s)
	}
	return e
}

// sampleOf returns the lines of a text that take says.
func sampleOf(s *scanner, take func(line string, row int) bool) string {
	var b strings.Builder
	row := 0
	for line := range strings.Lines(s.rest) {
		if input.IsComment(line) {
			continue
		}
		if take(line, row) {
			b.WriteString(line)
		}
		row++
	}
	return b.String()
}

// second returns the second field of a line.
func (l layout) second(line string) string {
	if l.separator != ' ' {
		_, rest, _ := strings.Cut(line, string(l.separator))
		field, _, _ := strings.Cut(rest, string(l.separator))
		return strings.TrimSuffix(field, "\n")
	}
	k := 0
	for field := range strings.FieldsSeq(line) {
		if k++; k == 2 {
			return field
		}
	}
	return ""
}

// lookAt looks at the rows that have as many fields as the first.
func lookAt(s *scanner) *evidence {
	e := &evidence{}
	index := map[string]int32{}
	for s.scan() {
		if e.column == nil {
			n := len(s.fields)
			if n > widest {
				return e
			}
			e.codes, e.column = make([][]int32, n), make([]columnEvidence, n)
			for c := range e.column {
				e.column[c] = columnEvidence{has: map[int32]int{}, rising: true, least: math.Inf(1), greatest: math.Inf(-1), last: math.Inf(-1)}
			}
		}
		if len(s.fields) != len(e.column) {
			continue
		}
		for c, f := range s.fields {
			name := input.Name(f)
			k, ok := index[name]
			if !ok {
				k = int32(len(e.values))
				index[name] = k
				e.values = append(e.values, f)
			}
			e.codes[c] = append(e.codes[c], k)
			o := &e.column[c]
			o.has[k]++
			if input.IsWhole(f) {
				o.whole++
			}
			if x, ok := input.Number(f); ok {
				o.numbers++
				o.rising = o.rising && x >= o.last
				o.last, o.least, o.greatest = x, min(o.least, x), max(o.greatest, x)
			}
		}
		e.rows++
	}
	return e
}

// titles reports whether a first record names the columns, in titles that are not known: words above numbers, words
// that never come again, levels of pandas, or numbers that count the columns above words.
func (e *evidence) titles(head []string, l *layout) bool {
	const few = 3 // rows that say nothing
	times := make(map[string]int, len(head))
	numbers := false
	for _, f := range head {
		if isLevel(f) {
			return true
		}
		_, ok := input.Number(f)
		numbers = numbers || ok
		times[f] = 0
	}
	if numbers {
		return counts(head) && e.rows > few && (l.separator != ' ' || !e.isNumber(head)) && (head[0] == "" || e.isApart())
	}
	for c := range e.column {
		if o := &e.column[c]; o.numbers > 0 && o.numbers >= e.rows-1 {
			return true
		}
		for code, n := range e.column[c].has {
			if _, ok := times[e.values[code]]; ok {
				times[e.values[code]] += n
			}
		}
	}
	for _, n := range times {
		if n > 1 {
			return false
		}
	}
	return e.rows > few
}

// counts reports whether the fields of a first record are the numbers of columns from 0 on, as pandas writes them, perhaps behind an index.
func counts(head []string) bool {
	from := btoi(head[0] == "")
	return len(head) > from+1 && head[from] == "0" && Counts(head[from:], "")
}

// isNumber reports whether a column of a record that numbers the first two columns holds numbers elsewhere, too.
func (e *evidence) isNumber(head []string) bool {
	from := btoi(head[0] == "")
	return e.column[from].numbers+e.column[from+1].numbers > 2
}

// isApart reports whether 0 and 1 begin the first two columns and all other numbers in these are from 3 on: a link of 0 and 1 would have
// neighbours of near numbers.
func (e *evidence) isApart() bool {
	for c := range 2 {
		for k, n := range e.column[c].has {
			if x, ok := input.Number(e.values[k]); ok && x < 3 && (x != float64(c) || n > 1) {
				return false
			}
		}
	}
	return true
}

func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>15
}

// isNumeric reports whether all columns but the first, which may hold ids, are numbers.
func (e *evidence) isNumeric() bool {
	return !slices.ContainsFunc(e.column[1:], func(c columnEvidence) bool { return c.numbers < e.rows })
}

// isMatrix reports whether numbers make a symmetric matrix, or one without a diagonal, whose rows may be counted before it. Of a few nodes
// it has the columns of a list.
func (e *evidence) isMatrix() bool {
	from := len(e.column) - e.rows
	if e.rows < 3 || from != 0 && from != 1 || !e.isNumeric() {
		return false
	}
	symmetric, hollow := true, true
	for i, column := range e.codes[from:] {
		for j, code := range column {
			symmetric = symmetric && code == e.codes[from+j][i]
			hollow = hollow && (i != j || e.values[code] == "0")
		}
	}
	return symmetric || hollow
}

// shared returns how many values two columns have together, and how many of them both have.
func (e *evidence) shared(a, b int) (all, both int) {
	all = len(e.column[b].has)
	for k := range e.column[a].has {
		if e.column[b].has[k] > 0 {
			both++
		} else {
			all++
		}
	}
	return all, both
}

// equal returns in how many rows two columns hold the same.
func (e *evidence) equal(a, b int) (n int) {
	for k, code := range e.codes[a] {
		n += btoi(code == e.codes[b][k])
	}
	return n
}

// isTime reports whether a column holds times: seconds since 1970, or rising numbers that are many and large
// beside the n values of others.
func (e *evidence) isTime(c, n int) bool {
	o := &e.column[c]
	if o.numbers < e.rows || len(o.has) < 2 || math.IsInf(o.greatest, 0) {
		return false
	}
	since1970 := o.least > 3e8 && o.greatest < 4e9 || o.least > 3e11 && o.greatest < 4e12
	const many = 10
	return since1970 || o.rising && o.greatest > many*float64(n) && (len(o.has) > n || len(o.has) > many && 2*len(o.has) > e.rows)
}

// isWhen reports whether a column holds times or years.
func (e *evidence) isWhen(c, n int) bool {
	o := &e.column[c]
	return e.isTime(c, n) || o.whole == e.rows && o.least >= 1800 && o.greatest < 2100
}
