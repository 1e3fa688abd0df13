//go:build !simd

package bridge

import "unsafe"

// A program without the kernels has no partner, and runs where nothing imported is at hand.

const reachesDesk = false

func deskAsk(unsafe.Pointer, int32)          {}
func deskServed(unsafe.Pointer, int32) int32 { return 1 }
