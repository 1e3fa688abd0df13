package formats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/text"
	"cadem.example/core/internal/variable"
	"cadem.example/core/multiplex"
)

// A piece is a part of one or several splits that a variable, or a column of a table of nodes, gives.
type piece struct {
	name, file string
	part       int
	nodes      [][]int // of each split
}

// instead ends what a split is expected to be.
const instead = "; or no splits (splits: none), and folds are dealt"

func (p *piece) fail(found, expected string) error {
	return diag.At(p.file, 0, p.name, found, expected+instead)
}

// splits gives the label sets the splits that files have: masks, lists of nodes, or a column of words. Tables are the label sets of the tables
// of nodes, among which columns that are splits are.
func (c *Content) splits(g *multiplex.Graph, report *Report, tables []multiplex.LabelSet, choice, guess Choice) error {
	if choice.noSplits() {
		return nil
	}
	groups := map[string][]*piece{}
	var keys []string
	add := func(p *piece, key string) {
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], p)
	}
	for k := range tables {
		s := &tables[k]
		if chosen := input.Index(choice.Splits, s.Name) >= 0; !chosen &&
			(len(choice.Splits) > 0 || input.Index(choice.Labels, s.Name) >= 0) {
			continue
		}
		part, key := variable.SplitPart(s.Name)
		if part < 0 {
			key = s.Name
		}
		for _, p := range columnPieces(s) {
			add(p, key)
		}
	}
	vars, err := c.splitVariables(choice, guess, tables)
	if err != nil {
		return err
	}
	for _, v := range vars {
		part, rest := variable.SplitPart(v.Name)
		if words, ok := v.Words(); ok && part < 0 {
			placed, err := c.place(v, report, true)
			if err != nil {
				return err
			}
			if words, _ = placed.Words(); len(words) == g.M() {
				for _, p := range columnPieces(variable.NewLabelSet(v.Name, words)) {
					p.file = v.File()
					add(p, v.Name)
				}
			}
			continue
		}
		if part < 0 || !partsOf(vars, rest) {
			continue
		}
		p, err := c.piece(v, part, g, report)
		if err != nil {
			return err
		}
		add(p, rest)
	}
	var all []multiplex.Split
	used := map[string]bool{}
	sorting.Stable(keys, text.Natural)
	for _, key := range keys {
		list, err := splitsOf(groups[key], groups[shared(key)], key)
		if err != nil {
			return err
		}
		for _, p := range slices.Concat(groups[key], groups[shared(key)]) {
			used[p.name] = used[p.name] || list != nil
		}
		if list != nil { // columns that are splits are not labels
			g.Labels = slices.DeleteFunc(slices.Clone(g.Labels), func(s multiplex.LabelSet) bool {
				return input.Index(choice.Labels, s.Name) < 0 && slices.ContainsFunc(groups[key], func(p *piece) bool { return p.name == s.Name })
			})
		}
		for _, s := range list {
			if !slices.ContainsFunc(all, func(t multiplex.Split) bool { return slices.Equal(s.Train, t.Train) && slices.Equal(s.Test, t.Test) }) {
				all = append(all, s)
			}
		}
	}
	if len(all) == 1 {
		all[0].Name = ""
	}
	var names []string
	for _, v := range vars {
		if !used[v.Name] {
			names = append(names, v.Name)
		}
	}
	if names != nil {
		report.Note("%s %s not used: a split has a training and a test part, such as train_mask and test_mask.", strings.Join(names, ", "),
			figure.Plural(len(names), "sounds like a part of a split and is", "sound like parts of splits and are"))
	}
	return fitSplits(g, report, all)
}

// fitSplits gives the splits to the label sets all of whose classes they train on. There must be at least one.
func fitSplits(g *multiplex.Graph, report *Report, all []multiplex.Split) error {
	if len(all) == 0 {
		return nil
	}
	var first error
	fit := 0
	for k := range g.Labels {
		s := &g.Labels[k]
		if err := lacks(s, all); err != nil {
			first = cmp.Or(first, err)
			report.Note("Labels %s are scored in folds: %s is trained on in the data's own split.", s.Name, "not every class of them")
			continue
		}
		s.Splits = all
		fit++
	}
	if fit == 0 {
		return first
	}
	return nil
}

// lacks returns the error of a split without a node of a class to train on, or to test.
func lacks(s *multiplex.LabelSet, all []multiplex.Split) error {
	for _, split := range all {
		of := func(nodes []int) []bool {
			there := make([]bool, len(s.Classes))
			for _, i := range nodes {
				if c := s.Of[i]; c != multiplex.Missing {
					there[c] = true
				}
			}
			return there
		}
		trained, tested := of(split.Train), of(split.Test)
		where := strings.TrimSpace("split " + split.Name)
		for c, name := range s.Classes {
			if tested[c] && !trained[c] {
				return &diag.Error{Where: where, Found: fmt.Sprintf("no training node of class %s of labels %s", input.Quote(name), s.Name),
					Expected: "one at least of every class that is tested" + instead}
			}
		}
		if !slices.Contains(tested, true) {
			return &diag.Error{Where: where, Found: "no test node with a label of " + s.Name, Expected: "some" + instead}
		}
	}
	return nil
}

