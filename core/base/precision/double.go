//go:build !(js && wasm && simd)

package precision

// HasDouble reports whether this build trains in double precision.
const HasDouble = true
