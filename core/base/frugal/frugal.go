// Package frugal measures in tests what a reader of hostile input allocates.
package frugal

import (
	"runtime"
	"testing"
	"time"
)

// The total that a reader may allocate: bytes for each byte that it reads, and a constant.
const (
	perByte  = 16
	anything = 64 << 20
)

// Allocated returns the bytes that f allocates. The counter is the whole program's, so what tests before have left
// running ends first. On a busy machine it may stand still for a while, so only a longer pause is an end.
func Allocated(f func()) uint64 {
	for end := time.Now().Add(10 * time.Second); took(func() { time.Sleep(40 * time.Millisecond) }) > 0 && time.Now().Before(end); {
	}
	return took(f)
}

// took returns the bytes that the program allocates while f runs.
func took(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Check calls f, which reads n bytes, and fails the test when it allocates more than it may.
func Check(t testing.TB, n int, f func()) {
	t.Helper()
	most := uint64(perByte*n + anything)
	if took(f) <= most { // a fuzz test has no time to look for others first
		return
	}
	if own := Allocated(f); own > most {
		t.Fatalf("%d bytes took %d", n, own)
	}
}
