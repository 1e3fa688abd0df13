package cadem

import (
	"math"

	"cadem/core/cadem/internal/pooled"
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
// n = M, as one more batch. Sets draws nodes and noise once a run; with fresh augmentation Refresh
// draws them again in every step. Propagation.Pool, in core/multiplex/plans.go, sums zbar; forward, in
// graph.go, computes h.

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

// Guessing returns the losses of both predictors when these know nothing, and give each of n layers
// the same probability: log n for every mean that is added.
func (o *Options) Guessing(n int) float64 {
	means := 0
	if o.Augmented > 0 {
		means = 1
		if o.Average != "all" {
			means = (n*o.Augmented + o.Batch - 1) / o.Batch
		}
	}
	if o.Graphs == "both" {
		means++
	}
	return float64(means) * kernel.Log(float64(n))
}

func (s *seeded) Sets(graph int) []PooledGraphs {
	g, o := s.Graphs.Graph(graph), s.o
	n, m := g.N(), g.M()
	var sets []PooledGraphs
	if o.Augmented > 0 {
		g := pooled.NewSet(n, o.Augmented, o.Kept(m), o.Dim) // stratified: as many of every layer
		order, size := make([]int, len(g.Layer)), o.Batch
		s.Named("batches/graph %d", graph).Perm(order)
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
	if o.Augmentation != "fresh" { // no other step draws from these streams
		s.Forget()
	}
	return sets
}

func (s *seeded) Refresh(graph, set, step int, g *PooledGraphs) {
	m := s.Graphs.Graph(graph).M()
	for k := range g.Layer {
		if g.Nodes[k] != nil {
			s.At("nodes", graph, set, k, step).Sample(g.Nodes[k], m)
		}
		sd := s.o.PooledNoise(g.Size(k, m))
		c, p := s.At("noise/common", graph, set, k, step), s.At("noise/private", graph, set, k, step)
		for i := range g.NoiseC[k] {
			g.NoiseC[k][i], g.NoiseP[k][i] = float64(sd*c.Norm()), float64(sd*p.Norm())
		}
	}
}
