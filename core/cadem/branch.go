package cadem

import "cadem/core/cadem/internal/offload"

// A Helper trains private encoders beside a run, by a [Plan].
type (
	Helper = offload.Helper
	Plan   = offload.Plan
	Part   = offload.Part
)

// A brancher is the branch of private encoders in either precision.
type brancher interface {
	Gainful(shared bool) bool
	Offload(Helper)
	Reclaim()
	Here() bool
}

// branch returns it, and whether it can be handed over: pooled rows that stay as they are, and sizes
// for which a helper has kernels.
func (m *model[T]) branch() (b brancher, movable bool) {
	o := m.o
	return m.private, m.private.Here() && m.precision == Single && len(m.graphs) == 1 && o.Augmentation != "fresh" && o.DecayEncoders == 0 &&
		o.Dim == 8 && o.Hidden%16 == 0
}

// Offloadable tells whether the run gains from a [Helper], with which memory is shared or not.
func (t *Trainer) Offloadable(shared bool) bool {
	b, movable := t.model.branch()
	return movable && b.Gainful(shared)
}

// Offload hands the private encoders to a helper, or takes them back for nil. That changes no bit of
// anything. It panics with [ErrOffload] if they cannot be handed over.
func (t *Trainer) Offload(h Helper) {
	b, movable := t.model.branch()
	switch {
	case h == nil:
		b.Reclaim()
	case movable:
		b.Offload(h)
	default:
		panic(ErrOffload)
	}
}
