package text

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// A register gives numbers to ids: those of a directory, or as they come.
type register struct {
	field     string // "layer" or "node"
	listed    *directory
	most      int    // numbers to give out
	elsewhere string // where there may be more
	bare      bool   // no header says that ids are ids
	called    bool   // the file is called so, and no column holds it
	keys      []string
	index     map[string]int32
	spelt     map[string]int32 // by the form in which names are compared, where they are written otherwise
	joined    map[string]bool  // names that are written in two ways
	short     []int32          // of ids that are short whole numbers, their number plus 1
	slab      strings.Builder  // of texts of ids, many in one: a part of the file's text would keep all of it
}

// shortest is from what on whole numbers go into the map like all other ids.
const shortest = 1 << 20

func newRegister(field string, listed *directory, most int) *register {
	return &register{field: field, listed: listed, most: most, index: map[string]int32{},
		spelt: map[string]int32{}, joined: map[string]bool{}}
}

// number returns the number of an id. Ids are text: 1 and 01 are two.
func (r *register) number(s *scanner, id string) (int, error) {
	id = s.id(id)
	small := shortNumber(id)
	if small >= 0 && small < len(r.short) && r.short[small] > 0 {
		return int(r.short[small] - 1), nil
	}
	if small < 0 {
		if i, ok := r.index[id]; ok {
			return int(i), nil
		}
	}
	i, err := -1, error(nil)
	if r.listed == nil && (small < 0 || len(r.spelt) > 0) {
		i = r.alike(id)
	}
	if i < 0 {
		if i, err = r.add(s, id); err != nil {
			return 0, err
		}
	}
	if small < 0 {
		if r.listed == nil && r.keys[i] == id {
			id = r.keys[i]
		} else {
			id = r.keep(id)
		}
		r.index[id] = int32(i)
		return i, nil
	}
	if small >= len(r.short) {
		r.short = append(r.short, make([]int32, max(small+1, 2*len(r.short))-len(r.short))...)
	}
	r.short[small] = int32(i + 1)
	return i, nil
}

// alike returns the number of a name that is written otherwise, which then is called by the form in which names are compared; -1
// if there is none.
func (r *register) alike(id string) int {
	name := input.Name(id)
	i, ok := r.spelt[name]
	if name != id && !ok {
		if i, ok = r.index[name]; !ok {
			n := shortNumber(name)
			if ok = n >= 0 && n < len(r.short) && r.short[n] > 0; ok {
				i = r.short[n] - 1
			}
		}
	}
	if !ok && name != id {
		r.spelt[r.keep(name)] = int32(len(r.keys))
	}
	if !ok {
		return -1
	}
	r.keys[i] = r.keep(name)
	r.joined[r.keys[i]] = true
	return int(i)
}

// add gives an id that comes for the first time its number.
func (r *register) add(s *scanner, id string) (int, error) {
	switch {
	case id == "":
		return 0, diag.At(s.file, s.line, r.field, `""`,
			"an id; fill cells that were merged, and leave out rows of titles or totals")
	case r.listed == nil && !r.called && multiplex.IsMissing(id):
		return 0, diag.At(s.file, s.line, r.field, input.Quote(id),
			fmt.Sprintf("an id: programs write this where a value is missing; a %s that is really called so needs a %s file that lists it", r.field, r.field))
	case r.bare && r.listed == nil && isFraction(id):
		return 0, diag.At(s.file, s.line, r.field, input.Quote(id),
			"an id, a whole number >= 0 or a word; a header line (layer,source,target,weight) or -columns says which columns hold ids")
	case r.listed != nil:
		if i, ok := r.listed.find(id); ok {
			return i, nil
		}
		return 0, r.listed.unknown(s.file, s.line, r.field, id)
	case len(r.keys) == r.most:
		return 0, diag.At(s.file, s.line, r.field, fmt.Sprintf("more than %d different ids", r.most),
			fmt.Sprintf("at most %d %ss", r.most, r.field)+r.elsewhere)
	}
	r.keys = append(r.keys, r.keep(id))
	return len(r.keys) - 1, nil
}

// keep returns a copy of an id in the slab.
func (r *register) keep(id string) string {
	const size = 1 << 14
	at := r.slab.Len()
	if r.slab.Cap()-at < len(id) {
		r.slab.Reset() // those that are in it keep it
		r.slab.Grow(max(size, len(id)))
		at = 0
	}
	r.slab.WriteString(id)
	return r.slab.String()[at:]
}

