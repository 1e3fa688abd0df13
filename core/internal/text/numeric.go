package text

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
	"cadem.example/core/multiplex"
)

// isHeaded reports whether the first line of a table names the column of the nodes.
func isHeaded(fields []string) bool {
	first := plainTitle(fields[0])
	return slices.Contains(idColumns, first) || slices.Contains(nameColumns, first)
}

// A sketch is the shape of a table of numbers.
type sketch struct {
	header  []string // nil without one
	counter bool     // it counts the columns
	rows    int
	columns []tallied
	keys    bool // the first column holds ids: by its title, or they are words
	index   bool // the first column has no title of its own, or that of an index
	unique  bool // the first column holds different whole numbers
}

// A tallied column is one of whose cells none is kept.
type tallied struct {
	Tally
	title   string
	few     bool            // they are at most ten different whole numbers
	classes map[string]bool // as long as they are few
}

// mostFew is the largest number of whole numbers that make a category.
const mostFew = 10

// add counts a cell.
func (c *tallied) add(cell string, line int) {
	c.Tally.add(cell, line)
	if !c.few || multiplex.IsMissing(cell) {
		return
	}
	if c.classes == nil {
		c.classes = map[string]bool{}
	}
	c.classes[cell] = true
	c.few = input.IsWhole(cell) && len(c.classes) <= mostFew
}

// isLabels reports whether the title says that a column holds labels.
func (c *tallied) isLabels() bool {
	return c.title != "" && variable.SaysLabels(&variable.Variable{Name: c.title})
}

// sketchOf looks at all rows of a text; nil unless they have one width. The error is that of a number.
func sketchOf(s *scanner) (*sketch, error) {
	k := &sketch{unique: true}
	seen := map[string]bool{}
	for s.scan() {
		if k.header == nil && k.columns == nil && isHeader(s.fields) {
			k.header = s.clone()
			continue
		}
		if k.columns == nil {
			k.columns = make([]tallied, len(s.fields))
			if len(s.fields) == len(k.header)+1 && k.header != nil { // no title above the ids
				k.header = append([]string{""}, k.header...)
			}
			for c := range k.columns {
				k.columns[c].few = len(k.columns) <= input.MaxColumns
			}
			for c, title := range k.header[:min(len(k.header), len(k.columns))] {
				k.columns[c].title = title
			}
		}
		if len(s.fields) != len(k.columns) || k.header != nil && len(k.header) != len(k.columns) {
			return nil, nil
		}
		for c, f := range s.fields {
			k.columns[c].add(f, s.line)
		}
		if k.unique {
			k.unique = input.IsWhole(s.fields[0]) && !seen[s.fields[0]]
			seen[s.fields[0]] = true
		}
		k.rows++
	}
	if s.err != nil && s.unclear {
		return nil, s.err
	}
	if s.err != nil || k.rows == 0 {
		return nil, nil
	}
	k.keys = k.columns[0].Words > 0
	if k.header != nil {
		k.counter = isCounter(k.header)
		k.index = slices.Contains(indexColumns, input.Plain(k.header[0])) && !k.counter
		k.keys = k.keys || isHeaded(k.header)
	}
	return k, nil
}

// measures reports whether a table of nodes holds measurements alone: two columns or more, most of them with parts of whole numbers,
// none of words or of few whole numbers. Where nodes lie is none.
func (k *sketch) measures() bool {
	parts, columns := 0, len(k.columns)-1
	for _, c := range k.columns[1:] {
		if c.Words > 0 || c.few {
			return false
		}
		parts += btoi(c.Parts)
		columns -= btoi(isPlace(c.title))
	}
	return k.keys && columns > 1 && 2*parts > len(k.columns)-1
}

// isHeader reports whether a first row names columns: none of its fields is a number, or they count the columns, or are different
// whole numbers behind the first, which has no title.
func isHeader(fields []string) bool {
	if isCounter(fields) || fields[0] == "" && areIDs(fields[1:]) {
		return true
	}
	return !slices.ContainsFunc(fields, func(f string) bool { _, ok := input.Number(f); return ok })
}

// areIDs reports whether fields are different whole numbers, three or more.
func areIDs(fields []string) bool {
	seen := map[string]bool{}
	for _, f := range fields {
		if !input.IsWhole(f) || seen[f] {
			return false
		}
		seen[f] = true
	}
	return len(fields) >= 3
}

