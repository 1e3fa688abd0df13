package text

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
)

// A Question asks about an ambiguity in files.
type Question struct {
	File     string     `json:"file"`
	Header   []string   `json:"header,omitempty"`
	Roles    []string   `json:"roles"` // what each column is taken for: source, target, layer, weight, or "-"
	Rows     [][]string `json:"rows"`  // how the list begins
	Readings []Reading  `json:"readings"`
	Why      string     `json:"why"` // in words
}

// choicesOf returns the parts of a choice of columns. Each is about the lists of its width, or about those with a header.
func choicesOf(choice string) []string {
	if choice == "" {
		return nil
	}
	return strings.Split(choice, ";")
}

// suits reports whether a part of a choice of columns is about a list.
func (f *edgeFile) suits(choice string) bool {
	if strings.Contains(choice, "=") {
		return !f.matrix && f.header != nil
	}
	n := strings.Count(choice, ",") + 1
	return !f.matrix && (f.columns.n == n || f.columns.n+f.layout.empty == n)
}

// arrange settles the columns of all lists, and asks where they can be read in two ways.
func (s *Set) arrange(choice string, mention bool) ([]*edgeFile, error) {
	var lists []*edgeFile
	parts := choicesOf(choice)
	used := make([]bool, len(parts))
	for _, f := range s.edges {
		c := *f
		lists = append(lists, &c)
		if early := earlyColumns(f.columns.n, len(s.edges)); mention && choice == "" && f.header == nil && !f.given && early != "" {
			c.columns, _ = chosenColumns(early, nil, f.columns.n)
			c.given = true
			continue
		}
		for i, part := range parts {
			if !f.suits(part) {
				continue
			}
			columns, err := chosenColumns(part, f.header, f.columns.n)
			if err != nil {
				return nil, err
			}
			c.columns, c.given, used[i] = columns, true, true
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, diag.Option("columns", parts[i], fmt.Sprintf("one name for each of the %s of %s", figure.Count(s.edges[0].columns.n, "column"), s.firstEdges()))
	}
	tell := func(f *edgeFile) string { // a choice for lists of another width stays
		if choice == "" {
			return "-columns " + f.readings[0].Columns
		}
		return fmt.Sprintf("-columns %q", choice+";"+f.readings[0].Columns)
	}
	for _, f := range lists {
		switch {
		case !f.unclear():
		case f.strange:
			return nil, diag.At(f.file, f.first, "header", "titles that are not known: "+input.Some(f.header),
				"source, target and, for several layers, layer among them; or to be told what the columns are: "+tell(f)+
					"; if the first line is a link, write these titles above it")
		default:
			return nil, diag.At(f.file, 0, "columns", fmt.Sprintf("%d that can be read as %s or as %s", f.columns.n, &f.readings[0], &f.readings[1]),
				"to be told which: "+tell(f))
		}
	}
	return lists, nil
}

// earlyColumns are the columns that programs before 2027 took for granted, so that runs that were kept then still open: in a list
// alone the layer comes first; of several lists each is a layer.
func earlyColumns(n, lists int) string {
	switch {
	case n == 3 && lists > 1:
		return "source,target,weight"
	case n >= 2 && n <= 4:
		return layouts[n][0]
	}
	return ""
}

// Question returns the ambiguity of a list's columns under a choice of columns that is not about it: they can be read in two
// ways, or the graph has a single layer, which another reading may change. Nil: none.
func (s *Set) Question(choice string) *Question {
	ask := func(f *edgeFile, why string) *Question {
		q := &Question{File: f.file, Header: f.header, Roles: f.roles(), Readings: append([]Reading{}, f.readings...), Why: why, Rows: [][]string{}}
		scan := f.scanner()
		for len(q.Rows) < 5 && scan.scan() {
			q.Rows = append(q.Rows, scan.clone())
		}
		return q
	}
	parts := choicesOf(choice)
	for _, f := range s.edges {
		switch {
		case !f.unclear() || slices.ContainsFunc(parts, f.suits):
		case f.strange:
			return ask(f, "The titles of the columns of this list are not known. If its first line is a link, write titles above it.")
		default:
			return ask(f, "The columns of this list can be read in two ways.")
		}
	}
	if choice == "" && len(s.edges) == 1 && s.edges[0].isOneLayer() && !s.edges[0].matrix && s.edges[0].columns.n > 2 {
		why := "No column of this list is known to say the layer of a link."
		if offers := s.edges[0].offers(); offers != "" && s.edges[0].header != nil { // as a refusal says it
			why += " " + strings.ToUpper(offers[:1]) + offers[1:] + "."
		}
		return ask(s.edges[0], why)
	}
	return nil
}

// roles tells what each column is taken for.
func (f *edgeFile) roles() []string {
	c, roles := f.columns, slices.Repeat([]string{leftColumn}, f.columns.n)
	names := [...]string{sourceColumn, targetColumn, layerColumn, layerColumn, weightColumn}
	for k, at := range [...]int{c.source, c.target, c.layer, c.other, c.weight} {
		if at >= 0 {
			roles[at] = names[k]
		}
	}
	return roles
}

// said tells how the columns of a list were read: those of a list without a header, and those that are left
// out.
func (f *edgeFile) said(several bool) string {
	if f.matrix {
		return f.file + " was read as a matrix with the names of its nodes above and beside."
	}
	roles := f.roles()
	if f.header == nil {
		if f.columns.n < 3 {
			return ""
		}
		for c := range roles {
			if roles[c] == leftColumn {
				roles[c] = "nothing"
			}
			roles[c] = fmt.Sprintf("%d as %s", c+1, roles[c])
		}
		name := f.file
		if several {
			name = fmt.Sprintf("Lists of %d columns", f.columns.n)
		}
		return fmt.Sprintf("%s: columns were taken %s.", name, strings.Join(roles, ", "))
	}
	var left []string
	for c, title := range f.header {
		if roles[c] == leftColumn {
			left = append(left, cmp.Or(title, "the first one, without a title"))
		}
	}
	var notes sentences
	if f.strange {
		notes.add("%s: line %d was taken for titles and is no link: %s.",
			f.file, f.first, input.Some(f.header))
	}
	if f.relation != "" {
		notes.add("%s: %s of edges was taken as their layer.", f.file, f.relation)
	}
	if left != nil {
		note := fmt.Sprintf("%s: %s not used: %s", f.file, figure.Plural(len(left), "a column is", "columns are"), strings.Join(left, ", "))
		if title := f.mayWeigh(roles); title != "" {
			note += fmt.Sprintf("; -columns weight=%s takes one as weights", title)
		}
		notes = append(notes, note+".")
	}
	return strings.Join(notes, " ")
}

// mayWeigh returns the title of an unused column of numbers, if there are no weights; "" if there is none.
func (f *edgeFile) mayWeigh(roles []string) string {
	const rows = 100 // that are looked at
	if f.columns.weight >= 0 {
		return ""
	}
	best, columns := "", f.contents(rows)
	for c, title := range f.header {
		plain, o := input.Plain(title), &columns[c]
		if roles[c] != leftColumn || o.numbers < o.rows || len(title) > 40 ||
			slices.Contains(idColumns, plain) || slices.Contains(indexColumns, plain) {
			continue
		}
		if strings.Contains(plain, "score") || strings.Contains(plain, "weight") || strings.Contains(plain, "strength") {
			return title
		}
		if best == "" && (len(o.has) > 1 || o.rows < 3) { // one row or two say nothing
			best = title
		}
	}
	return best
}

// content is what a column of a list with a header holds.
type content struct {
	has            map[string]bool // its values, those beyond input.MaxLayers not
	rows           int
	numbers, whole int
	ends           [2]map[string]bool // the first of its pairs with the source, and with the target
}

// paired is the number of rows whose ends are looked at.
const paired = 1 << 12

// contents looks at all columns in the first rows of a list.
func (f *edgeFile) contents(rows int) []content {
	columns := make([]content, f.columns.n)
	for c := range columns {
		columns[c] = content{has: map[string]bool{}, ends: [2]map[string]bool{{}, {}}}
	}
	s := f.scanner()
	for ; rows > 0 && s.scan(); rows-- {
		for c, v := range s.fields[:min(len(s.fields), len(columns))] {
			o := &columns[c]
			if v = input.Name(v); v != "" && len(o.has) <= input.MaxLayers && !o.has[v] {
				o.has[strings.Clone(v)] = true
			}
			if _, ok := input.Number(v); ok {
				o.numbers++
			}
			if input.IsWhole(v) {
				o.whole++
			}
			if o.rows++; o.rows <= paired && len(s.fields) == len(columns) {
				o.ends[0][v+"\x00"+s.fields[f.columns.source]] = true
				o.ends[1][v+"\x00"+s.fields[f.columns.target]] = true
			}
		}
	}
	for c := range columns { // what says something of one end says nothing of links
		for k, end := range []int{f.columns.source, f.columns.target} {
			if of := &columns[end]; c != end && len(columns[c].ends[k]) == len(of.ends[k]) {
				columns[c].ends = [2]map[string]bool{}
			}
		}
	}
	return columns
}

// isFlag reports whether a column holds 0 and 1, or true and false.
func (o *content) isFlag() bool {
	yes := o.has["True"] || o.has["TRUE"] || o.has["true"]
	no := o.has["False"] || o.has["FALSE"] || o.has["false"]
	return len(o.has) == 2 && (o.has["0"] && o.has["1"] || yes && no)
}

// costOfFlag is more than that of any column but such a one.
const costOfFlag = 2 * input.MaxLayers

// costOfLayer ranks the columns that may hold the layer of a link: words before whole numbers, and few before many.
func (o *content) costOfLayer() int {
	n := len(o.has)
	switch {
	case n < 2 || n > input.MaxLayers || 3*n > 2*o.rows || o.ends[0] == nil || o.numbers > o.whole:
		return math.MaxInt
	case o.isFlag():
		return costOfFlag
	case o.numbers == 0:
		return n
	case 4*n > o.rows:
		return math.MaxInt
	}
	return n + input.MaxLayers
}

// offers says which columns of a list may hold its layers, and how one is chosen; "" when none may.
func (f *edgeFile) offers() string {
	switch {
	case f.matrix, f.columns.n < 3, f.columns.layer >= 0 && f.header != nil,
		f.header == nil && len(f.readings) == 0:
		return ""
	case f.header == nil:
		for _, r := range f.readings {
			if strings.Contains(r.Columns, layerColumn) && r.Layers > 1 && r.cost < f.readings[0].cost+2*decisive {
				return fmt.Sprintf("columns were taken as %s; if they are %s, say -columns %s", f.readings[0].Columns, &r, r.Columns)
			}
		}
		if at := f.columns.layer; at >= 0 {
			return fmt.Sprintf("column %d was taken as the layer and holds one value; -columns says what columns are otherwise", at+1)
		}
		return fmt.Sprintf("columns were taken as %s; if one of them is the layer, say so: -columns %s", f.readings[0].Columns, layouts[f.columns.n][0])
	}
	columns := f.contents(math.MaxInt)
	var found, flags, numbers []string
	first, least := "", math.MaxInt
	for c, title := range f.header {
		if c == f.columns.source || c == f.columns.target || c == f.columns.weight {
			continue
		}
		o := &columns[c]
		n := len(o.has)
		if cost := o.costOfLayer(); cost < least {
			first, least = title, cost
			if len(title) > 40 {
				first = "NAME"
			}
		}
		if len([]rune(title)) > 20 {
			title = string([]rune(title)[:20]) + "…"
		}
		if o.isFlag() {
			flags = append(flags, title)
		} else if o.numbers == o.rows && n > 1 {
			numbers = append(numbers, title)
		}
		if len(found) < 8 {
			found = append(found, fmt.Sprintf("%s (%s)", cmp.Or(title, "no title"), figure.Count(n, "value")))
		}
	}
	switch {
	case found == nil:
		return ""
	case len(flags) > 1 && least >= costOfFlag:
		return fmt.Sprintf("no column is called layer; %s hold 0 and 1: if each is a layer, write its links in rows of their own, source,target,layer",
			strings.Join(flags, ", "))
	case first == "" && len(numbers) > 1:
		return fmt.Sprintf("no column is called layer; %s hold numbers: if each is the weight in a layer, write its links in rows of their own, "+
			"source,target,layer,weight", strings.Join(numbers, ", "))
	case first == "":
		return "no column is called layer; there " + figure.Plural(len(found), "is ", "are ") + strings.Join(found, ", ")
	}
	return fmt.Sprintf("no column is called %s; there %s: -columns layer=%s takes one", strings.Join(layerColumns[:4], ", "),
		figure.Plural(len(found), "is ", "are ")+strings.Join(found, ", "), first)
}
