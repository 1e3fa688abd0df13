//go:build simd

package bridge

import "unsafe"

// What happens at a desk every step is imported, as the kernels are (core/kernel): calls of
// JavaScript values would take as long as a kernel. Addresses are sound for the same reasons.

const reachesDesk = true

// deskAsk lays down n bytes and has them served.
//
//go:wasmimport desk ask
//go:noescape
func deskAsk(request unsafe.Pointer, n int32)

// deskServed waits for the answer, n bytes, for 0.1 s at most; it returns 1 when it is there.
//
//go:wasmimport desk served
//go:noescape
func deskServed(answer unsafe.Pointer, n int32) int32
