package cadem

import "cadem/core/cadem/internal/offload"

// A Helper trains private encoders beside a run, by a [Plan].
type (
	Helper = offload.Helper
	Plan   = offload.Plan
	Part   = offload.Part
)

// ErrOffload is panicked when encoders of a run are to be offloaded that has several graphs, draws
// in every step, decays, or has sizes that a Helper does not take.
const ErrOffload = offload.ErrOffload

// Offloadable tells whether the run gains from a [Helper], with which memory is shared or not.
func (t *Trainer) Offloadable(shared bool) bool { return t.model.branch().Gainful(shared) }

// Offload hands the private encoders to a helper, or takes them back for nil. That changes no bit of
// anything. It panics with [ErrOffload] if they cannot be handed over.
func (t *Trainer) Offload(h Helper) { t.model.branch().Offload(h) }

func (m *model[T]) branch() offload.Movable { return m.private }
