//go:build js && simd

package kernel

import "unsafe"

// The SIMD kernels live in a module of their own (internal/lanes), because the Go compiler
// has no vector instructions for wasm. It works on this program's memory. The program
// imports a shim with the same signatures, whose table the kernels fill before the program
// runs; www/engine/kernels.js links the three.
//
// A call passes addresses of Go slices. That is sound: there is one thread, the collector
// does not move the heap, no preemption happens within the call, and the kernels neither
// keep an address nor call back. Lengths are checked by the exported functions.

type address = unsafe.Pointer

// simdReady tells whether this machine validated the kernels.
//
//go:wasmimport kern ready
func simdReady() int32

var vectorReady = simdReady() != 0

const vectorKind = "SIMD"

// UseVectors chooses the vector kernels where the machine has them, or the scalar loops. They give
// the same bits. It returns what was chosen before.
func UseVectors(yes bool) (before bool) {
	before = vectorReady
	vectorReady = yes && simdReady() != 0
	return before
}

func at[T any](x []T) address { return address(unsafe.SliceData(x)) }

// lowestFirst tells whether numbers are known to lie in memory with their lowest byte first: what takes
// them apart otherwise is not in a program where they do.
const lowestFirst = true

// memory returns the bytes of a as they lie.
func memory[T Float](a []T) []byte {
	return unsafe.Slice((*byte)(at(a)), len(a)*int(unsafe.Sizeof(*new(T))))
}

// words is the way back from memory, for whole words; those of WebAssembly may lie anywhere.
func words(b []byte) []uint64 { return unsafe.Slice((*uint64)(at(b)), len(b)/8) }
