package text

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
)

// sides are the words that tell the titles of the two ends of a link apart, which are the same otherwise: Gene_A and Gene_B. The first
// are weak: other columns are numbered by them, too.
var sides = [...][2]string{{"1", "2"}, {"a", "b"}, {"i", "j"}, {"u", "v"}, {"o", "d"}, {"x", "y"}, {"n", "m"},
	{"source", "target"}, {"from", "to"}, {"src", "dst"},
	{"start", "end"}, {"head", "tail"}, {"ego", "alter"}, {"respondent", "alter"}, {"nominator", "nominee"},
	{"reporter", "partner"}, {"exporter", "importer"}, {"origin", "destination"}, {"origin", "dest"}, {"sender", "receiver"},
	{"sender", "recipient"}, {"caller", "callee"}, {"giver", "receiver"}, {"citing", "cited"}, {"follower", "followee"}, {"predator", "prey"},
	{"presynaptic", "postsynaptic"}, {"row", "col"}, {"row", "column"}, {"subject", "object"}, {"tf", "target"}, {"tf", "gene"},
	{"regulator", "target"}, {"regulator", "gene"}, {"regulatory", "target"}}

// sureColumns say how sure a link is.
var sureColumns = []string{"p", "pvalue", "pval", "padj", "fdr", "qvalue"}

// weak is the number of weak sides.
const weak = 7

// A titledPair are two columns by whose titles they are the ends of a link, of the sides that are named there.
type titledPair struct{ source, target, side int }

// titledPairs returns them in the order of columns. Each title is made into those that would stand beside it, as tables of features
// have too many columns to look at two at a time.
func titledPairs(titles []string) (list []titledPair) {
	plain, named := make([]string, len(titles)), map[string][]int{}
	for k, title := range titles {
		if plain[k] = input.Plain(title); !input.IsWhole(plain[k]) {
			named[plain[k]] = append(named[plain[k]], k)
		}
	}
	for a, title := range plain {
		if input.IsWhole(title) {
			continue
		}
		first := len(list)
		for side, s := range sides {
			for at := range len(title) - len(s[0]) + 1 {
				inside := len(s[0]) == 1 && (at > 0 && at+1 < len(title) || len(title) == 1)
				if inside || !strings.HasPrefix(title[at:], s[0]) {
					continue
				}
				for _, b := range named[title[:at]+s[1]+title[at+len(s[0]):]] {
					if slices.ContainsFunc(list[first:], func(p titledPair) bool { return p.target == b }) {
						continue
					}
					list = append(list, titledPair{a, b, side})
					for k := len(list) - 1; k > first && list[k-1].target > b; k-- {
						list[k-1], list[k] = list[k], list[k-1]
					}
				}
			}
		}
	}
	return list
}

// isPaired reports whether some of the titles are those of the two ends of a link. Numbers are no titles, whatever words stand beside them.
func isPaired(titles []string) bool {
	for _, f := range titles {
		if _, number := input.Number(f); number && !isYear(f) && !slices.ContainsFunc(titles, isLevel) {
			return false
		}
	}
	named := func(p titledPair) bool { return p.source < p.target || p.side >= weak }
	return slices.ContainsFunc(titledPairs(titles), named)
}

// byTitles scores all pairs of columns as the ends of links, by their titles and by what they hold, and reports whether one is. Columns
// that name the same nodes in two ways are one pair, of which words come first. Where others are left, the user has to say it.
func (f *edgeFile) byTitles() bool {
	header := f.head
	e := f.evidence(true)
	if len(e.column) == len(header)+1 {
		header = append([]string{""}, header...)
	}
	if len(e.column) != len(header) {
		return false
	}
	var found []columns
	for _, p := range titledPairs(header) {
		if !e.areEnds(p.source, p.target, p.side) {
			continue
		}
		c := noColumns(len(header))
		c.source, c.target = p.source, p.target
		k := slices.IndexFunc(found, func(o columns) bool { return e.alike(p.source, o.source) && e.alike(p.target, o.target) })
		switch {
		case k < 0:
			found = append(found, c)
		case e.column[found[k].source].numbers > 0 && e.column[p.source].numbers == 0:
			found[k] = c
		}
	}
	if found == nil {
		return false
	}
	f.header, f.columns, f.given, f.resolved = header, found[0], true, true
	f.readings = nil
	for k := range found {
		c := &found[k]
		c.titled(header)
		if c.weight < 0 {
			c.weight = e.onlyNumbers(c, header)
		}
		f.readings = append(f.readings, Reading{Columns: strings.Join(f.rolesOf(*c), ","), Layers: 1, Nodes: e.nodes(c)})
	}
	f.columns = found[0]
	f.given, f.strange = len(found) == 1, len(found) > 1
	return true
}

