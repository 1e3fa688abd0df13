package cadem

import (
	"io"
	"slices"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
)

// ErrCheckpoint says why a checkpoint cannot be used.
type ErrCheckpoint = checkpoint.Error

// Stored is the bytes of a checkpoint, wherever they are kept.
type Stored = checkpoint.Stored

// numbers lists what must come back with the same bits.
func (t *Trainer) numbers() []*float64 {
	losses, first := t.losses.Fields(), t.first.Fields()
	return slices.Concat([]*float64{&t.adam.Pow1, &t.adam.Pow2, &t.best}, losses[:], first[:])
}

// WriteCheckpoint writes everything [OpenCheckpoint] needs to continue a run with the same bits, in
// pieces, to avoid holding it all in memory. Errors come from dst.
func WriteCheckpoint(dst io.Writer, t *Trainer) error {
	s := checkpoint.State{Options: property.Values(&t.o), Seed: t.Seed, Precision: int(t.precision), Step: t.step, Worse: t.worse, Early: t.early,
		Changes: t.changes}
	for _, x := range t.numbers() {
		s.Numbers = append(s.Numbers, *x)
	}
	for g := range t.graphs {
		s.Ranks = append(s.Ranks, t.model.rank(g))
	}
	return t.model.arrays().Write(dst, &s)
}

// A Checkpoint is whole, checked, and written by a run.
type Checkpoint struct {
	// The run's.
	Options   Options
	Seed      uint64
	Precision precision.Bits
	Step      int // it was taken after; 0 before the first

	stored *checkpoint.Checkpoint
}

// OpenCheckpoint reads a checkpoint through and finds out what it is of. Errors about it are
// [*ErrCheckpoint].
func OpenCheckpoint(stored Stored) (*Checkpoint, error) {
	o := Released()
	s, err := checkpoint.Read(stored, &o)
	if err != nil {
		return nil, err
	}
	if err := o.Check(); err != nil { // one option may be at odds with another
		return nil, &ErrCheckpoint{Reason: err.Error()}
	}
	shape := checkpoint.Shape{Steps: o.Epochs * o.InnerSteps, Hidden: o.Hidden, Dim: o.Dim, Single: len((&Trainer{}).numbers()) - 2*len(Terms), Losses: len(Terms)}
	return &Checkpoint{o, s.Seed, precision.Bits(s.Precision), s.Step, s}, s.Check(shape)
}

// New returns the run of the checkpoint before its first step, as [NewFrom] does, with its errors. The graphs
// must be those of the run.
func (c *Checkpoint) New(graphs []*multiplex.Graph, given Given) (*Trainer, error) {
	return NewFrom(multiplex.Held(graphs), c.Options, c.Seed, c.Precision, given)
}

// Restore has a run of New go on where the checkpoint was taken. It ends with the bits of one that
// was never interrupted. Errors about the checkpoint are [*ErrCheckpoint]; others come from reading it.
func (c *Checkpoint) Restore(t *Trainer) error {
	s := c.stored
	if err := t.model.arrays().Load(s, t.graphs); err != nil {
		return err
	}
	t.model.restore(s.Ranks, s.Step > 0)
	for i, x := range t.numbers() {
		*x = s.Numbers[i]
	}
	t.step, t.worse, t.early, t.changes = s.Step, s.Worse, s.Early, s.Changes
	return nil
}

// arrays lists everything that a step changes. Draws depend on the seed and the step, so no
// generator state is stored.
func (m *model[T]) arrays() checkpoint.Arrays {
	all := m.saved()
	for _, g := range m.graphs {
		all.Add(g.consensus.State())
	}
	for _, q := range m.loss.targets {
		all.Add(q.a)
	}
	return all
}

// restore goes on from arrays that were filled.
func (m *model[T]) restore(ranks []int, began bool) {
	m.products()
	for i, g := range m.graphs {
		g.consensus.Restore(ranks[i], began)
	}
}