// isFraction reports whether an id is a number, but no whole one without a sign.
func isFraction(id string) bool {
	_, ok := input.Number(id)
	return ok && !input.IsWhole(id) && strings.ContainsAny(id, "0123456789")
}

// shortNumber returns the whole number that an id is, if it has no sign and no leading zero and is below
// [shortest]; otherwise -1. It reads most ids of a list: in the browser strconv takes longer.
func shortNumber(id string) int {
	if id == "" || len(id) > 7 || id[0] == '0' && len(id) > 1 {
		return -1
	}
	n := 0
	for i := range len(id) {
		if id[i] < '0' || id[i] > '9' {
			return -1
		}
		n = 10*n + int(id[i]-'0')
	}
	if n >= shortest {
		return -1
	}
	return n
}

// inOrder returns the ids in natural order, or as they came, and the new number of each old one.
func (r *register) inOrder(mention bool) (keys []string, number []int) {
	short := make([]int, len(r.keys))
	for i, key := range r.keys {
		short[i] = shortNumber(key)
	}
	order := sorting.Order(len(r.keys), func(a, b int) int {
		switch {
		case mention:
			return a - b
		case short[a] >= 0 && short[b] >= 0:
			return short[a] - short[b]
		}
		return Natural(r.keys[a], r.keys[b])
	})
	number = make([]int, len(order))
	for new, old := range order {
		keys = append(keys, r.keys[old])
		number[old] = new
	}
	return keys, number
}

// An edgeFile is an opened edge list.
type edgeFile struct {
	file, text string
	lines      []int32 // of its records, where it was made of something else
	layout     layout
	header     []string // nil without one
	head       []string // its first record
	strange    bool     // the titles in its header are not known
	counter    bool     // its header only numbers the columns
	first      int      // line of its first record
	relation   string   // the column of the layer, where the format says so and no title
	columns    columns
	layer      string            // that all of its edges are of, where no column says so
	readings   []Reading         // of a list without a header, the likeliest first
	given      bool              // its columns are known: it was made of something else, or they were chosen
	resolved   bool              // the ends are known by a score over titles and contents
	likely     bool              // so is the layer
	about      []int             // the columns that say something of the ends, and are labels
	seen       [2]*evidence      // of its rows, with its first record and without
	matrix     bool              // it was made of a matrix
	names      map[string]string // of its ids, where ids of its file mean other nodes in others
}

// newEdgeFile begins to look at a text, up to its first record, and returns what reads the others.
func newEdgeFile(file, text string) (*edgeFile, *scanner) {
	l := layoutOf(text)
	s := newScanner(file, text, l)
	f := &edgeFile{file: file, text: text, layout: l}
	if s.scan() {
		f.first, f.head = s.line, s.clone()
	}
	return f, s
}

// scanner begins to read the file behind its header.
func (f *edgeFile) scanner() *scanner {
	s := newScanner(f.file, f.text, f.layout)
	if f.header != nil {
		s.scan() // which was done before
		s.row, s.width, s.headed = 0, f.columns.n, true
	}
	s.lines = f.lines
	return s
}

// evidence looks at the rows of a file once: at those behind the first record, or at all.
func (f *edgeFile) evidence(behind bool) *evidence {
	e := &f.seen[btoi(behind)]
	if *e == nil {
		*e = evidenceOf(func() *scanner {
			s := newScanner(f.file, f.text, f.layout)
			if behind {
				s.scan()
				s.row = 0
			}
			return s
		})
	}
	return *e
}

// ends returns the values of the columns that hold the ends of links; none of a matrix.
func (f *edgeFile) ends() (list []string) {
	e := f.evidence(f.header != nil)
	if f.matrix || max(f.columns.source, f.columns.target) >= len(e.column) || f.columns.source < 0 {
		return nil
	}
	for _, c := range []int{f.columns.source, f.columns.target} {
		for k := range e.column[c].has {
			list = append(list, e.values[k])
		}
	}
	return list
}

