package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// A nodeTable is the table of nodes of a graph that has a file of its own.
type nodeTable struct {
	*Table
	of   *textFile
	name int // the column of names, 0 without one
}

func (t *nodeTable) id(r Row) string { return r.Fields[0] }

func (t *nodeTable) nameOf(r Row) string {
	if t.name == 0 {
		return ""
	}
	return r.Fields[t.name]
}

// mergeNodes makes one table of the nodes of several graphs. Programs such as igraph count the nodes of every file anew, so
// that n0 means another node in each: where ids contradict names, nodes are joined by their names.
func (s *Set) mergeNodes() error {
	var tables []*nodeTable
	for _, f := range s.loose {
		if !f.generated || slices.ContainsFunc(tables, func(t *nodeTable) bool { return t.of.text == f.text }) {
			continue
		}
		t, err := readTable(f)
		if err != nil {
			return err
		}
		t.Header, t.Rows = t.Rows[0].Fields, t.Rows[1:]
		for k := range t.Rows {
			if err := t.width(&t.Rows[k], false); err != nil {
				return err
			}
		}
		tables = append(tables, &nodeTable{t, f, 1 + slices.IndexFunc(t.Header[1:], isName)})
	}
	if len(tables) == 0 {
		return nil
	}
	sorting.Stable(tables, func(a, b *nodeTable) int { // the order in which files were opened says nothing
		return cmp.Or(cmp.Compare(len(b.Rows), len(a.Rows)), Natural(a.File, b.File))
	})
	all := tables[0].of
	s.loose = slices.DeleteFunc(s.loose, func(f *textFile) bool { return f.generated && f != all })
	if len(tables) == 1 {
		return nil
	}
	named := !slices.ContainsFunc(tables, func(t *nodeTable) bool { return !t.named() })
	clash := contradiction(tables, (*nodeTable).id, (*nodeTable).nameOf)
	if clash == nil && named {
		clash = contradiction(tables, (*nodeTable).nameOf, (*nodeTable).id)
	}
	if clash != nil {
		if !named {
			return clash
		}
		for _, t := range tables {
			t.callByName()
		}
		s.notes.add("Files call nodes differently (%s:%d: %s): nodes were joined by their names.", clash.File, clash.Line, clash.Found)
	}
	text, differ := union(tables)
	if n := len(differ); n > 0 {
		s.notes.add("The files differ in %s of a node: %s left out.", strings.Join(differ, ", "), figure.Plural(n, "it was", "they were"))
	}
	all.text, all.lines = text, make([]int32, 1+strings.Count(text, "\n")) // of no one file
	return nil
}

// isName reports whether a title is that of names.
func isName(title string) bool {
	plain := plainTitle(title)
	return slices.Contains(nameColumns, plain) || plain == "label"
}

// named reports whether every node has a name that no other has.
func (t *nodeTable) named() bool {
	seen := map[string]bool{"": true}
	for _, r := range t.Rows {
		name := t.nameOf(r)
		if seen[input.Name(name)] {
			return false
		}
		seen[input.Name(name)] = true
	}
	return true
}

// contradiction returns the first node that two tables call the same from one side, and differently from the other.
func contradiction(tables []*nodeTable, from, to func(*nodeTable, Row) string) *diag.Error {
	type place struct {
		file string
		line int
		to   string
	}
	seen := map[string]place{}
	for _, t := range tables {
		for _, r := range t.Rows {
			key, value := input.Name(from(t, r)), input.Name(to(t, r))
			if key == "" || value == "" {
				continue
			}
			first, again := seen[key]
			if !again {
				seen[key] = place{t.File, r.Line, value}
			} else if first.to != value {
				return diag.At(t.File, r.Line, "node", fmt.Sprintf("%s is %s, in line %d of %s it is %s",
					input.Quote(key), input.Quote(value), first.line, first.file, input.Quote(first.to)),
					"an id to mean one node in all files, or every node to have a name that no other of its file has")
			}
		}
	}
	return nil
}

// callByName makes names ids.
func (t *nodeTable) callByName() {
	names := map[string]string{}
	for _, r := range t.Rows {
		names[r.Fields[0]] = t.nameOf(r)
		r.Fields[0] = t.nameOf(r)
	}
	t.of.edges.names = names
}

// union writes a table of all nodes with the data of all tables. Columns in which they differ are left out.
func union(tables []*nodeTable) (text string, differ []string) {
	titles := []string{tables[0].Header[0]}
	at := map[string]int{} // of a title
	of := map[string]int{} // of an id
	var rows [][]string
	var bad []bool
	for _, t := range tables {
		to := make([]int, len(t.Header))
		for c, title := range t.Header[1:] {
			k, ok := at[title]
			if !ok {
				k = len(titles)
				titles, at[title] = append(titles, title), k
			}
			to[c+1] = k
		}
		bad = append(bad, make([]bool, len(titles)-len(bad))...)
		for _, r := range t.Rows {
			id := input.Name(r.Fields[0])
			k, ok := of[id]
			if !ok {
				k = len(rows)
				rows, of[id] = append(rows, nil), k
			}
			rows[k] = append(rows[k], make([]string, len(titles)-len(rows[k]))...)
			for c, value := range r.Fields {
				if old := &rows[k][to[c]]; multiplex.IsMissing(*old) {
					*old = value
				} else if !multiplex.IsMissing(value) && input.Name(*old) != input.Name(value) {
					bad[to[c]] = true
				}
			}
		}
	}
	var b strings.Builder
	for _, fields := range append([][]string{titles}, rows...) {
		var kept []string
		for c, value := range append(fields, make([]string, len(titles)-len(fields))...) {
			if !bad[c] {
				kept = append(kept, value)
			}
		}
		WriteRecord(&b, kept)
	}
	for c, title := range titles {
		if bad[c] {
			differ = append(differ, title)
		}
	}
	return b.String(), differ
}