// areEnds reports whether two columns may hold the ends of links: the same words or whole numbers, or words of two kinds under titles
// that are clear.
func (e *evidence) areEnds(a, b, side int) bool {
	const few = 3
	x, y := &e.column[a], &e.column[b]
	all, both := e.shared(a, b)
	numbers := x.numbers+y.numbers > 0
	switch {
	case x.numbers > x.whole || y.numbers > y.whole, all < few, 2*e.equal(a, b) > e.rows:
		return false
	case side >= weak:
		return both > 0 || !numbers
	case numbers: // measurements may be numbered in the same way
		return len(e.column) <= 5 && 2*both >= min(len(x.has), len(y.has)) && 3*e.distinct([]int{a, b}) >= e.rows
	}
	return both > 0
}

// alike reports whether two columns say the same, each in its way.
func (e *evidence) alike(a, b int) bool {
	n := len(e.column[a].has)
	return n == len(e.column[b].has) && n == e.distinct([]int{a, b})
}

// nodes returns how many values the ends have.
func (e *evidence) nodes(c *columns) int {
	all, _ := e.shared(c.source, c.target)
	return all
}

// onlyNumbers returns the only column of numbers beside those of a list that may be its weights; -1 if there is none, or several.
func (e *evidence) onlyNumbers(c *columns, header []string) int {
	found := -1
	for k := range e.column {
		o := &e.column[k]
		used := k == c.source || k == c.target || k == c.layer || k == c.other
		if used || o.numbers < e.rows || len(o.has) < 2 && e.rows > 2 || e.isWhen(k, e.nodes(c)) || countsRows(header[k]) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = k
	}
	if found >= 0 && e.column[found].least < 0 && len(header) > 3 { // a sign besides, say
		return -1
	}
	return found
}

// isYear reports whether a field may be a year.
func isYear(f string) bool { return len(f) == 4 && input.IsWhole(f) && f >= "1800" && f < "2100" }

// countsRows reports whether a title is of numbers that name something, or class it, or say how sure it is.
func countsRows(title string) bool {
	plain := input.Plain(title)
	return strings.HasSuffix(plain, "id") || variable.SaysLabels(&variable.Variable{Name: title}) ||
		slices.Contains(indexColumns, plain) || slices.Contains(sureColumns, plain)
}

// ofWords proposes a reading of a list of any width whose first two columns hold the same words, none of which is a key of the rows; the
// first column of few words may be the layer, and the first of numbers the weight.
func (e *evidence) ofWords() (r Reading, ok bool) {
	const few, many = 3, 8 // more than answers have, on a scale of seven, say
	ends := func(i, k, least int) bool {
		_, both := e.shared(i, k)
		a, b := &e.column[i], &e.column[k]
		bipartite := len(e.column) == 2 && both == 0 && max(len(a.has), len(b.has)) < e.rows
		return a.numbers+b.numbers == 0 && (bipartite || both >= least && 2*both >= min(len(a.has), len(b.has)) && len(a.has) < e.rows && len(b.has) < e.rows)
	}
	if len(e.column) < 2 {
		return r, false
	}
	from, to := 0, 1
	if !ends(0, 1, few) {
		for to = 2; to < len(e.column) && !ends(to-1, to, many); to++ { // elsewhere they stand side by side
		}
		if from = to - 1; to == len(e.column) {
			return r, false
		}
	}
	roles := slices.Repeat([]string{leftColumn}, len(e.column))
	roles[from], roles[to] = sourceColumn, targetColumn
	all, _ := e.shared(from, to)
	r.Nodes, r.Layers = all, 1
	layer, weight := false, false
	for c := range roles {
		o := &e.column[c]
		switch n := len(o.has); {
		case c == from, c == to, o.rising && o.whole == e.rows && n == e.rows: // or it counts the rows
		case !layer && o.numbers == 0 && n > 1 && n <= input.MaxLayers && n < all && 2*n <= e.rows:
			roles[c], r.Layers, layer = layerColumn, n, true
		case !weight && o.numbers == e.rows:
			roles[c], weight = weightColumn, true
		}
	}
	r.Columns = strings.Join(roles, ",")
	return r, true
}

// weighty are parts of titles of weights.
var weighty = []string{"score", "weight", "strength", "value", "amount", "flow", "trips", "count", "volume"}