// splitVariables are the variables that may be parts of splits: the chosen ones, or all that say so and are nothing else.
func (c *Content) splitVariables(choice, guess Choice, tables []multiplex.LabelSet) (vars []*Variable, err error) {
	for _, name := range choice.Splits {
		is := func(s multiplex.LabelSet) bool { return input.Name(s.Name) == input.Name(name) }
		if slices.ContainsFunc(tables, is) {
			continue
		}
		v, err := c.find("splits", name)
		if err != nil {
			return nil, err
		}
		vars = append(vars, v)
	}
	if len(choice.Splits) > 0 {
		return vars, nil
	}
	for _, v := range c.Variables {
		if variable.SaysSplit(v) && roleIn(&guess, v) == "" {
			vars = append(vars, v)
		}
	}
	return vars, nil
}

// shared is the key of parts that several splits have together: that of one split without its number.
func shared(key string) string { return strings.TrimRight(key, "_-. 0123456789") }

// partsOf reports whether there are a training and a test part of one key.
func partsOf(vars []*Variable, key string) bool {
	var there [len(variable.PartNames)]bool
	serves := false
	for _, v := range vars {
		part, rest := variable.SplitPart(v.Name)
		if part < 0 {
			continue
		}
		there[part] = there[part] || rest == key || rest == shared(key)
		serves = serves || rest != key && shared(rest) == key // those with numbers
	}
	return there[0] && there[2] || serves
}

// splitsOf makes splits of the parts of one key; those that it lacks are taken of others.
func splitsOf(own, others []*piece, key string) ([]multiplex.Split, error) {
	var parts [len(variable.PartNames)]*piece
	for _, p := range slices.Concat(own, others) {
		if q := parts[p.part]; q == nil {
			parts[p.part] = p
		}
	}
	if parts[0] == nil || parts[2] == nil {
		return nil, nil
	}
	n := 0
	for _, p := range parts {
		if p != nil {
			n = max(n, len(p.nodes))
		}
	}
	list := make([]multiplex.Split, n)
	name := strings.Trim(variable.Last(key), "_-. ")
	for _, word := range []string{"mask", "idx", "index", "indices"} {
		name = strings.Trim(strings.TrimPrefix(name, word), "_-. ")
	}
	for k := range list {
		s := &list[k]
		if s.Name = name; n > 1 {
			s.Name = strings.TrimSpace(fmt.Sprintf("%s %d", name, k))
		}
		where := map[int]*piece{}
		for part, to := range []*[]int{&s.Train, &s.Validation, &s.Test} {
			p := parts[part]
			if p == nil {
				continue
			}
			switch {
			case len(p.nodes) == n:
				*to = p.nodes[k]
			case len(p.nodes) == 1:
				*to = p.nodes[0]
			default:
				return nil, p.fail(figure.Count(len(p.nodes), "split"), fmt.Sprintf("%d, as the other parts have, or one for all", n))
			}
			if len(*to) == 0 && part != 1 {
				return nil, p.fail("no node", "some for "+variable.PartNames[part])
			}
			both, last := 0, 0
			var q *piece
			for _, i := range *to {
				if where[i] != nil {
					q, last = where[i], i
					both++
				}
				where[i] = p
			}
			if both > 0 {
				found := fmt.Sprintf("node %d", last)
				if both > 1 {
					found += fmt.Sprintf(" and %d more", both-1)
				}
				return nil, p.fail(found+", which "+q.name+" has, too", "parts that share no node")
			}
		}
	}
	return list, nil
}

// columnPieces are the parts that a column of a table says: words such as train and test, or of one part yes and no; nil of another column.
func columnPieces(s *multiplex.LabelSet) []*piece {
	if part, _ := variable.SplitPart(s.Name); part >= 0 {
		p := &piece{name: s.Name, part: part, nodes: make([][]int, 1)}
		for i, c := range s.Of {
			if c == multiplex.Missing {
				continue
			}
			switch strings.ToLower(s.Classes[c]) {
			case "1", "true", "yes", "t", "y":
				p.nodes[0] = append(p.nodes[0], i)
			case "0", "false", "no", "f", "n":
			default:
				return nil
			}
		}
		return []*piece{p}
	}
	var of [len(variable.PartNames)]*piece
	for c, word := range s.Classes {
		part := variable.SplitWord(word)
		if part < 0 {
			if !slices.Contains([]string{"none", "unused", "unlabelled", "unlabeled", "other", "no", "-"}, strings.ToLower(word)) {
				return nil
			}
			continue
		}
		if of[part] == nil {
			of[part] = &piece{name: s.Name, part: part, nodes: make([][]int, 1)}
		}
		for i, k := range s.Of {
			if k == c {
				of[part].nodes[0] = append(of[part].nodes[0], i)
			}
		}
	}
	if of[0] == nil || of[2] == nil {
		return nil
	}
	return slices.DeleteFunc(of[:], func(p *piece) bool { return p == nil })
}

