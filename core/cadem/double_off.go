//go:build js && wasm && simd

package cadem

import "cadem/core/multiplex"

// The program of the page trains in single precision only: double precision is for
// comparison with the reference, which runs natively, and is a second copy of the trainer.
const hasDouble = false

func newDouble([]*multiplex.Graph, Options, uint64, Draws) Trainer { return nil }
