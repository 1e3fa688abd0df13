package text

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
	"cadem/core/multiplex"
)

// edgeColumns says where the columns of an edge list are; weight is -1 without one.
type edgeColumns struct{ layer, from, to, weight, n int }

// An edgeSplitter splits the lines of edge lists. It reuses what it reads quotes with.
type edgeSplitter struct {
	line   strings.Reader
	quotes *csv.Reader
}

// edgeFields splits a single line.
func edgeFields(line string) []string { return new(edgeSplitter).fields(line, nil) }

// fields splits a line: at commas or semicolons if there are any, else at blanks. It appends to
// dst at most one field more than an edge can have.
func (s *edgeSplitter) fields(line string, dst []string) []string {
	const most = 5
	line = strings.TrimSpace(line)
	separator := ""
	switch {
	case strings.Contains(line, ","):
		separator = ","
	case strings.Contains(line, ";"):
		separator = ";"
	default:
		for field := range strings.FieldsSeq(line) {
			if dst = append(dst, field); len(dst) == most {
				break
			}
		}
		return dst
	}
	if strings.Contains(line, `"`) {
		if s.quotes == nil {
			s.quotes = csv.NewReader(&s.line)
			s.quotes.TrimLeadingSpace, s.quotes.ReuseRecord, s.quotes.FieldsPerRecord = true, true, -1
		}
		s.line.Reset(line)
		s.quotes.Comma = rune(separator[0])
		if fields, err := s.quotes.Read(); err == nil {
			return append(dst, fields[:min(len(fields), most)]...)
		}
	}
	for field := range strings.SplitSeq(line, separator) {
		if dst = append(dst, strings.TrimSpace(field)); len(dst) == most {
			break
		}
	}
	return dst
}

// edgeHeader reads the columns of an edge list from the names in its first line. It
// tells false unless they name two nodes and, but in a list of one layer, a layer.
func edgeHeader(fields []string, oneLayer bool) (edgeColumns, bool) {
	c := edgeColumns{-1, -1, -1, -1, len(fields)}
	for i, f := range fields {
		f = input.Plain(f)
		switch {
		case c.layer < 0 && slices.Contains(layerColumns, f):
			c.layer = i
		case c.weight < 0 && slices.Contains(weightColumns, f):
			c.weight = i
		case c.from < 0 && slices.Contains(endColumns, f):
			c.from = i
		case c.to < 0 && slices.Contains(endColumns, f):
			c.to = i
		default:
			return c, false
		}
	}
	return c, (c.layer < 0) == oneLayer && c.to >= 0
}

// A register gives numbers to ids: those of a directory, or as they come.
type register struct {
	field  string // "layer" or "node"
	listed *directory
	most   int  // numbers to give out
	words  bool // ids that are not whole numbers are taken
	keys   []string
	index  map[string]int
}

func newRegister(field string, listed *directory, most int) *register {
	return &register{field: field, listed: listed, most: most, index: map[string]int{}}
}

func (r *register) number(file string, line int, id string) (int, error) {
	if r.listed != nil {
		if i, ok := r.listed.find(id); ok {
			return i, nil
		}
		return 0, r.listed.unknown(file, line, r.field, id)
	}
	key := id
	if !r.words {
		if !input.IsWhole(id) {
			return 0, &diag.Error{File: file, Line: line, Where: r.field, Found: input.Quote(id),
				Expected: "a whole number >= 0; words as ids need a header line that names the columns or a " + r.field + " file"}
		}
		key = input.Canonical(id)
	}
	if i, ok := r.index[key]; ok {
		return i, nil
	}
	if id == "" {
		return 0, &diag.Error{File: file, Line: line, Where: r.field, Found: `""`, Expected: "an id"}
	}
	if len(r.keys) == r.most {
		return 0, &diag.Error{File: file, Line: line, Where: r.field, Found: fmt.Sprintf("more than %d different ids", r.most),
			Expected: fmt.Sprintf("at most %d %ss", r.most, r.field)}
	}
	key = strings.Clone(key) // a part of the text would keep all of it
	r.index[key] = len(r.keys)
	r.keys = append(r.keys, key)
	return len(r.keys) - 1, nil
}

