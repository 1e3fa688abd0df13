package frugal

import (
	"testing"
	"time"
)

var kept []byte

// Allocations of goroutines that a test left running are not counted.
func TestAllocatedAlone(t *testing.T) {
	begun := make(chan bool)
	go func() {
		for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
			kept = make([]byte, 1<<16)
			select {
			case begun <- true:
			default:
			}
		}
	}()
	<-begun
	if n := Allocated(func() { time.Sleep(50 * time.Millisecond) }); n > 1<<16 {
		t.Errorf("a function that sleeps allocates %d bytes", n)
	}
	if n := Allocated(func() { kept = make([]byte, 1<<20) }); n < 1<<20 || n > 2<<20 {
		t.Errorf("a function that makes %d bytes allocates %d", 1<<20, n)
	}
}
