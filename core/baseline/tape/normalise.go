package tape

import (
	"math"

	"cadem.example/core/base/kernel"
)

// shortest is the norm below which a vector has no direction.
const shortest = 1e-12

// NormalizeRows records a with every row divided by its Euclidean norm. A row with a norm below
// 1e-12 becomes 0 and passes no gradient: divided by so small a number it would outweigh all others.
func (t *Tape[T]) NormalizeRows(a Value) Value {
	x := t.at(a)
	v, n := t.record(normalizeRows[T]{}, x.rows, x.cols, a)
	n.double = t.doubles.take(x.rows)
	for i := range n.double {
		row, o := x.value[i*x.cols:(i+1)*x.cols], n.value[i*x.cols:(i+1)*x.cols]
		n.double[i] = norm(row)
		if n.double[i] < shortest {
			clear(o)
			continue
		}
		for j, u := range row {
			o[j] = T(float64(u) / n.double[i])
		}
	}
	return v
}

// norm returns the Euclidean norm of x.
func norm[T kernel.Float](x []T) float64 {
	s := 0.0
	for _, u := range x {
		s += float64(float64(u) * float64(u))
	}
	return math.Sqrt(s)
}

type normalizeRows[T kernel.Float] struct{}

// With u = a / |a|: da = (g - (g.u) u) / |a|.
func (normalizeRows[T]) back(t *Tape[T], n *node[T]) {
	grad := t.at(n.in[0]).grad
	for i, length := range n.double {
		if length < shortest {
			continue
		}
		u, g := n.value[i*n.cols:(i+1)*n.cols], n.grad[i*n.cols:(i+1)*n.cols]
		along := dot(u, g)
		for j, w := range u {
			grad[i*n.cols+j] += T(float64(g[j]-T(along*w)) / length)
		}
	}
}

// Centre records a with the mean of its rows taken off every row.
func (t *Tape[T]) Centre(a Value) Value {
	x := t.at(a)
	v, n := t.record(centre[T]{}, x.rows, x.cols, a)
	n.double = t.doubles.take(x.cols)
	columnSums(n.double, x.value)
	less(n.value, x.value, n.double, x.rows)
	return v
}

// less sets dst to x, of n rows, minus sum / n in every row.
func less[T kernel.Float](dst, x []T, sum []float64, n int) {
	for i, u := range x {
		dst[i] = T(float64(u) - sum[i%len(sum)]/float64(n))
	}
}

type centre[T kernel.Float] struct{}

func (centre[T]) back(t *Tape[T], n *node[T]) {
	grad := t.at(n.in[0]).grad
	columnSums(n.double, n.grad)
	for i, g := range n.grad {
		grad[i] += T(float64(g) - n.double[i%n.cols]/float64(n.rows))
	}
}

// BatchNorm records, for every column of a (n x d) with mean m and variance s2 over the n rows,
// (a - m) / sqrt(s2 + eps) times gain plus shift, both 1 x d (Ioffe and Szegedy 2015).
func (t *Tape[T]) BatchNorm(a, gain, shift Value, eps float64) Value {
	x, w, b := t.at(a), t.at(gain), t.at(shift)
	ErrShape.Unless(w.rows == 1 && w.cols == x.cols && b.rows == 1 && b.cols == x.cols)
	v, n := t.record(batchNorm[T]{}, x.rows, x.cols, a, gain, shift)
	n.kept, n.double = t.memory.take(len(x.value)), t.doubles.take(2*x.cols)
	deviation, sums := n.double[:x.cols], n.double[x.cols:]
	columnSums(sums, x.value)
	less(n.kept, x.value, sums, x.rows)
	clear(deviation)
	for i, u := range n.kept {
		deviation[i%x.cols] += float64(float64(u) * float64(u))
	}
	for j, s := range deviation {
		deviation[j] = math.Sqrt(s/float64(x.rows) + eps)
	}
	for i, u := range n.kept {
		j := i % x.cols
		n.kept[i] = T(float64(u) / deviation[j])
		n.value[i] = T(n.kept[i]*w.value[j]) + b.value[j]
	}
	return v
}

type batchNorm[T kernel.Float] struct{}

// With y the normalised columns and h = gain g: da = (h - mean h - y mean(h y)) / deviation.
func (batchNorm[T]) back(t *Tape[T], n *node[T]) {
	a, w, b := t.at(n.in[0]), t.at(n.in[1]), t.at(n.in[2])
	d, rows := n.cols, float64(n.rows)
	sums := t.doubles.take(2 * d)
	plain, along := sums[:d], sums[d:]
	columnSums(plain, n.grad)
	clear(along)
	for i, g := range n.grad {
		along[i%d] += float64(float64(g) * float64(n.kept[i]))
	}
	for j := range d {
		if w.grad != nil {
			w.grad[j] += T(along[j])
		}
		if b.grad != nil {
			b.grad[j] += T(plain[j])
		}
	}
	if a.grad == nil {
		return
	}
	for i, g := range n.grad {
		j := i % d
		h := float64(g) - plain[j]/rows - float64(float64(n.kept[i])*(along[j]/rows))
		a.grad[i] += T(float64(float64(w.value[j])*h) / n.double[j])
	}
}
