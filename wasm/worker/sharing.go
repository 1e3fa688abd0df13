package worker

import (
	"time"

	"cadem/core/cadem"
)

// Partners are those who may train private encoders beside a run.
type Partners struct {
	Hire   func() cadem.Helper // nil as long as there is none
	Shared bool                // memory can be shared with them
}

// Sharing decides by time whether a training has its private encoders in a second worker: on a
// machine that has other things to do as well, two workers wait for each other. It times some
// steps without and some with, and what was lent comes back if they have not become shorter. It is
// tried again later: a program that has just begun competes with the compiler of the browser.
type sharing struct {
	phase   sharingPhase
	steps   int // since the phase began
	seconds float64
	longest [timedSteps / 4]float64 // of the steps that were timed, the shortest of them first
	alone   float64                 // mean of a step without
	partner cadem.Helper            // who has the private encoders; nil when they are here
	rest    int                     // steps until it is tried again, when it did not pay last time
}

type sharingPhase int

const (
	alone sharingPhase = iota
	tried
	decided
)

// Of each phase some steps pass first, in which machine code is still being made better.
const (
	untimedSteps = 10
	timedSteps   = 40
)

// firstRest is how many steps pass before what did not pay is tried again, four times as many each
// time.
const firstRest = 500

// add counts a step. It tells whether that was the last one that had to be timed.
func (s *sharing) add(took time.Duration) bool {
	if s.steps++; s.steps <= untimedSteps {
		return false
	}
	t := took.Seconds()
	s.seconds += t
	for i, v := range s.longest {
		if t <= v {
			break
		}
		if i > 0 {
			s.longest[i-1] = v
		}
		s.longest[i] = t
	}
	return s.steps == untimedSteps+timedSteps
}

// mean returns that of the steps that were timed, once there are enough of them, but for the
// longest ones: a step during which the machine did something else says nothing of the others.
func (s *sharing) mean() (seconds float64, ok bool) {
	n, sum := s.steps-untimedSteps, s.seconds
	for _, v := range s.longest {
		sum -= v
	}
	return sum / float64(n-len(s.longest)), n >= timedSteps
}

// lent begins the time with a partner.
func (s *sharing) lent() {
	mean, _ := s.mean()
	*s = sharing{phase: tried, alone: mean, rest: s.rest}
}

// pays tells whether steps have become shorter, and that it is known.
func (s *sharing) pays() (yes, known bool) {
	mean, ok := s.mean()
	return mean < s.alone, ok
}

// share lends the private encoders of a training to a partner when there is one, and takes them
// back when that does not pay.
func (s *sharing) share(t cadem.Trainer, from *Partners) {
	switch s.phase {
	case alone:
		if !t.Offloadable(from.Shared) {
			return
		}
		p := from.Hire()
		if _, timed := s.mean(); p != nil && timed {
			t.Offload(p)
			s.lent()
			s.partner = p
		}
	case tried:
		if pays, known := s.pays(); known {
			s.phase = decided
			if !pays {
				s.end(t)
				*s = sharing{phase: decided, rest: max(firstRest, 4*s.rest)}
			}
		}
	case decided:
		if s.partner == nil && s.steps >= s.rest {
			*s = sharing{rest: s.rest}
		}
	}
}

// end takes back what was lent.
func (s *sharing) end(t cadem.Trainer) {
	t.Reclaim()
	s.leave()
}

// leave gives up what was lent, and with it the memory that was taken elsewhere.
func (s *sharing) leave() {
	if s.partner != nil {
		s.partner.Close()
		s.partner = nil
	}
}

// A loan is the sharing of a task's training: it lasts as long as there is a core to spare.
type loan struct {
	sharing sharing
	before  time.Time // when the last step ended; zero before the first that is timed
}

// step is told of every step of t, and whether a core is to spare now.
func (l *loan) step(t cadem.Trainer, spare bool, from *Partners) {
	if !spare || t.Done() {
		if !l.before.IsZero() {
			l.sharing.end(t)
			*l = loan{}
		}
		return
	}
	if l.sharing.phase == decided && l.sharing.partner != nil {
		return
	}
	now := time.Now()
	if !l.before.IsZero() {
		l.sharing.add(now.Sub(l.before))
	}
	l.before = now
	l.sharing.share(t, from)
}