// piece reads a part from a variable: a mask, a column of it for each split, or the numbers, from 0 or from 1, or the names of nodes.
func (c *Content) piece(v *Variable, part int, g *multiplex.Graph, report *Report) (*piece, error) {
	p := &piece{name: v.Name, file: v.File(), part: part}
	m := g.M()
	names := map[string]int{}
	for i := range m {
		names[input.Name(g.NodeName(i))] = i
	}
	const wantNames = "names of nodes of the graph"
	if words, ok := v.Words(); ok {
		return p, p.named(words, names, wantNames)
	}
	x, err := v.Values()
	if err != nil {
		return nil, err
	}
	rows, cols := v.Rows(), v.Cols()
	mask := v.Type == "bool" || len(x) > 2 && (rows == m || cols == m) && !slices.ContainsFunc(x, func(f float64) bool { return f != 0 && f != 1 })
	switch {
	case mask && rows != m && cols != m:
		return nil, p.fail(fmt.Sprintf("a mask of %s", figure.Count(max(rows, cols), "node")), fmt.Sprintf("%d, as the graph has", m))
	case mask:
		placed, err := c.place(v, report, true)
		if err != nil {
			return nil, err
		}
		if x, err = placed.Values(); err != nil {
			return nil, err
		}
		across := placed.Rows() != m
		p.nodes = make([][]int, len(x)/m)
		for k := range p.nodes {
			for i := range m {
				at := i*len(p.nodes) + k
				if across {
					at = k*m + i
				}
				if x[at] == 1 {
					p.nodes[k] = append(p.nodes[k], i)
				}
			}
		}
		return p, nil
	case min(rows, cols) > 1:
		return nil, p.fail(fmt.Sprintf("%d x %d numbers", rows, cols), fmt.Sprintf("a list of nodes, or a mask of %d rows", m))
	}
	words := make([]string, len(x))
	for k, f := range x {
		words[k] = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if slices.Contains(c.tables, v) && g.Nodes != nil { // a text names nodes as its edges do
		return p, p.named(words, names, wantNames)
	}
	// Lists of one file that have the number of nodes itself, and no 0, count from 1.
	first := 0
	if c.fromOne(v, m) {
		first = 1
		report.Note("The nodes of %s were counted from 1.", v.Name)
	}
	order, _, _, err := c.set.Join(&Variable{Name: v.Name, Form: Dense, Shape: []int{m}}, true)
	if err != nil {
		return nil, err
	}
	clear(names)
	for i := range m {
		names[strconv.Itoa(i+first)] = i
	}
	for i, r := range order {
		if r >= 0 && int(r) < m {
			names[strconv.Itoa(int(r)+first)] = i
		}
	}
	expected := fmt.Sprintf("numbers from %d to %d, or a mask of %d entries", first, m-1+first, m)
	return p, p.named(words, names, expected)
}

// named takes nodes by their names, or by the numbers of their rows.
func (p *piece) named(words []string, names map[string]int, expected string) error {
	var list []int
	seen := map[string]bool{}
	for _, word := range words {
		i, ok := names[input.Name(word)]
		found := "the node " + word
		if _, number := input.Number(word); !number {
			found = "the node " + input.Quote(word)
		}
		switch {
		case !ok:
			return p.fail(found, expected)
		case seen[input.Name(word)]:
			return p.fail(found+" twice", "it once")
		}
		list, seen[input.Name(word)] = append(list, i), true
	}
	slices.Sort(list)
	p.nodes = [][]int{list}
	return nil
}

// fromOne reports whether lists of nodes that belong together count from 1.
func (c *Content) fromOne(v *Variable, m int) bool {
	_, rest := variable.SplitPart(v.Name)
	least, most := math.Inf(1), 0.0
	for _, w := range c.Variables {
		if part, other := variable.SplitPart(w.Name); part < 0 || other != rest || !w.IsNumeric() || w.Type == "bool" {
			continue
		}
		x, err := w.Values()
		if err != nil || len(x) == 0 {
			continue
		}
		least, most = min(least, slices.Min(x)), max(most, slices.Max(x))
	}
	return least >= 1 && most == float64(m)
}
