//go:build js && wasm && simd

package precision

// HasDouble is false in the program of the page: double precision is for comparison with the
// reference, which runs natively, and would be a second copy of the trainer.
const HasDouble = false
