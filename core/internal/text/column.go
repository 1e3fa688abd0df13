package text

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// number reads a cell; NaN where it holds none.
func number(cell string) float64 {
	if x, ok := input.Number(cell); ok {
		return x
	}
	return math.NaN()
}

// Values reads the numbers of cells; NaN where there is none.
func Values(cells []string) []float64 {
	x := make([]float64, len(cells))
	for k, cell := range cells {
		x[k] = number(cell)
	}
	return x
}

// A Tally counts what cells are, one after the other. Those that are neither numbers nor words are missing.
type Tally struct {
	Numbers int
	Words   int
	Parts   bool   // a number is not whole
	Word    string // the first word, and its line
	Line    int
}

// add counts a cell and returns its number; NaN where it holds none.
func (t *Tally) add(cell string, line int) float64 {
	x := number(cell)
	switch {
	case !math.IsNaN(x):
		t.Numbers++
		t.Parts = t.Parts || x != math.Trunc(x)
	case !multiplex.IsMissing(cell):
		if t.Words++; t.Words == 1 {
			t.Word, t.Line = cell, line
		}
	}
	return x
}

// A Column is a column of a table: its cells, and what they are, whatever they are for.
type Column struct {
	Title  string // "" without one
	At     int    // its place in the table, from 1
	Cells  []string
	Values []float64 // of the cells; NaN of words and of what is missing
	Tally
}

// Columns returns the columns of a table whose rows are of one length.
func (t *Table) Columns() ([]*Column, error) {
	n, as := len(t.Header), "the header"
	if n == 0 {
		n, as = len(t.Rows[0].Fields), fmt.Sprintf("line %d", t.Rows[0].Line)
	}
	columns := make([]*Column, n)
	for k := range columns {
		columns[k] = &Column{At: k + 1, Cells: make([]string, len(t.Rows)), Values: make([]float64, len(t.Rows))}
		if t.Header != nil {
			columns[k].Title = t.Header[k]
		}
	}
	for i, r := range t.Rows {
		if len(r.Fields) != n {
			expected := fmt.Sprintf("%d as in %s", n, as)
			return nil, diag.At(t.File, r.Line, "", figure.Count(len(r.Fields), "column"), expected)
		}
		for k, c := range columns {
			c.Cells[i], c.Values[i] = r.Fields[k], c.add(r.Fields[k], r.Line)
		}
	}
	return columns, nil
}

// Name returns the title of a column; of one without a title the place.
func (c *Column) Name() string {
	if c.Title != "" {
		return c.Title
	}
	return fmt.Sprintf("column %d", c.At)
}

// Change returns the first cell that is not missing, and the first that differs from it both as a word and as a number; -1 if there is none.
func (c *Column) Change() (first, change int) {
	first = -1
	for i, cell := range c.Cells {
		switch {
		case multiplex.IsMissing(cell):
		case first < 0:
			first = i
		case cell != c.Cells[first] && c.Values[i] != c.Values[first]:
			return first, i
		}
	}
	return first, -1
}

// Whole reports whether every cell is a whole number from 0 on.
func (c *Column) Whole() bool {
	return c.Numbers > 0 && c.Numbers == len(c.Cells) && !c.Parts && slices.Min(c.Values) >= 0
}

// Distinct returns how many different cells a column has.
func (c *Column) Distinct() int {
	seen := map[string]bool{}
	for _, cell := range c.Cells {
		seen[cell] = true
	}
	return len(seen)
}

// Fall returns the first place where a number is less than the one before; 0 when there is none.
func (c *Column) Fall() int {
	last := math.Inf(-1)
	for i, x := range c.Values {
		if x < last {
			return i
		}
		if !math.IsNaN(x) {
			last = x
		}
	}
	return 0
}
