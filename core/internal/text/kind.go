package text

import (
	"path"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// A Kind is the kind of a text file by content.
type Kind string

// The files that make a multiplex graph.
const (
	Edges  Kind = "edges"  // layerID nodeID nodeID weight
	Layer  Kind = "layer"  // nodeID nodeID weight: the edges of one layer
	Layers Kind = "layers" // layerID layerLabel
	Nodes  Kind = "nodes"  // nodeID nodeLabel and attributes
	Labels Kind = "labels" // node and one or more columns of labels
	Arrays Kind = "arrays" // variables of numbers, in whatever format
)

// kindOf determines the kind of a file: by its first record if that is clear, else by its name and its columns. A
// table of nodes whose name says nothing holds labels if it is a .csv or .tsv. For an edge list it returns the
// findings.
func kindOf(file, text string) (Kind, *edgeFile, error) {
	name := strings.ToLower(path.Base(file))
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	f, s := newEdgeFile(file, text)
	if f.head == nil {
		err := s.err
		if err == nil {
			err = diag.At(file, 0, "", "no edges", "at least one: without edges nothing propagates")
		}
		if says(".edges") {
			return Edges, nil, err
		}
		return "", nil, err
	}
	head := f.head
	if m := matrixOf(f); m != nil { // its nodes may be called i, j and w
		return Edges, m, nil
	}
	if f.headed(s) || !isHeaded(head) && isPaired(head) && f.byTitles() {
		return Edges, f, nil
	}
	isTable, ofEdges := isHeaded(head) || f.layout.above != nil, says("edge", "multiplex", "links")
	switch {
	case len(head) == 2 && slices.Contains(layerColumns, input.Plain(head[0])):
		return Layers, nil, nil
	case isTable && says("layer"), !isTable && says("layers"):
		return Layers, nil, nil
	case ofEdges && !isTable:
	case isTable && says("group"), says("label", "attribute", "class", "communit"):
		return Labels, nil, nil
	case says("node", "actor", "vertex", "vertices"), len(head) == 1 && says("name", "channel", "electrode"):
		return Nodes, nil, nil
	case strings.HasSuffix(name, ".csv") && isTable, strings.HasSuffix(name, ".tsv") && isTable:
		return Labels, nil, nil
	case isTable:
		return Nodes, nil, nil
	case says("feat"):
		return "", nil, unknownKind(file, f.first, head)
	}
	if f.bare(ofEdges) {
		return Edges, f, nil
	}
	if !ofEdges && len(head) > 1 && f.evidence(false).titles(head, &f.layout) {
		return "", nil, unknownTitles(file, f.first, head, "-columns "+f.byName(sourceColumn+","+targetColumn)+", if these are the ends of links")
	}
	return "", nil, unknownKind(file, f.first, head)
}

// foreign refuses nodes that are tuples, as lists of other programs have them, and links that are one column, Ada (work) Ben.
func foreign(file, text string) error {
	line := ""
	for line == "" && text != "" {
		line, text, _ = strings.Cut(text, "\n")
		if line = strings.TrimSpace(line); input.IsComment(line) {
			line = ""
		}
	}
	if parts := strings.Split(line, "'"); len(parts) > 4 && parts[0] == "" &&
		strings.Trim(parts[2], ",; \t") == "" {
		return diag.At(file, 0, "", "names in single quotes", "double quotes around names, or none")
	}
	if strings.Contains(line, "shared name") && strings.Contains(line, "shared interaction") {
		return diag.At(file, 0, "", "the edge table of Cytoscape, which does not hold the ends of links",
			input.WantNetwork)
	}
	if tuple, _, ends := strings.Cut(strings.TrimPrefix(line, "("), ")"); ends && line[0] == '(' && strings.Contains(tuple, ",") {
		return diag.At(file, 0, "", "nodes that are tuples, ("+tuple+")",
			"a name for each node without brackets: of nodes in layers a list with the columns source,target,layer")
	}
	return nil
}

// unknownTitles asks for the columns.
func unknownTitles(file string, line int, titles []string, tell string) error {
	return diag.At(file, line, "header", "titles that are not known: "+input.Some(titles),
		"source, target and, for several layers, layer among them; or to be told what the columns are: "+tell+
			"; if the first line is a link, write these titles above it")
}

func unknownKind(file string, line int, head []string) error {
	return diag.At(file, line, "", "a file of unknown kind that begins with "+input.Quote(strings.Join(head, " ")),
		"edges (layerID nodeID nodeID weight), layers (layerID layerLabel), nodes (nodeID nodeLabel ...) or labels (nodeID, group, ...); of links "+aTable)
}

// aTable is a list of links that is always read.
const aTable = "a .csv file with a row for each under the titles source,target,layer,weight"

// headed reports whether the first record is the header of a list of edges. That of a list may be one field short, if its first
// column counts the rows; where words are in a column without a title, u, v and w are not ends but columns of a table.
func (f *edgeFile) headed(s *scanner) bool {
	header := f.head
	ok := s.scan()
	if ok && len(s.fields) == len(header)+1 {
		header = append([]string{""}, header...)
	}
	c, is := headed(header)
	if !is || ok && header[0] == "" && !input.IsWhole(s.fields[0]) && len(header[c.source]) == 1 {
		return false
	}
	f.header, f.columns, f.given = header, c, true
	return true
}

// bare looks at a list without a header, and reports whether it may hold edges: two to five columns that
// can be read as such, and either the right name or enough rows that share nodes. The last of its comments
// may name the columns.
func (f *edgeFile) bare(named bool) bool {
	if above := f.layout.titled(f.text, len(f.head), false); above != nil {
		f.layout.above, f.header, f.head = above, above.Fields, above.Fields
		f.columns, f.given = headed(f.header)
		return f.given || f.byTitles()
	}
	e := f.evidence(false)
	n := len(e.column)
	if n < 2 {
		return false
	}
	f.columns = noColumns(n)
	if titled := e.titles(f.head, &f.layout); f.evidence(titled).isMatrix() {
		return false
	} else if titled {
		return f.strangely(named)
	}
	if n >= len(layouts) {
		return false
	}
	f.readings = e.readings()
	if len(f.readings) == 0 {
		if !named {
			return false
		}
		// Errors are found when it is read.
		f.readings = []Reading{{Columns: layouts[n][0], Layers: 1}}
	}
	words := false
	for c := range e.column {
		words = words || e.column[c].numbers == 0
	}
	return named || !words || e.rows >= 3
}

// strangely looks at a list whose header has unknown titles, and reports whether it may hold edges: by its name, or because the
// rows share nodes. The user has to name the columns.
func (f *edgeFile) strangely(named bool) bool {
	e := f.evidence(true)
	if k := len(e.column); k == len(f.head) && k > 2 && e.column[0].whole == e.rows && slices.Contains(indexColumns, input.Plain(f.head[0])) {
		rest := evidence{rows: e.rows, codes: e.codes[1:], values: e.values, column: e.column[1:]}
		for _, r := range rest.readings() {
			r.Columns = leftColumn + "," + r.Columns
			f.readings = append(f.readings, r)
		}
	} else {
		f.readings = e.readings()
	}
	if len(f.readings) == 0 {
		r, ok := e.ofWords()
		f.header, f.strange, f.readings = f.head, ok, []Reading{r}
		return ok
	}
	roles := strings.Split(f.readings[0].Columns, ",")
	_, both := e.shared(slices.Index(roles, sourceColumn), slices.Index(roles, targetColumn))
	f.header, f.counter = f.head, counts(f.head)
	f.strange = !f.counter
	return named || both > 0
}

// isOneLayer reports whether no column of a list says which layer an edge is of.
func (f *edgeFile) isOneLayer() bool {
	return f.matrix || f.columns.layer < 0 && f.columns.channels == ""
}

// isNoLink reports whether a cell of a matrix is 0, missing, or a sign for that.
func isNoLink(cell string) bool {
	return cell == "0" || cell == "-" || cell == "." || multiplex.IsMissing(cell)
}

// matrixOf reads a file as an adjacency matrix with the names of its nodes above and beside; nil if it is
// none.
func matrixOf(f *edgeFile) *edgeFile {
	s := newScanner(f.file, f.text, f.layout)
	s.table = true
	if !s.scan() || len(s.fields) < 3 {
		return nil
	}
	names := s.clone()
	if _, ok := input.Number(names[0]); ok || names[0] == names[1] {
		return nil
	}
	at := map[string]bool{}
	rows := 0
	for s.scan() {
		if rows++; rows == 1 {
			switch len(s.fields) {
			case len(names): // a title above the names of rows
				names = names[1:]
			case len(names) + 1:
			default:
				return nil
			}
			for _, name := range names {
				if name = input.Name(name); name == "" || at[name] {
					return nil
				}
				at[name] = true
			}
		}
		beside := input.Name(s.fields[0])
		if len(s.fields) != len(names)+1 || rows > len(names) || !at[beside] {
			return nil
		}
		at[beside] = false // each once
		for _, cell := range s.fields[1:] {
			if _, ok := input.Number(cell); !ok && !isNoLink(cell) {
				return nil
			}
		}
	}
	if s.err != nil || rows != len(names) {
		return nil
	}
	f.header, f.matrix, f.given = names, true, true
	f.columns = noColumns(len(names) + 1)
	return f
}
