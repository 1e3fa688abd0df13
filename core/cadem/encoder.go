package cadem

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex"
)

// An encoder, equations (b) and (c), is linear,
//
//	C_l = Z_l W1 W2 + 1 b' = Z_l U + 1 b'
//
// and P_l likewise, with W1 (F x H), W2 (H x d), b (d) and U = W1 W2 (F x d). W1 has only the rows of
// features that are not zero in Z, F of them: the others have no gradient and no effect. With weight
// decay all rows stay.
type encoder[T kernel.Float] struct {
	F, H, D    int
	W1, M1, V1 []T // F x H: weights and Adam's moments
	W2, M2, V2 []T // H x d
	B, MB, VB  []T // d
	U, DU      []T // F x d: U = W1 W2 and its gradient
	DW2, DB    []T // H x d, d: gradients
	Old        []T // H x d: W2 before the step
}

// The encoders of a layer.
const common, private = 0, 1

// newEncoder returns an encoder of zeros.
func newEncoder[T kernel.Float](f, h, d int) *encoder[T] {
	e := &encoder[T]{F: f, H: h, D: d}
	all := []*[]T{&e.W1, &e.M1, &e.V1, &e.W2, &e.M2, &e.V2, &e.U, &e.DU, &e.DW2, &e.Old, &e.B, &e.MB, &e.VB, &e.DB}
	for i, n := range [...]int{f * h, f * h, f * h, h * d, h * d, h * d, f * d, f * d, h * d, h * d, d, d, d, d} {
		*all[i] = make([]T, n)
	}
	return e
}

// product recomputes U after weights were set from outside.
func (e *encoder[T]) product() { kernel.Mul(e.U, e.W1, e.W2, e.F, e.H, e.D) }

// embed sets x (M x d) to Z U + 1 b', for [Trainer.Embeddings]. Steps need Z U in consensus.go and
// matching.go, and zbar U below.
func (e *encoder[T]) embed(x []T, z *multiplex.Propagation[T]) {
	z.Mul(x, e.U, e.D)
	for i := range x {
		x[i] += e.B[i%e.D]
	}
}

// forward sets dst (K x d) to zbar U, zbar (K x F) being pooled rows of Z.
func (e *encoder[T]) forward(dst, zbar []T) {
	kernel.Mul(dst, zbar, e.U, len(dst)/e.D, e.F, e.D)
}

// backward adds zbar'dh, the contribution of the gradient dh (K x d) of zbar U, to dU.
func (e *encoder[T]) backward(dh, zbar []T) {
	kernel.AddMulTrans(e.DU, zbar, dh, len(dh)/e.D, e.F, e.D)
}
