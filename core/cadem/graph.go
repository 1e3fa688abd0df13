package cadem

import (
	"cadem/core/cadem/internal/pooled"
	"cadem/core/cadem/internal/route"
	"cadem/core/kernel"
)

// A graph is one of the multiplex graphs that the encoders are fitted to, with everything about it
// that stays constant, its pooled graphs and its own consensus.
type graph[T kernel.Float] struct {
	pooled.Graph[T]
	consensus route.Consensus[T]
}

// forward sets hC and hP (K x d) by equation (4): h = zbar U + n b + noise, one row a pooled graph.
func (m *model[T]) forward(graph int) {
	g := m.graphs[graph]
	for l := range g.Layers {
		q, e := &g.Layers[l], m.enc[l][common]
		e.Forward(m.kernels, q.Out, q.ZBar[common])
		kernel.Place(g.HC, q.At, q.Out, q.Noise[common], e.B, q.Count)
	}
	for l := range g.Layers {
		q := &g.Layers[l]
		kernel.Place(g.HP, q.At, m.privates.Products(graph, l), q.Noise[private], m.enc[l][private].B, q.Count)
	}
	clear(g.DHC)
	clear(g.DHP)
}

// backward takes the gradients dh (K x d) on: it adds zbar'dh to dU and dh'n to db, n (K) being the nodes
// kept. dU of a private encoder begins at 0 with the first graph, that of a common one with matching.
func (m *model[T]) backward(graph int) {
	g := m.graphs[graph]
	for l := range g.Layers {
		q, e := &g.Layers[l], m.enc[l][common]
		kernel.Collect(q.Out, e.DB, g.DHC, q.At, q.Count)
		e.Backward(m.kernels, q.Out, q.ZBar[common], false)
		kernel.Collect(q.Out, m.enc[l][private].DB, g.DHP, q.At, q.Count)
		m.privates.Learn(graph, l, q.Out)
	}
}
