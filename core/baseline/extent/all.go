//go:build !(js && wasm && simd)

// Package extent tells which methods a build trains. A native build trains all of them. Each of the page's programs has the code
// of its own methods only: the linker drops code that a constant here excludes.
package extent

// Trained by this build.
const (
	CaDeM     = true // the method itself
	Split     = true // with inputs trimmed or split, too
	Others    = true // some that CaDeM is compared with
	Gradients = true // those of them that are trained with gradients, too
)
