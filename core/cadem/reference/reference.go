// Package reference is CaDeM in plain float64 loops. This file is the paper, S. Nasiri, S. Aviyente and
// D. Thanou, Causality-Driven Disentangled Representation Learning in Multiplex Graphs,
// https://arxiv.org/abs/2603.24105, except for (g). Ours are (g) and what packages inputs and preparation below
// do to the features before training, both for the preset refined, and package completion, where the paper
// leaves directions of S open.
//
// Start reading here: it does what the formulas say and nothing to be fast. Tests compare
// [cadem.New] with it. Everything drawn (features kept, first weights, nodes, noise, batches,
// partners, directions to complete S with) comes from [cadem.Seeded]; core/cadem/source.go says
// which file draws what.
//
//	(a) Z_l = B_l X_l                             propagation                propagate
//	(b) C_l = Z_l W1c W2c + 1 bc'                 common embedding           embed
//	(c) P_l = Z_l W1p W2p + 1 bp'                 private embedding          embed
//	(d) h = sum over kept nodes, with noise       stratified augmentation    pool
//	(1) S = scale L R' of sum_l (C_l - means)     consensus, Procrustes      consensus
//	(2) match = sum_l |C_l - S|^2 / M             matching                   matching
//	(3) p(l | do(P)) = sum_C p(l | P, C) p(C)     backdoor adjustment        causal, by pairs (i, j)
//	(4) CE(phi(h_P), layer)                       self-supervised            selfSupervised
//	(5) CE(psi(h_P[i] (+) h_C[j]), layer of i)    causal                     causal
//	(6) w (2) + alpha (4) + beta (5) + omega (g)  loss                       losses
//	(e) Adam, (f) early stopping                                           adam, Step
//	(g) sum_l |Z_l U - R_l|^2 / M                 private, not in the paper  privateMatching
//
// Symbols: M nodes, N layers, F features, H hidden units, d embedding size, K pooled graphs; dX is the
// gradient in X. Numbers are the paper's, letters ours, as in package cadem.
package reference

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/reference/completion"
	"cadem.example/core/cadem/reference/dense"
	"cadem.example/core/cadem/reference/inputs"
	"cadem.example/core/multiplex"
)

// A Parameter is a weight matrix with its gradient, weight decay left out, and Adam's moments, all rows x columns.
type Parameter struct{ W, G, m, v *mat.Dense }

// A Model is a training in progress. Layers have two encoders each and share the heads phi and psi.
type Model struct {
	Parameters map[string]*Parameter // by the names of [cadem.RandomSource]
	Losses     cadem.Losses          // of the last step, before its update

	o          cadem.Options
	source     cadem.RandomSource
	graphs     []*graph
	inputs     *inputs.Inputs
	step       int     // how many are done
	best       float64 // of the totals
	worse      int     // epochs since
	earlyStops bool
}

// A graph is one of the multiplex graphs that the encoders are fitted to.
type graph struct {
	z        map[string][]*mat.Dense // M x F: Z_l, inputs of the common ("c") and the private ("p") encoder of every layer
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
		bound := min(m.inputs.Bounds[i], completion.Bound(z["c"], d, h))
		m.graphs = append(m.graphs, &graph{z: z, bound: bound, sets: source.Sets(i)})
	}
	add := func(name string, rows, cols int) {
		w := mat.NewDense(rows, cols, nil)
		source.Weights(name, w.RawMatrix().Data, rows, cols)
		zeros := dense.Zeros(w, w, w)
		m.Parameters[name] = &Parameter{w, zeros[0], zeros[1], zeros[2]}
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
		d *= 2 // rows for h_P, then rows for h_C
	}
	add("Wpsi", d, n)
	add("bpsi", 1, n)
	return m
}

// Done reports whether the last epoch is over or the rule of early stopping has ended the run.
func (m *Model) Done() bool { return m.earlyStops || m.step >= m.o.Epochs*m.o.InnerSteps }

// Step does one Adam step.
func (m *Model) Step() {
	for _, p := range m.Parameters {
		p.G.Zero()
	}
	m.Losses = m.losses(m.step%m.o.InnerSteps == 0)
	m.step++
	for name, p := range m.Parameters {
		if name[0] == 'l' { // of an encoder, of layer 0, 1, ...
			p.adam(m.step, m.o.LREncoders, m.o.DecayEncoders)
		} else {
			p.adam(m.step, m.o.LRHeads, m.o.DecayHeads)
		}
	}
	if m.step%m.o.InnerSteps == 0 { // (f) early stopping looks at the last step of an epoch
		m.worse++
		if m.Losses.Total < m.best {
			m.best, m.worse = m.Losses.Total, 0
		}
		m.earlyStops = m.o.EarlyStop == "on" && m.worse >= m.o.Patience && m.step/m.o.InnerSteps > m.o.PatienceAfter
	}
}

