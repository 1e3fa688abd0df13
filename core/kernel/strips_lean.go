//go:build js && wasm && simd && lean

package kernel

// wide is false in the program of a first visit, in which no right factor is wide.
const wide = false