// An edgeList is the content of edge files: the edges of every layer. Edges of weight 0 are counted, not kept.
type edgeList struct {
	layers  [][]multiplex.Edge
	zero    []int
	across  int       // rows whose ends are of different layers
	blank   int       // rows that have no weight where others do
	points  int       // weights with a point
	grouped int       // those whose point may separate thousands, as in 1.719
	headers int       // rows that repeat the header
	notes   sentences // on comments
	nodes   []string  // ids in order, when no node file lists them
	ids     []string  // of the layers, when no layer file lists them
	numbers bool      // all ids of layers are whole numbers
}

// An edgeReader reads edge lists. It looks layers and nodes up in their directories, if any.
type edgeReader struct {
	list            *edgeList
	layers, nodes   *directory
	layerOf, nodeOf *register
	edges           []multiplex.Edge // of all layers
	of              []uint16         // the layer of each
	filled          []string         // nodes that no list names
}

// newEdgeReader makes a reader of lists, whose rows it counts: memory that is taken once is not copied
// while edges come.
func newEdgeReader(layers, nodes *directory, lists []*edgeFile) *edgeReader {
	r := &edgeReader{list: &edgeList{}, layers: layers, nodes: nodes}
	rows := 0
	for _, f := range lists {
		rows += strings.Count(f.text, "\n") + 1
	}
	r.edges, r.of = make([]multiplex.Edge, 0, rows), make([]uint16, 0, rows)
	r.layerOf, r.nodeOf = newRegister("layer", layers, input.MaxLayers), newRegister("node", nodes, input.MaxListed)
	r.nodeOf.elsewhere = input.Natively
	if layers != nil {
		r.list.zero = make([]int, layers.n)
	}
	return r
}

// read reads a file.
func (r *edgeReader) read(f *edgeFile) error {
	if f.matrix {
		return r.matrix(f)
	}
	s, c := f.scanner(), f.columns
	r.layerOf.bare, r.nodeOf.bare = f.header == nil, f.header == nil
	r.layerOf.called = c.layer < 0
	read := 0
	for s.scan() {
		if f.header != nil && slices.Equal(s.fields, f.head) {
			r.list.headers++
			continue
		}
		read++
		if err := r.row(s, f, c); err != nil {
			return err
		}
	}
	r.list.notes = append(r.list.notes, s.comments(s.headed)...)
	switch {
	case s.err != nil:
		return s.err
	case read == 0:
		return diag.At(f.file, 0, "", "no edges", "at least one: without edges nothing propagates")
	}
	return nil
}

// row reads the record of an edge.
func (r *edgeReader) row(s *scanner, f *edgeFile, c columns) (err error) {
	if len(s.fields) != c.n {
		return diag.At(f.file, s.line, "columns", figure.Count(len(s.fields), "column"),
			fmt.Sprintf("%d as in line %d; leave out lines that are no links", c.n, f.first))
	}
	id := f.layer
	if c.layer >= 0 {
		id = s.fields[c.layer]
	}
	var l int
	if c.channels == "" {
		if l, err = r.layerOf.number(s, id); err != nil {
			return err
		}
	}
	e := multiplex.Edge{Weight: 1}
	source, target := s.fields[c.source], s.fields[c.target]
	if f.names != nil {
		source, target = f.names[source], f.names[target]
	}
	if e.I, err = r.nodeOf.number(s, source); err != nil {
		return err
	}
	if e.J, err = r.nodeOf.number(s, target); err != nil {
		return err
	}
	if c.other >= 0 && s.fields[c.other] != id {
		r.list.across++
		_, err = r.layerOf.number(s, s.fields[c.other])
		return err
	}
	for _, k := range c.channels {
		id := fmt.Sprintf("column %d", k+1)
		if f.header != nil {
			id = f.header[k]
		}
		if l, err = r.layerOf.number(s, id); err == nil && s.fields[k] != "" {
			e.Weight, err = channel(s, s.fields[k])
			r.put(l, e)
		}
		if err != nil {
			return err
		}
	}
	if c.channels != "" {
		return nil
	}
	if c.weight >= 0 {
		if s.fields[c.weight] == "" {
			r.list.blank++
		} else if e.Weight, err = r.weight(s, s.fields[c.weight]); err != nil {
			return err
		}
	}
	r.put(l, e)
	return nil
}

