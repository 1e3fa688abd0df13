package worker

import (
	"testing"
	"time"
)

// What is lent stays lent if the steps that are timed have become shorter, whatever the first
// ones took.
func TestSharingIsDecidedByTime(t *testing.T) {
	for _, c := range []struct {
		alone, with time.Duration
		pays        bool
	}{{5 * time.Millisecond, 4 * time.Millisecond, true}, {5 * time.Millisecond, 6 * time.Millisecond, false}} {
		var s sharing
		pass := func(each time.Duration) (steps int) {
			for {
				if s.steps < untimedSteps {
					s.add(time.Second)
				} else {
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
		s.lent()
		if _, known := s.pays(); known || s.phase != tried {
			t.Error("decided before a step was taken")
		}
		pass(c.with)
		if pays, known := s.pays(); pays != c.pays || !known {
			t.Errorf("%v alone and %v with a partner: pays %v, known %v", c.alone, c.with, pays, known)
		}
	}
}
