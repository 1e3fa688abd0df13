package parallel

import (
	"runtime"
	"slices"
	"testing"
)

// Every job is done once, whatever number of processors there are and whether it pays; nothing is
// allocated but the first time.
func TestEveryJobIsDoneOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(processors)
		done := make([]int, 20)
		c := Crew{Do: func(job int) { done[job]++ }}
		want := make([]int, len(done))
		for n := range len(done) {
			for _, worth := range []bool{false, true} {
				c.Run(n, worth)
				for i := range n {
					want[i]++
				}
				if !slices.Equal(done, want) {
					t.Fatalf("%d processors, %d jobs: done %v, want %v times", processors, n, done, want)
				}
			}
		}
		if n := testing.AllocsPerRun(20, func() { c.Run(len(done), true) }); n != 0 {
			t.Errorf("%d processors: %v allocations", processors, n)
		}
	}
}