// mayWeigh returns the title of an unused column of numbers, if there are no weights; "" if there is none.
func (f *edgeFile) mayWeigh(roles []string) string {
	if f.columns.weight >= 0 {
		return ""
	}
	e, best := f.evidence(true), ""
	if max(f.columns.source, f.columns.target) >= len(e.column) { // the header has more titles than rows have fields
		return ""
	}
	for c, title := range f.header {
		plain := input.Plain(title)
		if c >= len(e.column) || roles[c] != leftColumn || e.column[c].numbers < e.rows || len(title) > 40 || countsRows(title) ||
			e.isWhen(c, e.nodes(&f.columns)) || strings.HasSuffix(plain, "code") || strings.HasSuffix(plain, "type") {
			continue
		}
		if slices.ContainsFunc(weighty, func(word string) bool { return strings.Contains(plain, word) }) {
			return title
		}
		if best == "" && (len(e.column[c].has) > 1 || e.rows < 3) { // one row or two say nothing
			best = title
		}
	}
	return best
}

// filled returns how many values a column has that are not empty.
func (e *evidence) filled(c int) int {
	return len(e.column[c].has) - btoi(e.blank(c) > 0)
}

// isFlag reports whether a column holds 0 and 1, or true and false, or whether links have a direction.
func (e *evidence) isFlag(c int) bool {
	var values []string
	for k := range e.column[c].has {
		values = append(values, strings.ToLower(e.values[k]))
	}
	slices.Sort(values)
	return slices.Contains([]string{"0 1", "false true", "no yes", "directed undirected"}, strings.Join(values, " "))
}

// costOfFlag is more than that of any column but such a one.
const costOfFlag = 2 * input.MaxLayers

// costOfLayer ranks the columns that may hold the layer of a link: words before whole numbers, and few before many. What says something
// of one end says nothing of links.
func (e *evidence) costOfLayer(c int, of columns) int {
	if max(of.source, of.target) >= len(e.column) { // the header has more titles than rows have fields
		return math.MaxInt
	}
	n, o := e.filled(c), &e.column[c]
	ofEnd := func(end int) bool { return e.distinct([]int{c, end}) == len(e.column[end].has) }
	switch {
	case n < 2 || n > input.MaxLayers || 3*n > 2*e.rows || o.numbers > o.whole || ofEnd(of.source) || ofEnd(of.target):
		return math.MaxInt
	case e.isFlag(c):
		return costOfFlag
	case o.numbers == 0:
		return n
	case 4*n > e.rows:
		return math.MaxInt
	}
	return n + input.MaxLayers
}

// likelyLayer returns the only column of words that may hold the layers of a list with a header; -1 if there is none, or another
// besides it that divides the links otherwise.
func (f *edgeFile) likelyLayer() int {
	if f.header == nil || f.counter || f.matrix || f.columns.layer >= 0 || f.columns.n < 3 {
		return -1
	}
	e, found := f.evidence(true), -1
	for c := range e.column {
		if c == f.columns.source || c == f.columns.target || c == f.columns.weight || e.column[c].numbers > 0 ||
			e.costOfLayer(c, f.columns) >= input.MaxLayers || 3*(len(e.column[c].has)-1) > e.rows || found >= 0 && e.alike(c, found) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = c
	}
	if w := f.columns.weight; found >= 0 && w >= 0 && e.column[w].least < 0 { // signs make two layers already
		return -1
	}
	return found
}

// likelyChannels returns the columns behind the ends of links if each is the weight in a layer: every pair comes once, and all of them
// hold flags, or numbers of which some are 0 or missing. Whether links have directions is no layer.
func (f *edgeFile) likelyChannels() string {
	if f.header == nil || f.counter || f.matrix || f.columns.layer >= 0 || f.columns.weight >= 0 || f.columns.n < 4 {
		return ""
	}
	e, flags := f.evidence(true), 0
	var all []rune
	for c := range e.column {
		o, title := &e.column[c], input.Plain(f.header[c])
		if c == f.columns.source || c == f.columns.target {
			continue
		}
		if e.isFlag(c) || e.filled(c) == 1 {
			flags++
		} else if o.numbers+e.blank(c) < e.rows || o.least != 0 && e.blank(c) == 0 {
			return ""
		}
		if len(o.has) < 2 || countsRows(title) || strings.HasPrefix(title, "is") || strings.Contains(title, "direct") {
			return ""
		}
		all = append(all, rune(c))
	}
	if len(all) < 2 || flags > 0 && flags < len(all) || e.distinct([]int{f.columns.source, f.columns.target}) < e.rows {
		return ""
	}
	return string(all)
}

