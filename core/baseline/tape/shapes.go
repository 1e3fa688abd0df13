package tape

import "cadem.example/core/base/kernel"

// Rows records the rows from to to of a, the latter not included, without copying them.
func (t *Tape[T]) Rows(a Value, from, to int) Value {
	x := t.at(a)
	ErrShape.Unless(from >= 0 && from <= to && to <= x.rows)
	return t.view(x, to-from, x.cols, from*x.cols)
}

// Reshape records a as a matrix of another shape with the same entries in the same order.
func (t *Tape[T]) Reshape(a Value, rows, cols int) Value {
	x := t.at(a)
	ErrShape.Unless(rows*cols == x.rows*x.cols)
	return t.view(x, rows, cols, 0)
}

// view records a part of x. Its gradient is part of that of x.
func (t *Tape[T]) view(x *node[T], rows, cols, from int) Value {
	n := node[T]{rows: rows, cols: cols, value: x.value[from : from+rows*cols], shared: true}
	if x.grad != nil {
		n.grad = x.grad[from : from+rows*cols]
	}
	v, _ := t.add(n)
	return v
}

// Gather records the rows of a that index lists, in that order. The list is kept.
func (t *Tape[T]) Gather(a Value, index []int32) Value {
	x := t.at(a)
	for _, i := range index {
		ErrShape.Unless(i >= 0 && int(i) < x.rows)
	}
	v, n := t.record(gather[T]{}, len(index), x.cols, a)
	n.index = index
	d := x.cols
	for k, i := range index {
		copy(n.value[k*d:(k+1)*d], x.value[int(i)*d:])
	}
	return v
}

type gather[T kernel.Float] struct{}

func (gather[T]) back(t *Tape[T], n *node[T]) {
	a, d := t.at(n.in[0]), n.cols
	for k, i := range n.index {
		kernel.Add(a.grad[int(i)*d:int(i+1)*d], n.grad[k*d:(k+1)*d])
	}
}

// ReplaceRows records a (n x d) with every row that index lists replaced by b (1 x d). The list,
// which names no row twice, is kept.
func (t *Tape[T]) ReplaceRows(a, b Value, index []int32) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(y.rows == 1 && y.cols == x.cols)
	v, n := t.record(replaceRows[T]{}, x.rows, x.cols, a, b)
	n.index = index
	copy(n.value, x.value)
	for _, i := range index {
		copy(n.value[int(i)*n.cols:int(i+1)*n.cols], y.value)
	}
	return v
}

type replaceRows[T kernel.Float] struct{}

func (replaceRows[T]) back(t *Tape[T], n *node[T]) {
	a, b, d := t.at(n.in[0]), t.at(n.in[1]), n.cols
	for _, i := range n.index {
		g := n.grad[int(i)*d : int(i+1)*d]
		if b.grad != nil {
			kernel.Add(b.grad, g)
		}
		clear(g)
	}
	if a.grad != nil {
		kernel.Add(a.grad, n.grad)
	}
}

// ClearRows records a with zeros in the rows that index lists, which is kept.
func (t *Tape[T]) ClearRows(a Value, index []int32) Value {
	x := t.at(a)
	v, n := t.record(clearRows[T]{}, x.rows, x.cols, a)
	n.index = index
	copy(n.value, x.value)
	for _, i := range index {
		clear(n.value[int(i)*n.cols : int(i+1)*n.cols])
	}
	return v
}

type clearRows[T kernel.Float] struct{}

func (clearRows[T]) back(t *Tape[T], n *node[T]) {
	for _, i := range n.index {
		clear(n.grad[int(i)*n.cols : int(i+1)*n.cols])
	}
	kernel.Add(t.at(n.in[0]).grad, n.grad)
}

// Beside records a (n x d) and b (n x e) as one n x (d+e) matrix.
func (t *Tape[T]) Beside(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.rows == y.rows)
	v, n := t.record(beside[T]{}, x.rows, x.cols+y.cols, a, b)
	for i := range n.rows {
		row := n.value[i*n.cols : (i+1)*n.cols]
		copy(row, x.value[i*x.cols:(i+1)*x.cols])
		copy(row[x.cols:], y.value[i*y.cols:(i+1)*y.cols])
	}
	return v
}

type beside[T kernel.Float] struct{}

func (beside[T]) back(t *Tape[T], n *node[T]) {
	from := 0
	for _, v := range n.in[:2] {
		a := t.at(v)
		if a.grad != nil {
			for i := range n.rows {
				kernel.Add(a.grad[i*a.cols:(i+1)*a.cols], n.grad[i*n.cols+from:][:a.cols])
			}
		}
		from += a.cols
	}
}

// Column records column j of a as an n x 1 matrix.
func (t *Tape[T]) Column(a Value, j int) Value {
	x := t.at(a)
	ErrShape.Unless(j >= 0 && j < x.cols)
	v, n := t.record(column[T]{}, x.rows, 1, a)
	n.number = float64(j)
	for i := range n.value {
		n.value[i] = x.value[i*x.cols+j]
	}
	return v
}

type column[T kernel.Float] struct{}

func (column[T]) back(t *Tape[T], n *node[T]) {
	a, j := t.at(n.in[0]), int(n.number)
	for i, g := range n.grad {
		a.grad[i*a.cols+j] += g
	}
}

// Below records a (n x d) with b (m x d) below it.
func (t *Tape[T]) Below(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.cols == y.cols)
	v, n := t.record(below[T]{}, x.rows+y.rows, x.cols, a, b)
	copy(n.value[copy(n.value, x.value):], y.value)
	return v
}

type below[T kernel.Float] struct{}

func (below[T]) back(t *Tape[T], n *node[T]) {
	a, b := t.at(n.in[0]), t.at(n.in[1])
	from := len(a.value)
	if a.grad != nil {
		kernel.Add(a.grad, n.grad[:from])
	}
	if b.grad != nil {
		kernel.Add(b.grad, n.grad[from:])
	}
}
