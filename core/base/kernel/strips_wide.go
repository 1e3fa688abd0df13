//go:build js && wasm && simd && !lean

package kernel

// wide reports whether there are kernels for the sizes of graph networks: products with wide right
// factors are made in strips, and sparse ones in double precision have vectors. The bits are the same.
const wide = true
