//go:build js && wasm && simd && lean

package kernel

// wide is false in the program of a first visit, which trains none.
const wide = false
