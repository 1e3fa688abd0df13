//go:build !(js && wasm && simd) || methods

// Package extent tells which methods this build trains.
package extent

// All tells whether this build trains every method.
const All = true
