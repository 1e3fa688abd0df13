package formats

import (
	"fmt"
	"math"
	"strings"
)

// parts are those of a sparse matrix as SciPy and MATLAB store it. Start is nil where
// both indices of every entry are given, Major then being the rows.
type parts struct {
	rows, cols   int
	columns      bool // stored column by column
	start        *entries
	major, minor *entries
	value        *entries // nil: all are 1
}

// sparseVariable makes a variable of a sparse matrix.
func sparseVariable(file, name string, p *parts) (*Variable, error) {
	v := &Variable{Name: name, Form: Sparse, Shape: []int{p.rows, p.cols}, Type: "bool", file: file}
	if p.value != nil {
		v.Type = p.value.String()
	}
	bad := func(found, expected string) (*Variable, error) {
		return nil, &Error{file, 0, name, found, expected}
	}
	nnz := p.minor.n
	switch {
	case p.rows < 0 || p.cols < 0 || p.rows > math.MaxInt32 || p.cols > math.MaxInt32:
		return bad(fmt.Sprintf("a sparse matrix of %d x %d", p.rows, p.cols), fmt.Sprintf("sizes up to %d", math.MaxInt32))
	case !p.minor.isInt() || p.major != nil && !p.major.isInt() || p.start != nil && !p.start.isInt():
		return bad("indices of type "+p.minor.String(), "whole numbers")
	case p.value != nil && !p.value.isNumber():
		return bad("values of type "+p.value.String(), "numbers")
	case p.value != nil && p.value.n != nnz || p.major != nil && p.major.n != nnz:
		return bad("indices and values of different numbers", "one value for every index")
	case p.start == nil:
		v.each = p.triplets
		return v, nil
	}
	lines := p.rows
	if p.columns {
		lines = p.cols
	}
	if p.start.n != lines+1 {
		return bad(fmt.Sprintf("%d starts", p.start.n), fmt.Sprintf("%d for %d rows or columns", lines+1, lines))
	}
	if lines > MaxNodes {
		v.each = nil // shown, but too large to use
		return v, nil
	}
	start := p.start.floats()
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
func (p *parts) triplets(yield func(i, j int, x float64)) {
	major, minor := p.major.cursor(), p.minor.cursor()
	var value *cursor
	if p.value != nil {
		value = p.value.cursor()
	}
	for range p.minor.n {
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
func (p *parts) lines(start []float64, yield func(i, j int, x float64)) {
	minor := p.minor.cursor()
	var value *cursor
	if p.value != nil {
		value = p.value.cursor()
	}
	for line := range len(start) - 1 {
		for range int(start[line+1] - start[line]) {
			j, x := int(minor.next()), 1.0
			if value != nil {
				x = value.next()
			}
			switch {
			case x == 0:
			case p.columns:
				yield(j, line, x)
			default:
				yield(line, j, x)
			}
		}
	}
}

// sparseOf makes a variable of the arrays of a SciPy matrix in one of the formats csr, csc
// and coo.
func sparseOf(file, name, format string, rows, cols int, all map[string]*entries) (*Variable, error) {
	p := &parts{rows: rows, cols: cols, value: all["data"]}
	need := []string{"indices", "indptr"}
	switch format {
	case "csr", "csc":
		p.columns = format == "csc"
		p.minor, p.start = all["indices"], all["indptr"]
	case "coo":
		need = []string{"row", "col"}
		p.minor, p.major = all["col"], all["row"]
	default:
		return nil, &Error{file, 0, name, "a sparse matrix in format " + quote(format), "csr, csc or coo: tocsr() converts it"}
	}
	for _, part := range append(need, "data") {
		if all[part] == nil {
			return nil, &Error{file, 0, name, "a sparse matrix without " + part, "data, " + strings.Join(need, " and ")}
		}
	}
	return sparseVariable(file, name, p)
}

// linksVariable makes a variable of links from nodes to nodes.
func linksVariable(file, name string, from, to *entries) *Variable {
	p := &parts{major: from, minor: to}
	return &Variable{Name: name, Form: Links, Shape: []int{from.n, 2}, Type: from.String(), file: file, each: p.triplets}
}

// rowsVariable makes a variable of a sparse matrix: row i has the columns and values from
// start[i] on.
func rowsVariable(file, name string, kind dtype, shape []int, start, column, value []float64) *Variable {
	p := &parts{rows: shape[0], cols: shape[1], minor: numbersOf(column), value: numbersOf(value)}
	return &Variable{Name: name, Form: Sparse, Shape: shape, Type: kind.String(), file: file,
		each: func(yield func(i, j int, x float64)) { p.lines(start, yield) }}
}
