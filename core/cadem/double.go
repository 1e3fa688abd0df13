//go:build !(js && wasm && simd)

package cadem

import "cadem/core/multiplex"

// hasDouble tells whether this build trains in double precision.
const hasDouble = true

func newDouble(graphs []*multiplex.Graph, o Options, seed uint64, draws Draws) Trainer {
	return newRun[float64](graphs, o, seed, Double, draws)
}
