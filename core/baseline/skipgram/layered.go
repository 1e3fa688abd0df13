package skipgram

import (
	"math"

	"cadem.example/core/base/kernel"
)

// Layered is an Input of vectors b_v + a_v T. A (words x extra) and T (extra x d) are trained; b
// (words x d) is fixed.
type Layered[T kernel.Float] struct {
	A, T     []T
	Rescaled int // how often T was brought back to the limit

	b, x     []T
	d, extra int
	limit    float64
}

// NewLayered returns a Layered of b (words x d) and a (words x extra), which are kept, with T = 0 (extra x d). The norm of T stays below limit.
func NewLayered[T kernel.Float](b, a []T, d, extra int, limit float64) *Layered[T] {
	return &Layered[T]{A: a, T: make([]T, extra*d), b: b, x: make([]T, d), d: d, extra: extra, limit: limit}
}

// Vector returns b_v + a_v T, of length d, valid until the next call.
func (l *Layered[T]) Vector(v int) []T {
	kernel.Mul(l.x, l.A[v*l.extra:(v+1)*l.extra], l.T, 1, l.extra, l.d)
	for k, base := range l.b[v*l.d : (v+1)*l.d] {
		l.x[k] += base
	}
	return l.x
}

// Adjust moves T, then a_v, by the change of the vector, of length d.
func (l *Layered[T]) Adjust(v int, change []T) {
	a := l.A[v*l.extra : (v+1)*l.extra]
	kernel.AddMulTrans(l.T, a, change, 1, l.extra, l.d)
	squares := 0.0
	for k := range a {
		row := l.T[k*l.d : (k+1)*l.d]
		a[k] += kernel.Dot(row, change)
		squares += float64(kernel.Dot(row, row))
	}
	if norm := math.Sqrt(squares); norm > l.limit {
		factor := T(l.limit / norm)
		for i := range l.T {
			l.T[i] = T(l.T[i] * factor)
		}
		l.Rescaled++
	}
}
