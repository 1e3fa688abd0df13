package variable

import (
	"fmt"
	"math"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
)

// Parts are the parts of a sparse matrix as SciPy and MATLAB store it. Start is nil where
// both indices of every entry are given, Major then being the rows.
type Parts struct {
	Rows, Cols   int
	Columns      bool // stored column by column
	Start        *Entries
	major, Minor *Entries
	Value        *Entries // nil: all are 1
}

// NewSparse makes a variable of a sparse matrix.
func NewSparse(file, name string, p *Parts) (*Variable, error) {
	v := &Variable{Name: name, Form: Sparse, Shape: []int{p.Rows, p.Cols}, Type: "bool", file: file}
	if p.Value != nil {
		v.Type = p.Value.String()
	}
	bad := func(found, expected string) (*Variable, error) {
		return nil, diag.At(file, 0, name, found, expected)
	}
	nnz := p.Minor.N
	switch {
	case p.Rows < 0 || p.Cols < 0 || p.Rows > math.MaxInt32 || p.Cols > math.MaxInt32:
		return bad(fmt.Sprintf("a sparse matrix of %d x %d", p.Rows, p.Cols), fmt.Sprintf("sizes up to %d", math.MaxInt32))
	case !p.Minor.IsInt() || p.major != nil && !p.major.IsInt() || p.Start != nil && !p.Start.IsInt():
		return bad("indices of type "+p.Minor.String(), "whole numbers")
	case p.Value != nil && !p.Value.IsNumber():
		return bad("values of type "+p.Value.String(), "numbers")
	case p.Value != nil && p.Value.N != nnz || p.major != nil && p.major.N != nnz:
		return bad("indices and values of different numbers", "one value for every index")
	case p.Start == nil:
		v.each = p.triplets
		return v, nil
	}
	lines := p.Rows
	if p.Columns {
		lines = p.Cols
	}
	if p.Start.N != lines+1 {
		return bad(fmt.Sprintf("%d starts", p.Start.N), fmt.Sprintf("%d for %d rows or columns", lines+1, lines))
	}
	if lines > input.MaxNodes {
		v.each = nil // shown, but too large to use
		return v, nil
	}
	start := p.Start.Floats()
	last := 0.0
	for _, at := range start {
		if at < last || at > float64(nnz) {
			return bad(fmt.Sprintf("a row or column that begins at entry %g after %g", at, last), fmt.Sprintf("increasing numbers from 0 to %d", nnz))
		}
		last = at
	}
	if start[0] != 0 {
		return bad(fmt.Sprintf("a first row or column that begins at entry %g", start[0]), "0")
	}
	v.each = func(yield func(i, j int, x float64)) { p.lines(start, yield) }
	return v, nil
}

// triplets calls yield for the entries of a matrix whose indices are all given.
func (p *Parts) triplets(yield func(i, j int, x float64)) {
	major, minor := p.major.cursor(), p.Minor.cursor()
	var value *cursor
	if p.Value != nil {
		value = p.Value.cursor()
	}
	for range p.Minor.N {
		i, j, x := major.next(), minor.next(), 1.0
		if value != nil {
			x = value.next()
		}
		if x != 0 {
			yield(int(i), int(j), x)
		}
	}
}

// lines calls yield for the entries of a matrix stored row by row or column by column.
func (p *Parts) lines(start []float64, yield func(i, j int, x float64)) {
	minor := p.Minor.cursor()
	var value *cursor
	if p.Value != nil {
		value = p.Value.cursor()
	}
	for line := range len(start) - 1 {
		for range int(start[line+1] - start[line]) {
			j, x := int(minor.next()), 1.0
			if value != nil {
				x = value.next()
			}
			switch {
			case x == 0:
			case p.Columns:
				yield(j, line, x)
			default:
				yield(line, j, x)
			}
		}
	}
}

// FromSciPy makes a variable of the arrays of a SciPy matrix in one of the formats csr, csc
// and coo.
func FromSciPy(file, name, format string, rows, cols int, all map[string]*Entries) (*Variable, error) {
	p := &Parts{Rows: rows, Cols: cols, Value: all["data"]}
	need := []string{"indices", "indptr"}
	switch format {
	case "csr", "csc":
		p.Columns = format == "csc"
		p.Minor, p.Start = all["indices"], all["indptr"]
	case "coo":
		need = []string{"row", "col"}
		p.Minor, p.major = all["col"], all["row"]
	default:
		return nil, diag.At(file, 0, name, "a sparse matrix in format "+input.Quote(format),
			"csr, csc or coo: tocsr() converts it")
	}
	for _, part := range append(need, "data") {
		if all[part] == nil {
			return nil, diag.At(file, 0, name, "a sparse matrix without "+part,
				"data, "+strings.Join(need, " and "))
		}
	}
	return NewSparse(file, name, p)
}

// NewLinks makes a variable of links from nodes to nodes.
func NewLinks(file, name string, from, to *Entries) *Variable {
	p := &Parts{major: from, Minor: to}
	return &Variable{Name: name, Form: Links, Shape: []int{from.N, 2}, Type: from.String(), file: file, each: p.triplets}
}

// NewRows makes a variable of a sparse matrix: row i has the columns and values from
// start[i] on.
func NewRows(file, name string, kind DType, shape []int, start, column, value []float64) *Variable {
	p := &Parts{Rows: shape[0], Cols: shape[1], Minor: Numbers(column), Value: Numbers(value)}
	return &Variable{Name: name, Form: Sparse, Shape: shape, Type: kind.String(), file: file,
		each: func(yield func(i, j int, x float64)) { p.lines(start, yield) }}
}
