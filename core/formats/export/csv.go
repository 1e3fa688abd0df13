// Package export writes graphs with their embeddings for other programs.
// Errors are the writer's. Embeddings of another number of rows than the graph has nodes panic.
package export

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
)

// An Embedding is a named M x d table of coordinates, row-major: a row for each node.
type Embedding struct {
	Name   string // "common", "private_1"
	Layer  string // the name of the layer that it is of, "" if it is of all
	Cols   int    // d
	Values []float64
	Single bool // the values are of single precision and written with its digits
}

// coordinate names column c. A number says little of a layer, so its name follows.
func (e *Embedding) coordinate(c int) string {
	name := e.Name + "_" + strconv.Itoa(c+1)
	if e.Layer != "" {
		name += " (" + e.Layer + ")"
	}
	return name
}

// WriteCSV writes embeddings of a graph's nodes as CSV: columns "node" (from 0),
// "name", one for each label set, empty where the label is missing, and those of the
// embeddings, "common_1", "common_2", ..., "private_1_1 (lunch)", ... Numbers are written with as many digits as it
// takes to read back the same one, in double or single precision. Names are
// written as [Cell] has them; line ends within a name become line feeds.
func WriteCSV(w io.Writer, g *multiplex.Graph, embeddings []Embedding) error {
	record := []string{"node", "name"}
	for _, s := range g.Labels {
		record = append(record, Cell(s.Name))
	}
	for _, e := range embeddings {
		npy.ErrShape.Unless(len(e.Values) == g.M()*e.Cols)
		for c := range e.Cols {
			record = append(record, Cell(e.coordinate(c)))
		}
	}
	if _, err := io.WriteString(w, Line(record)); err != nil {
		return err
	}
	for i := range g.M() {
		record = append(record[:0], strconv.Itoa(i), Cell(g.NodeName(i)))
		for k := range g.Labels {
			record = append(record, Cell(g.Labels[k].ClassOf(i)))
		}
		for _, e := range embeddings {
			for _, v := range e.Values[i*e.Cols : (i+1)*e.Cols] {
				record = append(record, digits(v, e.Single))
			}
		}
		if _, err := io.WriteString(w, Line(record)); err != nil {
			return err
		}
	}
	return nil
}

// Separators of cells; which one a spreadsheet uses depends on where it runs.
const separators = ",;|\t\r\n"

// Cell returns a text from elsewhere as a cell of a table that is safe in spreadsheets, too. They
// run text that begins like a formula, which can reach the network; an apostrophe before it makes it
// text. A cell may also begin after a separator of any country. Numbers stay unchanged.
func Cell(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil || s == "" {
		return s
	}
	var b strings.Builder
	if strings.ContainsRune("\t\r\n", rune(s[0])) {
		b.WriteByte('\'')
	}
	begins := true
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if begins && strings.ContainsRune("=+-@＝＋－＠", r) {
			b.WriteByte('\'')
		}
		begins = strings.ContainsRune(separators, r) || begins && strings.ContainsRune(" \"", r) // which spreadsheets pass over
		b.WriteString(s[i : i+n])
		i += n
	}
	return b.String()
}

// Line returns cells as a line of comma-separated values. Cells with a separator of any country are
// quoted.
func Line(cells []string) string {
	var b strings.Builder
	for i, s := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		if strings.ContainsAny(s, separators+"\"") || strings.HasPrefix(s, " ") {
			s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		b.WriteString(s)
	}
	return b.String() + "\n"
}