// matrix reads the rows of a matrix with names.
func (r *edgeReader) matrix(f *edgeFile) error {
	s := f.scanner()
	nodes := make([]int, len(f.header))
	r.layerOf.called = true
	l, err := r.layerOf.number(s, f.layer)
	for k, name := range f.header {
		if err == nil {
			nodes[k], err = r.nodeOf.number(s, name)
		}
	}
	if err != nil {
		return err
	}
	for s.scan() {
		i, err := r.nodeOf.number(s, s.fields[0])
		if err != nil {
			return err
		}
		for k, cell := range s.fields[1:] {
			if isNoLink(cell) {
				continue
			}
			w, err := r.weight(s, cell)
			if err != nil {
				return err
			}
			if w != 0 {
				r.put(l, multiplex.Edge{I: i, J: nodes[k], Weight: w})
			}
		}
	}
	return s.err
}

// put adds an edge to a layer.
func (r *edgeReader) put(l int, e multiplex.Edge) {
	for len(r.list.zero) <= l {
		r.list.zero = append(r.list.zero, 0)
	}
	if e.Weight == 0 {
		r.list.zero[l]++
		return
	}
	r.edges, r.of = append(r.edges, e), append(r.of, uint16(l))
}

// split returns the edges of every layer, which it brings together where they are: the edge
// that stands where another layer's belongs changes places with one that does not belong there.
func (r *edgeReader) split() [][]multiplex.Edge {
	layers := make([][]multiplex.Edge, max(len(r.list.zero), len(r.layerOf.keys)))
	r.list.zero = append(r.list.zero, make([]int, len(layers)-len(r.list.zero))...)
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

// done returns the list read, layers and nodes in natural order or, as earlier programs did, ids that
// are words in the order of occurrence.
func (r *edgeReader) done(mention bool) *edgeList {
	list := r.list
	for _, of := range []*register{r.layerOf, r.nodeOf} {
		var names []string
		for _, key := range of.keys {
			if of.joined[key] {
				names = append(names, key)
			}
		}
		if n := len(names); n > 0 {
			list.notes.add("%s written in two ways, which differ in blanks or in how "+
				"letters are composed, and %s taken for one: %s.", figure.Does(n, of.field, "is", "are each"),
				figure.Plural(n, "was", "were each"), input.Some(names))
		}
	}
	list.layers = r.split()
	whole := func(keys []string) bool {
		return !slices.ContainsFunc(keys, func(id string) bool { return !input.IsWhole(id) })
	}
	if r.layers == nil {
		var number []int
		list.numbers = whole(r.layerOf.keys)
		list.ids, number = r.layerOf.inOrder(mention && !list.numbers)
		list.layers, list.zero = reorder(list.layers, number), reorder(list.zero, number)
	}
	if r.nodes == nil {
		var number []int
		list.nodes, number = r.nodeOf.inOrder(mention && !whole(r.nodeOf.keys))
		for k := range r.edges {
			r.edges[k].I, r.edges[k].J = number[r.edges[k].I], number[r.edges[k].J]
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

// channel reads the weight of an edge in one of several layers: it may be a truth value.
func channel(s *scanner, f string) (float64, error) {
	switch strings.ToLower(f) {
	case "true", "yes":
		return 1, nil
	case "false", "no", "na", "nan":
		return 0, nil
	}
	return weight(s, f)
}

// weight reads the weight of an edge and counts points that may separate thousands, as they do where semicolons separate columns.
func (r *edgeReader) weight(s *scanner, f string) (float64, error) {
	if s.separator == ';' {
		if whole, part, point := strings.Cut(f, "."); point {
			r.list.points++
			r.list.grouped += btoi(hasThousands(whole + "," + part))
		}
	}
	return weight(s, f)
}

// weight reads the weight of an edge. One below 0 is of a layer of its own ([readEdges.signs]).
func weight(s *scanner, f string) (float64, error) {
	bad := func(expected string) (float64, error) {
		return 0, diag.At(s.file, s.line, "weight", input.Quote(f), expected)
	}
	if f == "1" {
		return 1, nil
	}
	w, ok := input.Number(f)
	switch {
	case hasThousands(f):
		return bad(clearComma(f))
	case !ok || math.IsNaN(w) || math.IsInf(w, 0):
		return bad("a finite number without marks between its digits or a unit; " +
			"leave out rows of titles or totals")
	case math.Abs(w) > input.MaxWeight || w != 0 && math.Abs(w) < 1/input.MaxWeight:
		return bad(fmt.Sprintf("0 or a number of a size from %g to %g", 1/input.MaxWeight, input.MaxWeight))
	}
	return w + 0, nil // -0 is 0
}
