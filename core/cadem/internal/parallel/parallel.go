// Package parallel has jobs that do not depend on each other done on all processors. Which one does a
// job affects no result: every job has memory of its own, and sums over jobs are taken by the caller.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Crew does the jobs 0 to n - 1 on as many processors as the program may use. Its Do is called for
// each of them. The zero value with a Do is ready, does one list of jobs at a time, and allocates
// nothing after the first.
type Crew struct {
	Do func(job int)

	jobs  int32
	next  atomic.Int32
	group sync.WaitGroup
	help  func() // take, for another processor
}

// Run does n jobs, those that are worth it on several processors: to wake one takes as long as
// some ten thousand products.
func (c *Crew) Run(n int, worth bool) {
	others := 0
	if worth {
		others = min(runtime.GOMAXPROCS(0), n) - 1
	}
	if others <= 0 {
		for i := range n {
			c.Do(i)
		}
		return
	}
	if c.help == nil {
		c.help = func() {
			c.take()
			c.group.Done()
		}
	}
	c.jobs = int32(n)
	c.next.Store(0)
	c.group.Add(others)
	for range others {
		go c.help()
	}
	c.take()
	c.group.Wait()
}

// take does jobs until none is left.
func (c *Crew) take() {
	for i := c.next.Add(1) - 1; i < c.jobs; i = c.next.Add(1) - 1 {
		c.Do(int(i))
	}
}
