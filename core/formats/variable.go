package formats

import (
	"fmt"
	"math"
	"strings"

	"cadem/core/multiplex"
)

// A Form says how a variable is stored.
type Form string

// The forms of variables.
const (
	Dense  Form = "dense"  // every entry of an array
	Sparse Form = "sparse" // the entries of a matrix that are not zero
	Links  Form = "links"  // pairs of nodes; the number of nodes is known from elsewhere
	Text   Form = "text"   // words
	Other  Form = "other"  // what cannot be used here
)

// A Variable is something that a file holds and that has a name.
type Variable struct {
	Name  string `json:"name"`
	Form  Form   `json:"kind"`
	Shape []int  `json:"shape"`
	Type  string `json:"type"` // of its entries: float64, int32, bool, text

	file string
	room int64                                 // bytes that a matrix made of it may take
	each func(yield func(i, j int, v float64)) // its entries but zeros, as they are stored; nil unless numbers in at most two dimensions
	text func() []string                       // words, when there are some
}

// rows and cols of a variable of at most two dimensions.
func (v *Variable) rows() int {
	if len(v.Shape) == 0 {
		return 1
	}
	return v.Shape[0]
}

func (v *Variable) cols() int {
	if len(v.Shape) < 2 {
		return 1
	}
	return v.Shape[1]
}

// isSquare tells whether the variable may be a layer: a square matrix or links.
func (v *Variable) isSquare() bool {
	return v.Form == Links || v.each != nil && len(v.Shape) == 2 && v.Shape[0] == v.Shape[1]
}

// denseVariable makes a variable of an array.
func denseVariable(file, name string, shape []int, columns bool, e *entries) *Variable {
	v := &Variable{Name: name, Form: Dense, Shape: shape, Type: e.String(), file: file}
	switch {
	case !e.isNumber():
		v.Form = Text
		if e.n <= MaxNodes {
			v.text = e.texts
		}
	case len(shape) == 2 && e.isInt() && strings.Contains(plain(name), "edge") && (shape[0] == 2 || shape[1] == 2):
		// Pairs of nodes, side by side or in two rows.
		n := max(shape[0], shape[1])
		v.Form, v.Shape = Links, []int{n, 2}
		beside := (shape[1] == 2) != columns
		v.each = func(yield func(i, j int, x float64)) {
			from, to := e.cursor(), e.cursor()
			if beside {
				for range n {
					yield(int(from.next()), int(from.next()), 1)
				}
				return
			}
			for range n {
				to.next()
			}
			for range n {
				yield(int(from.next()), int(to.next()), 1)
			}
		}
	case len(shape) <= 2:
		rows, cols := v.rows(), v.cols()
		v.each = func(yield func(i, j int, x float64)) {
			if columns {
				e.nonzero(func(k int, x float64) { yield(k%rows, k/rows, x) })
			} else {
				e.nonzero(func(k int, x float64) { yield(k/cols, k%cols, x) })
			}
		}
	}
	return v
}

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

// fail returns an error that names the variable.
func (v *Variable) fail(found, expected string) error {
	return &Error{v.file, 0, v.Name, found, expected}
}

// matrix returns the variable as a rows x cols matrix. Entries that come more than once are
// added, as SciPy does; links and truth values are there or not.
func (v *Variable) matrix(rows, cols int) (*multiplex.CSR, error) {
	switch {
	case v.each == nil:
		return nil, v.fail(v.describe(), "a matrix of numbers")
	case rows > MaxNodes || cols > MaxWidth:
		return nil, v.fail(v.describe(), fmt.Sprintf("at most %d rows and %d columns", MaxNodes, MaxWidth))
	}
	a := &multiplex.CSR{Rows: rows, Cols: cols, Start: make([]int32, rows+1)}
	ones, nnz := true, 0
	most := int(min(v.room/4, math.MaxInt32))
	var err error
	v.each(func(i, j int, x float64) {
		if nnz++; err != nil || nnz > most {
			return
		}
		switch {
		case i < 0 || i >= rows || j < 0 || j >= cols:
			err = v.fail(fmt.Sprintf("an entry in row %d, column %d", i, j), fmt.Sprintf("rows below %d and columns below %d", rows, cols))
			return
		case math.IsNaN(x) || math.IsInf(x, 0):
			err = v.fail(fmt.Sprintf("%v in row %d, column %d", x, i, j), "finite numbers")
			return
		}
		a.Start[i+1]++
		ones = ones && x == 1
	})
	if !ones {
		most = int(min(v.room/12, math.MaxInt32))
	}
	switch {
	case err != nil:
		return nil, err
	case nnz > most:
		return nil, v.fail(fmt.Sprintf("%d entries other than 0", nnz), fmt.Sprintf("at most %d from a file of this size; one that is saved without compression may hold more", most))
	}
	for i := range rows {
		a.Start[i+1] += a.Start[i]
	}
	a.Index = make([]int32, nnz)
	if !ones {
		a.Value = make([]float64, nnz)
	}
	next := make([]int32, rows)
	copy(next, a.Start)
	v.each(func(i, j int, x float64) {
		k := next[i]
		a.Index[k] = int32(j)
		if !ones {
			a.Value[k] = x
		}
		next[i]++
	})
	inOrder := true
	for i := range rows {
		for k := a.Start[i] + 1; k < a.Start[i+1]; k++ {
			inOrder = inOrder && a.Index[k-1] < a.Index[k]
		}
	}
	if !inOrder {
		a = a.Transposed().Transposed()
		merge(a, v.Form == Links || v.Type == "bool")
	}
	return a, nil
}

// merge makes one of entries in the same place. Columns are in order.
func merge(a *multiplex.CSR, once bool) {
	n, from := int32(0), int32(0)
	repeated := false
	for i := range a.Rows {
		end := a.Start[i+1]
		for k := from; k < end; k++ {
			repeated = repeated || k > from && a.Index[k] == a.Index[k-1]
		}
		from = end
	}
	if !repeated {
		return
	}
	if a.Value == nil && !once {
		a.Value = make([]float64, len(a.Index))
		for k := range a.Value {
			a.Value[k] = 1
		}
	}
	from = 0
	for i := range a.Rows {
		end := a.Start[i+1]
		for k := from; k < end; k++ {
			if n > a.Start[i] && k > from && a.Index[n-1] == a.Index[k] {
				if !once {
					a.Value[n-1] += a.Value[k]
				}
				continue
			}
			a.Index[n] = a.Index[k]
			if a.Value != nil {
				a.Value[n] = a.Value[k]
			}
			n++
		}
		from, a.Start[i+1] = end, n
	}
	a.Index = a.Index[:n]
	if a.Value != nil {
		a.Value = a.Value[:n]
	}
}

// describe says what a variable is, for a message.
func (v *Variable) describe() string {
	if v.Form == Links {
		return fmt.Sprintf("%d links", v.rows())
	}
	return fmt.Sprintf("a %s array of shape %v and type %s", v.Form, v.Shape, v.Type)
}
