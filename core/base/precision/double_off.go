//go:build js && wasm && simd

package precision

// HasDouble is false in the program of the page: double precision is for comparison with the
// reference, which runs natively, and would be a second copy of the trainer.
const HasDouble = false

// Wide is float32, so that what is made of it is not linked a second time.
type Wide = float32
