//go:build !(js && wasm && simd)

// Package precision tells in which precisions this build trains.
package precision

// Double tells whether this build trains in double precision.
const Double = true
