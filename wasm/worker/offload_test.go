package worker

import (
	"slices"
	"testing"
	"time"

	"cadem/core/cadem"
)

// A counted training notes how many helpers it has had. So many can be of use.
type counted struct {
	useful int
	had    []int
	done   bool
}

func (c *counted) now() int {
	if len(c.had) == 0 {
		return 0
	}
	return c.had[len(c.had)-1]
}

func (c *counted) Helpers(most int, _ bool) int {
	if n := c.now() + 1; n <= min(most, c.useful) {
		return n
	}
	return 0
}

func (c *counted) Offload(helpers ...cadem.Helper) {
	if len(helpers) != c.now() {
		c.had = append(c.had, len(helpers))
	}
}

func (c *counted) Done() bool { return c.done }

// A closed helper counts how often it was closed.
type closed struct {
	cadem.Helper
	times int
}

func (p *closed) Close() { p.times++ }

// crew returns that number of helpers, all of them ready.
func crew(n int) (*Helpers, []*closed) {
	var all []*closed
	for range n {
		all = append(all, &closed{})
	}
	return &Helpers{Most: n, Shared: true, Request: func(n int) (list []cadem.Helper) {
		for _, p := range all[:n] {
			list = append(list, p)
		}
		return list
	}}, all
}

// times is the time of a step by number of helpers, in ms.
func (s *offloadPolicy) train(run *counted, from *Helpers, steps int, times []int) {
	for range steps {
		each := time.Duration(times[run.now()]) * time.Millisecond
		if s.steps < untimedSteps || s.steps%5 == 0 {
			each = time.Second // at first, and now and then: it does not count
		}
		s.add(each)
		s.apply(run, from)
	}
}

// Helpers are added one by one as long as steps become shorter, and the one that does not help is
// removed, whatever the first steps took, and the longest of the others.
func TestOffloadingIsDecidedByTime(t *testing.T) {
	const trial = untimedSteps + timedSteps
	for _, c := range []struct {
		name   string
		times  []int // of a step, by the number of helpers
		trials int
		had    []int
	}{
		{"one is enough", []int{50, 40, 42}, 3, []int{1, 2, 1}},
		{"none", []int{50, 60}, 2, []int{1, 0}},
		{"hardly shorter", []int{100, 98}, 2, []int{1, 0}},
		{"all four", []int{100, 60, 40, 30, 25}, 5, []int{1, 2, 3, 4}},
		{"the third is too many", []int{100, 60, 40, 40}, 4, []int{1, 2, 3, 2}},
	} {
		var s offloadPolicy
		run := &counted{useful: 4}
		from, all := crew(len(c.times) - 1)
		s.train(run, from, c.trials*trial-1, c.times)
		if want := c.had[:c.trials-1]; !slices.Equal(run.had, want) {
			t.Errorf("%s: %d helpers before the last trial is over, want %d", c.name, run.had, want)
		}
		s.train(run, from, firstRest/2, c.times)
		if !slices.Equal(run.had, c.had) {
			t.Errorf("%s: %d helpers one after the other, want %d", c.name, run.had, c.had)
		}
		for i, p := range all {
			if gone := i >= run.now(); (p.times > 0) != gone {
				t.Errorf("%s: helper %d closed %d times", c.name, i+1, p.times)
			}
		}
	}
}

// A task offloads while a core is to spare, and reclaims when it no longer is.
func TestTaskOffload(t *testing.T) {
	p := &closed{}
	requested := 0
	from := &Helpers{Most: 1, Request: func(int) []cadem.Helper {
		if requested++; requested < 3 {
			return nil // not up yet
		}
		return []cadem.Helper{p}
	}}
	var l taskOffload
	run := &counted{useful: 4}
	steps := func(n int, spare bool) {
		for range n {
			l.step(run, spare, from)
		}
	}
	steps(1000, false)
	if requested > 0 || len(run.had) > 0 {
		t.Fatalf("%d requested, had %d, and no core to spare", requested, run.had)
	}
	steps(untimedSteps+timedSteps, true)
	if len(run.had) > 0 {
		t.Fatal("offloaded before the steps without were timed")
	}
	steps(10, true)
	if !slices.Equal(run.had, []int{1}) {
		t.Fatalf("had %d helpers", run.had)
	}
	steps(10, false)
	if !slices.Equal(run.had, []int{1, 0}) || p.times != 1 {
		t.Fatalf("had %d helpers, closed %d times", run.had, p.times)
	}
	steps(untimedSteps+timedSteps+10, true)
	if !slices.Equal(run.had, []int{1, 0, 1}) {
		t.Errorf("had %d helpers, the core being free again", run.had)
	}
	run.done = true
	steps(1, true)
	if run.now() != 0 || p.times != 2 {
		t.Errorf("at the end had %d helpers, closed %d times", run.had, p.times)
	}
}

// One that is asked for and comes when it is no longer wanted is there for the next training at once.
func TestHelperThatComesLate(t *testing.T) {
	p, up := &closed{}, false
	from := &Helpers{Most: 1, Request: func(int) []cadem.Helper {
		if !up {
			return nil
		}
		return []cadem.Helper{p}
	}}
	var l taskOffload
	first, next := &counted{useful: 1}, &counted{useful: 1}
	for range 2 * (untimedSteps + timedSteps) {
		l.step(first, true, from)
	}
	l.step(first, false, from)
	up = true
	l.step(first, false, from)
	if len(first.had) > 0 || p.times > 0 {
		t.Fatalf("had %d helpers, closed %d times, which were not there", first.had, p.times)
	}
	for range untimedSteps + timedSteps + 1 {
		l.step(next, true, from)
	}
	if !slices.Equal(next.had, []int{1}) {
		t.Errorf("the next training had %d helpers", next.had)
	}
}

// A number that did not pay is tried again after a rest, which grows, whether there are helpers or not.
func TestOffloadingIsTriedAgain(t *testing.T) {
	for _, c := range []struct {
		times []int
		kept  int
	}{{[]int{10, 20}, 0}, {[]int{20, 10, 15}, 1}} {
		var s offloadPolicy
		run := &counted{useful: 2}
		from, all := crew(len(c.times) - 1)
		steps, began := 0, []int(nil)
		for len(began) < 3 && steps < 20*firstRest {
			before := len(run.had)
			s.train(run, from, 1, c.times)
			if steps++; len(run.had) > before && run.now() > c.kept {
				began = append(began, steps)
			}
		}
		if len(began) < 3 || began[1]-began[0] < firstRest || began[1]-began[0] > 2*firstRest || began[2]-began[1] < 4*firstRest {
			t.Fatalf("beyond %d tried after %v of %d steps", c.kept, began, steps)
		}
		if last := all[len(all)-1]; last.times != 2 {
			t.Errorf("beyond %d closed %d times", c.kept, last.times)
		}
	}
}