// offers says which columns of a list may hold its layers, and how one is chosen; "" when none may.
func (f *edgeFile) offers() string {
	switch {
	case f.matrix, f.columns.n < 3, f.columns.layer >= 0 && f.header != nil,
		f.header == nil && len(f.readings) == 0:
		return ""
	case f.header == nil, f.counter && len(f.readings) > 0:
		for _, r := range f.readings {
			if strings.Contains(r.Columns, layerColumn) && r.Layers > 1 && r.cost < f.readings[0].cost+2*decisive {
				return fmt.Sprintf("columns were taken as %s; if they are %s, say -columns %s", f.readings[0].Columns, &r, r.Columns)
			}
		}
		if at := f.columns.layer; at >= 0 {
			return fmt.Sprintf("column %d was taken as the layer and holds one value; -columns says what columns are otherwise", at+1)
		}
		says := "-columns says what they are otherwise"
		if k := slices.IndexFunc(f.readings, func(r Reading) bool { return strings.Contains(r.Columns, layerColumn) && r.Layers > 1 }); k >= 0 {
			says = "if one of them is the layer, say so: -columns " + f.readings[k].Columns
		}
		return fmt.Sprintf("columns were taken as %s; %s", f.readings[0].Columns, says)
	}
	e := f.evidence(true)
	var found, flags, numbers, parts, layers []string
	signed := ""
	least := math.MaxInt
	for c, title := range f.header {
		if c >= len(e.column) || c == f.columns.source || c == f.columns.target || c == f.columns.weight {
			continue
		}
		n, cost, full := e.filled(c), e.costOfLayer(c, f.columns), title
		if len(full) > 40 {
			full = "NAME"
		}
		if cost < costOfFlag && (cost < least || cost < input.MaxLayers) {
			if cost < least {
				layers = slices.Insert(layers, 0, full)
			} else {
				layers = append(layers, full)
			}
		}
		least = min(least, cost)
		if len([]rune(title)) > 20 {
			title = string([]rune(title)[:20]) + "…"
		}
		switch o := &e.column[c]; {
		case o.numbers == e.rows && o.least < 0 && o.greatest > 0 && signed == "":
			signed = full
		case e.isFlag(c):
			flags = append(flags, full)
		case o.numbers+e.blank(c) < e.rows || n < 2 || countsRows(title):
		case o.least == 0 || e.blank(c) > 0: // not every link is in it
			parts = append(parts, full)
			fallthrough
		default:
			numbers = append(numbers, full)
		}
		if len(found) < 8 {
			found = append(found, fmt.Sprintf("%s (%s)", cmp.Or(title, "no title"), figure.Count(n, "value")))
		}
	}
	say := func(what string, titles []string) string {
		alone := ""
		if title := f.mayWeigh(f.roles()); title != "" && !slices.Contains(titles, title) {
			alone = "; weights of one layer: " + option("weight="+title)
		}
		return fmt.Sprintf("no column is called layer; %s hold %s, say so: %s", strings.Join(titles, ", "), what,
			option("weight="+strings.Join(titles, ",weight="))) + alone
	}
	switch {
	case found == nil:
		return ""
	case len(flags) > 1 && least >= costOfFlag:
		return say("0 and 1: if each is a layer", flags)
	case len(parts) > 1 && least >= input.MaxLayers:
		return say("numbers, 0 or none among them: if each is the weight in a layer", parts)
	case layers == nil && len(numbers) > 1:
		return say("numbers: if each is the weight in a layer", numbers)
	case layers == nil && signed != "":
		return "no column is called layer; signs make two: " + option("weight="+signed)
	case layers == nil:
		return "no column is called layer; there " + figure.Plural(len(found), "is ", "are ") + strings.Join(found, ", ") + ": -columns layer=NAME takes one"
	}
	other := ""
	if len(layers) > 1 {
		other = ", " + option("layer="+layers[1]) + " another"
	}
	return fmt.Sprintf("no column is called %s; there %s: %s takes one%s", strings.Join(layerColumns[:4], ", "),
		figure.Plural(len(found), "is ", "are ")+strings.Join(found, ", "), option("layer="+layers[0]), other)
}

// option writes the flag of a choice of columns, in quotes where a shell would take it apart.
func option(choice string) string {
	if strings.ContainsAny(choice, " \t'\"$&;()|<>*?#!") {
		choice = strconv.Quote(choice)
	}
	return "-columns " + choice
}

// blank returns how many rows leave a column empty.
func (e *evidence) blank(c int) int {
	for k, n := range e.column[c].has {
		if e.values[k] == "" {
			return n
		}
	}
	return 0
}
