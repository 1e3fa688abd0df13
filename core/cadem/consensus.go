package cadem

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem/internal/route"
	"cadem.example/core/multiplex"
)

// The consensus S (M x d), equation (1), is the target to which the common embeddings of all layers are
// matched. It solves the orthogonal Procrustes problem
//
//	max tr(S'T),   S'S = scale^2 I,   T = sum_l (C_l - column means) (M x d)
//
// by the polar factor of T, S = scale L R', where T = L D R' is its singular value decomposition (L: M x
// r, R: d x r, r the rank) and scale^2 is M, or 1 as printed: linalg/polar.go. S is recomputed from the
// weights once per epoch, and constant within it.
//
// Two options change that. Where r < d, S'S is scale^2 times a projector, unless the directions are completed:
// linalg/polar.go. For target "power", T is sum_l Z_l Z_l'(C_l - column means), one power step of each.

// overNodes computes the consensus and the matching loss by the formulas. Package route has other
// ways, which give the same without visiting the nodes, and route.Choose picks one.
type overNodes[T kernel.Float] struct {
	route.Procrustes                             // which S is asked for: Scale, Rule, Bound, ...
	route.Held[T]                                // S, M x d
	z                []*multiplex.Propagation[T] // of every layer, M x F_l
	m, d             int
	c                [][]T     // M x d each: Z_l U_l, which is C_l without bias
	current          []bool    // whether c holds Z U of the current weights
	y                [][]T     // M x d each: scratch; layers may be matched at once
	zc               []T       // F x d: scratch, Z_l'C_l
	t                []float64 // M x d: T
	s                []float64 // M x d: S before rounding
	polar            *linalg.Polar
	filling          *linalg.Filling // nil when nothing is completed
}

func newOverNodes[T kernel.Float](z []*multiplex.Propagation[T], d int, p route.Procrustes) *overNodes[T] {
	m := z[0].M
	q := &overNodes[T]{Procrustes: p, z: z, m: m, d: d, Held: route.Held[T]{S: make([]T, m*d)}, current: make([]bool, len(z)),
		t: make([]float64, m*d), s: make([]float64, m*d), polar: linalg.NewPolar(m, d), filling: linalg.NewFilling(p.Completion, m, d, p.Directions)}
	for _, z := range z {
		q.c, q.y = append(q.c, make([]T, m*d)), append(q.y, make([]T, m*d))
		if p.Power && z.F*d > len(q.zc) {
			q.zc = make([]T, z.F*d)
		}
	}
	return q
}

// Update recomputes S for the U_l = W1 W2 (F_l x d) of all layers.
func (q *overNodes[T]) Update(u [][]T) {
	q.solve(u)
	q.RankOfS = q.polar.Rank
}

// solve sets S to the solution for the U_l. Biases are left out: they go with the column means.
func (q *overNodes[T]) solve(u [][]T) {
	clear(q.t)
	for l, c := range q.c {
		q.z[l].Mul(c, u[l], q.d) // Z_l U_l, M x d
		q.current[l] = true
		if q.Power {
			c = q.power(l, c)
		}
		for i, v := range c {
			q.t[i] += float64(v)
		}
	}
	linalg.Centre(q.t, q.d) // of the sum rather than of each: the same T
	q.polar.Factor(q.s, q.t, q.Scale, q.Rule, q.Bound, q.filling)
	kernel.Round(q.S, q.s)
}

// power returns Z_l Z_l'(c - column means), M x d, until the next call.
func (q *overNodes[T]) power(l int, c []T) []T {
	y, zc := q.y[l], q.zc[:q.z[l].F*q.d]
	for i, v := range c {
		q.s[i] = float64(v) // scratch: S is computed after this
	}
	linalg.Centre(q.s, q.d)
	kernel.Round(y, q.s)
	q.z[l].MulTrans(zc, y, q.d)
	q.z[l].Mul(y, zc, q.d)
	return y
}

// At returns S of the current weights, which u must be, since Match goes on with their Z_l U_l. The S of
// the steps stays.
func (q *overNodes[T]) At(u [][]T) ([]T, *linalg.Polar) {
	kept := append([]T(nil), q.S...)
	q.solve(u)
	s := append([]T(nil), q.S...)
	copy(q.S, kept)
	return s, q.polar
}

// Restore goes on with other weights.
func (q *overNodes[T]) Restore(rank int, began bool) {
	q.Held.Restore(rank, began)
	clear(q.current)
}

// Notes say that all layers are matched over the nodes.
func (q *overNodes[T]) Notes() (consensus string, layers []string) {
	return "", route.VisitsNodes(len(q.z))
}

// problem returns the S that the options ask for, for a graph with layers Z_l, which have at most
// this number of directions in common. Singular values below the share rule of the largest count as
// zero; a rule of 0 stands for [RoundingRule].
func problem[T kernel.Float](z []*multiplex.Propagation[T], o *Options, p precision.Bits, shared int, rule float64,
	directions func(x []float64)) route.Procrustes {
	m := z[0].M
	q := route.Procrustes{Scale: 1, Rule: rule, Power: o.Target == "power", Directions: directions}
	if o.TargetScale == "nodes" {
		q.Scale = math.Sqrt(float64(m))
	}
	if rule == 0 {
		q.Rule = RoundingRule(p, m, o.Dim)
	}
	q.Bound = min(shared, route.Bound(z, o.Dim, o.Hidden))
	q.Completion = map[string]linalg.Completion{"none": linalg.NoCompletion, "centred": linalg.Centred, "arbitrary": linalg.Arbitrary}[o.Completion]
	return q
}

// RoundingRule returns the share of the largest singular value below which another counts as zero,
// for sums of embeddings of m rows computed in the given precision.
func RoundingRule(p precision.Bits, m, d int) float64 {
	return route.RoundingRule(p == precision.Single, m, d)
}