// isCounter reports whether fields are the numbers from 0 or from 1 on, three or more.
func isCounter(fields []string) bool { return len(fields) > 2 && Counts(fields, "") }

// Counts reports whether names are the numbers from 0 or from 1 on, behind the same prefix.
func Counts(names []string, prefix string) bool {
	from := 0
	for k, name := range names {
		if k == 0 {
			from = btoi(name == prefix+"1")
		}
		if name != prefix+strconv.Itoa(from+k) {
			return false
		}
	}
	return true
}

// countsNote says that a first line is no data.
func countsNote(file string, line int) string {
	return fmt.Sprintf("%s: line %d only numbers the columns and was read as a header, not as data.", file, line)
}

// numericTable reads a table of numbers, with a header or without, as a matrix called after its file. Beside it
// come the columns of words, and those that the header calls labels. No variable: it is no such table. From a table of
// nodes it takes measurements alone.
func numericTable(f *textFile, ofNodes bool) ([]*variable.Variable, error) {
	s := f.scanner()
	again := *s
	k, err := sketchOf(s)
	if k == nil {
		return nil, err
	}
	measured := ofNodes && f.kind == Labels && k.measures()
	ofNodes = ofNodes && !(measured && len(k.columns) > input.MaxColumns)
	var columns, words, labels []int
	for n := range k.columns {
		c := &k.columns[n]
		switch {
		case n == 0 && (k.keys || k.index), ofNodes && c.few:
		case c.Words > 0:
			words = append(words, n)
		case c.isLabels():
			labels = append(labels, n)
		default:
			columns = append(columns, n)
		}
	}
	if len(columns) == 0 || !ofNodes && k.header == nil && 2*len(words) >= len(k.columns) {
		return nil, nil
	}
	for _, n := range words { // one cell that is mistyped makes no column of words
		if c := &k.columns[n]; !ofNodes && c.Numbers > c.Words && !c.isLabels() {
			return nil, diag.At(f.name, c.Line, fmt.Sprintf("column %d", n+1), input.Quote(c.Word),
				"a number, as in most rows; a cell without a value is empty or NA")
		}
	}
	s = &again
	titled := 0 // the line of the header
	if k.header != nil {
		s.scan()
		titled = s.line
	}
	e := &variable.Entries{DType: variable.DType{Kind: 'f', Width: 8}, Packed: &input.Packed{}}
	var page []byte
	keys := &variable.Keys{Sure: k.keys, Index: k.index && !k.keys}
	beside := slices.Concat(words, labels)
	cells := make([][]string, len(beside))
	for s.scan() { // of faults there are none, as before
		for _, c := range columns {
			page = binary.LittleEndian.AppendUint64(page, math.Float64bits(number(s.fields[c])))
			if e.N++; len(page) == input.PageSize {
				e.Add(page)
				page = page[:0]
			}
		}
		for i, c := range beside {
			cells[i] = append(cells[i], strings.Clone(s.fields[c]))
		}
		keys.IDs, keys.Lines = append(keys.IDs, strings.Clone(s.id(s.fields[0]))), append(keys.Lines, int32(s.line))
	}
	if len(page) > 0 {
		e.Add(page)
	}
	if !keys.Sure && !keys.Index && !(k.unique && len(columns) > 1) {
		keys = nil
	}
	v := variable.NewDense(f.name, input.Stem(f.name), []int{k.rows, len(columns)}, false, e)
	v.Keys = keys
	if k.header != nil && !k.counter {
		for _, c := range columns {
			v.Columns = append(v.Columns, k.header[c])
		}
	}
	notes := s.comments(k.header != nil)
	if k.counter {
		notes = append(notes, countsNote(f.name, titled))
	} else if said := s.commas(f.name); said != "" {
		notes = append(notes, said)
	}
	v.Note = strings.Join(notes, " ")
	vars := []*variable.Variable{v}
	if ofNodes { // the others are labels already
		v.Offered, v.Measured = true, measured
		return vars, nil
	}
	for i, c := range beside {
		title := k.columns[c].title
		if title == "" {
			title = fmt.Sprintf("%s column %d", input.Stem(f.name), c+1)
		}
		other := variable.NewText(f.name, title, []int{k.rows}, cells[i])
		if i >= len(words) {
			other = variable.NewDense(f.name, title, []int{k.rows}, false, variable.Numbers(Values(cells[i])))
		}
		if keys != nil {
			own := *keys
			other.Keys, own.Beside = &own, !keys.Sure && !keys.Index
		}
		vars = append(vars, other)
	}
	return vars, nil
}

