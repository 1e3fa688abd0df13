package worker

import (
	"testing"
	"time"

	"cadem/core/cadem"
)

// What is lent stays lent if the steps that are timed have become shorter, whatever the first
// ones took, and the longest of the others.
func TestSharingIsDecidedByTime(t *testing.T) {
	for _, c := range []struct {
		alone, with time.Duration
		pays        bool
	}{{5 * time.Millisecond, 4 * time.Millisecond, true}, {5 * time.Millisecond, 6 * time.Millisecond, false}} {
		var s sharing
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

// A lender counts what is lent and taken back.
type lender struct {
	cadem.Trainer
	lent, recalled int
	done           bool
}

func (l *lender) Offloadable(bool) bool { return l.lent == l.recalled }
func (l *lender) Offload(cadem.Helper)  { l.lent++ }
func (l *lender) Reclaim()              { l.recalled++ }
func (l *lender) Done() bool            { return l.done }

// A leaver counts how often it was sent away.
type leaver struct {
	cadem.Helper
	left int
}

func (p *leaver) Close() { p.left++ }

// A task lends while a core is to spare, and takes back when it no longer is.
func TestLoan(t *testing.T) {
	p := &leaver{}
	hired := 0
	from := &Partners{Hire: func() cadem.Helper {
		if hired++; hired < 3 {
			return nil // not up yet
		}
		return p
	}}
	var l loan
	run := &lender{}
	steps := func(n int, spare bool) {
		for range n {
			l.step(run, spare, from)
		}
	}
	steps(1000, false)
	if hired > 0 || run.recalled > 0 {
		t.Fatalf("%d asked, %d taken back, and no core to spare", hired, run.recalled)
	}
	steps(untimedSteps+timedSteps, true)
	if run.lent > 0 {
		t.Fatal("lent before the steps without were timed")
	}
	steps(10, true)
	if run.lent != 1 {
		t.Fatalf("lent %d times", run.lent)
	}
	steps(10, false)
	if run.recalled != 1 || p.left != 1 {
		t.Fatalf("taken back %d times, %d times sent away", run.recalled, p.left)
	}
	steps(untimedSteps+timedSteps+10, true)
	if run.lent != 2 {
		t.Errorf("lent %d times, the core being free again", run.lent)
	}
	run.done = true
	steps(1, true)
	if run.recalled != 2 || p.left != 2 {
		t.Errorf("at the end taken back %d times, %d times sent away", run.recalled, p.left)
	}
}

// What did not pay is tried again after a rest, which grows.
func TestSharingIsTriedAgain(t *testing.T) {
	p, run := &leaver{}, &lender{}
	from := &Partners{Hire: func() cadem.Helper { return p }}
	var s sharing
	steps, began := 0, []int(nil)
	for len(began) < 3 && steps < 20*firstRest {
		each := time.Millisecond
		if s.phase == tried {
			each *= 2
		}
		s.add(each)
		steps++
		before := run.lent
		s.share(run, from)
		if run.lent > before {
			began = append(began, steps)
		}
	}
	if len(began) < 3 || began[1]-began[0] < firstRest || began[1]-began[0] > 2*firstRest || began[2]-began[1] < 4*firstRest {
		t.Fatalf("lent after %v of %d steps", began, steps)
	}
	if run.recalled != 2 || p.left != 2 {
		t.Errorf("taken back %d times, %d times sent away", run.recalled, p.left)
	}
}