// sorted returns the ids in increasing order and the new number of each old one. Words
// stay in the order in which they came.
func (r *register) sorted() (keys []string, number []int) {
	order := variable.InOrder(len(r.keys), func(a, b int) int {
		if r.words {
			return a - b
		}
		x, y := r.keys[a], r.keys[b]
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
	number = make([]int, len(order))
	for new, old := range order {
		keys = append(keys, r.keys[old])
		number[old] = new
	}
	return keys, number
}

// An edgeList is what edge files hold: the lines of every layer, in any order. Edges of
// weight 0 are counted, not kept.
type edgeList struct {
	layers [][]multiplex.Edge
	zero   []int
	nodes  []string // ids in order, when no node file lists them
	ids    []string // of the layers, when no layer file lists them
	words  bool     // the layers' ids are words
}

// An edgeReader reads the edge lists of a graph: one of all layers, or one for each.
// Layers and nodes are looked up in their directories where there are any.
type edgeReader struct {
	list            *edgeList
	layers, nodes   *directory
	layerOf, nodeOf *register
	edges           []multiplex.Edge // of all layers
	of              []uint16         // the layer of each
	most            int              // rows that there may be
}

// newEdgeReader makes a reader of texts, whose rows it counts: memory that is taken once is not
// copied while edges come.
func newEdgeReader(layers, nodes *directory, texts ...string) *edgeReader {
	r := &edgeReader{list: &edgeList{}, layers: layers, nodes: nodes}
	r.layerOf, r.nodeOf = newRegister("layer", layers, input.MaxLayers), newRegister("node", nodes, input.MaxNodes)
	if layers != nil {
		r.list.zero = make([]int, layers.n)
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if !input.IsComment(line) {
				r.most++
			}
		}
	}
	return r
}

// read reads a file, whose edges are all of the layer given if it is not "".
func (r *edgeReader) read(file, text, layer string) error {
	list := r.list
	var columns edgeColumns
	var split edgeSplitter
	var fields []string
	if layer != "" {
		r.layerOf.words = true
	}
	first, line := 0, 0 // line of the first row that counts
	rows := 0           // of edges
	header := false
	for text != "" {
		var head string
		head, text, _ = strings.Cut(text, "\n")
		line++
		if input.IsComment(head) {
			continue
		}
		fields = split.fields(head, fields[:0])
		if first == 0 {
			first = line
			if columns, header = edgeHeader(fields, layer != ""); header {
				continue
			}
			columns = edgeColumns{0, 1, 2, 3, len(fields)}
			if layer != "" {
				columns = edgeColumns{-1, 0, 1, 2, len(fields)}
			}
			if columns.weight == len(fields) {
				columns.weight = -1
			}
			if need := columns.to + 1; len(fields) < need || len(fields) > need+1 {
				want := "3 or 4: layerID nodeID nodeID weight"
				if layer != "" {
					want = "2 or 3: nodeID nodeID weight"
				}
				return &diag.Error{File: file, Line: line, Where: "columns", Found: atMost(len(fields)), Expected: want}
			}
		}
		if len(fields) != columns.n {
			return &diag.Error{File: file, Line: line, Where: "columns", Found: atMost(len(fields)),
				Expected: fmt.Sprintf("%d as in line %d", columns.n, first)}
		}
		if header && len(r.nodeOf.keys) == 0 && (len(r.layerOf.keys) == 0 || layer != "") {
			// The first edge decides whether the ids of a column are numbers.
			if layer == "" {
				r.layerOf.words = !input.IsWhole(fields[columns.layer])
			}
			r.nodeOf.words = !input.IsWhole(fields[columns.from]) || !input.IsWhole(fields[columns.to])
		}
		rows++
		id := layer
		if layer == "" {
			id = fields[columns.layer]
		}
		l, err := r.layerOf.number(file, line, id)
		if err != nil {
			return err
		}
		e := multiplex.Edge{Weight: 1}
		if e.I, err = r.nodeOf.number(file, line, fields[columns.from]); err != nil {
			return err
		}
		if e.J, err = r.nodeOf.number(file, line, fields[columns.to]); err != nil {
			return err
		}
		if columns.weight >= 0 {
			if e.Weight, err = weight(file, line, fields[columns.weight]); err != nil {
				return err
			}
		}
		for len(list.zero) <= l {
			list.zero = append(list.zero, 0)
		}
		if e.Weight == 0 {
			list.zero[l]++
			continue
		}
		if r.edges == nil {
			r.edges, r.of = make([]multiplex.Edge, 0, r.most), make([]uint16, 0, r.most)
		}
		r.edges, r.of = append(r.edges, e), append(r.of, uint16(l))
	}
	if rows == 0 {
		return &diag.Error{File: file, Found: "no edges", Expected: "at least one: without edges nothing propagates"}
	}
	return nil
}

// split returns the edges of every layer, which it brings together where they are: the edge
// that stands where another layer's belongs changes places with one that does not belong there.
func (r *edgeReader) split() [][]multiplex.Edge {
	layers := make([][]multiplex.Edge, len(r.list.zero))
	next, end := make([]int, len(layers)), make([]int, len(layers))
	for _, l := range r.of {
		end[l]++
	}
	for l := 1; l < len(end); l++ {
		next[l] = end[l-1]
		end[l] += end[l-1]
	}
	for l := range layers {
		layers[l] = r.edges[next[l]:end[l]]
	}
	for l := range next {
		for next[l] < end[l] {
			k, to := next[l], r.of[next[l]]
			at := next[to]
			next[to]++
			r.edges[k], r.edges[at] = r.edges[at], r.edges[k]
			r.of[k], r.of[at] = r.of[at], r.of[k]
		}
	}
	return layers
}

// done returns what was read, layers and nodes in the order of their ids.
func (r *edgeReader) done() *edgeList {
	list := r.list
	list.layers = r.split()
	if r.layers == nil {
		var number []int
		list.ids, number = r.layerOf.sorted()
		list.words = r.layerOf.words
		list.layers, list.zero = reorder(list.layers, number), reorder(list.zero, number)
	}
	if r.nodes == nil {
		var number []int
		list.nodes, number = r.nodeOf.sorted()
		for _, edges := range list.layers {
			for k := range edges {
				edges[k].I, edges[k].J = number[edges[k].I], number[edges[k].J]
			}
		}
	}
	return list
}

func reorder[T any](x []T, number []int) []T {
	y := make([]T, len(x))
	for i, v := range x {
		y[number[i]] = v
	}
	return y
}

// atMost says how many columns there are; they are not counted beyond 5.
func atMost(n int) string {
	if n > 4 {
		return "more than 4 columns"
	}
	return figure.Count(n, "column")
}

// weight reads the weight of an edge.
func weight(file string, line int, s string) (float64, error) {
	const want = "a finite number >= 0"
	w, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(w) || math.IsInf(w, 0) || w < 0:
		return 0, &diag.Error{File: file, Line: line, Where: "weight", Found: input.Quote(s), Expected: want}
	case w > input.MaxWeight || w != 0 && w < 1/input.MaxWeight:
		return 0, &diag.Error{File: file, Line: line, Where: "weight", Found: input.Quote(s),
			Expected: fmt.Sprintf("0 or a number from %g to %g", 1/input.MaxWeight, input.MaxWeight)}
	}
	return math.Abs(w), nil // -0 is 0
}

