package cadem

import "cadem/core/kernel"

// The matching loss, equation (6), draws every common embedding to the consensus S, a constant
// between two updates of it:
//
//	match = c sum_l |C_l - S|_F^2,   C_l = Z_l U_l + 1 b_l',   c = 1/M, or 1 as printed
//	dU_l = 2 c Z_l'(C_l - S),   db_l = 2 c (C_l - S)'1

// matching returns share times c sum_l |C_l - S|^2. It sets e.DU for the first graph of a run, adds
// to it for others, and always adds to e.DB, weight times the gradient of what it returns.
func (m *model[T]) matching(g *graph[T], first bool, share, weight float64) float64 {
	if m.o.Matching == "mean" {
		share /= float64(g.M) // times c
	}
	m.loss.matched.graph, m.loss.matched.first, m.loss.matched.weight = g, first, weight*share
	m.loss.matchers.Run(len(g.Layers), len(g.Layers)*g.M*m.o.Dim >= worthMatching)
	sum := 0.0
	for _, v := range m.loss.matched.sums {
		sum += v
	}
	return float64(share * sum)
}

// worthMatching is the number of numbers in all C_l from which on several processors match them
// sooner than one.
const worthMatching = 10_000

// A matched is the loss of every layer, and what it is taken of.
type matched[T kernel.Float] struct {
	graph  *graph[T]
	first  bool
	weight float64
	sums   []float64
}

// match does a layer.
func (m *model[T]) match(l int) {
	g := m.loss.matched.graph
	e, du := m.enc[l][common], g.Layers[l].DU
	if m.loss.matched.first {
		du = e.DU
	}
	// Match below, or a cheaper way of package route.
	m.loss.matched.sums[l] = g.consensus.Match(l, e.U, e.B, du, e.DB, m.loss.matched.weight)
	if !m.loss.matched.first {
		kernel.Add(e.DU, du)
	}
}

// Match sets du (F_l x d) to weight times the gradient of |C_l - S|^2 in U_l, adds that in b_l to
// db (d), and returns |C_l - S|^2. This way visits the nodes; package route has cheaper ones.
func (q *overNodes[T]) Match(l int, u, b, du, db []T, weight float64) float64 {
	if !q.current[l] {
		q.z[l].Mul(q.c[l], u, q.d)
	}
	q.current[l] = false // the step that follows changes U
	sum := kernel.Residual(q.y[l], q.c[l], q.S, b, db, T(2*weight))
	q.z[l].MulTrans(du, q.y[l], q.d)
	return sum
}
