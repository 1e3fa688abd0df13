package worker

import (
	"time"

	"cadem/core/cadem"
)

// Helpers are what may train private encoders beside a run.
type Helpers struct {
	Request func() cadem.Helper // nil as long as there is none
	Shared  bool                // memory can be shared with them
}

// An offloader is a training whose private encoders a helper may take over: [*cadem.Trainer].
type offloader interface {
	Offloadable(shared bool) bool
	Offload(cadem.Helper)
	Done() bool
}

// An offloadPolicy decides by time whether a training has its private encoders in a second worker: on a
// machine that has other things to do as well, two workers wait for each other. It times some
// steps without and some with, and the encoders come back if they have not become shorter. It is
// tried again later: a program that has just begun competes with the compiler of the browser.
type offloadPolicy struct {
	phase   offloadPhase
	steps   int // since the phase began
	seconds float64
	longest [timedSteps / 4]float64 // of the steps that were timed, the shortest of them first
	alone   float64                 // mean of a step without
	helper  cadem.Helper            // who has the private encoders; nil when they are here
	rest    int                     // steps until it is tried again, when it did not pay last time
}

type offloadPhase int

const (
	alone offloadPhase = iota
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
func (s *offloadPolicy) add(took time.Duration) bool {
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
func (s *offloadPolicy) mean() (seconds float64, ok bool) {
	n, sum := s.steps-untimedSteps, s.seconds
	for _, v := range s.longest {
		sum -= v
	}
	return sum / float64(n-len(s.longest)), n >= timedSteps
}

// offloaded begins the time with a helper.
func (s *offloadPolicy) offloaded() {
	mean, _ := s.mean()
	*s = offloadPolicy{phase: tried, alone: mean, rest: s.rest}
}

// pays tells whether steps have become shorter, and that it is known.
func (s *offloadPolicy) pays() (yes, known bool) {
	mean, ok := s.mean()
	return mean < s.alone, ok
}

// apply offloads the private encoders of a training to a helper when there is one, and reclaims them
// when that does not pay.
func (s *offloadPolicy) apply(t offloader, from *Helpers) {
	switch s.phase {
	case alone:
		if !t.Offloadable(from.Shared) {
			return
		}
		p := from.Request()
		if _, timed := s.mean(); p != nil && timed {
			t.Offload(p)
			s.offloaded()
			s.helper = p
		}
	case tried:
		if pays, known := s.pays(); known {
			s.phase = decided
			if !pays {
				s.reclaim(t)
				*s = offloadPolicy{phase: decided, rest: max(firstRest, 4*s.rest)}
			}
		}
	case decided:
		if s.helper == nil && s.steps >= s.rest {
			*s = offloadPolicy{rest: s.rest}
		}
	}
}

// reclaim takes them back.
func (s *offloadPolicy) reclaim(t offloader) {
	t.Offload(nil)
	s.close()
}

// close gives up the helper with what it holds.
func (s *offloadPolicy) close() {
	if s.helper != nil {
		s.helper.Close()
		s.helper = nil
	}
}

// A taskOffload applies the policy to a task's training, as long as there is a core to spare.
type taskOffload struct {
	policy offloadPolicy
	before time.Time // when the last step ended; zero before the first that is timed
}

// step is told of every step of t, and whether a core is to spare now.
func (l *taskOffload) step(t offloader, spare bool, from *Helpers) {
	if !spare || t.Done() {
		if !l.before.IsZero() {
			l.policy.reclaim(t)
			*l = taskOffload{}
		}
		return
	}
	if l.policy.phase == decided && l.policy.helper != nil {
		return
	}
	now := time.Now()
	if !l.before.IsZero() {
		l.policy.add(now.Sub(l.before))
	}
	l.before = now
	l.policy.apply(t, from)
}
