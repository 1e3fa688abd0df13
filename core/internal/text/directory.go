package text

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
)

// A directory finds nodes or layers by id or by name, as [input.Name] has them. Ids are text: 1 and 01 are two.
type directory struct {
	what   string // "node"
	file   string // where they are listed
	inFile bool   // it is a file of nodes or layers that gives their order
	called bool   // its ids are names by their title
	n      int    // how many there are
	keys   []string
	ids    map[string]int
	names  map[string]int
}

func newDirectory(what, file string) *directory {
	return &directory{what: what, file: file, ids: map[string]int{}, names: map[string]int{}}
}

const ambiguous = -1 // in names: more than one has it

// add lists the next one; either of id and name may be "".
func (d *directory) add(id, name string) {
	i := d.n
	d.n++
	d.keys = append(d.keys, id)
	if id != "" {
		d.ids[input.Name(id)] = i
	}
	if name = input.Name(name); name == "" {
		return
	}
	if _, again := d.names[name]; again {
		i = ambiguous
	}
	d.names[name] = i
}

// find returns the number of an id, else of a name.
func (d *directory) find(s string) (int, bool) {
	if i, ok := d.ids[input.Name(s)]; ok {
		return i, true
	}
	return d.named(s)
}

// named returns the number of a name.
func (d *directory) named(s string) (int, bool) {
	i, ok := d.names[input.Name(s)]
	return i, ok && i != ambiguous
}

// unknown says that s is not listed.
func (d *directory) unknown(file string, line int, field, s string) error {
	if d.names[input.Name(s)] == ambiguous {
		return diag.At(file, line, field, "the name "+input.Quote(s)+", which more than one "+d.what+" has",
			"its id")
	}
	expected := fmt.Sprintf("one of the %s of %s", figure.Count(d.n, d.what), d.file)
	if d.n == 1 {
		expected = fmt.Sprintf("the only %s of %s", d.what, d.file)
	}
	return diag.At(file, line, field, input.Quote(s), expected+d.advice(s))
}

// advice says what may be meant by an id that is not listed.
func (d *directory) advice(s string) string {
	also := []string{strings.ToLower(s), strings.ToUpper(s)}
	if whole := strings.TrimSuffix(s, ".0"); input.IsWhole(whole) {
		also = []string{whole + ".0", input.Canonical(whole), "0" + input.Canonical(whole), "00" + input.Canonical(whole)}
	}
	for _, key := range also {
		if _, ok := d.ids[key]; ok && key != s {
			return "; ids are text, so " + input.Quote(key) + " is another " + d.what
		}
	}
	if from, ok := d.numbered(); ok && (from == 1 && s == "0" || from == 0 && s == strconv.Itoa(d.n)) {
		return fmt.Sprintf("; the %ss of %s are numbered from %d and these from %d: number both alike", d.what, d.file, from, 1-from)
	}
	if !d.inFile && d.what == "node" {
		return "; nodes without links need a node file (nodeID, one a line)"
	}
	return ""
}

// numbered reports whether the ids are the whole numbers from 0 or from 1 on, without a gap.
func (d *directory) numbered() (from int, ok bool) {
	if d.n == 0 || len(d.ids) != d.n {
		return 0, false
	}
	if _, zero := d.ids["0"]; !zero {
		from = 1
	}
	for i := range d.n {
		if _, there := d.ids[strconv.Itoa(i+from)]; !there {
			return 0, false
		}
	}
	return from, true
}

// countRows takes the ends of lists for the numbers of the rows of a node file, from 0 or from 1, if it has names and no ids, as tidygraph
// writes them, and says so.
func (d *directory) countRows(lists []*edgeFile) string {
	least, greatest := d.n, 0
	for _, f := range lists {
		if !d.called || f.header == nil {
			return ""
		}
		for _, v := range f.ends() {
			n := shortNumber(v)
			if _, known := d.find(v); known || n < 0 {
				return ""
			}
			least, greatest = min(least, n), max(greatest, n)
		}
	}
	from := btoi(least > 0)
	if greatest == 0 || greatest >= d.n+from || from > 0 && greatest < d.n {
		return ""
	}
	for i := range d.n {
		d.ids[strconv.Itoa(i+from)] = i
	}
	return fmt.Sprintf("The ends of links are numbers and no ids of %s: they were taken for its rows, from %d to %d.", d.file, from, d.n-1+from)
}

