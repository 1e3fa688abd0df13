package cadem

import (
	"math"

	"cadem/core/kernel"
)

// Stratified augmentation, equation (4): every layer is a stratum and gives equally many augmented
// graphs. Each keeps a share r of the layer's nodes, drawn without replacement. It is pooled to the
// sum of their embeddings with noise on every node; it is the sum, not the mean, in the released
// program and in print:
//
//	h = sum over kept i of ((Z_l U + 1 b')_i + e_i),   e_i ~ N(0, sigma^2 I)   (h, e_i: d)
//	  = zbar U + n b + e,   e ~ N(0, n sigma^2 I),   zbar = sum over kept i of row i of Z_l   (zbar: F)
//
// where n nodes are kept. If the predictors also see the complete layers, these are pooled likewise,
// n = M, as one more batch. Below, in this order: how many nodes are kept and how large e is; what is
// drawn, nodes, noise and batches; h, and its gradients.

// Kept returns how many of m nodes an augmented graph keeps: floor(r m), at least one. The small
// term keeps 0.58 of 50, which rounds to 28.999999999999996, at 29.
func (o *Options) Kept(m int) int {
	return max(1, int(math.Floor(float64(o.NodeRatio*float64(m))+1e-9)))
}

// PooledNoise returns the standard deviation of the noise of a pooled graph of count nodes: the
// sum of count draws of N(0, sigma^2) is one of N(0, count sigma^2).
func (o *Options) PooledNoise(count int) float64 {
	return float64(o.Noise * math.Sqrt(float64(count)))
}

// Sets draws nodes and noise, once a run, and says what is evaluated together.
func (s *seeded) Sets(graph int) (sets []PooledGraphs) {
	g, o := s.graphs.Graph(graph), s.o
	n, m := g.N(), g.M()
	if o.Augmented > 0 {
		augmented := newPooledGraphs(n, o.Augmented, o.Kept(m), o.Dim) // stratified: as many of every layer
		order, size := make([]int, len(augmented.Layer)), o.Batch
		s.named("batches/graph %d", graph).Perm(order)
		if o.Average == "all" {
			size = len(order)
		}
		augmented.batch(order, size)
		sets = append(sets, augmented)
	}
	if o.Graphs == "both" {
		complete := newPooledGraphs(n, 1, 0, o.Dim)
		complete.batch(complete.Layer, n) // one batch, in order: graph l is layer l
		sets = append(sets, complete)
	}
	for i := range sets {
		s.Refresh(graph, i, 0, &sets[i])
	}
	if o.Augmentation != "fresh" { // no other step draws from these streams
		clear(s.kept)
	}
	return sets
}

// Refresh draws the nodes and the noise of a set, with fresh augmentation again in every step.
func (s *seeded) Refresh(graph, set, step int, g *PooledGraphs) {
	m := s.graphs.Graph(graph).M()
	for k, nodes := range g.Nodes {
		if nodes != nil { // of an augmented graph; a complete layer keeps all
			s.at("nodes", graph, set, k, step).Sample(nodes, m)
		}
		sd := s.o.PooledNoise(g.Size(k, m))
		c, p := s.at("noise/common", graph, set, k, step), s.at("noise/private", graph, set, k, step)
		for i := range g.NoiseC[k] {
			g.NoiseC[k][i], g.NoiseP[k][i] = float64(sd*c.Norm()), float64(sd*p.Norm())
		}
	}
}

// pool sets the rows of HC and HP (K x d) to h = zbar U + n b + e of every pooled graph. Those of a layer
// are rows q.At; zbar, summed by Propagation.Pool of package multiplex, is in q.ZBar.
func (m *model[T]) pool(graph int) {
	g := m.graphs[graph]
	for l := range g.Layers {
		q, e := &g.Layers[l], m.enc[l][common]
		kernel.Place(g.HC, q.At, m.encoders.Products(graph, l, common), q.Noise[common], e.B, q.Count)
	}
	for l := range g.Layers {
		q, e := &g.Layers[l], m.enc[l][private]
		kernel.Place(g.HP, q.At, m.encoders.Products(graph, l, private), q.Noise[private], e.B, q.Count)
	}
	clear(g.DHC)
	clear(g.DHP)
}

// unpool takes the gradients DHC and DHP (K x d) of h on: dU += zbar'dh and db += dh'n. dU of a private
// encoder begins at 0 with the first graph, that of a common one with matching.
func (m *model[T]) unpool(graph int) {
	g := m.graphs[graph]
	for l := range g.Layers {
		q, c, p := &g.Layers[l], m.enc[l][common], m.enc[l][private]
		kernel.Collect(q.Out, c.DB, g.DHC, q.At, q.Count) // dh of this layer, and db
		m.encoders.Learn(graph, l, common, q.Out)         // Backward, wherever it trains
		kernel.Collect(q.Out, p.DB, g.DHP, q.At, q.Count)
		m.encoders.Learn(graph, l, private, q.Out)
	}
}
