//go:build js && wasm && simd && lean

package extent

// The program of a first visit trains nothing else, and not where layers are split by evidence, for which it has no room.
const (
	CaDeM     = true
	Others    = false
	Gradients = false
	Evidence  = false
)
