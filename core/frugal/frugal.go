// Package frugal measures in tests what a reader of hostile input allocates.
package frugal

import (
	"runtime"
	"testing"
)

// What a reader may allocate, all told: so many bytes for each that it reads, and those for anything.
const (
	perByte  = 16
	anything = 64 << 20
)

// Allocated returns the bytes that f allocates.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Check calls f, which reads n bytes, and fails the test when it allocates more than it may.
func Check(t testing.TB, n int, f func()) {
	t.Helper()
	if took := Allocated(f); took > uint64(perByte*n+anything) {
		t.Fatalf("%d bytes took %d", n, took)
	}
}