// propagate returns B (M x M) and (a), Z = B X (M x F), of a layer's adjacency matrix A (M x M) and
// features X (M x F). B is n(n(A)), or n(A + I) as printed ("kipf"). The released program adds 2e-16 to
// the degrees of the first n, which is left out here.
func propagate(adjacency *multiplex.CSR, features *multiplex.Features, kind string) (b, z *mat.Dense) {
	a := mat.NewDense(adjacency.Rows, adjacency.Cols, adjacency.Dense())
	if kind == "kipf" {
		a.Add(a, dense.Identity(adjacency.Rows))
		b = normalised(a)
	} else {
		b = normalised(normalised(a))
	}
	return b, dense.Product(b, dense.Features(features))
}

// normalised returns n(A), n(A)_ij = A_ij / sqrt(deg_i deg_j), deg_i = sum_j A_ij: zero rows for nodes
// without edges.
func normalised(a *mat.Dense) *mat.Dense {
	n := dense.Zeros(a)[0]
	n.Apply(func(i, j int, v float64) float64 {
		if v == 0 {
			return 0
		}
		return v / math.Sqrt(mat.Sum(a.RowView(i))*mat.Sum(a.RowView(j)))
	}, a)
	return n
}

// encoder returns W1 (F x H), W2 (H x d) and b (1 x d) of a layer's common or private encoder.
func (m *Model) encoder(layer int, branch string) (w1, w2, b *Parameter) {
	p := func(name string) *Parameter { return m.Parameters[fmt.Sprintf("l%d.%s%s", layer, name, branch)] }
	return p("W1"), p("W2"), p("b")
}

// embed returns (b) or (c), Z_l W1 W2 + 1 b' of every layer, M x d. There is no activation.
func (m *Model) embed(g *graph, branch string) []*mat.Dense {
	var all []*mat.Dense
	for l, z := range g.z[branch] {
		w1, w2, b := m.encoder(l, branch)
		x := dense.Product(z, w1.W, w2.W)
		x.Apply(func(_, k int, v float64) float64 { return v + b.W.At(0, k) }, x) // + 1 b'
		all = append(all, x)
	}
	return all
}

// backward of (b) and (c) adds what the gradients dx of the embeddings (N of M x d) give the encoders:
//
//	dW1 = Z' dx W2',   dW2 = W1' Z' dx,   db = 1' dx
func (m *Model) backward(g *graph, branch string, dx []*mat.Dense) {
	for l, z := range g.z[branch] {
		m.backwardWeights(l, branch, z, dx[l])
		_, _, b := m.encoder(l, branch)
		b.G.Add(b.G, dense.Sums(dx[l]))
	}
}

// backwardWeights adds dW1 and dW2 of an encoder.
func (m *Model) backwardWeights(layer int, branch string, z, dx *mat.Dense) {
	w1, w2, _ := m.encoder(layer, branch)
	w1.G.Add(w1.G, dense.Product(z.T(), dx, w2.W.T()))
	w2.G.Add(w2.G, dense.Product(w1.W.T(), z.T(), dx))
}

// pool returns (d), h (K x d): the sum of the embeddings x (N of M x d) of the nodes that each pooled
// graph keeps, or of all nodes of a complete layer, with noise on each. Augmentation is stratified:
// every layer is a stratum and gives equally many graphs. Sets and Refresh in core/cadem/augment.go draw
// the nodes, a share r without replacement, and the noise, N(0, sigma^2) on every number.
func pool(x []*mat.Dense, set *cadem.PooledGraphs, noise [][]float64) *mat.Dense {
	h := mat.NewDense(len(noise), len(noise[0]), nil)
	for k, layer := range set.Layer {
		h.SetRow(k, noise[k]) // the sum over the nodes kept
		for _, i := range set.Members(k, x[layer].RawMatrix().Rows) {
			floats.Add(h.RawRowView(k), x[layer].RawRowView(i))
		}
	}
	return h
}

