package cadem

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem/core/cadem/internal/inputs"
	"cadem/core/cadem/internal/offload"
	"cadem/core/cadem/internal/packed"
	"cadem/core/cadem/internal/pooled"
	"cadem/core/cadem/internal/route"
	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// A model is what is learned, in one precision, with the graphs that it is fitted to.
type model[T kernel.Float] struct {
	o         *Options
	precision Precision
	source    RandomSource
	graphs    []*graphState[T]
	enc       [][2]*encoder[T] // of every layer: common, private
	commonU   [][]T            // U of every common encoder
	phi, psi  *head[T]
	private   *offload.Branch[T] // the private encoders, wherever they train
	kernels   *offload.Kernels[T]
	headRate  kernel.AdamRate[T]
	logits    []float64 // scratch of the self-supervised loss
	predicted *crossEntropy
	causal    *causal[T]
}

// The encoders of a layer.
const common, private = 0, 1

func newModel[T kernel.Float](graphs []*multiplex.Graph, o *Options, p Precision, source RandomSource, rankRule float64) *model[T] {
	n, f, d := graphs[0].N(), graphs[0].F(), o.Dim
	m := &model[T]{o: o, precision: p, source: source, kernels: &offload.Kernels[T]{}}
	// Propagation, equation (1): Z_l = n(n(A_l)) X_l, or n(A_l + I) X_l as printed, with X_l after
	// dropout and n(A)_ij = A_ij / sqrt(deg_i deg_j). With weight decay even a weight without data
	// moves, so it is kept, although it affects nothing.
	kind := multiplex.Twice
	if o.Propagation == "kipf" {
		kind = multiplex.Kipf
	}
	z, live := inputs.Propagate[T](graphs, kind, o.DecayEncoders > 0, d, source.Features)
	largest, layers := 1, [][]pooled.Layer[T]{}
	for i := range graphs {
		g := newGraphState(z[i], d, source.Pooled(i))
		s := procrustes(z[i], o, p, rankRule, func(x []float64) { source.Directions(i, x, d) })
		g.consensus = route.Choose(z[i], d, o.InnerSteps, o.Epochs, s, func() route.Consensus[T] { return newConsensus(z[i], d, s) })
		largest = max(largest, pooled.Largest(g.sets))
		m.graphs, layers = append(m.graphs, g), append(layers, g.layers)
	}
	w := make([]float64, max(f, d)*o.Hidden) // as drawn, in double precision: one tensor at a time
	var privates []offload.Encoder[T]
	for l := range n {
		var pair [2]*encoder[T]
		for branch := range pair {
			pair[branch] = newEncoder[T](len(live[l]), o.Hidden, d)
			pair[branch].initialise(source, w, l, branch, live[l], f)
		}
		m.enc, m.commonU, privates = append(m.enc, pair), append(m.commonU, pair[common].u), append(privates, pair[private])
	}
	// A helper gets pooled rows once, and has kernels for some sizes.
	helped := o.Augmentation != "fresh" && o.DecayEncoders == 0 && d == 8 && o.Hidden%16 == 0
	m.private = offload.NewBranch(privates, layers, helped)
	rows := d
	if o.Combine == "concat" {
		rows *= 2
	}
	m.phi, m.psi = packed.New[T](d, n, d), packed.New[T](rows, n, d)
	initialise(m.phi, source, "phi")
	initialise(m.psi, source, "psi")
	m.logits, m.predicted = make([]float64, largest*m.phi.Width), newCrossEntropy(n, largest)
	m.causal = newCausal(m.psi, largest, o)
	return m
}

func (m *model[T]) rank(graph int) int { return m.graphs[graph].consensus.Rank() }

// update recomputes the consensus of every graph.
func (m *model[T]) update() {
	for _, g := range m.graphs {
		g.consensus.Update(m.commonU)
	}
}

// refresh draws the pooled graphs of a step.
func (m *model[T]) refresh(step int) {
	for i, g := range m.graphs {
		for k := range g.sets {
			m.source.Refresh(i, k, step, &g.sets[k])
		}
		pooled.Pool(g.layers, g.sets)
	}
}

func (m *model[T]) notes() []string {
	g := m.graphs[0]
	return slices.Concat(m.private.Notes(), m.source.Notes(), route.Notes(g.consensus, func(l int) any { return g.layers[l].Z }))
}

