//go:build js && wasm && simd && !lean

package kernel

// wide tells whether products with wide right factors are made in strips. The bits are the same.
const wide = true