// unpool adds dh (K x d) to the gradients dx (N of M x d) of the nodes in each sum.
func unpool(dx []*mat.Dense, set *cadem.PooledGraphs, dh *mat.Dense) {
	for k, layer := range set.Layer {
		for _, i := range set.Members(k, dx[layer].RawMatrix().Rows) {
			floats.Add(dx[layer].RawRowView(i), dh.RawRowView(k))
		}
	}
}

// consensus returns (1), S (M x d), which the common embeddings of all layers are matched to. It
// solves the orthogonal Procrustes problem
//
//	max tr(S'T),   S'S = scale^2 I,   T = sum_l (C_l - column means) = L D R' (M x d)
//
// or T = sum_l Z_l Z_l'(C_l - column means) for target "power",
// by S = scale L R' over the singular values that are not zero; scale^2 is M, or 1 as printed. The
// paper does not say which these are, nor what fills missing directions: package completion does.
// Where nothing fills them, S'S is scale^2 times a projector.
func (m *Model) consensus(graph int) (s *mat.Dense, rank int, singular []float64) {
	g, d := m.graphs[graph], m.o.Dim
	nodes := g.z["c"][0].RawMatrix().Rows // M
	t := mat.NewDense(nodes, d, nil)
	for l, c := range m.embed(g, "c") {
		c = dense.Centred(c)
		if z := g.z["c"][l]; m.o.Target == "power" {
			c = dense.Centred(dense.Product(z, z.T(), c))
		}
		t.Add(t, c)
	}
	zero := cadem.RoundingRule(precision.Double, nodes, d)              // as a share of the largest singular value
	left, singular, right, rank := completion.Vectors(t, zero, g.bound) // L (M x d) and R (d x d), columns of zeros from the rank on
	completion.Fill(left, right, rank, m.o.Completion, func(x []float64) { m.source.Directions(graph, x, d) })
	s = dense.Product(left, right.T())
	if m.o.TargetScale == "nodes" {
		s.Scale(math.Sqrt(float64(nodes)), s)
	}
	return s, rank, singular
}

// matching returns (2), and adds weight times its gradient to dC_l (M x d). S is constant.
//
//	match = sum_l |C_l - S|^2 / M,   dC_l = 2 (C_l - S) / M,   or without 1 / M, as printed
func (m *Model) matching(g *graph, c, dc []*mat.Dense, weight float64) (loss float64) {
	scale := 1.0
	if m.o.Matching == "mean" {
		scale = 1 / float64(g.s.RawMatrix().Rows)
	}
	for l := range c {
		var residual mat.Dense // M x d
		residual.Sub(c[l], g.s)
		loss += scale * dense.Squared(&residual)
		residual.Scale(2*weight*scale, &residual)
		dc[l].Add(dc[l], &residual)
	}
	return loss
}

// selfSupervised returns (4), the sum over the batches of the mean of CE(phi(h_P of k), layer of k),
// and adds weight times its gradient to phi and dhP (K x d).
func (m *Model) selfSupervised(set *cadem.PooledGraphs, hp, dhp *mat.Dense, weight float64) (total float64) {
	for _, batch := range set.Batches {
		share := 1 / float64(len(batch))
		for _, k := range batch {
			loss, dh := m.predict("phi", hp.RawRowView(k), set.Layer[k], weight*share)
			total += share * loss
			floats.Add(dhp.RawRowView(k), dh)
		}
	}
	return total
}

// causal is (5), for do(P), adjusted over C: a private part must identify its layer whatever common part
// it meets. It returns the sum over the batches of the mean over pairs (i, j) of
// CE(psi(h_P of i (+) h_C of j), layer of i) and adds weight times its gradient to psi, dhP and
// dhC (K x d). (+) adds the two, or puts them side by side as printed. The partners j of i are all
// of its batch, or i itself, or those that pair draws.
func (m *Model) causal(set *cadem.PooledGraphs, hp, hc, dhp, dhc *mat.Dense, weight float64, pair func(batch int, partners []int)) (total float64) {
	for b, batch := range set.Batches {
		each := m.o.Partners(len(batch))         // how many j every i meets
		partners := make([]int, each*len(batch)) // j of every pair, as a position in the batch; i is at q / each
		for q := range partners {
			partners[q] = q % len(batch) // "all": every j in turn; "own": j = i, each being 1
		}
		if m.o.Pairing != "all" && m.o.Pairing != "own" {
			pair(b, partners)
		}
		share := 1 / float64(len(partners))
		for q, partner := range partners {
			i, j := batch[q/each], batch[partner]
			p, c := hp.RawRowView(i), hc.RawRowView(j)
			h, startOfC := slices.Concat(p, c), len(p)
			if m.o.Combine == "add" {
				h, startOfC = floats.AddTo(make([]float64, len(p)), p, c), 0
			}
			loss, dh := m.predict("psi", h, set.Layer[i], weight*share)
			total += share * loss
			floats.Add(dhp.RawRowView(i), dh[:len(p)])
			floats.Add(dhc.RawRowView(j), dh[startOfC:])
		}
	}
	return total
}

