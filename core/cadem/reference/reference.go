// Package reference is CaDeM in plain float64 loops: S. Nasiri, S. Aviyente and D. Thanou,
// Causality-Driven Disentangled Representation Learning in Multiplex Graphs,
// https://arxiv.org/abs/2603.24105.
//
// Start reading here: it does what the formulas say and nothing to be fast. Tests compare
// [cadem.New] with it. Everything drawn (features kept, first weights, nodes, noise, batches,
// partners, directions to complete S with) comes from [cadem.Seeded]; core/cadem/source.go says
// which file draws what.
//
//	(1) Z_l = B_l X_l                             propagation                propagate
//	(2) C_l = Z_l W1c W2c + 1 bc'                 common embedding           embed
//	(3) P_l = Z_l W1p W2p + 1 bp'                 private embedding          embed
//	(4) h = sum over kept nodes, with noise       stratified augmentation    pool
//	(5) S = scale L R' of sum_l (C_l - means)     consensus, Procrustes      consensus
//	(6) match = c sum_l |C_l - S|^2               matching                   matching
//	(7) CE(phi(h_P), layer)                       self-supervised            selfSupervised
//	(8) CE(psi(h_P[i] (+) h_C[j]), layer of i)    causal, backdoor           causal
//	(9) w (6) + alpha (7) + beta (8) + omega (12) loss                       Step
//	(10) Adam, (11) early stopping                                           adam, Step
//	(12) sum_l |Z_l U - R_l|^2 / M                private, not in the paper  privateMatching
//
// The functions of (1) to (8) and (12) are in formulas.go. Symbols: M nodes, N layers, F features, H hidden
// units, d embedding size, K pooled graphs. The numbers are those of package cadem, which says where
// they come from.
package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/cadem/reference/completion"
	"cadem/core/cadem/reference/dense"
	"cadem/core/cadem/reference/inputs"
	"cadem/core/multiplex"
)

// A Parameter is a weight matrix with its gradient, weight decay left out, and Adam's moments.
type Parameter struct{ W, G, m, v *mat.Dense }

// A Model is a training in progress. Layers have two encoders each and share the heads phi and psi.
type Model struct {
	Parameters map[string]*Parameter // by the names of [cadem.RandomSource]
	Losses     cadem.Losses          // of the last step, before its update

	o          cadem.Options
	source     cadem.RandomSource
	graphs     []*graph
	inputs     *inputs.Inputs
	step       int
	best       float64 // of the totals
	worse      int     // epochs since
	earlyStops bool
}

// A graph is one of the multiplex graphs that the encoders are fitted to.
type graph struct {
	z        map[string][]*mat.Dense // M x F: inputs of the common ("c") and the private ("p") encoder of every layer
	bound    int                     // on the rank of s
	s        *mat.Dense              // M x d: the consensus, constant within an epoch
	rank     int                     // of s
	singular []float64               // of the matrix it was taken from, falling
	sets     []cadem.PooledGraphs
}

// New draws the weights and the pooled graphs. Options must have passed their Check.
func New(graphs []*multiplex.Graph, o cadem.Options, source cadem.RandomSource) *Model {
	m := &Model{Parameters: map[string]*Parameter{}, o: o, source: source, best: math.Inf(1)}
	n, h, d := graphs[0].N(), o.Hidden, o.Dim
	m.inputs = inputs.New(graphs, &o, source, propagate)
	for i := range graphs {
		z := map[string][]*mat.Dense{"c": m.inputs.Common[i], "p": m.inputs.Private[i]}
		m.graphs = append(m.graphs, &graph{z: z, bound: min(m.inputs.Bounds[i], completion.Bound(z["c"], d, h)), sets: source.Sets(i)})
	}
	add := func(name string, rows, cols int) {
		w := mat.NewDense(rows, cols, nil)
		source.Weights(name, w.RawMatrix().Data, rows, cols)
		zero := dense.Zeros(w, w, w)
		m.Parameters[name] = &Parameter{w, zero[0], zero[1], zero[2]}
	}
	for l, z := range m.inputs.Common[0] {
		for _, branch := range []string{"c", "p"} {
			add(fmt.Sprintf("l%d.W1%s", l, branch), z.RawMatrix().Cols, h)
			add(fmt.Sprintf("l%d.W2%s", l, branch), h, d)
			add(fmt.Sprintf("l%d.b%s", l, branch), 1, d)
		}
	}
	add("Wphi", d, n)
	add("bphi", 1, n)
	if o.Combine == "concat" {
		d *= 2
	}
	add("Wpsi", d, n)
	add("bpsi", 1, n)
	return m
}

// Done tells whether the last epoch is over or the rule of early stopping has ended the run.
func (m *Model) Done() bool { return m.earlyStops || m.step >= m.o.Epochs*m.o.InnerSteps }

// Step does one Adam step; the first of an epoch takes a new consensus. Losses of several graphs are averaged:
//
//	(9) L = w match + alpha selfsupervised + beta causal, and omega private
func (m *Model) Step() {
	o, share, loss := &m.o, 1/float64(len(m.graphs)), cadem.Losses{}
	for _, p := range m.Parameters {
		p.G.Zero()
	}
	for i, g := range m.graphs {
		if m.step%o.InnerSteps == 0 {
			g.s, g.rank, g.singular = m.consensus(i)
		}
		c, p := m.embed(g, "c"), m.embed(g, "p")       // N of M x d
		dc, dp := dense.Zeros(c...), dense.Zeros(p...) // their gradients
		loss.Matching += share * m.matching(g, c, dc, o.WeightMatching*share)
		for k := range g.sets {
			set := &g.sets[k]
			if o.Augmentation == "fresh" {
				m.source.Refresh(i, k, m.step, set)
			}
			hc, hp := pool(c, set, set.NoiseC), pool(p, set, set.NoiseP) // K x d
			dhc, dhp := dense.Zeros(hc)[0], dense.Zeros(hp)[0]
			pair := func(batch int, partners []int) { m.source.Pair(i, k, batch, m.step, partners) }
			loss.SelfSupervised += share * m.selfSupervised(set, hp, dhp, o.WeightSelfSupervised*share)
			loss.Causal += share * m.causal(set, hp, hc, dhp, dhc, o.WeightCausal*share, pair)
			unpool(dc, set, dhc)
			unpool(dp, set, dhp)
		}
		m.backward(g, "c", dc)
		m.backward(g, "p", dp)
	}
	loss.Private = m.privateMatching(m.step%o.InnerSteps == 0, o.WeightPrivate)
	loss.Total = o.WeightMatching*loss.Matching + o.WeightSelfSupervised*loss.SelfSupervised + o.WeightCausal*loss.Causal + o.WeightPrivate*loss.Private
	m.Losses = loss
	m.step++
	m.adam()
	if m.step%o.InnerSteps == 0 { // (11) early stopping looks at the last step of an epoch
		m.worse++
		if loss.Total < m.best {
			m.best, m.worse = loss.Total, 0
		}
		m.earlyStops = o.EarlyStop == "on" && m.worse >= o.Patience && m.step/o.InnerSteps > o.PatienceAfter
	}
}

// adam moves every parameter, biases included:
//
//	(10) g = gradient + decay w,   m = 0.9 m + 0.1 g,   v = 0.999 v + 0.001 g^2
//	     w = w - eta (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
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
