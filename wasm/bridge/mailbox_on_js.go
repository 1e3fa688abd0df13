//go:build simd

package bridge

import "unsafe"

// The calls that a mailbox takes in every step are imported, like the kernels (core/kernel): a call through a
// JavaScript value would take as long as a kernel. Passing addresses is safe for the same reasons.

const hasMailbox = true

// mailboxSend puts n bytes in that of a helper and has them served.
//
//go:wasmimport mailbox send
//go:noescape
func mailboxSend(number int32, request unsafe.Pointer, n int32)

// mailboxReceive waits for the response, n bytes, for 0.1 s at most; it returns 1 when it is there.
//
//go:wasmimport mailbox receive
//go:noescape
func mailboxReceive(number int32, response unsafe.Pointer, n int32) int32
