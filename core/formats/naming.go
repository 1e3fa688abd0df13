package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/text"
)

// programPrefixes stand before the numbers that programs give columns and rows without names.
var programPrefixes = []string{"", "V", "X", "Var", "Column", "column_", "..."}

// isCount reports whether names only count: they name nothing.
func isCount(names []string) bool {
	return slices.ContainsFunc(programPrefixes, func(prefix string) bool { return text.Counts(names, prefix) })
}

// madeName returns what make.names of R makes of a name, as it writes titles of columns: X before a number, dots for all but letters,
// digits and underscores.
func madeName(name string) string {
	made := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}
		return '.'
	}, name)
	bare := strings.TrimPrefix(name, ".") // a dot may begin a name, a number behind it may not
	if bare == "" || bare[0] >= '0' && bare[0] <= '9' || name[0] != '.' && made[0] == '.' || made[0] == '_' {
		made = "X" + made
	}
	return made
}

// isMade reports whether all names are as R writes them.
func isMade(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return madeName(name) != name })
}

// A finder finds the place of a name among others, also as R writes it in titles.
type finder struct{ at, made map[string]int }

// finderOf makes a finder of names; nil where two of them are one.
func finderOf(names []string) *finder {
	f := &finder{map[string]int{}, map[string]int{}}
	for i, name := range names {
		name = input.Name(name)
		if _, again := f.at[name]; again || name == "" {
			return nil
		}
		f.at[name] = i
		made := madeName(name)
		if _, again := f.made[made]; again {
			i = -1
		}
		f.made[made] = i
	}
	return f
}

// order returns the places of names, each of which has to be among those of the finder; otherwise the first that is not.
func (f *finder) order(names []string) (places []int32, unknown string) {
	taken := make([]bool, len(names))
	for _, name := range names {
		i, ok := f.at[input.Name(name)]
		if !ok {
			i, ok = f.made[madeName(input.Name(name))]
		}
		if !ok || i < 0 || i >= len(taken) || taken[i] {
			return nil, name
		}
		taken[i] = true
		places = append(places, int32(i))
	}
	return places, ""
}

// namesOf returns what the file of a matrix calls its rows, and the row that each column belongs to, nil for columns in the order of
// rows. Titles that only count are names where rows have none, and these where titles do not name anything, either.
func (c *Content) namesOf(v *Variable) (names []string, columns []int32, err error) {
	n := v.Rows()
	if v.Form == Links {
		n = 0 // as many as there are
	}
	if k := v.Keys; k != nil && (k.Sure || k.Index) {
		names = k.IDs
	} else if list := c.ids[v.File()]; list != nil && (n == 0 || len(list) == n) {
		return list, nil, nil
	}
	if len(v.Columns) != n || n == 0 || isCount(v.Columns) && names != nil {
		return names, nil, nil
	}
	if names == nil || isCount(names) {
		return v.Columns, nil, nil
	}
	f := finderOf(names)
	if f == nil {
		return nil, nil, v.Fail("a name twice above its rows or beside them", "distinct names")
	}
	columns, unknown := f.order(v.Columns)
	if columns == nil {
		return nil, nil, v.Fail(fmt.Sprintf("rows called %s and columns called %s; no row is called %s",
			input.Some(names), input.Some(v.Columns), input.Quote(unknown)),
			"the same names above and beside; links between two kinds of nodes are opened as a list (source,target)")
	}
	return names, columns, nil
}

// aligned brings matrices into one order by the names that their files give rows and columns, and takes these for the names of the
// nodes. Matrices without any are joined by place. Where only some have names, or others than a node file, it is an error.
func (c *Content) aligned(layers []*Variable, byPlace bool) ([]*Variable, error) {
	all, columns := make([][]string, len(layers)), make([][]int32, len(layers))
	first := -1 // that has names
	for k, v := range layers {
		var err error
		if byPlace {
			all[k] = c.ids[v.File()]
		} else if all[k], columns[k], err = c.namesOf(v); err != nil {
			return nil, err
		}
		if all[k] != nil && (byPlace || !isCount(all[k])) && (first < 0 || isMade(all[first]) && !isMade(all[k])) {
			first = k
		}
	}
	c.set.NameRows("", nil)
	if first < 0 {
		return layers, nil
	}
	names, file := all[first], layers[first].File()
	c.set.NameRows(file, names)
	if byPlace {
		return layers, nil
	}
	f, listed := (*finder)(nil), false
	for _, names = range c.set.Listed() { // the ids of a node file, then its names
		if f = finderOf(names); f != nil {
			if _, unknown := f.order(all[first]); unknown == "" {
				break
			}
		}
		listed = true
	}
	if !listed && f == nil {
		names = slices.Clone(all[first])
		sorting.Stable(names, text.Natural)
		if !isCount(names) {
			names = all[first]
		}
		c.set.NameRows(file, names)
		f = finderOf(names)
	}
	if f == nil {
		return nil, layers[first].Fail("a name twice: "+input.Some(names), "distinct names")
	}
	layers = slices.Clone(layers)
	for k, v := range layers {
		if all[k] == nil {
			return nil, v.Fail("a matrix without names beside "+file+", which has some", "names above and beside, such as "+input.Some(names))
		}
		rows, unknown := f.order(all[k])
		if unknown != "" || len(rows) != len(names) {
			return nil, v.Fail(fmt.Sprintf("%d nodes, %s among them", len(all[k]), input.Quote(cmp.Or(unknown, all[k][0]))),
				fmt.Sprintf("the %d of %s: %s", len(names), cmp.Or(c.set.NodeFile(), file), input.Some(names)))
		}
		layers[k] = v.Reordered(rows, columns[k], names)
	}
	return layers, nil
}
