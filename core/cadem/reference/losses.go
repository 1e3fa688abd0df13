package reference

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
)

// matching returns
//
//	match = (1/M) sum_l |C_l - S|^2
//
// or the sum alone as printed, and adds weight times its gradient to dC_l (M x d). S is
// constant.
func (m *Model) matching(g *graph, c, dc []*mat.Dense, weight float64) float64 {
	rows, d := g.s.Dims()
	share, sum := 1.0, 0.0
	if m.o.Matching == "mean" {
		share = 1 / float64(rows)
	}
	for l := range c {
		for i := range rows {
			for k := range d {
				r := c[l].At(i, k) - g.s.At(i, k)
				sum += share * r * r
				dc[l].RawRowView(i)[k] += weight * share * 2 * r
			}
		}
	}
	return sum
}

// pool returns h (K x d) of the augmented graphs. Each keeps some nodes of one layer; the sum
// of their embeddings, with noise on every node, stands for it. Augmentation is stratified:
// every layer is a stratum and gives equally many.
func pool(x []*mat.Dense, g *cadem.PooledGraphs, noise [][]float64) *mat.Dense {
	h := mat.NewDense(len(g.Layer), x[0].RawMatrix().Cols, nil)
	for k, l := range g.Layer {
		h.SetRow(k, noise[k]) // of all nodes kept
		for _, i := range kept(x[l], g.Nodes[k]) {
			add(h.RawRowView(k), x[l].RawRowView(i))
		}
	}
	return h
}

// unpool adds the gradient of h (K x d) to that of every node in its sums.
func unpool(dx []*mat.Dense, g *cadem.PooledGraphs, dh *mat.Dense) {
	for k, l := range g.Layer {
		for _, i := range kept(dx[l], g.Nodes[k]) {
			add(dx[l].RawRowView(i), dh.RawRowView(k))
		}
	}
}

// kept lists the nodes of a pooled graph; nil stands for all.
func kept(x *mat.Dense, nodes []int) []int {
	if nodes == nil {
		for i := range x.RawMatrix().Rows {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// selfSupervised returns the sum over the batches of the mean of
//
//	CE(phi(h_P of graph k), layer of k)
//
// and adds weight times its gradient to phi and dhP (K x d).
func (m *Model) selfSupervised(g *cadem.PooledGraphs, hp, dhp *mat.Dense, weight float64) float64 {
	total := 0.0
	for _, batch := range g.Batches {
		share := 1 / float64(len(batch))
		for _, k := range batch {
			loss, dx := m.predict("phi", hp.RawRowView(k), g.Layer[k], weight*share)
			total += share * loss
			add(dhp.RawRowView(k), dx)
		}
	}
	return total
}

// causal is the backdoor adjustment: a private part must tell its layer whatever common part
// it meets. It returns the sum over the batches of the mean over pairs (i, j) of
//
//	CE(psi(h_P of i (+) h_C of j), layer of i)
//
// and adds weight times its gradient to psi, dhP and dhC (K x d). (+) adds the two, or puts
// them side by side as printed. The partners j of i are all of its batch, or those that pair
// fills in, as positions in the batch.
func (m *Model) causal(g *cadem.PooledGraphs, hp, hc, dhp, dhc *mat.Dense, weight float64, pair func(batch int, partners []int)) float64 {
	total := 0.0
	for b, batch := range g.Batches {
		each := m.o.Partners(len(batch))
		partners := make([]int, each*len(batch))
		for q := range partners {
			partners[q] = q % each
		}
		if m.o.Pairing != "all" {
			pair(b, partners)
		}
		share := 1 / float64(len(partners))
		for q, partner := range partners {
			i, j := batch[q/each], batch[partner]
			p, c := hp.RawRowView(i), hc.RawRowView(j)
			x, from := append([]float64(nil), p...), 0 // h_C begins there
			if m.o.Combine == "concat" {
				x, from = append(x, c...), len(p)
			} else {
				add(x, c)
			}
			loss, dx := m.predict("psi", x, g.Layer[i], weight*share)
			total += share * loss
			add(dhp.RawRowView(i), dx[:len(p)])
			add(dhc.RawRowView(j), dx[from:])
		}
	}
	return total
}

// predict returns the cross entropy of a head's prediction from x,
//
//	CE = -log softmax(x W + b)[layer],
//
// and weight times its gradient in x; it adds that in W and b to the head's.
func (m *Model) predict(head string, x []float64, layer int, weight float64) (loss float64, dx []float64) {
	w, b := m.Parameters["W"+head], m.Parameters["b"+head]
	logits := append([]float64(nil), b.W.RawRowView(0)...) // N
	top, sum := math.Inf(-1), 0.0
	for l := range logits {
		for i, v := range x {
			logits[l] += v * w.W.At(i, l)
		}
		top = max(top, logits[l])
	}
	for _, v := range logits {
		sum += math.Exp(v - top)
	}
	dx = make([]float64, len(x))
	for l, v := range logits {
		residual := weight * math.Exp(v-top) / sum // weight (softmax - onehot)
		if l == layer {
			residual -= weight
		}
		b.G.RawRowView(0)[l] += residual
		for i := range x {
			w.G.RawRowView(i)[l] += x[i] * residual
			dx[i] += w.W.At(i, l) * residual
		}
	}
	return top + math.Log(sum) - logits[layer], dx
}
