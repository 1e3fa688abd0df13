package cadem

import (
	"math"
	"slices"
	"strings"

	"cadem/core/cadem/internal/inputs"
	"cadem/core/cadem/internal/offload"
	"cadem/core/cadem/internal/packed"
	"cadem/core/cadem/internal/parallel"
	"cadem/core/cadem/internal/pooled"
	"cadem/core/cadem/internal/route"
	"cadem/core/cadem/internal/weights"
	"cadem/core/kernel"
	"cadem/core/linalg"
	"cadem/core/multiplex"
)

// A model is what is learned, in one precision, with the graphs that it is fitted to.
type model[T kernel.Float] struct {
	o         *Options
	precision Precision
	source    RandomSource
	graphs    []*graph[T]
	enc       [][2]*encoder[T] // of every layer: common, private
	commonU   [][]T            // U of every common encoder
	phi, psi  *head[T]
	weights   weights.Model[T]     // those of all encoders and heads, as they are stored
	encoders  *offload.Encoders[T] // those of enc, wherever they train
	kernels   *offload.Kernels[T]
	loss      loss[T]
	movers    parallel.Crew        // moves the encoders in moving, each by itself
	moving    []offload.Encoder[T] // of a step: those that are here
	headRate  kernel.AdamRate[T]
	inputs    inputs.Preparation
}

// The encoders of a layer.
const common, private = 0, 1

// A graph is one of the multiplex graphs that the encoders are fitted to, with everything about it
// that stays constant, its pooled graphs and its own consensus.
type graph[T kernel.Float] struct {
	pooled.Graph[T]
	consensus route.Consensus[T]
}

func newModel[T kernel.Float](graphs multiplex.Source, o *Options, p Precision, given Given) (*model[T], error) {
	m := &model[T]{o: o, precision: p, source: given.Source, kernels: &offload.Kernels[T]{}}
	m.movers.Do = func(i int) { m.moving[i].Step(m.kernels) }
	// Propagation, equation (1): Z_l = n(n(A_l)) X_l, or n(A_l + I) X_l as printed, with X_l after
	// dropout and n(A)_ij = A_ij / sqrt(deg_i deg_j). With weight decay even a weight without data
	// moves, so it is kept, although it affects nothing.
	in, err := inputs.New[T](graphs, inputs.Options{Propagation: multiplex.KindOf(o.Propagation), Every: o.DecayEncoders > 0, Dim: o.Dim,
		Options: o.preparation(), Features: given.Source.Features, Yield: given.Yield})
	if err != nil {
		return nil, err
	}
	m.inputs = in.Preparation
	for i := range graphs.Len {
		if err := m.addGraph(i, in, given); err != nil {
			return nil, err
		}
	}
	m.addEncoders(in)
	n, d := len(m.enc), o.Dim
	rows := d // of psi
	if o.Combine == "concat" {
		rows *= 2
	}
	m.phi, m.psi = packed.New[T](d, n, d), packed.New[T](rows, n, d)
	m.weights.Phi, m.weights.Psi = m.phi, m.psi
	m.weights.Draw(given.Source, in.Live, in.Features)
	m.products()
	m.loss.init(m)
	return m, nil
}

// addGraph draws the pooled graphs of graph i, and chooses how its consensus is computed.
func (m *model[T]) addGraph(i int, in *inputs.Inputs[T], given Given) (err error) {
	var pause linalg.Pause
	if given.Yield != nil {
		pause = func(int) error { return given.Yield(1, 1) }
	}
	g, z, o, d := &graph[T]{}, in.Common[i], m.o, m.o.Dim
	if err := g.Init(z, in.Private[i], d, m.source.Sets(i), pause); err != nil {
		return err
	}
	m.graphs = append(m.graphs, g)
	g.ShareRows(&m.graphs[0].Graph)
	if o.Augmentation != "fresh" {
		g.DropSamples()
	}
	s := problem(z, o, m.precision, in.Shared(i, d), given.RankRule, func(x []float64) { m.source.Directions(i, x, d) })
	g.consensus, err = route.Choose(z, d, o.InnerSteps, o.Epochs, s, func() route.Consensus[T] { return newOverNodes(z, d, s) }, pause)
	if err == nil && pause != nil {
		err = pause(1)
	}
	return err
}

// addEncoders adds those of every layer, without weights.
func (m *model[T]) addEncoders(in *inputs.Inputs[T]) {
	o := m.o
	var encoders []offload.Encoder[T]
	for _, features := range in.Live {
		var pair [2]*encoder[T]
		for branch := range pair {
			pair[branch] = &encoder[T]{}
			pair[branch].Init(len(features), o.Hidden, o.Dim)
		}
		m.enc, encoders = append(m.enc, pair), append(encoders, pair[common], pair[private])
		m.weights.Encoders = append(m.weights.Encoders, [2]*weights.Encoder[T]{&pair[common].Encoder, &pair[private].Encoder})
		m.commonU = append(m.commonU, pair[common].U)
	}
	m.loss.targets = m.privateTargets()
	var layers [][]pooled.Layer[T]
	for _, g := range m.graphs {
		layers = append(layers, g.Layers)
	}
	// A helper gets pooled rows once, and has kernels for some sizes. Private matching is not among
	// what it does: encoders of so few rows would not gain.
	helped := o.Augmentation != "fresh" && o.DecayEncoders == 0 && o.Dim == 8 && o.Hidden%16 == 0 && m.loss.targets == nil
	m.encoders = offload.New(encoders, layers, m.kernels, helped)
}