// An encoder, equations (2) and (3), is linear,
//
//	C_l = Z_l W1 W2 + 1 b' = Z_l U + 1 b'
//
// and P_l likewise. W1 has only the rows of features that are not zero in Z: the others have no
// gradient and no effect.
type encoder[T kernel.Float] struct {
	f, h, d    int
	w1, m1, v1 []T // F x H: weights and Adam's moments
	w2, m2, v2 []T // H x d
	b, mb, vb  []T // d
	u, du      []T // F x d: U = W1 W2, always current, and its gradient
	dw2, db    []T
	old        []T // W2 before the step
}

func newEncoder[T kernel.Float](f, h, d int) *encoder[T] {
	x := func(n int) []T { return make([]T, n) }
	return &encoder[T]{f: f, h: h, d: d,
		w1: x(f * h), m1: x(f * h), v1: x(f * h), w2: x(h * d), m2: x(h * d), v2: x(h * d), b: x(d), mb: x(d), vb: x(d),
		u: x(f * d), du: x(f * d), dw2: x(h * d), db: x(d), old: x(h * d)}
}

// product recomputes U after weights were set from outside.
func (e *encoder[T]) product() { kernel.Mul(e.u, e.w1, e.w2, e.f, e.h, e.d) }

// Arrays lists all but the bias.
func (e *encoder[T]) Arrays() []*[]T {
	return []*[]T{&e.w1, &e.m1, &e.v1, &e.w2, &e.m2, &e.v2, &e.u, &e.du, &e.dw2, &e.old}
}

// Forward sets dst (K x d) to zbar U, zbar (K x F) being pooled rows of Z.
func (e *encoder[T]) Forward(do offload.Operations[T], dst, zbar []T) {
	do.Multiply(dst, zbar, e.u, len(dst)/e.d, e.f, e.d)
}

// Backward adds to dU what the gradient dh (K x d) of zbar U gives: zbar' dh.
func (e *encoder[T]) Backward(do offload.Operations[T], dh, zbar []T, begins bool) {
	if begins {
		do.Clear(e.du)
	}
	do.AddMulTrans(e.du, zbar, dh, len(dh)/e.d, e.f, e.d)
}

// Step moves W1 and W2 by Adam, equation (10), from the gradient of U,
//
//	dW2 = W1' dU,   dW1 = dU W2' (formed inside the loop),   then U = W1 W2 of the new ones.
func (e *encoder[T]) Step(do offload.Operations[T]) {
	do.Clear(e.dw2)
	do.AddMulTrans(e.dw2, e.w1, e.du, e.f, e.h, e.d)
	do.Assign(e.old, e.w2)
	do.Adam(e.w2, e.m2, e.v2, e.dw2)
	do.AdamFactored(e.w1, e.m1, e.v1, e.u, e.du, e.old, e.w2, e.f, e.h, e.d)
}

// A head, phi or psi, predicts the layer linearly: h W + 1 b', rows x N.
type head[T kernel.Float] = packed.Head[T]

// Weights draws the first weights, uniform in +-sqrt(6 / (rows + cols)); biases begin at 0.
func (s *seeded) Weights(name string, w []float64, rows, cols int) {
	if name[strings.IndexByte(name, '.')+1] == 'b' {
		return
	}
	limit := math.Sqrt(6 / float64(rows+cols))
	s.streams.Named("weights/%s", name).Fill(w)
	for i, x := range w {
		w[i] = -limit + float64((limit+limit)*x)
	}
}

// initialise sets the encoder's weights to those drawn, w being scratch for a tensor of them. Live
// are the features that its rows belong to, of F.
func (e *encoder[T]) initialise(source RandomSource, w []float64, layer, branch int, live []int32, f int) {
	draw := func(part string, rows, cols int) []float64 {
		clear(w)
		source.Weights(tensorName(layer, part, branch), w[:rows*cols], rows, cols)
		return w
	}
	w1 := draw("W1", f, e.h)
	for i, j := range live {
		kernel.Round(e.w1[i*e.h:][:e.h], w1[int(j)*e.h:])
	}
	kernel.Round(e.w2, draw("W2", e.h, e.d))
	kernel.Round(e.b, draw("b", 1, e.d))
	e.product()
}

// tensorName is what [RandomSource] calls a part of an encoder.
func tensorName(layer int, part string, branch int) string {
	return fmt.Sprintf("l%d.%s%c", layer, part, "cp"[branch])
}

// initialise sets a head's weights to those drawn.
func initialise[T kernel.Float](p *head[T], source RandomSource, name string) {
	w, b := make([]float64, len(p.W)), make([]float64, p.N)
	source.Weights("W"+name, w, p.Rows, p.N)
	source.Weights("b"+name, b, 1, p.N)
	kernel.Round(p.W, w)
	kernel.Round(p.B, b)
}
