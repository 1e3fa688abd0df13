package cadem

import "cadem.example/core/base/kernel"

// The matching loss, equation (2), draws every common embedding (M x d) to the consensus S (M x d), a
// constant between two updates of it:
//
//	match = sum_l |C_l - S|_F^2 / M,   C_l = Z_l U_l + 1 b_l'
//	dU_l = 2 Z_l'(C_l - S) / M (F x d),   db_l = 2 (C_l - S)'1 / M (d)
//
// or without 1 / M, as printed.

// matching returns share times the matching loss of a graph, share being 1 over the number of graphs, and takes
// weight times the gradient of that: dU of the common encoders begins with the first graph's, others are added;
// db is always added to.
func (m *model[T]) matching(g *graph[T], first bool, share, weight float64) float64 {
	if m.o.Matching == "mean" {
		share /= float64(g.M)
	}
	of := &m.loss.matched
	of.graph, of.first, of.weight = g, first, weight*share
	m.loss.matchers.Run(len(g.Layers), len(g.Layers)*g.M*m.o.Dim >= parallelMatching)
	sum := 0.0
	for _, v := range of.sums {
		sum += v
	}
	return float64(share * sum)
}

// parallelMatching is how many numbers in all C_l several processors match sooner than one.
const parallelMatching = 10_000

// A matched is the graph whose layers are matched, and the result.
type matched[T kernel.Float] struct {
	graph  *graph[T]
	first  bool
	weight float64
	sums   []float64 // |C_l - S|^2 of every layer
}

// match does a layer of it.
func (m *model[T]) match(l int) {
	of, e := &m.loss.matched, m.enc[l][common]
	du := e.DU
	if !of.first {
		du = of.graph.Layers[l].DU
	}
	of.sums[l] = of.graph.consensus.Match(l, e.U, e.B, du, e.DB, of.weight) // the one below, or a cheaper one of package route
	if !of.first {
		kernel.Add(e.DU, du)
	}
}

// Match returns |C_l - S|^2, sets du (F x d) to weight times its gradient in U_l, and adds that in b_l to
// db (d). This way visits the nodes.
func (q *overNodes[T]) Match(l int, u, b, du, db []T, weight float64) float64 {
	if !q.current[l] {
		q.z[l].Mul(q.c[l], u, q.d) // Z_l U_l
	}
	q.current[l] = false                                            // the step that follows changes U
	sum := kernel.Residual(q.y[l], q.c[l], q.S, b, db, T(2*weight)) // Y = 2 weight (Z_l U_l + 1 b_l' - S), db += Y'1
	q.z[l].MulTrans(du, q.y[l], q.d)                                // Z_l'Y
	return sum
}