// Join finds the row of a variable for each node. Its rows go to the nodes that its keys name; without keys to nodes 0
// to n-1 or 1 to n by number, or in the order of a node file. Drop says that the first column holds ids
// and no numbers. The note says how they were joined. Partial leaves nodes without a row, which is -1 then;
// otherwise they are an error.
func (s *Set) Join(v *variable.Variable, partial bool) (rows []int32, drop bool, note string, err error) {
	d := s.nodes
	if d == nil {
		return nil, false, "", nil
	}
	rows = make([]int32, d.n)
	if k := v.Keys; k != nil {
		known := 0
		for _, id := range k.IDs {
			if _, ok := d.find(id); ok {
				known++
			}
		}
		if k.Sure || 5*known >= 4*len(k.IDs) || known > 0 && k.Index {
			if !k.Sure {
				note = fmt.Sprintf("%s: the first column was taken as the ids of nodes.", v.File())
			}
			err := d.join(rows, v, partial)
			return rows, !k.Sure && !k.Index && !k.Beside, note, err
		}
	}
	n := max(v.Rows(), v.Cols()*btoi(v.Rows() == 1))
	if n != d.n {
		if !s.HasEdges() {
			return nil, false, "", nil // its reader says what is wrong
		}
		expected := fmt.Sprintf("%d, one for each node", d.n)
		if d.inFile {
			expected += " of " + d.file
		}
		return nil, false, "", v.Fail(figure.Count(n, "row"), expected+d.advice(""))
	}
	from, numbered := d.numbered()
	switch {
	case numbered:
		for i, id := range d.keys {
			row, _ := strconv.Atoi(id)
			rows[i] = int32(row - from)
		}
		note = fmt.Sprintf("Rows of %s have no ids: they were taken for nodes %d to %d by number.", v.Name, from, d.n-1+from)
	case d.inFile && s.ordered:
		for i := range rows {
			rows[i] = int32(i)
		}
		note = fmt.Sprintf("Rows of %s have no ids: they were taken in the order of %s.", v.Name, d.file)
	default:
		return nil, false, "", v.Fail(fmt.Sprintf("%s without ids beside nodes such as %s", figure.Count(n, "row"), input.Quote(d.keys[0])),
			"a column of ids, or a node file that lists the nodes in the order of the rows (nodeID, one a line)")
	}
	return rows, false, note, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// join finds the row of each node by the keys of a variable. Every row needs a node, and unless partial every
// node a row.
func (d *directory) join(rows []int32, v *variable.Variable, partial bool) error {
	k := v.Keys
	for i := range rows {
		rows[i] = -1
	}
	var unknown []string
	line := 0
	for r, id := range k.IDs {
		i, ok := d.find(id)
		switch {
		case !ok:
			if unknown = append(unknown, id); len(unknown) == 1 {
				line = int(k.Lines[r])
			}
			continue
		case rows[i] >= 0:
			return diag.At(v.File(), int(k.Lines[r]), "node", fmt.Sprintf("%s again (first in line %d)", input.Quote(id), k.Lines[rows[i]]),
				"one row a node")
		}
		rows[i] = int32(r)
	}
	if len(unknown) > 0 {
		return diag.At(v.File(), line, "node", figure.Count(len(unknown), "row")+" of other nodes: "+input.Some(unknown),
			fmt.Sprintf("ids among the %s of %s", figure.Count(d.n, "node"), d.file)+d.advice(unknown[0]))
	}
	var without []string
	for i, r := range rows {
		if r < 0 {
			without = append(without, d.keys[i])
		}
	}
	if len(without) > 0 && !partial {
		return diag.At(v.File(), 0, v.Name, "no row of "+figure.Count(len(without), "node")+": "+input.Some(without),
			"a row for each of the "+figure.Count(d.n, "node"))
	}
	return nil
}
