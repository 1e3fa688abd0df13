// Package reference is CaDeM once more, in plain float64 loops: S. Nasiri, S. Aviyente and
// D. Thanou, Causality-Driven Disentangled Representation Learning in Multiplex Graphs,
// https://arxiv.org/abs/2603.24105.
//
// It is the place to start reading, and what the tests compare [cadem.New] with. It does what
// the formulas say and nothing to be fast: every step visits every node, forms every pair and
// stores every gradient.
//
//	Z_l = B_l X_l                              propagation          encoder.go
//	C_l = Z_l W1c W2c + 1 bc'                  common embedding     encoder.go
//	P_l = Z_l W1p W2p + 1 bp'                  private embedding    encoder.go
//	S   = scale U V' of sum_l (C_l - means)    consensus            consensus.go
//	h   = sum over kept nodes, noise added     augmented graphs     losses.go
//	L   = w match + alpha selfsupervised + beta causal              losses.go, Step
//
// Symbols: M nodes, N layers, F features, H hidden units, d embedding size, K pooled graphs.
package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/multiplex"
)

// A Parameter is a weight matrix with the gradient of the last step, weight decay left out,
// and Adam's two moments.
type Parameter struct{ W, G, m, v *mat.Dense }

// A Model is a training in progress. Every layer has a common and a private encoder; all
// share the heads phi and psi.
type Model struct {
	Parameters map[string]*Parameter // by the names of [cadem.RandomSource]
	Losses     cadem.Losses          // of the last step, before its update

	o          cadem.Options
	draws      cadem.RandomSource
	graphs     []*graph
	step       int
	best       float64
	worse      int // epochs since the best total
	earlyStops bool
}

// A graph is one of the multiplex graphs that the encoders are fitted to.
type graph struct {
	z        []*mat.Dense // of every layer, M x F
	s        *mat.Dense   // M x d: the consensus, constant within an epoch
	rank     int          // of s
	singular []float64    // of the matrix it was taken from, falling
	groups   []cadem.PooledGraphs
}

// New draws the weights and the pooled graphs. Options must have passed their Check.
func New(graphs []*multiplex.Graph, o cadem.Options, draws cadem.RandomSource) *Model {
	m := &Model{Parameters: map[string]*Parameter{}, o: o, draws: draws, best: math.Inf(1)}
	for i, g := range graphs {
		it := &graph{groups: draws.Pooled(i)}
		for l, layer := range g.Layers {
			it.z = append(it.z, propagate(layer.Adjacency, draws.Features(i, l, layer.Features), o.Propagation))
		}
		m.graphs = append(m.graphs, it)
	}
	add := func(name string, rows, cols int) {
		w, zero := make([]float64, rows*cols), func() *mat.Dense { return mat.NewDense(rows, cols, nil) }
		draws.Weights(name, w, rows, cols)
		m.Parameters[name] = &Parameter{W: mat.NewDense(rows, cols, w), G: zero(), m: zero(), v: zero()}
	}
	n, f, h, d := graphs[0].N(), graphs[0].F(), o.Hidden, o.Dim
	for l := range n {
		for _, branch := range []string{"c", "p"} {
			add(fmt.Sprintf("l%d.W1%s", l, branch), f, h)
			add(fmt.Sprintf("l%d.W2%s", l, branch), h, d)
			add(fmt.Sprintf("l%d.b%s", l, branch), 1, d)
		}
	}
	add("Wphi", d, n)
	add("bphi", 1, n)
	if o.Combine == "concat" {
		d = 2 * d
	}
	add("Wpsi", d, n)
	add("bpsi", 1, n)
	return m
}

// Done tells whether the last epoch is over or the rule of early stopping has ended the run.
func (m *Model) Done() bool { return m.earlyStops || m.step >= m.o.Epochs*m.o.InnerSteps }

// Step takes the consensus anew at the beginning of an epoch, computes the loss and its
// gradient, and does one Adam step:
//
//	L = w match + alpha selfsupervised + beta causal
//
// The losses of several graphs are averaged.
func (m *Model) Step() {
	o, share := &m.o, 1/float64(len(m.graphs))
	for _, p := range m.Parameters {
		p.G.Zero()
	}
	m.Losses = cadem.Losses{}
	for i, g := range m.graphs {
		if m.step%o.InnerSteps == 0 {
			g.s, g.rank, g.singular = m.consensus(i)
		}
		c, p := m.embed(g, "c"), m.embed(g, "p") // N of M x d
		dc, dp := zeros(c...), zeros(p...)       // their gradients
		m.Losses.Matching += share * m.matching(g, c, dc, o.WeightMatching*share)
		for k := range g.groups {
			group := &g.groups[k]
			if o.Augmentation == "fresh" {
				m.draws.Refresh(i, k, m.step, group)
			}
			hc, hp := pool(c, group, group.NoiseC), pool(p, group, group.NoiseP) // K x d
			dh := zeros(hc, hp)
			m.Losses.SelfSupervised += share * m.selfSupervised(group, hp, dh[1], o.WeightSelfSupervised*share)
			m.Losses.Causal += share * m.causal(group, hp, hc, dh[1], dh[0], o.WeightCausal*share, func(batch int, partners []int) {
				m.draws.Pair(i, k, batch, m.step, partners)
			})
			unpool(dc, group, dh[0])
			unpool(dp, group, dh[1])
		}
		m.backward(g, "c", dc)
		m.backward(g, "p", dp)
	}
	m.Losses.Total = o.WeightMatching*m.Losses.Matching + o.WeightSelfSupervised*m.Losses.SelfSupervised + o.WeightCausal*m.Losses.Causal
	m.step++
	m.adam()
	if m.step%o.InnerSteps == 0 { // early stopping looks at the last step of an epoch
		if m.worse++; m.Losses.Total < m.best {
			m.best, m.worse = m.Losses.Total, 0
		}
		m.earlyStops = o.EarlyStop == "on" && m.worse >= o.Patience && m.step/o.InnerSteps > o.PatienceAfter
	}
}

// adam moves every parameter, biases included:
//
//	g = gradient + decay w,   m = 0.9 m + 0.1 g,   v = 0.999 v + 0.001 g^2
//	w = w - eta (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
func (m *Model) adam() {
	c1, c2 := 1-math.Pow(0.9, float64(m.step)), 1-math.Pow(0.999, float64(m.step))
	for name, p := range m.Parameters {
		eta, decay := m.o.LREncoders, m.o.DecayEncoders
		if name[0] != 'l' { // of a head
			eta, decay = m.o.LRHeads, m.o.DecayHeads
		}
		w, m1, m2 := p.W.RawMatrix().Data, p.m.RawMatrix().Data, p.v.RawMatrix().Data
		for i, g := range p.G.RawMatrix().Data {
			g += decay * w[i]
			m1[i] = 0.9*m1[i] + 0.1*g
			m2[i] = 0.999*m2[i] + 0.001*g*g
			w[i] -= eta * (m1[i] / c1) / (math.Sqrt(m2[i]/c2) + 1e-8)
		}
	}
}

// Embeddings returns S, C_l and P_l of a graph for the present weights, without noise.
func (m *Model) Embeddings(i int) (s *mat.Dense, common, private []*mat.Dense) {
	s, _, _ = m.consensus(i)
	return s, m.embed(m.graphs[i], "c"), m.embed(m.graphs[i], "p")
}
