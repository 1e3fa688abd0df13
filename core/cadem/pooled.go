package cadem

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem/internal/route"
	"cadem.example/core/multiplex"
)

// PooledGraphs are K graphs that are evaluated together, in batches: the augmented ones of a
// multiplex graph, or its complete layers.
type PooledGraphs struct {
	Layer   []int       // layer each graph was cut from, the class to predict
	Nodes   [][]int     // nodes kept, increasing; nil means all
	NoiseC  [][]float64 // K x d: noise of the common embedding, summed over the nodes kept
	NoiseP  [][]float64 // K x d: the same of the private one
	Batches [][]int     // graphs of each batch, in the order of feeding; every graph is in one
}

// newPooledGraphs returns as many graphs of each layer, in the order of the layers and not yet in
// batches. Each is allocated for that many kept nodes, all of them for 0, and for noise of length d.
func newPooledGraphs(layers, each, kept, d int) (s PooledGraphs) {
	for l := range layers {
		for range each {
			var nodes []int
			if kept > 0 {
				nodes = make([]int, kept)
			}
			s.Layer, s.Nodes = append(s.Layer, l), append(s.Nodes, nodes)
			s.NoiseC, s.NoiseP = append(s.NoiseC, make([]float64, d)), append(s.NoiseP, make([]float64, d))
		}
	}
	return s
}

// batch sets the batches to graphs in that order, size of them in all but the last.
func (s *PooledGraphs) batch(order []int, size int) {
	for ; len(order) > size; order = order[size:] {
		s.Batches = append(s.Batches, order[:size])
	}
	s.Batches = append(s.Batches, order)
}

// Size returns how many of m nodes graph k keeps.
func (s *PooledGraphs) Size(k, m int) int {
	if s.Nodes[k] == nil {
		return m
	}
	return len(s.Nodes[k])
}

// Members returns the nodes, of m, that graph k keeps.
func (s *PooledGraphs) Members(k, m int) []int {
	if s.Nodes[k] != nil {
		return s.Nodes[k]
	}
	return sorting.Places(m)
}

// places returns where every graph comes in the order of the batches.
func (s *PooledGraphs) places() []int {
	place, next := make([]int, len(s.Layer)), 0
	for _, batch := range s.Batches {
		for _, k := range batch {
			place[k] = next
			next++
		}
	}
	return place
}

// largestBatch returns the size of the largest batch, at least 1.
func largestBatch(sets []PooledGraphs) int {
	n := 1
	for _, s := range sets {
		for _, batch := range s.Batches {
			n = max(n, len(batch))
		}
	}
	return n
}

// A graph is one of the multiplex graphs that the encoders are fitted to: its consensus, and its pooled
// graphs, K in all sets. Rows of a set are in the order of its batches.
type graph[T kernel.Float] struct {
	M, D      int
	Layers    []layer[T]
	Sets      []PooledGraphs
	H, DH     [2][]float64 // K x d: pooled common and private embeddings, and their gradients
	consensus route.Consensus[T]
	from      []int // first row of each set, and K
}

// A layer of a multiplex graph with the pooled graphs that are cut from it, k of them.
type layer[T kernel.Float] struct {
	Z     [2]*multiplex.Propagation[T] // M x F, of the common and the private encoder: often the same one
	ZBar  [2][]T                       // k x F: sums of its kept rows, of Z of each encoder
	Noise [2][]T                       // k x d: summed noise of both embeddings
	At    []int32                      // k: their rows among those of all layers and sets
	Count []T                          // k: how many nodes each keeps
	Out   []T                          // k x d: scratch
	DU    []T                          // F x d: scratch of matching
	from  []member
}

// A member of a set.
type member struct{ set, k int }

// newGraph returns a graph of layers with these Z, of as many columns for both encoders of a layer, without
// a consensus. Pause, which may be nil, is called during longer work; its error ends it.
func newGraph[T kernel.Float](zc, zp []*multiplex.Propagation[T], d int, sets []PooledGraphs, pause pause.Work) (*graph[T], error) {
	g := &graph[T]{M: zc[0].M, D: d, Sets: sets, from: firsts(sets)}
	g.H[common], g.H[private], g.DH[common], g.DH[private] = four(g.from[len(sets)] * d)
	for l, z := range zc {
		q := layer[T]{Z: [2]*multiplex.Propagation[T]{z, zp[l]}, DU: make([]T, z.F*d)}
		for i := range sets {
			place := sets[i].places()
			for k, of := range sets[i].Layer {
				if of == l {
					q.from = append(q.from, member{i, k})
					q.At, q.Count = append(q.At, int32(g.from[i]+place[k])), append(q.Count, T(sets[i].Size(k, z.M)))
				}
			}
		}
		rows := len(q.from)
		q.Out, q.Noise = make([]T, rows*d), [2][]T{make([]T, rows*d), make([]T, rows*d)}
		q.ZBar[0] = make([]T, rows*z.F)
		if q.ZBar[1] = q.ZBar[0]; zp[l] != z {
			q.ZBar[1] = make([]T, rows*z.F)
		}
		g.Layers = append(g.Layers, q)
	}
	return g, g.sum(pause)
}

// shareRows has a graph share the rows for pooled embeddings and their gradients, which hold nothing between two steps,
// with another one.
func (g *graph[T]) shareRows(with *graph[T]) {
	g.H, g.DH = with.H, with.DH
}

// dropSamples releases nodes and noise, which take more memory than all else, once they are pooled for good.
func (g *graph[T]) dropSamples() {
	for i := range g.Sets {
		g.Sets[i].Nodes, g.Sets[i].NoiseC, g.Sets[i].NoiseP = nil, nil, nil
	}
}

// firsts returns the first row of every set, and the number of rows.
func firsts(sets []PooledGraphs) []int {
	from := []int{0}
	for i := range sets {
		from = append(from, from[i]+len(sets[i].Layer))
	}
	return from
}

// four returns four vectors of n zeros.
func four(n int) (a, b, c, d []float64) {
	return make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
}

// span returns where the rows of a set begin and end in H and DH.
func (g *graph[T]) span(set int) (from, to int) { return g.from[set] * g.D, g.from[set+1] * g.D }
