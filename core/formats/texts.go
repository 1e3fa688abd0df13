package formats

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem/core/multiplex"
)

// A textFile is a text and what it is by itself.
type textFile struct {
	name, text string
	kind       Kind
	err        error // why the kind is not known
	at         int   // among the files
	generated  bool  // the nodes of a GraphML file
}

// sortTexts decides what every text is, now that all files are known. Lists of three columns
// are read as layer, node, node when there is one of them, and as node, node, weight, a
// layer each, when there are several.
func (c *Content) sortTexts() error {
	if err := c.muxViz(); err != nil {
		return err
	}
	lists := 0
	for _, t := range c.loose {
		if t.kind == Edges {
			lists++
		}
	}
	for k := range c.loose {
		t := &c.loose[k]
		if t.kind == Edges && lists > 1 && isOneLayer(t.text) {
			t.kind = Layer
		}
	}
	for _, t := range c.loose {
		switch features := saysFeatures(&Variable{Name: stem(t.name)}); {
		case t.kind == "" && isOneLayer(t.text) && !features:
			t.kind = Layer
		case t.kind == "" || features && t.kind != Edges || (t.kind == Labels || t.kind == Nodes) && lists == 0 && !isHeaded(t.text):
			if v := numericTable(t.name, t.text); v != nil {
				t.kind = Arrays
				v.room = roomFor(int64(len(t.text)))
				c.Variables = append(c.Variables, v)
			}
		}
		if t.kind == "" {
			return t.err
		}
		c.files[t.at].Kind = t.kind
		if t.kind != Arrays {
			c.names[t.kind], c.texts[t.kind] = append(c.names[t.kind], t.name), append(c.texts[t.kind], t.text)
		}
	}
	c.loose = nil
	return nil
}

// isHeaded tells whether the first line of a table names the column of the nodes.
func isHeaded(text string) bool {
	line := strings.TrimLeft(firstLine(text), ",;\t ")
	first := plain(line[:strings.IndexAny(line+",", ",;\t ")])
	return slices.Contains(idColumns, first) || slices.Contains(nameColumns, first)
}

// numericTable reads a table of numbers, with a header or without, as a matrix called after
// its file; nil if it is no such table. A first column that the header calls the id of a
// node is left out: rows stand for nodes in their order.
func numericTable(file, text string) *Variable {
	separator := separatorOf(file, text)
	split := func(line string) []string {
		if separator == 0 {
			return strings.Fields(line)
		}
		return strings.Split(line, string(separator))
	}
	e := &entries{dtype: dtype{kind: 'f', width: 8}, packed: &packed{}}
	var page []byte
	rows, cols, skip := 0, 0, 0
	first := true
	for line := range strings.Lines(text) {
		if isComment(line) {
			continue
		}
		fields := split(strings.TrimRight(line, "\r\n"))
		if first {
			first = false
			cols = len(fields)
			_, err := strconv.ParseFloat(strings.Trim(fields[cols-1], " \""), 64)
			if err != nil {
				if slices.Contains(idColumns, plain(fields[0])) {
					skip = 1
				}
				continue
			}
		}
		if len(fields) != cols {
			return nil
		}
		for _, f := range fields[skip:] {
			x, err := strconv.ParseFloat(strings.Trim(f, " \""), 64)
			if err != nil && !math.IsInf(x, 0) {
				return nil
			}
			page = binary.LittleEndian.AppendUint64(page, math.Float64bits(x))
			if len(page) == pageSize {
				e.add(page)
				page = page[:0]
			}
			e.n++
		}
		rows++
	}
	if len(page) > 0 {
		e.add(page)
	}
	if rows == 0 || cols <= skip {
		return nil
	}
	return denseVariable(file, stem(file), []int{rows, cols - skip}, false, e)
}

// tables gives a graph made of matrices the names and labels of its node and label files.
// Their ids are row numbers, from 0 or from 1; where they are words, lines stand for rows in
// their order.
func (c *Content) tables(g *multiplex.Graph, report *Report) error {
	m := g.M()
	for _, kind := range []Kind{Nodes, Labels} {
		for k, file := range c.names[kind] {
			text := c.texts[kind][k]
			t, err := readTable(file, text)
			if err != nil {
				return err
			}
			d := newDirectory("node", "the matrices")
			words, from := false, 1
			for _, r := range t.rows[1:] {
				words = words || !isWhole(r.fields[0])
				if canonical(r.fields[0]) == "0" {
					from = 0
				}
			}
			if words && len(t.rows)-1 != m {
				return &Error{File: file, Found: count(len(t.rows)-1, "line") + " of nodes with names", Expected: fmt.Sprintf("%d, one a node", m)}
			}
			for i := range m {
				if words {
					d.add("", t.rows[i+1].fields[0])
				} else {
					d.add(strconv.Itoa(i+from), "")
				}
			}
			if words && g.Nodes == nil {
				for _, r := range t.rows[1:] {
					g.Nodes = append(g.Nodes, r.fields[0])
				}
			}
			names, sets, notes, err := readLabels(file, text, d)
			if err != nil {
				return err
			}
			if names != nil {
				g.Nodes = names
			}
			g.Labels = append(g.Labels, sets...)
			report.Notes = append(report.Notes, notes...)
		}
	}
	return nil
}
