package tape

import "cadem.example/core/base/kernel"

// Mul records a (n x h) times b (h x d).
func (t *Tape[T]) Mul(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.cols == y.rows)
	v, n := t.record(mul[T]{}, x.rows, y.cols, a, b)
	kernel.Mul(n.value, x.value, y.value, x.rows, x.cols, y.cols)
	return v
}

type mul[T kernel.Float] struct{}

// da = g b', db = a' g.
func (mul[T]) back(t *Tape[T], n *node[T]) {
	a, b := t.at(n.in[0]), t.at(n.in[1])
	if b.grad != nil {
		kernel.AddMulTrans(b.grad, a.value, n.grad, n.rows, b.rows, n.cols)
	}
	if a.grad != nil {
		turned := t.transposed(b)
		t.addMul(a.grad, n.grad, turned, n.rows, n.cols, b.rows)
	}
}

// transposed returns the transpose of a node's value.
func (t *Tape[T]) transposed(n *node[T]) []T {
	if n.rows == 1 || n.cols == 1 {
		return n.value
	}
	x := t.memory.take(n.rows * n.cols)
	for i := range n.rows {
		for j, v := range n.value[i*n.cols : (i+1)*n.cols] {
			x[j*n.rows+i] = v
		}
	}
	return x
}

// addMul adds a (n x h) times b (h x d) to dst.
func (t *Tape[T]) addMul(dst, a, b []T, n, h, d int) {
	x := t.memory.take(n * d)
	kernel.Mul(x, a, b, n, h, d)
	kernel.Add(dst, x)
}

// MulTrans records a (n x d) times the transpose of b (m x d).
func (t *Tape[T]) MulTrans(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.cols == y.cols)
	turned := t.transposed(y)
	v, n := t.record(mulTrans[T]{}, x.rows, y.rows, a, b)
	kernel.Mul(n.value, x.value, turned, x.rows, x.cols, y.rows)
	return v
}

type mulTrans[T kernel.Float] struct{}

// da = g b, db = g' a.
func (mulTrans[T]) back(t *Tape[T], n *node[T]) {
	a, b := t.at(n.in[0]), t.at(n.in[1])
	if b.grad != nil {
		kernel.AddMulTrans(b.grad, n.grad, a.value, n.rows, n.cols, a.cols)
	}
	if a.grad != nil {
		t.addMul(a.grad, n.grad, b.value, n.rows, n.cols, a.cols)
	}
}

// Apply records the operator times a.
func (t *Tape[T]) Apply(o *Operator[T], a Value) Value {
	x := t.at(a)
	ErrShape.Unless(o.Cols == x.rows)
	v, n := t.record(apply[T]{}, o.Rows, x.cols, a)
	n.matrix = o
	o.mul(n.value, x.value, x.cols, false)
	return v
}

type apply[T kernel.Float] struct{}

// da = O' g.
func (apply[T]) back(t *Tape[T], n *node[T]) {
	a := t.at(n.in[0])
	x := t.memory.take(len(a.value))
	n.matrix.mul(x, n.grad, n.cols, true)
	kernel.Add(a.grad, x)
}

// ApplyBlocks records the block-diagonal matrix of the operators times a. The list is kept.
func (t *Tape[T]) ApplyBlocks(list []*Operator[T], a Value) Value {
	rows, cols := 0, 0
	for _, o := range list {
		rows, cols = rows+o.Rows, cols+o.Cols
	}
	x := t.at(a)
	ErrShape.Unless(cols == x.rows)
	v, n := t.record(applyBlocks[T]{}, rows, x.cols, a)
	n.matrices = list
	to, from, d := 0, 0, x.cols
	for _, o := range list {
		o.mul(n.value[to*d:(to+o.Rows)*d], x.value[from*d:(from+o.Cols)*d], d, false)
		to, from = to+o.Rows, from+o.Cols
	}
	return v
}

type applyBlocks[T kernel.Float] struct{}

func (applyBlocks[T]) back(t *Tape[T], n *node[T]) {
	a := t.at(n.in[0])
	x := t.memory.take(len(a.value))
	to, from, d := 0, 0, n.cols
	for _, o := range n.matrices {
		o.mul(x[from*d:(from+o.Cols)*d], n.grad[to*d:(to+o.Rows)*d], d, true)
		to, from = to+o.Rows, from+o.Cols
	}
	kernel.Add(a.grad, x)
}

// ApplyEach records every operator times the same a, one below the other. The list is kept.
func (t *Tape[T]) ApplyEach(list []*Operator[T], a Value) Value {
	x, rows := t.at(a), 0
	for _, o := range list {
		ErrShape.Unless(o.Cols == x.rows)
		rows += o.Rows
	}
	v, n := t.record(applyEach[T]{}, rows, x.cols, a)
	n.matrices = list
	to, d := 0, x.cols
	for _, o := range list {
		o.mul(n.value[to*d:(to+o.Rows)*d], x.value, d, false)
		to += o.Rows
	}
	return v
}

type applyEach[T kernel.Float] struct{}

func (applyEach[T]) back(t *Tape[T], n *node[T]) {
	a := t.at(n.in[0])
	x := t.memory.take(len(a.value))
	to, d := 0, n.cols
	for _, o := range n.matrices {
		o.mul(x, n.grad[to*d:(to+o.Rows)*d], d, true)
		kernel.Add(a.grad, x)
		to += o.Rows
	}
}
