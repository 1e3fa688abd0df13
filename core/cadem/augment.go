package cadem

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
)

// Stratified augmentation, equation (d): every layer is a stratum and gives equally many augmented
// graphs. Each keeps a share r of the layer's nodes, drawn without replacement. It is pooled to the
// sum of their embeddings with noise on every node; it is the sum, not the mean, in the released
// program and in print:
//
//	h = sum over kept i of ((Z_l U + 1 b')_i + e_i),   e_i ~ N(0, sigma^2 I)   (h, e_i: d)
//	  = zbar U + n b + e,   e ~ N(0, n sigma^2 I),   zbar = sum over kept i of row i of Z_l   (zbar: F)
//
// where n nodes are kept. If the predictors also see the complete layers, these are pooled likewise,
// n = M, as one more set. Below: what is drawn (Sets, Refresh), zbar and e (sum), h and its gradients
// (pool, unpool). pooled.go says where the rows of every graph are.

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
func (s *seeded) Sets(graph int) []PooledGraphs {
	sets := s.inBatches(graph, func(complete bool, order []int) {
		if !complete { // these stay in order: graph l is layer l
			s.named("batches/graph %d", graph).Perm(order)
		}
	})
	for i := range sets {
		s.Refresh(graph, i, 0, &sets[i])
	}
	if s.o.Augmentation != "fresh" { // no other step draws from these streams
		clear(s.kept)
	}
	return sets
}

// inBatches returns the sets without nodes and noise, in batches by the order that draw gives to 0, 1, ...
func (s *seeded) inBatches(graph int, draw func(complete bool, order []int)) (sets []PooledGraphs) {
	g, o := s.graphs.Graph(graph), s.o
	n := g.N()
	add := func(set PooledGraphs, complete bool, size int) {
		order := sorting.Places(len(set.Layer))
		draw(complete, order)
		set.batch(order, size)
		sets = append(sets, set)
	}
	if o.Augmented > 0 {
		size := o.Batch
		if o.Average == "all" {
			size = n * o.Augmented
		}
		add(newPooledGraphs(n, o.Augmented, o.Kept(g.M()), o.Dim), false, size) // stratified: as many of every layer
	}
	if o.Graphs == "both" {
		add(newPooledGraphs(n, 1, 0, o.Dim), true, n) // one batch
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

// sum sets zbar and e of every pooled graph from its nodes and its noise, with pauses as in newGraph.
func (g *graph[T]) sum(pause pause.Work) error {
	for l := range g.Layers {
		q := &g.Layers[l]
		for row, of := range q.from {
			set, k := &g.Sets[of.set], of.k
			for branch, z := range q.Z {
				if branch == common || z != q.Z[common] { // else they share zbar
					z.Pool(q.ZBar[branch][row*z.F:(row+1)*z.F], set.Nodes[k])
				}
			}
			kernel.Round(q.Noise[common][row*g.D:][:g.D], set.NoiseC[k])
			kernel.Round(q.Noise[private][row*g.D:][:g.D], set.NoiseP[k])
			if err := pause.After(2 * q.Z[common].F * set.Size(k, g.M)); err != nil {
				return err
			}
		}
	}
	return nil
}

// pool sets H, h of the common and the private embeddings of all pooled graphs, and its gradient DH to 0.
// For layer l, with k pooled graphs at rows q.At of h,
//
//	h = zbar U + n b' + e   (zbar: k x F, U: F x d, n: k x 1, e: k x d)
func (m *model[T]) pool(graph int) {
	g := m.graphs[graph]
	for branch, h := range g.H {
		for l := range g.Layers {
			q, e := &g.Layers[l], m.enc[l][branch]
			e.forward(q.Out, q.ZBar[branch]) // zbar U
			kernel.Place(h, q.At, q.Out, q.Noise[branch], e.B, q.Count)
		}
		clear(g.DH[branch])
	}
}

// unpool takes the gradient DH of h on, to dU += zbar'dh and db += dh'n. dU of a private encoder begins
// at 0 with the first graph, that of a common one with matching.
func (m *model[T]) unpool(graph int) {
	g := m.graphs[graph]
	for branch, dh := range g.DH {
		for l := range g.Layers {
			q, e := &g.Layers[l], m.enc[l][branch]
			kernel.Collect(q.Out, e.DB, dh, q.At, q.Count) // Out = rows q.At of dh, db += Out'n
			if branch == private && graph == 0 {
				clear(e.DU)
			}
			e.backward(q.Out, q.ZBar[branch])
		}
	}
}
