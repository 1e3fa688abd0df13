//go:build !(js && wasm && simd)

package precision

// HasDouble tells whether this build trains in double precision.
const HasDouble = true
