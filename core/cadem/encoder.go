package cadem

import (
	"cadem/core/cadem/internal/checkpoint"
	"cadem/core/kernel"
)

// An encoder maps Z (M x F) to Z W1 W2 + b (M x d). W1 has only the rows of features that
// are not zero in Z: the others have no gradient and no consequence.
type encoder[T kernel.Float] struct {
	f, h, d    int
	w1, m1, v1 []T // F x H: weights and Adam's moments
	w2, m2, v2 []T // H x d
	b, mb, vb  []T // d
	u, du      []T // F x d: U = W1 W2, always current, and its gradient
	dw2, db    []T
	old        []T // W2 before the step
}

func newEncoder[T kernel.Float](f, h, d int) *encoder[T] {
	x := func(n int) []T { return make([]T, n) }
	return &encoder[T]{f: f, h: h, d: d,
		w1: x(f * h), m1: x(f * h), v1: x(f * h), w2: x(h * d), m2: x(h * d), v2: x(h * d), b: x(d), mb: x(d), vb: x(d),
		u: x(f * d), du: x(f * d), dw2: x(h * d), db: x(d), old: x(h * d)}
}

// refresh forms U anew, after weights were set from outside.
func (e *encoder[T]) refresh() { kernel.Mul(e.u, e.w1, e.w2, e.f, e.h, e.d) }

// arrays lists all but the bias, as a helper takes them: W1 with its moments, W2 with its
// moments, U, dU, dW2 and W2 before the step.
func (e *encoder[T]) arrays() []*[]T {
	return []*[]T{&e.w1, &e.m1, &e.v1, &e.w2, &e.m2, &e.v2, &e.u, &e.du, &e.dw2, &e.old}
}

// bytes returns what they take.
func (e *encoder[T]) bytes() (size int) {
	for _, a := range e.arrays() {
		size += checkpoint.ElementSize[T]() * len(*a)
	}
	return size
}

// move does the Adam step of the weights from the gradient du:
//
//	dW2 = W1' dU,   dW1 = dU W2' (formed inside the loop),   then U = W1 W2 with the new ones.
func (e *encoder[T]) move(r *kernel.AdamRate[T]) {
	clear(e.dw2)
	kernel.AddMulTrans(e.dw2, e.w1, e.du, e.f, e.h, e.d)
	copy(e.old, e.w2)
	kernel.Adam(e.w2, e.m2, e.v2, e.dw2, r)
	kernel.AdamFactored(e.w1, e.m1, e.v1, e.u, e.du, e.old, e.w2, e.f, e.h, e.d, r)
}
