// Package kernel holds the few hot loops of CaDeM and the elementary functions they
// need, in pure Go, with the same bits on every machine.
//
// Matrices are row-major slices. Sizes are checked once per call: a wrong length
// panics with [ErrShape]. Every product that feeds a sum is converted explicitly,
// which forbids the compiler to fuse it, and every sum has a fixed order.
//
// The loops in float32 for widths that are multiples of 4, those in float64 for even widths and
// those over columns have vector kernels. They run if the machine has the instructions and give the
// same bits: natively on amd64 when the toolchain has GOEXPERIMENT=simd (the files ending in
// _simd.go), and in the browser when built with the tag simd (internal/lanes and the files ending
// in _wasm.go). Large products are made from copies of blocks, natively for any width.
package kernel

import "cadem.example/core/base/diag"

// Float is the precision of a run. Production is float32; float64 is for parity.
type Float interface{ float32 | float64 }

// ErrShape is the panic value when the lengths of the arguments do not fit together.
const ErrShape diag.Misuse = "kernel: dimension mismatch"

// Kind names the loops that do the arithmetic in this program: "scalar", or the instructions of the
// vector kernels, "SIMD" in a browser and "AVX2" or "AVX-512" natively. All give the same bits.
func Kind() string {
	if vectorReady {
		return vectorKind
	}
	return "scalar"
}

//go:generate go run ./internal/generate
