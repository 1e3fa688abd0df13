package split

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
)

// part gives each encoder its part of a layer, J being M x shared. Where they are not split both get
// Y.
func (t *task) part(l *Layer, j []float64, shared int, q *trimming) error {
	f := l.F
	if l.Common, l.Own = l.y, l.y; t.o.Split {
		l.Common = make([]float64, t.m*f)
		if shared > 0 {
			along := make([]float64, shared*f)
			if err := t.addMulTrans(along, j, l.y, t.m, shared, f); err != nil {
				return err
			}
			if err := t.mul(l.Common, j, along, t.m, shared, f); err != nil {
				return err
			}
		}
		l.Own = make([]float64, t.m*f)
		for i, y := range l.y {
			l.Own[i] = y - l.Common[i]
		}
	}
	if err := t.rest(); err != nil || t.o.Whole {
		return err
	}
	// If the layers share all of Y, the rest is rounding.
	s := linalg.NewSVD(max(t.m, f), f)
	copy(s.A, l.Own)
	if err := s.Decompose(t.pause); err != nil {
		return err
	}
	rank := 0
	for rank < f && s.Singular[rank] > negligible*math.Sqrt(float64(t.m)) {
		rank++
	}
	right := make([]float64, f*rank)
	s.Right(right, rank)
	if t.o.Own && shared > 0 && rank > 0 {
		left := make([]float64, s.Rows*rank)
		if err := s.Left(left, rank, t.pause); err != nil {
			return err
		}
		if err := t.hop(l, j, shared, left[:t.m*rank], s.Singular[:rank], right, q); err != nil {
			return err
		}
	}
	gram := make([]float64, f*f)
	if err := t.addMulTrans(gram, l.Own, l.Own, t.m, f, f); err != nil {
		return err
	}
	l.Target = NewTarget(l, t.m, s.Singular[:rank], right, gram)
	return nil
}

// hop adds J X to Z^O, initially Z^P = V diag(t) R'. B is the sum of a part that all layers have in
// common and of the layer's own, and the common part maps V to 0: one more hop B V spans the own
// structure before J was removed from it. With lambda_k = V_k'B V_k
//
//	X = J'B V diag(1/lambda) diag(t) R'.
//
// Column k of B V is left out where B does not keep V_k: |lambda_k| < |(I - JJ')B V_k| / 2.
func (t *task) hop(l *Layer, j []float64, shared int, v, singular, right []float64, q *trimming) error {
	rank, f := len(singular), l.F
	y := make([]float64, len(v)) // B V
	for g, op := range q.ops {
		from, to := t.rows[g]*rank, t.rows[g+1]*rank
		if err := op.spread(y[from:to], v[from:to], rank, t.pause); err != nil {
			return err
		}
	}
	centre(y, t.rows, rank)
	along := make([]float64, shared*rank) // J'B V
	if err := t.addMulTrans(along, j, y, t.m, shared, rank); err != nil {
		return err
	}
	weights := make([]float64, rank)
	for k := range rank {
		lambda, rest := 0.0, 0.0
		for i := k; i < len(y); i += rank {
			lambda += float64(v[i] * y[i])
			rest += float64(y[i] * y[i])
		}
		for i := k; i < len(along); i += rank {
			rest -= float64(along[i] * along[i])
		}
		weight := 0.0
		if math.Abs(lambda) >= math.Sqrt(max(rest, 0))/2 && lambda != 0 {
			weight = singular[k] / lambda
		}
		weights[k] = weight
		for i := k; i < len(along); i += rank {
			along[i] = float64(along[i] * weight)
		}
	}
	x := make([]float64, shared*f) // X
	for i := range shared {
		for c := range f {
			for k := range rank {
				x[i*f+c] += float64(along[i*rank+k] * right[c*rank+k])
			}
		}
	}
	hopped := make([]float64, t.m*f)
	if err := t.mul(hopped, j, x, t.m, shared, f); err != nil {
		return err
	}
	kernel.AddScaled(l.Own, hopped, 1)
	if t.o.Maps {
		l.Maps.Hop = make([]float64, f*f) // R diag(weight / t) R', for V is Z^P R diag(1/t)
		for a := range f {
			for b := range f {
				for k, w := range weights {
					l.Maps.Hop[a*f+b] += float64(float64(right[a*rank+k]*float64(w/singular[k])) * right[b*rank+k])
				}
			}
		}
	}
	return t.rest()
}
