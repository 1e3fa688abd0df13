package tape

import "cadem.example/core/base/kernel"

// Add records a + b.
func (t *Tape[T]) Add(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.rows == y.rows && x.cols == y.cols)
	v, n := t.record(add[T]{}, x.rows, x.cols, a, b)
	for i, u := range x.value {
		n.value[i] = u + y.value[i]
	}
	return v
}

type add[T kernel.Float] struct{}

func (add[T]) back(t *Tape[T], n *node[T]) {
	for _, v := range n.in[:2] {
		if a := t.at(v); a.grad != nil {
			kernel.Add(a.grad, n.grad)
		}
	}
}

// AddRow records a (n x d) with b (1 x d) added to every row.
func (t *Tape[T]) AddRow(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(y.rows == 1 && x.cols == y.cols)
	v, n := t.record(addRow[T]{}, x.rows, x.cols, a, b)
	for i := 0; i < len(x.value); i += x.cols {
		row := x.value[i : i+x.cols]
		for j, u := range y.value {
			n.value[i+j] = row[j] + u
		}
	}
	return v
}

type addRow[T kernel.Float] struct{}

func (addRow[T]) back(t *Tape[T], n *node[T]) {
	a, b := t.at(n.in[0]), t.at(n.in[1])
	if a.grad != nil {
		kernel.Add(a.grad, n.grad)
	}
	if b.grad != nil {
		addRows(b.grad, n.grad)
	}
}

// addRows adds all rows of x, as long as sum, to sum.
func addRows[T kernel.Float](sum, x []T) {
	for i := 0; i < len(x); i += len(sum) {
		kernel.Add(sum, x[i:i+len(sum)])
	}
}

// Scale records s a.
func (t *Tape[T]) Scale(a Value, s float64) Value {
	x := t.at(a)
	v, n := t.record(scale[T]{}, x.rows, x.cols, a)
	n.number = s
	for i, u := range x.value {
		n.value[i] = T(T(s) * u)
	}
	return v
}

type scale[T kernel.Float] struct{}

func (scale[T]) back(t *Tape[T], n *node[T]) {
	addScaled(t.at(n.in[0]).grad, n.grad, T(n.number))
}

// addScaled adds s x to dst.
func addScaled[T kernel.Float](dst, x []T, s T) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] += T(s * v)
	}
}

// Reverse records a itself and turns the sign of its gradient: what comes before descends where
// what follows ascends (Ganin and Lempitsky 2015).
func (t *Tape[T]) Reverse(a Value) Value {
	x := t.at(a)
	v, n := t.record(scale[T]{}, x.rows, x.cols, a)
	n.number = -1
	copy(n.value, x.value)
	return v
}

// Times records the products of the entries of a and b.
func (t *Tape[T]) Times(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.rows == y.rows && x.cols == y.cols)
	v, n := t.record(times[T]{}, x.rows, x.cols, a, b)
	for i, u := range x.value {
		n.value[i] = T(u * y.value[i])
	}
	return v
}

type times[T kernel.Float] struct{}

func (times[T]) back(t *Tape[T], n *node[T]) {
	a, b := t.at(n.in[0]), t.at(n.in[1])
	if a.grad != nil {
		for i, g := range n.grad {
			a.grad[i] += T(g * b.value[i])
		}
	}
	if b.grad != nil {
		for i, g := range n.grad {
			b.grad[i] += T(g * a.value[i])
		}
	}
}

// TimesColumn records a (n x d) with row i multiplied by entry i of b (n x 1).
func (t *Tape[T]) TimesColumn(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(y.cols == 1 && x.rows == y.rows)
	v, n := t.record(timesColumn[T]{}, x.rows, x.cols, a, b)
	kernel.ScaleRows(n.value, x.value, y.value, x.cols)
	return v
}

type timesColumn[T kernel.Float] struct{}

func (timesColumn[T]) back(t *Tape[T], n *node[T]) {
	a, b, d := t.at(n.in[0]), t.at(n.in[1]), n.cols
	for i := range n.rows {
		g := n.grad[i*d : (i+1)*d]
		if a.grad != nil {
			addScaled(a.grad[i*d:(i+1)*d], g, b.value[i])
		}
		if b.grad != nil {
			b.grad[i] += dot(g, a.value[i*d:(i+1)*d])
		}
	}
}

// dot returns the inner product of two vectors of the same length, summed in four parts.
func dot[T kernel.Float](x, y []T) T {
	y = y[:len(x)]
	var s0, s1, s2, s3 T
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b := (*[4]T)(x[i:]), (*[4]T)(y[i:])
		s0 += T(a[0] * b[0])
		s1 += T(a[1] * b[1])
		s2 += T(a[2] * b[2])
		s3 += T(a[3] * b[3])
	}
	for ; i < len(x); i++ {
		s0 += T(x[i] * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}
