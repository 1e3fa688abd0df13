package text

import (
	"fmt"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
)

// A directory finds nodes or layers by id or by name.
type directory struct {
	what  string // "node"
	file  string // where they are listed
	n     int    // how many there are
	ids   map[string]int
	names map[string]int
}

func newDirectory(what, file string) *directory {
	return &directory{what: what, file: file, ids: map[string]int{}, names: map[string]int{}}
}

const ambiguous = -1 // in names: more than one has it

// add lists the next one; either of id and name may be "".
func (d *directory) add(id, name string) {
	i := d.n
	d.n++
	if id != "" {
		d.ids[id] = i
	}
	if name == "" {
		return
	}
	if _, again := d.names[name]; again {
		i = ambiguous
	}
	d.names[name] = i
}

// find returns the number of an id, else of a name.
func (d *directory) find(s string) (int, bool) {
	if i, ok := d.ids[input.Canonical(s)]; ok {
		return i, true
	}
	return d.named(s)
}

// named returns the number of a name.
func (d *directory) named(s string) (int, bool) {
	i, ok := d.names[s]
	return i, ok && i != ambiguous
}

// unknown says that s is not listed.
func (d *directory) unknown(file string, line int, field, s string) error {
	if d.names[s] == ambiguous {
		return &diag.Error{File: file, Line: line, Where: field, Found: "the name " + input.Quote(s) + ", which more than one " + d.what + " has",
			Expected: "its id"}
	}
	expected := fmt.Sprintf("one of the %s of %s", figure.Count(d.n, d.what), d.file)
	if d.n == 1 {
		expected = fmt.Sprintf("the only %s of %s", d.what, d.file)
	}
	return &diag.Error{File: file, Line: line, Where: field, Found: input.Quote(s), Expected: expected}
}
