//go:build js && wasm && simd && lean

package extent

// The program of a first visit trains nothing else, and of that what finds nothing out before.
const (
	CaDeM     = true
	Split     = false
	Others    = false
	Gradients = false
)
