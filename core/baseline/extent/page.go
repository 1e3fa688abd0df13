//go:build js && wasm && simd && !methods && !lean

package extent

// Methods that need gradients weigh more than the program that has everything else may: it only plans such trainings.
const (
	CaDeM     = true
	Split     = true
	Others    = true
	Gradients = false
)