func (m *model[T]) rank(graph int) int { return m.graphs[graph].consensus.Rank() }
func (m *model[T]) parameters() int    { return m.weights.Count() }

// products forms U of every encoder.
func (m *model[T]) products() {
	for _, pair := range m.enc {
		for _, e := range pair {
			e.product()
		}
	}
}

// update recomputes the consensus of every graph.
func (m *model[T]) update() {
	m.encoders.Current()
	for _, g := range m.graphs {
		g.consensus.Update(m.commonU)
	}
	for _, q := range m.loss.targets {
		q.update()
	}
}

// refresh draws the pooled graphs of a step.
func (m *model[T]) refresh(step int) {
	for i, g := range m.graphs {
		for k := range g.Sets {
			m.source.Refresh(i, k, step, &g.Sets[k])
		}
		_ = g.Pool(nil) // which never fails
	}
}

func (m *model[T]) notes() (notes []string) {
	g := m.graphs[0]
	if m.o.WeightPrivate > 0 && m.loss.targets == nil {
		notes = append(notes, "weight_private has nothing to act on: the inputs are neither trimmed nor split, or have no more features than dim")
	}
	return slices.Concat(notes, m.inputs.Notes(), m.encoders.Notes(), m.source.Notes(), route.Notes(g.consensus, func(l int) any { return g.Layers[l].Z[common] }))
}

// An encoder, equations (2) and (3), is linear,
//
//	C_l = Z_l W1 W2 + 1 b' = Z_l U + 1 b'
//
// and P_l likewise, with W1 (F x H), W2 (H x d), b (d) and U = W1 W2 (F x d).
type encoder[T kernel.Float] struct{ weights.Encoder[T] }

// product recomputes U after weights were set from outside.
func (e *encoder[T]) product() { kernel.Mul(e.U, e.W1, e.W2, e.F, e.H, e.D) }

// embed sets x (M x d) to Z U + 1 b', for [Trainer.Embeddings]. Steps need Z U in consensus.go and
// matching.go, and zbar U below.
func (e *encoder[T]) embed(x []T, z *multiplex.Propagation[T]) {
	z.Mul(x, e.U, e.D)
	for i := range x {
		x[i] += e.B[i%e.D]
	}
}

// Forward sets dst (K x d) to zbar U, zbar (K x F) being pooled rows of Z.
func (e *encoder[T]) Forward(do offload.Operations[T], dst, zbar []T) {
	do.Multiply(dst, zbar, e.U, len(dst)/e.D, e.F, e.D)
}

// Backward adds zbar'dh, what the gradient dh (K x d) of zbar U gives, to dU, which begins at 0 where
// begins says so.
func (e *encoder[T]) Backward(do offload.Operations[T], dh, zbar []T, begins bool) {
	if begins {
		do.Clear(e.DU)
	}
	do.AddMulTrans(e.DU, zbar, dh, len(dh)/e.D, e.F, e.D)
}

// Step moves W1 and W2 by Adam, equation (10), from the gradient of U,
//
//	dW2 = W1'dU (H x d),   dW1 = dU W2' (F x H, formed row by row inside the loop),   then U = W1 W2 of the new ones.
func (e *encoder[T]) Step(do offload.Operations[T]) {
	do.Clear(e.DW2)
	do.AddMulTrans(e.DW2, e.W1, e.DU, e.F, e.H, e.D) // dW2 = W1'dU
	do.Assign(e.Old, e.W2)                           // that dW1 is formed from
	do.Adam(e.W2, e.M2, e.V2, e.DW2)
	do.AdamFactored(e.W1, e.M1, e.V1, e.U, e.DU, e.Old, e.W2, e.F, e.H, e.D)
}

// dW1 forms dU W2', which Step never stores.
func dW1[T kernel.Float](e *weights.Encoder[T]) []T {
	g := make([]T, len(e.W1))
	for i := range g {
		for k := range e.D {
			g[i] += T(e.DU[i/e.H*e.D+k] * e.Old[i%e.H*e.D+k])
		}
	}
	return g
}

// A head, phi or psi, predicts the layer linearly: h W + 1 b', rows x N.
type head[T kernel.Float] = packed.Head[T]

// Weights draws the first weights, uniform in +-sqrt(6 / (rows + cols)); biases begin at 0.
func (s *seeded) Weights(name string, w []float64, rows, cols int) {
	if name[strings.IndexByte(name, '.')+1] == 'b' {
		return
	}
	limit := math.Sqrt(6 / float64(rows+cols))
	s.Named("weights/%s", name).Fill(w)
	for i, x := range w {
		w[i] = -limit + float64((limit+limit)*x)
	}
}
