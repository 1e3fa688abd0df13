package cadem

import (
	"io"
	"maps"
	"slices"

	"cadem/core/cadem/internal/checkpoint"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// A checkpoint keeps the parameters and moments of every encoder and head, then the consensus of
// every graph, or the U it is taken from where no step visits the nodes. What a run draws
// depends on the seed and the step, so that no generator state is stored.

// ErrCheckpoint tells why a checkpoint cannot be used.
type ErrCheckpoint = checkpoint.Error

// Stored is the bytes of a checkpoint, wherever they lie.
type Stored = checkpoint.Stored

// numbers lists what must come back with the same bits.
func (t *Trainer) numbers() []*float64 {
	losses, first := t.losses.fields(), t.first.fields()
	return slices.Concat([]*float64{&t.adam.pow1, &t.adam.pow2, &t.best}, losses[:], first[:])
}

// WriteCheckpoint writes of a run everything that [OpenCheckpoint] needs to go on with the same bits, in
// pieces, so that it is never in memory as a whole. An error is one of dst.
func WriteCheckpoint(dst io.Writer, t *Trainer) error {
	s := checkpoint.State{Options: property.Values(&t.o), Seed: t.Seed, Precision: int(t.precision), Step: t.step, Worse: t.worse, Early: t.early,
		Changes: t.changes}
	for _, x := range t.numbers() {
		s.Numbers = append(s.Numbers, *x)
	}
	for g := range t.graphs {
		s.Ranks = append(s.Ranks, t.model.rank(g))
	}
	return t.model.write(dst, &s)
}

// A Checkpoint is one that was found to be whole and to be what some run wrote.
type Checkpoint struct {
	// Of its run.
	Options   Options
	Seed      uint64
	Precision Precision
	Step      int // it was taken after; 0 before the first

	stored *checkpoint.Checkpoint
}

// OpenCheckpoint reads a checkpoint through and finds out what it is of. Errors about it are
// [*ErrCheckpoint].
func OpenCheckpoint(stored Stored) (*Checkpoint, error) {
	s, err := checkpoint.Read(stored)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{Options: Released(), Seed: s.Seed, Precision: Precision(s.Precision), Step: s.Step, stored: s}
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		if err := property.Set(&c.Options, name, property.Text(s.Options[name])); err != nil {
			return nil, &ErrCheckpoint{Reason: err.Error()}
		}
	}
	if err := c.Options.Check(); err != nil { // one option may be at odds with another
		return nil, &ErrCheckpoint{Reason: err.Error()}
	}
	o := &c.Options
	if err := s.Check(checkpoint.Shape{Steps: o.Epochs * o.InnerSteps, Hidden: o.Hidden, Dim: o.Dim, Numbers: len((&Trainer{}).numbers())}); err != nil {
		return nil, err
	}
	return c, nil
}

// Resume returns a run that goes on where the checkpoint was taken and ends with the bits
// of one that was never interrupted. The graphs must be those of the run. Errors about the
// checkpoint are [*ErrCheckpoint]; others come from reading it.
func (c *Checkpoint) Resume(graphs []*multiplex.Graph) (*Trainer, error) {
	t, err := New(graphs, c.Options, c.Seed, c.Precision)
	if err != nil {
		return nil, err
	}
	s := c.stored
	if err := t.model.load(s, s.Step > 0); err != nil {
		return nil, err
	}
	for i, x := range t.numbers() {
		*x = s.Numbers[i]
	}
	t.step, t.worse, t.early, t.changes = s.Step, s.Worse, s.Early, s.Changes
	return t, nil
}

// arrays lists everything that a step changes, in the order of the file.
func (m *model[T]) arrays() []checkpoint.Array[T] {
	var all []checkpoint.Array[T]
	add := func(list ...[]T) {
		for _, a := range list {
			all = append(all, checkpoint.Array[T]{N: len(a), Here: a})
		}
	}
	for l, pair := range m.enc {
		e := pair[common]
		add(e.w1, e.m1, e.v1, e.w2, e.m2, e.v2, e.b, e.mb, e.vb)
		all = append(all, m.private.Stored(l)...)
		e = pair[private]
		add(e.b, e.mb, e.vb)
	}
	for _, p := range []*head[T]{m.phi, m.psi} {
		w, b := p.Parameters()
		add(append(w[:3], b[:3]...)...)
	}
	for i := range all { // weights and their two moments
		all[i].Moment = []T{0, 1 - beta1, 1 - beta2}[i%3]
	}
	for _, g := range m.graphs {
		add(g.consensus.State())
	}
	return all
}

func (m *model[T]) write(dst io.Writer, s *checkpoint.State) error {
	return checkpoint.Write(dst, s, m.arrays())
}

func (m *model[T]) load(c *checkpoint.Checkpoint, began bool) error {
	if err := checkpoint.Load(c, m.arrays(), len(m.graphs)); err != nil {
		return err
	}
	for _, pair := range m.enc {
		for _, e := range pair {
			e.product()
		}
	}
	for i, g := range m.graphs {
		g.consensus.Restore(c.Ranks[i], began)
	}
	return nil
}