// predict returns the cross entropy CE of a head's prediction from h and weight times its gradient in h;
// it adds that in W and b to the head's:
//
//	x = h W + b (1 x N),   CE = -log softmax(x)[layer],   dx = weight (softmax(x) - onehot(layer))
//	dW = h'dx,   db = dx,   dh = dx W'
func (m *Model) predict(head string, row []float64, layer int, weight float64) (loss float64, dh []float64) {
	w, b, h := m.Parameters["W"+head], m.Parameters["b"+head], mat.NewDense(1, len(row), row)
	x := dense.Product(h, w.W)
	x.Add(x, b.W)
	logSum := floats.LogSumExp(x.RawRowView(0)) // softmax(x) = exp(x - logSum)
	dx := dense.Zeros(x)[0]
	dx.Apply(func(_, _ int, v float64) float64 { return weight * math.Exp(v-logSum) }, x)
	dx.Set(0, layer, dx.At(0, layer)-weight)
	w.G.Add(w.G, dense.Product(h.T(), dx))
	b.G.Add(b.G, dx)
	return logSum - x.At(0, layer), dense.Product(dx, w.W.T()).RawRowView(0)
}

// privateMatching returns (g), which is not in the paper, and adds weight times its gradient to the
// private encoders, bias left out. Z_l is their input where it is trimmed or split, of all graphs one
// below the other, M nodes; R_l (M x d) is taken anew where an epoch begins: package preparation.
//
//	private = sum_l |Z_l U - R_l|^2 / M,   U = W1p W2p,   dU = 2 Z_l'(Z_l U - R_l) / M
func (m *Model) privateMatching(begins bool, weight float64) (loss float64) {
	for l, q := range m.inputs.Matched {
		w1, w2, _ := m.encoder(l, "p")
		if begins {
			q.R = q.Target(dense.Product(w1.W, w2.W))
		}
		residual, share := dense.Product(q.Z, w1.W, w2.W), 1/float64(q.R.RawMatrix().Rows)
		residual.Sub(residual, q.R) // M x d
		loss += share * dense.Squared(residual)
		residual.Scale(2*weight*share, residual)
		m.backwardWeights(l, "p", q.Z, residual)
	}
	return loss
}

// losses returns the terms of a step and (6), their weighted sum, and adds the gradients of all parameters.
// Where an epoch begins it takes a new consensus. Losses of several graphs are averaged.
//
//	(6) L = w match + alpha selfsupervised + beta causal, and omega private
func (m *Model) losses(begins bool) (loss cadem.Losses) {
	o, share := &m.o, 1/float64(len(m.graphs))
	for i, g := range m.graphs {
		if begins {
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
	loss.Private = m.privateMatching(begins, o.WeightPrivate)
	loss.Total = o.WeightMatching*loss.Matching + o.WeightSelfSupervised*loss.SelfSupervised + o.WeightCausal*loss.Causal + o.WeightPrivate*loss.Private
	return loss
}

// adam moves a parameter in step t = 1, 2, ..., biases included:
//
//	(e) g = gradient + decay w,   m = 0.9 m + 0.1 g,   v = 0.999 v + 0.001 g^2
//	     w = w - eta (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
func (p *Parameter) adam(t int, eta, decay float64) {
	correction1, correction2 := 1-math.Pow(0.9, float64(t)), 1-math.Pow(0.999, float64(t)) // moments began at 0
	w, m, v := p.W.RawMatrix().Data, p.m.RawMatrix().Data, p.v.RawMatrix().Data
	for i, g := range p.G.RawMatrix().Data {
		g += decay * w[i]
		m[i] = 0.9*m[i] + 0.1*g
		v[i] = 0.999*v[i] + 0.001*g*g
		w[i] -= eta * (m[i] / correction1) / (math.Sqrt(v[i]/correction2) + 1e-8)
	}
}