// rows returns the row of matrices that each node is: by number, or as the file lists them.
func (d *directory) rows() []int {
	rows := sorting.Places(d.n)
	if from, numbered := d.numbered(); numbered {
		for i := range rows {
			rows[d.ids[strconv.Itoa(i+from)]] = i
		}
	}
	return rows
}

// span returns the least and the greatest id; false unless all are whole numbers without leading
// zeros.
func (d *directory) span() (least, greatest int, ok bool) {
	for k, key := range d.keys {
		x := shortNumber(key)
		if x < 0 {
			return 0, 0, false
		}
		if k == 0 {
			least, greatest = x, x
		}
		least, greatest = min(least, x), max(greatest, x)
	}
	return least, greatest, d.n > 0
}

// aboutIDs says which ids look alike, such as 1 and 01 or 1.0, or Ann and ann, and which are words among numbers. That nearly all are
// numbers in such pairs is an error: one file has decimals or zeros where the next has none. Words may mean what they say.
func aboutIDs(what string, keys []string) (notes sentences, err error) {
	order := sorting.Order(len(keys), func(i, j int) int { return Natural(keys[i], keys[j]) })
	alike := map[string]string{} // the last of each look that an id differs from
	var words, odd []string
	for _, i := range order {
		if !input.IsWhole(keys[i]) {
			words = append(words, keys[i])
			if isOdd(keys[i]) {
				odd = append(odd, keys[i])
			}
		}
		if look := looks(keys[i]); look != keys[i] {
			alike[look] = ""
		}
	}
	var twins []string
	for _, i := range order {
		look := looks(keys[i])
		if last, is := alike[look]; is {
			if alike[look] = keys[i]; last != "" {
				twins = append(twins, last, keys[i])
			}
		}
	}
	if twins != nil {
		note := fmt.Sprintf("Ids are text: %s and %s are two %ss", input.Quote(twins[0]), input.Quote(twins[1]), what)
		if n := len(twins)/2 - 1; n > 0 {
			note += ", as in " + figure.Count(n, "other pair")
		}
		if len(keys) > 5 && 5*len(twins) >= 4*len(keys) && input.IsWhole(looks(twins[0])) {
			return nil, &diag.Error{Where: what + "s", Found: fmt.Sprintf("nearly all in two spellings, such as %s and %s",
				input.Quote(twins[0]), input.Quote(twins[1])), Expected: "one spelling of each: ids are compared as text"}
		}
		notes = append(notes, note+".")
	}
	if odd != nil {
		notes.add("%s became %ss: leave out rows that sum up others, and mend names that Excel turned into dates or rounded numbers.", input.Some(odd), what)
	}
	if n := len(words); n > 0 && n < len(keys) {
		notes.add("Of the ids of %ss %d are whole numbers and %d are not: %s.", what, len(keys)-n, n, input.Some(words))
	}
	return notes, nil
}

// isOdd reports whether a name may stand for all others, or is a date or a rounded number, as Excel makes of names.
func isOdd(name string) bool {
	const months, sums = "jan feb mar apr may jun jul aug sep oct nov dec", "total totals sum world"
	if len(name) > 12 {
		return false
	}
	a, b, _ := strings.Cut(strings.ToLower(name), "-")
	if len(a) < len(b) {
		a, b = b, a
	}
	return len(a) == 3 && strings.Contains(months, a) && input.IsWhole(b) || strings.Contains(name, "E+") && isFraction(name) ||
		slices.Contains(strings.Fields(sums), a+b)
}

// looks returns what ids that look alike have in common: the number, or the letters without case and blanks, for which R writes points.
func looks(id string) string {
	if whole, zeros, _ := strings.Cut(id, "."); input.IsWhole(whole) && strings.Trim(zeros, "0") == "" {
		return input.Canonical(whole)
	}
	apart := func(r rune) bool { return r == ' ' || (r == '.' || r == '_') && isWord(id) }
	return strings.ToLower(strings.Join(strings.FieldsFunc(input.Name(id), apart), ""))
}

// Natural compares ids as people sort them: numbers in them as numbers, the rest as text. Numbers that
// are equal, such as 1 and 01, come in the order of their text.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		p, q := digits(x), digits(y)
		switch {
		case p > 0 && q > 0:
			m, n := strings.TrimLeft(x[:p], "0"), strings.TrimLeft(y[:q], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			x, y = x[p:], y[q:]
		case p > 0:
			return -1
		case q > 0:
			return 1
		case x[0] != y[0]:
			return cmp.Compare(x[0], y[0])
		default:
			x, y = x[1:], y[1:]
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digits returns how many digits a text begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