// mutualEdges returns the self loops and, with the smaller weight, the pairs that come in
// both directions.
func mutualEdges(edges []multiplex.Edge) []multiplex.Edge {
	type arc struct{ i, j int }
	heaviest := make(map[arc]float64, len(edges))
	for _, e := range edges {
		heaviest[arc{e.I, e.J}] = max(heaviest[arc{e.I, e.J}], e.Weight)
	}
	var kept []multiplex.Edge
	for _, e := range edges {
		if back, ok := heaviest[arc{e.J, e.I}]; ok {
			kept = append(kept, multiplex.Edge{I: e.I, J: e.J, Weight: min(heaviest[arc{e.I, e.J}], back)})
		}
	}
	return kept
}

// tally counts, among the rows of a layer, self loops, rows that repeat an earlier one,
// pairs, and pairs that come in both directions, with or without the same weight.
// Loops are no pairs.
func tally(edges []multiplex.Edge) (loops, repeated, pairs, both, same int) {
	low := func(e *multiplex.Edge) int { return min(e.I, e.J) }
	high := func(e *multiplex.Edge) int { return max(e.I, e.J) }
	order := variable.InOrder(len(edges), func(i, j int) int {
		a, b := &edges[i], &edges[j]
		return cmp.Or(cmp.Compare(low(a), low(b)), cmp.Compare(high(a), high(b)))
	})
	for k := 0; k < len(order); {
		first := &edges[order[k]]
		var heaviest [2]float64 // in direction low to high, and back
		rows := 0
		for ; k < len(order); k++ {
			e := &edges[order[k]]
			if low(e) != low(first) || high(e) != high(first) {
				break
			}
			direction := 0
			if e.I > e.J {
				direction = 1
			}
			heaviest[direction] = max(heaviest[direction], e.Weight)
			rows++
		}
		switch {
		case first.I == first.J:
			loops++
			repeated += rows - 1
		case heaviest[0] > 0 && heaviest[1] > 0:
			pairs++
			both++
			repeated += rows - 2
			if heaviest[0] == heaviest[1] {
				same++
			}
		default:
			pairs++
			repeated += rows - 1
		}
	}
	return loops, repeated, pairs, both, same
}
