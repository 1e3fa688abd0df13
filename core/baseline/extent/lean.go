//go:build js && wasm && simd && lean

package extent

// The program of a first visit trains nothing else.
const (
	CaDeM     = true
	Others    = false
	Gradients = false
)
