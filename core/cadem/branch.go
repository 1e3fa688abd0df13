package cadem

import "cadem/core/cadem/internal/offload"

// A Helper trains private encoders beside a run, by a [Plan].
type (
	Helper = offload.Helper
	Plan   = offload.Plan
	Part   = offload.Part
)

// ErrOffload is the panic value when Offload is called on a run that has several graphs, fresh
// augmentation, weight decay of the encoders, or sizes that a Helper does not take.
const ErrOffload = offload.ErrOffload

// Offloadable reports whether a [Helper] would speed up the run; shared says whether it shares
// memory.
func (t *Trainer) Offloadable(shared bool) bool { return t.model.branch().Gainful(shared) }

// Offload hands the private encoders to a helper, or takes them back if h is nil. Results stay
// bit-identical. It panics with [ErrOffload] if they cannot be handed over.
func (t *Trainer) Offload(h Helper) { t.model.branch().Offload(h) }

func (m *model[T]) branch() offload.Movable { return m.privates }
