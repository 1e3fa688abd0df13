package cadem

import (
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/cadem/internal/parallel"
	"cadem.example/core/cadem/internal/route"
	"cadem.example/core/multiplex"
)

// A model holds the parameters, in one precision, with the graphs that they are fitted to.
type model[T kernel.Float] struct {
	o         *Options
	precision precision.Bits
	source    RandomSource
	seed      uint64
	graphs    []*graph[T]
	enc       [][2]*encoder[T] // of every layer: common, private
	commonU   [][]T            // U of every common encoder
	phi, psi  *head[T]
	loss      loss[T]
	movers    parallel.Crew // moves the encoders, each by itself
	// Adam's constants of the step.
	encoderRate, headRate kernel.AdamRate[T]
	inputs                inputs.Preparation
	live                  [][]int32 // of every layer: columns of inputs that the rows of its encoders belong to
	features              []int     // of every layer: how many columns inputs have
}

func newModel[T kernel.Float](graphs multiplex.Source, o *Options, seed uint64, p precision.Bits, given Given) (*model[T], error) {
	m := &model[T]{o: o, precision: p, source: given.Source, seed: seed}
	m.movers.Do = func(i int) { m.enc[i/2][i%2].step(&m.encoderRate) }
	// Propagation, equation (a): Z_l = n(n(A_l)) X_l, or n(A_l + I) X_l as printed, with X_l after
	// dropout and n(A)_ij = A_ij / sqrt(deg_i deg_j). With weight decay even a weight without data
	// moves, so it is kept, although it affects nothing.
	options := m.inputOptions(given.Source, given.Yield)
	options.Journal = given.Journal
	in, err := inputs.New[T](graphs, options)
	if err != nil {
		return nil, err
	}
	m.inputs, m.live, m.features = in.Preparation, in.Live, in.Features
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
	m.phi, m.psi = newHead[T](d, n, d), newHead[T](rows, n, d)
	m.draw(in.Live, in.Features)
	m.products()
	m.loss.init(m)
	return m, nil
}

// addGraph draws the pooled graphs of graph i, and chooses how its consensus is computed.
func (m *model[T]) addGraph(i int, in *inputs.Inputs[T], given Given) error {
	pause := func(int) error { return given.Yield.At(1, 1) }
	z, o, d := in.Common[i], m.o, m.o.Dim
	g, err := newGraph(z, in.Private[i], d, m.source.Sets(i), pause)
	if err != nil {
		return err
	}
	m.graphs = append(m.graphs, g)
	g.shareRows(m.graphs[0])
	if o.Augmentation != "fresh" {
		g.dropSamples()
	}
	s := problem(z, o, m.precision, in.Shared(i, d), given.RankRule, func(x []float64) { m.source.Directions(i, x, d) })
	g.consensus, err = route.Choose(z, d, o.InnerSteps, o.Epochs, s, func() route.Consensus[T] { return newOverNodes(z, d, s) }, pause)
	if err == nil {
		err = pause(1)
	}
	return err
}

// addEncoders adds those of every layer, without weights.
func (m *model[T]) addEncoders(in *inputs.Inputs[T]) {
	o := m.o
	for _, features := range in.Live {
		var pair [2]*encoder[T]
		for branch := range pair {
			pair[branch] = newEncoder[T](len(features), o.Hidden, o.Dim)
		}
		m.enc = append(m.enc, pair)
		m.commonU = append(m.commonU, pair[common].U)
	}
	m.loss.targets = m.privateTargets()
}

func (m *model[T]) rank(graph int) int { return m.graphs[graph].consensus.Rank() }

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
		_ = g.sum(nil) // which never fails
	}
}

func (m *model[T]) notes() (notes []string) {
	g := m.graphs[0]
	if m.o.WeightPrivate > 0 && m.loss.targets == nil {
		notes = append(notes, "weight_private has nothing to act on: the inputs are neither trimmed nor split, or have no more features than dim")
	}
	return slices.Concat(notes, m.inputs.Notes(), m.source.Notes(), route.Notes(g.consensus, func(l int) any { return g.Layers[l].Z[common] }))
}
