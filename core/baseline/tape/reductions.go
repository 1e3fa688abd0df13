package tape

import "cadem.example/core/base/kernel"

// Sum records the sum of all entries, 1 x 1, added in double precision.
func (t *Tape[T]) Sum(a Value) Value {
	x := t.at(a)
	v, n := t.record(sum[T]{}, 1, 1, a)
	total := 0.0
	for _, u := range x.value {
		total += float64(u)
	}
	n.value[0] = T(total)
	return v
}

type sum[T kernel.Float] struct{}

func (sum[T]) back(t *Tape[T], n *node[T]) {
	g := n.grad[0]
	grad := t.at(n.in[0]).grad
	for i := range grad {
		grad[i] += g
	}
}

// MeanRows records the mean of all rows, 1 x d, added in double precision.
func (t *Tape[T]) MeanRows(a Value) Value {
	x := t.at(a)
	v, n := t.record(meanRows[T]{}, 1, x.cols, a)
	total := t.doubles.take(x.cols)
	columnSums(total, x.value)
	for j, s := range total {
		n.value[j] = T(s / float64(x.rows))
	}
	return v
}

// columnSums sets sum to the column sums of x, one entry each.
func columnSums[T kernel.Float](sum []float64, x []T) {
	clear(sum)
	for i := 0; i < len(x); i += len(sum) {
		for j, u := range x[i : i+len(sum)] {
			sum[j] += float64(u)
		}
	}
}

type meanRows[T kernel.Float] struct{}

func (meanRows[T]) back(t *Tape[T], n *node[T]) {
	a := t.at(n.in[0])
	share := T(1 / float64(a.rows))
	for i := 0; i < len(a.grad); i += a.cols {
		addScaled(a.grad[i:i+a.cols], n.grad, share)
	}
}

// SumSegments records the sum of the rows bounds[k] to bounds[k+1] of a for every k, a row each.
// The bounds, which increase from 0 to the number of rows, are kept.
func (t *Tape[T]) SumSegments(a Value, bounds []int32) Value {
	x := t.at(a)
	ErrShape.Unless(len(bounds) != 0 && bounds[0] == 0 && int(bounds[len(bounds)-1]) == x.rows)
	v, n := t.record(sumSegments[T]{}, len(bounds)-1, x.cols, a)
	n.index = bounds
	clear(n.value)
	for k := range n.rows {
		addRows(n.value[k*n.cols:(k+1)*n.cols], x.value[int(bounds[k])*n.cols:int(bounds[k+1])*n.cols])
	}
	return v
}

type sumSegments[T kernel.Float] struct{}

func (sumSegments[T]) back(t *Tape[T], n *node[T]) {
	a, d := t.at(n.in[0]), n.cols
	for k := range n.rows {
		for i := n.index[k]; i < n.index[k+1]; i++ {
			kernel.Add(a.grad[int(i)*d:int(i+1)*d], n.grad[k*d:(k+1)*d])
		}
	}
}

// RowDot records the inner products of row i of a and row i of b, n x 1.
func (t *Tape[T]) RowDot(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.rows == y.rows && x.cols == y.cols)
	v, n := t.record(rowDot[T]{}, x.rows, 1, a, b)
	for i := range n.value {
		n.value[i] = dot(x.value[i*x.cols:(i+1)*x.cols], y.value[i*x.cols:(i+1)*x.cols])
	}
	return v
}

type rowDot[T kernel.Float] struct{}

func (rowDot[T]) back(t *Tape[T], n *node[T]) {
	a, b := t.at(n.in[0]), t.at(n.in[1])
	d := a.cols
	for i, g := range n.grad {
		if a.grad != nil {
			addScaled(a.grad[i*d:(i+1)*d], b.value[i*d:(i+1)*d], g)
		}
		if b.grad != nil {
			addScaled(b.grad[i*d:(i+1)*d], a.value[i*d:(i+1)*d], g)
		}
	}
}

// SquaredDistance records the sum of the squared differences of the entries of a and b, 1 x 1.
func (t *Tape[T]) SquaredDistance(a, b Value) Value {
	x, y := t.at(a), t.at(b)
	ErrShape.Unless(x.rows == y.rows && x.cols == y.cols)
	v, n := t.record(squaredDistance[T]{}, 1, 1, a, b)
	total := 0.0
	for i, u := range x.value {
		e := float64(u - y.value[i])
		total += float64(e * e)
	}
	n.value[0] = T(total)
	return v
}

type squaredDistance[T kernel.Float] struct{}

// da = 2 g (a - b) = -db.
func (squaredDistance[T]) back(t *Tape[T], n *node[T]) {
	a, b, g := t.at(n.in[0]), t.at(n.in[1]), 2*n.grad[0]
	for i, u := range a.value {
		e := T(g * (u - b.value[i]))
		if a.grad != nil {
			a.grad[i] += e
		}
		if b.grad != nil {
			b.grad[i] -= e
		}
	}
}
