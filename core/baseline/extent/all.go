//go:build !(js && wasm && simd) || methods

// Package extent tells which methods this build has.
package extent

// All tells whether this build has every method.
const All = true
