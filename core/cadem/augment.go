package cadem

import (
	"math"

	"cadem/core/kernel"
	"cadem/core/rng"
)

// Augmentation is stratified: every layer is a stratum and gives equally many augmented graphs.
// Each keeps a share r of the layer's nodes, drawn without replacement. It stands for the sum
// of their embeddings with noise on every node,
//
//	h = sum over kept i of (Z_l U + 1 b')_i + N(0, sigma^2)
//	  = zbar U + n b + N(0, n sigma^2),   zbar = sum over kept i of the rows of Z_l,
//
// n of them. zbar and noise stay through a run, unless they are drawn anew in every step.

// A Group is a set of K pooled graphs that are evaluated together: h = sum over the kept
// nodes of embedding plus noise.
type Group struct {
	Layer  []int       // layer each graph was cut from, the class to predict
	Nodes  [][]int     // nodes kept, increasing; nil means all
	NoiseC [][]float64 // K x d: noise of the common embedding, summed over the nodes kept
	NoiseP [][]float64 // the same of the private one
	Batch  [][]int     // graphs of each batch, in the order in which they are fed; every graph is in one
}

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

// repeated are streams that every step uses, of each member of a group: the partners of a batch,
// nodes and noise of a pooled graph. They are made when first asked for.
type repeated struct{ pairing, nodes, common, private []*rng.Stream }

func (s *seeded) Groups(graph int) []Group {
	n := s.graphs[graph].N()
	var groups []Group
	if s.o.Augmented > 0 {
		var g Group
		for l := range n {
			for range s.o.Augmented {
				g.Layer = append(g.Layer, l)
			}
		}
		order := make([]int, len(g.Layer))
		s.stream("batches/graph %d", graph).Perm(order)
		size := s.o.Batch
		if s.o.Average == "all" {
			size = len(order)
		}
		for ; len(order) > size; order = order[size:] {
			g.Batch = append(g.Batch, order[:size])
		}
		g.Batch = append(g.Batch, order)
		groups = append(groups, g)
	}
	if s.o.Graphs == "both" {
		g := Group{Batch: [][]int{make([]int, n)}}
		for l := range n {
			g.Layer = append(g.Layer, l)
			g.Batch[0][l] = l
		}
		groups = append(groups, g)
	}
	m := s.graphs[graph].M()
	for i := range groups {
		g := &groups[i]
		g.Nodes, g.NoiseC, g.NoiseP = make([][]int, len(g.Layer)), make([][]float64, len(g.Layer)), make([][]float64, len(g.Layer))
		for k := range g.Layer {
			if s.sampled(i) {
				g.Nodes[k] = make([]int, s.o.Kept(m))
			}
			g.NoiseC[k], g.NoiseP[k] = make([]float64, s.o.Dim), make([]float64, s.o.Dim)
		}
		s.Refresh(graph, i, 0, g)
	}
	return groups
}

// sampled tells whether group i holds augmented graphs; the other one holds the layers.
func (s *seeded) sampled(i int) bool { return i == 0 && s.o.Augmented > 0 }

func (s *seeded) Refresh(graph, group, step int, g *Group) {
	m, streams := s.graphs[graph].M(), &s.streams[graph][group]
	at := func(list *[]*rng.Stream, what string, k int) *rng.Stream {
		return s.at(list, what, graph, group, k, step)
	}
	for k := range g.Layer {
		count := m
		if g.Nodes[k] != nil {
			at(&streams.nodes, "nodes", k).Sample(g.Nodes[k], m)
			count = len(g.Nodes[k])
		}
		sd := s.o.PooledNoise(count)
		c, p := at(&streams.common, "noise/common", k), at(&streams.private, "noise/private", k)
		for i := range g.NoiseC[k] {
			g.NoiseC[k][i], g.NoiseP[k][i] = float64(sd*c.Norm()), float64(sd*p.Norm())
		}
	}
}

func (s *seeded) Pair(graph, group, batch, step int, perm []int) {
	src := s.at(&s.streams[graph][group].pairing, "pairing", graph, group, batch, step)
	if k := s.o.samples(); k > 0 {
		for i := range perm {
			perm[i] = src.IntN(len(perm) / k)
		}
		return
	}
	src.Perm(perm)
}

// at returns a stream of a list at the part of that step. Streams are kept: a step draws
// without allocating.
func (s *seeded) at(list *[]*rng.Stream, what string, graph, group, member, step int) *rng.Stream {
	for len(*list) <= member {
		*list = append(*list, s.stream("%s/graph %d/group %d/%d", what, graph, group, len(*list)))
	}
	src := (*list)[member]
	src.At(uint64(step))
	return src
}

// pool takes over the pooled graphs: it sums the rows of Z that every one keeps.
func (it *member[T]) pool() {
	for l := range it.layers {
		q := &it.layers[l]
		for i, r := range q.rows {
			group := &it.groups[r.group]
			q.z.Pool(q.pooled[i*q.z.F:(i+1)*q.z.F], group.Nodes[r.k])
			for k := range it.d {
				q.noise[0][i*it.d+k], q.noise[private][i*it.d+k] = T(group.NoiseC[r.k][k]), T(group.NoiseP[r.k][k])
			}
		}
	}
}

// forward sets hc and hp: h = zbar U + n b + summed noise, one row a pooled graph.
func (it *member[T]) forward(graph int, enc [][2]*encoder[T], own branch[T]) {
	for l := range it.layers {
		q, e := &it.layers[l], enc[l][0]
		kernel.Mul(q.out, q.pooled, e.u, len(q.rows), q.z.F, it.d)
		kernel.Place(it.hc, q.at, q.out, q.noise[0], e.b, q.nodes)
	}
	for l := range it.layers {
		q := &it.layers[l]
		kernel.Place(it.hp, q.at, own.Products(graph, l), q.noise[private], enc[l][private].b, q.nodes)
	}
	clear(it.dhc)
	clear(it.dhp)
}

// backward adds zbar' dh to dU and n dh to db.
func (it *member[T]) backward(graph int, enc [][2]*encoder[T], own branch[T]) {
	for l := range it.layers {
		q, e := &it.layers[l], enc[l][0]
		kernel.Collect(q.out, e.db, it.dhc, q.at, q.nodes)
		kernel.AddMulTrans(e.du, q.pooled, q.out, len(q.rows), q.z.F, it.d)
		kernel.Collect(q.out, enc[l][private].db, it.dhp, q.at, q.nodes)
		own.Learn(graph, l, q.out)
	}
}
