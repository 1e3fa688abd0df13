package cadem

import (
	"math"

	"cadem/core/cadem/internal/pooled"
	"cadem/core/cadem/internal/route"
	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// Stratified augmentation, equation (4): every layer is a stratum and gives equally many augmented
// graphs. Each keeps a share r of the layer's nodes, drawn without replacement. It is pooled to the
// sum of their embeddings with noise on every node. As in the released program it is the sum, not
// the mean; the printed equations do not differ:
//
//	h = sum over kept i of (Z_l U + 1 b')_i + N(0, sigma^2)
//	  = zbar U + n b + N(0, n sigma^2),   zbar = sum over kept i of the rows of Z_l,
//
// where n nodes are kept. zbar and noise stay through a run, unless they are drawn again in every
// step.

// PooledGraphs are K graphs that are evaluated together, in batches: the augmented ones of a
// multiplex graph, or its complete layers.
type PooledGraphs = pooled.Set

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

func (s *seeded) Pooled(graph int) []PooledGraphs {
	n, m, o := s.graphs[graph].N(), s.graphs[graph].M(), s.o
	var sets []PooledGraphs
	if o.Augmented > 0 {
		g := pooled.NewSet(n, o.Augmented, o.Kept(m), o.Dim)
		order, size := make([]int, len(g.Layer)), o.Batch
		s.streams.Named("batches/graph %d", graph).Perm(order)
		if o.Average == "all" {
			size = len(order)
		}
		g.Batch(order, size)
		sets = append(sets, g)
	}
	if o.Graphs == "both" {
		g := pooled.NewSet(n, 1, 0, o.Dim)
		g.Batch(g.Layer, n) // graph l is layer l
		sets = append(sets, g)
	}
	for i := range sets {
		s.Refresh(graph, i, 0, &sets[i])
	}
	return sets
}

func (s *seeded) Refresh(graph, set, step int, g *PooledGraphs) {
	m := s.graphs[graph].M()
	for k := range g.Layer {
		if g.Nodes[k] != nil {
			s.streams.At("nodes", graph, set, k, step).Sample(g.Nodes[k], m)
		}
		sd := s.o.PooledNoise(g.Kept(k, m))
		c, p := s.streams.At("noise/common", graph, set, k, step), s.streams.At("noise/private", graph, set, k, step)
		for i := range g.NoiseC[k] {
			g.NoiseC[k][i], g.NoiseP[k][i] = float64(sd*c.Norm()), float64(sd*p.Norm())
		}
	}
}

func (s *seeded) Pair(graph, set, batch, step int, partners []int) {
	src := s.streams.At("pairing", graph, set, batch, step)
	if k := s.o.sampled(); k > 0 {
		for i := range partners {
			partners[i] = src.IntN(len(partners) / k)
		}
		return
	}
	src.Perm(partners)
}

// A graphState is one of the multiplex graphs that the encoders are fitted to, with everything
// about it that stays constant, its pooled graphs and its own consensus.
type graphState[T kernel.Float] struct {
	m, d      int
	layers    []pooled.Layer[T]
	sets      []PooledGraphs
	from      []int     // first pooled graph of each set, and K of all
	hc, hp    []float64 // K x d: pooled embeddings of all sets, each in the order of its batches
	dhc, dhp  []float64 // K x d: their gradients
	consensus route.Consensus[T]
}

// newGraphState takes the layers' Z (M x F_l each) and sets of pooled graphs.
func newGraphState[T kernel.Float](z []*multiplex.Propagation[T], d int, sets []PooledGraphs) *graphState[T] {
	g := &graphState[T]{m: z[0].M, d: d, sets: sets}
	g.layers, g.from = pooled.NewLayers(z, d, sets)
	x := func() []float64 { return make([]float64, g.from[len(sets)]*d) }
	g.hc, g.hp, g.dhc, g.dhp = x(), x(), x(), x()
	return g
}

// forward sets hC and hP (K x d) by equation (4): h = zbar U + n b + noise, one row a pooled graph.
func (m *model[T]) forward(graph int) {
	g := m.graphs[graph]
	for l := range g.layers {
		q, e := &g.layers[l], m.enc[l][common]
		e.Forward(m.kernels, q.Out, q.Pooled)
		kernel.Place(g.hc, q.At, q.Out, q.Noise[common], e.b, q.Count)
	}
	for l := range g.layers {
		q := &g.layers[l]
		kernel.Place(g.hp, q.At, m.private.Products(graph, l), q.Noise[private], m.enc[l][private].b, q.Count)
	}
	clear(g.dhc)
	clear(g.dhp)
}

// backward adds zbar' dh to dU and n dh to db.
func (m *model[T]) backward(graph int) {
	g := m.graphs[graph]
	for l := range g.layers {
		q, e := &g.layers[l], m.enc[l][common]
		kernel.Collect(q.Out, e.db, g.dhc, q.At, q.Count)
		e.Backward(m.kernels, q.Out, q.Pooled, false)
		kernel.Collect(q.Out, m.enc[l][private].db, g.dhp, q.At, q.Count)
		m.private.Learn(graph, l, q.Out)
	}
}
