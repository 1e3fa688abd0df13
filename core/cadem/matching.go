package cadem

import (
	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// The matching loss draws every common embedding to the consensus S, a constant between
// two updates of it:
//
//	match = c sum_l |C_l - S|_F^2,   C_l = Z_l U + 1 b',   c = 1/M, or 1 as printed
//	dU = 2 c Z'(C - S),   db = 2 c (C - S)'1
//
// matchNodes visits the nodes. matchMoments needs only Z'Z, Z'1 (once) and Z'S, S'1 (once
// per update of S); it pays when F^2 is small against the entries of Z.

// matchNodes sets dU and db of one layer to weight times their gradient and returns
// |C - S|^2. c (M x d) holds Z U, without the bias; y (M x d) is scratch.
func matchNodes[T kernel.Float](e *encoder[T], z *multiplex.Propagation[T], c, s, y, du []T, weight float64) float64 {
	sum := kernel.Residual(y, c, s, e.b, e.db, T(2*weight))
	z.MulTrans(du, y, e.d)
	return sum
}

// moments of one layer, in double precision: the value is a difference of large sums.
type moments struct {
	gram  []float64 // F x F: Z'Z
	ones  []float64 // F: Z'1
	zs    []float64 // F x d: Z'S
	s1    []float64 // d: S'1
	norm  float64   // |S|^2
	u, gu []float64 // F x d: scratch
	m     int
	bias  []float64 // d: in double precision
}

func newMoments[T kernel.Float](z *multiplex.Propagation[T], d int) *moments {
	f := z.F
	q := &moments{gram: make([]float64, f*f), ones: make([]float64, f), zs: make([]float64, f*d), s1: make([]float64, d),
		u: make([]float64, f*d), gu: make([]float64, f*d), m: z.M, bias: make([]float64, d)}
	z.Gram(q.gram)
	sum := make([]T, f)
	z.Pool(sum, nil)
	for i, v := range sum {
		q.ones[i] = float64(v)
	}
	return q
}

// retarget takes the moments with a new S (M x d); zs (F x d) is scratch.
func retarget[T kernel.Float](q *moments, z *multiplex.Propagation[T], s, zs []T) {
	d := len(q.s1)
	z.MulTrans(zs, s, d)
	for i, v := range zs {
		q.zs[i] = float64(v)
	}
	clear(q.s1)
	q.norm = 0
	for i := range z.M {
		for k, v := range s[i*d : i*d+d] {
			x := float64(v)
			q.s1[k] += x
			q.norm += float64(x * x)
		}
	}
}

// matchMoments does what matchNodes does without visiting the nodes.
func matchMoments[T kernel.Float](e *encoder[T], q *moments, du []T, weight float64) float64 {
	f, d := e.f, e.d
	for i, v := range e.u {
		q.u[i] = float64(v)
	}
	for k, v := range e.b {
		q.bias[k] = float64(v)
	}
	kernel.Mul(q.gu, q.gram, q.u, f, f, d)
	sum := q.norm
	for k, b := range q.bias {
		zu := 0.0 // entry k of U'Z'1
		for i := range f {
			u := q.u[i*d+k]
			zu += float64(q.ones[i] * u)
			sum += float64(u*q.gu[i*d+k]) - float64(2*float64(u*q.zs[i*d+k]))
			g := q.gu[i*d+k] + float64(q.ones[i]*b) - q.zs[i*d+k]
			du[i*d+k] = T(2 * weight * g)
		}
		mb := float64(float64(q.m) * b)
		sum += float64(2*float64(zu*b)) + float64(mb*b) - float64(2*float64(b*q.s1[k]))
		e.db[k] += T(2 * weight * (zu + mb - q.s1[k]))
	}
	return sum
}
