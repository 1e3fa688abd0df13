package worker

import (
	"testing"
	"time"

	"cadem/core/cadem"
)

// Encoders stay with the helper if the steps that are timed have become shorter, whatever the first
// ones took, and the longest of the others.
func TestOffloadingIsDecidedByTime(t *testing.T) {
	for _, c := range []struct {
		alone, with time.Duration
		pays        bool
	}{{5 * time.Millisecond, 4 * time.Millisecond, true}, {5 * time.Millisecond, 6 * time.Millisecond, false}} {
		var s offloadPolicy
		pass := func(each time.Duration) (steps int) {
			for {
				switch {
				case s.steps < untimedSteps, s.phase == tried && steps%5 == 0:
					s.add(time.Second)
				default:
					s.add(each)
				}
				steps++
				if _, ok := s.mean(); ok {
					return steps
				}
			}
		}
		if n := pass(c.alone); n != untimedSteps+timedSteps {
			t.Fatalf("known after %d steps", n)
		}
		s.offloaded()
		if _, known := s.pays(); known || s.phase != tried {
			t.Error("decided before a step was taken")
		}
		pass(c.with)
		if pays, known := s.pays(); pays != c.pays || !known {
			t.Errorf("%v alone and %v with a helper: pays %v, known %v", c.alone, c.with, pays, known)
		}
	}
}

// A counted training counts how often its encoders are offloaded and reclaimed.
type counted struct {
	offloaded, reclaimed int
	done                 bool
}

func (c *counted) Offloadable(bool) bool { return c.offloaded == c.reclaimed }
func (c *counted) Offload(h cadem.Helper) {
	if h == nil {
		c.reclaimed++
	} else {
		c.offloaded++
	}
}
func (c *counted) Done() bool { return c.done }

// A closed helper counts how often it was closed.
type closed struct {
	cadem.Helper
	times int
}

func (p *closed) Close() { p.times++ }

// A task offloads while a core is to spare, and reclaims when it no longer is.
func TestTaskOffload(t *testing.T) {
	p := &closed{}
	requested := 0
	from := &Helpers{Request: func() cadem.Helper {
		if requested++; requested < 3 {
			return nil // not up yet
		}
		return p
	}}
	var l taskOffload
	run := &counted{}
	steps := func(n int, spare bool) {
		for range n {
			l.step(run, spare, from)
		}
	}
	steps(1000, false)
	if requested > 0 || run.reclaimed > 0 {
		t.Fatalf("%d requested, %d reclaimed, and no core to spare", requested, run.reclaimed)
	}
	steps(untimedSteps+timedSteps, true)
	if run.offloaded > 0 {
		t.Fatal("offloaded before the steps without were timed")
	}
	steps(10, true)
	if run.offloaded != 1 {
		t.Fatalf("offloaded %d times", run.offloaded)
	}
	steps(10, false)
	if run.reclaimed != 1 || p.times != 1 {
		t.Fatalf("reclaimed %d times, closed %d times", run.reclaimed, p.times)
	}
	steps(untimedSteps+timedSteps+10, true)
	if run.offloaded != 2 {
		t.Errorf("offloaded %d times, the core being free again", run.offloaded)
	}
	run.done = true
	steps(1, true)
	if run.reclaimed != 2 || p.times != 2 {
		t.Errorf("at the end reclaimed %d times, closed %d times", run.reclaimed, p.times)
	}
}

// What did not pay is tried again after a rest, which grows.
func TestOffloadingIsTriedAgain(t *testing.T) {
	p, run := &closed{}, &counted{}
	from := &Helpers{Request: func() cadem.Helper { return p }}
	var s offloadPolicy
	steps, began := 0, []int(nil)
	for len(began) < 3 && steps < 20*firstRest {
		each := time.Millisecond
		if s.phase == tried {
			each *= 2
		}
		s.add(each)
		steps++
		before := run.offloaded
		s.apply(run, from)
		if run.offloaded > before {
			began = append(began, steps)
		}
	}
	if len(began) < 3 || began[1]-began[0] < firstRest || began[1]-began[0] > 2*firstRest || began[2]-began[1] < 4*firstRest {
		t.Fatalf("offloaded after %v of %d steps", began, steps)
	}
	if run.reclaimed != 2 || p.times != 2 {
		t.Errorf("reclaimed %d times, closed %d times", run.reclaimed, p.times)
	}
}
