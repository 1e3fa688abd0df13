package tape

import (
	"slices"

	"cadem.example/core/base/kernel"
)

// An Operator is a constant matrix that others are multiplied with from the left: dense, or sparse
// with its transpose.
type Operator[T kernel.Float] struct {
	Rows, Cols int
	dense      []T
	forward    compressed[T]
	transposed compressed[T]
}

// compressed is a matrix in compressed rows: row i has entries start[i] to start[i+1].
type compressed[T kernel.Float] struct {
	start, index []int32
	value        []T
	from         []int32 // of a transpose: which entry of the matrix each one is
}

// NewDense returns the operator of a row-major matrix, which is kept.
func NewDense[T kernel.Float](rows, cols int, x []T) *Operator[T] {
	ErrShape.Unless(len(x) == rows*cols)
	return &Operator[T]{Rows: rows, Cols: cols, dense: x}
}

// NewSparse returns the operator of a matrix in compressed rows, which is kept: row i holds
// value[k] in column index[k] for k from start[i] to start[i+1], columns increasing.
func NewSparse[T kernel.Float](rows, cols int, start, index []int32, value []T) *Operator[T] {
	ErrShape.Unless(len(start) == rows+1 && len(value) == len(index) && int(start[rows]) == len(index))
	o := &Operator[T]{Rows: rows, Cols: cols, forward: compressed[T]{start: start, index: index, value: value}}
	tr := compressed[T]{make([]int32, cols+1), make([]int32, len(index)), make([]T, len(index)), make([]int32, len(index))}
	for _, j := range index {
		tr.start[j+1]++
	}
	for j := range cols {
		tr.start[j+1] += tr.start[j]
	}
	next := append([]int32(nil), tr.start[:cols]...)
	for i := range rows {
		for k := start[i]; k < start[i+1]; k++ {
			at := next[index[k]]
			next[index[k]]++
			tr.index[at], tr.from[at] = int32(i), k
		}
	}
	o.transposed = tr
	o.refresh()
	return o
}

// refresh copies the values of a sparse matrix to its transpose.
func (o *Operator[T]) refresh() {
	for at, k := range o.transposed.from {
		o.transposed.value[at] = o.forward.value[k]
	}
}

// Values returns the stored entries of a sparse operator, row by row, or all of a dense one.
func (o *Operator[T]) Values() []T {
	if o.dense != nil {
		return o.dense
	}
	return o.forward.value
}

// SetValues replaces the stored entries.
func (o *Operator[T]) SetValues(x []T) {
	ErrShape.Unless(len(x) == len(o.Values()))
	copy(o.Values(), x)
	o.refresh()
}

// ClearColumns sets all stored entries of the columns that the function selects to 0.
func (o *Operator[T]) ClearColumns(gone func(j int) bool) {
	for k := range o.dense {
		if gone(k % o.Cols) {
			o.dense[k] = 0
		}
	}
	for k, j := range o.forward.index {
		if gone(int(j)) {
			o.forward.value[k] = 0
		}
	}
	o.refresh()
}

// Window makes o the n x n block of the sparse matrix a that begins at row and column from. The
// memory of o is used again.
func (o *Operator[T]) Window(a *Operator[T], from, n int) {
	ErrShape.Unless(a.dense == nil && from >= 0 && from+n <= a.Rows && from+n <= a.Cols)
	o.Rows, o.Cols = n, n
	o.forward.window(&a.forward, from, n)
	o.transposed.window(&a.transposed, from, n)
}

func (c *compressed[T]) window(a *compressed[T], from, n int) {
	c.start, c.index, c.value, c.from = append(c.start[:0], 0), c.index[:0], c.value[:0], c.from[:0]
	for i := from; i < from+n; i++ {
		for k := a.start[i]; k < a.start[i+1]; k++ {
			if j := int(a.index[k]) - from; j >= 0 && j < n {
				c.index, c.value = append(c.index, int32(j)), append(c.value, a.value[k])
			}
		}
		c.start = append(c.start, int32(len(c.index)))
	}
}

// mul sets dst to the operator, or its transpose, times x of width d.
func (o *Operator[T]) mul(dst, x []T, d int, transpose bool) {
	switch {
	case o.dense == nil && transpose:
		kernel.SparseMul(dst, o.transposed.start, o.transposed.index, o.transposed.value, x, d)
	case o.dense == nil:
		kernel.SparseMul(dst, o.forward.start, o.forward.index, o.forward.value, x, d)
	case transpose:
		clear(dst)
		kernel.AddMulTrans(dst, o.dense, x, o.Rows, o.Cols, d)
	default:
		kernel.Mul(dst, o.dense, x, o.Rows, o.Cols, d)
	}
}

// A Pattern says who is whose neighbour: those of node i are Index[Start[i]:Start[i+1]]. Edges are
// numbered in that order.
type Pattern struct {
	Start, Index []int32
}

// check panics unless the pattern is one of n nodes.
func (p *Pattern) check(n int) {
	ErrShape.Unless(len(p.Start) == n+1 && int(p.Start[n]) == len(p.Index))
}

// Dense returns all entries, row by row.
func (o *Operator[T]) Dense() []T {
	if o.dense != nil {
		return o.dense
	}
	x := make([]T, o.Rows*o.Cols)
	for i := range o.Rows {
		for k := o.forward.start[i]; k < o.forward.start[i+1]; k++ {
			x[i*o.Cols+int(o.forward.index[k])] = o.forward.value[k]
		}
	}
	return x
}

// Has reports whether j is a neighbour of i.
func (p *Pattern) Has(i, j int) bool {
	_, found := slices.BinarySearch(p.Index[p.Start[i]:p.Start[i+1]], int32(j))
	return found
}
