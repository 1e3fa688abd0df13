package cadem

import "cadem/core/cadem/internal/offload"

// A Helper trains encoders beside a run, by a [Plan].
type (
	Helper = offload.Helper
	Plan   = offload.Plan
	Part   = offload.Part
)

// ErrOffload is the panic value when Offload is called on a run that has several graphs, fresh
// augmentation, weight decay of the encoders, or sizes that a Helper does not take.
const ErrOffload = offload.ErrOffload

// Helpers returns the number of additional helpers, up to a maximum, that might speed the run up; 0 if
// no number does. Shared says whether they share memory.
func (t *Trainer) Helpers(most int, shared bool) int { return t.model.movable().More(most, shared) }

// Offload hands encoders to helpers, and takes back all that others had. Results stay
// bit-identical. It panics with [ErrOffload] if they cannot be handed over.
func (t *Trainer) Offload(helpers ...Helper) { t.model.movable().Offload(helpers) }

func (m *model[T]) movable() offload.Movable { return m.encoders }
