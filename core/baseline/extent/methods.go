//go:build js && wasm && simd && methods

package extent

// The program that trains methods with gradients has no room for the trainer of CaDeM.
const (
	CaDeM     = false
	Split     = false
	Others    = true
	Gradients = true
)
