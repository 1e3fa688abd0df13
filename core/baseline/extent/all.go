//go:build !(js && wasm && simd)

// Package extent tells which methods this build has.
package extent

// All tells whether this build has every method.
const All = true
