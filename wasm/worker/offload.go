package worker

import (
	"time"

	"cadem/core/cadem"
)

// Helpers are the workers that can train encoders beside a run.
type Helpers struct {
	Request func(n int) []cadem.Helper // that number; nil until all are there
	Most    int                        // as many as there can be
	Shared  bool                       // memory can be shared with them
}

// An offloader is a training whose encoders helpers may take over: [*cadem.Trainer].
type offloader interface {
	Helpers(most int, shared bool) int
	Offload(...cadem.Helper)
	Done() bool
}

// An offloadPolicy decides by time how many helpers a training has: on a machine that has other
// things to do as well, workers wait for each other. It times some steps as the training is and some with
// more helpers, who go again if steps have not become shorter. They are
// tried again later: a program that has just begun competes with the compiler of the browser.
type offloadPolicy struct {
	steps   int // since they are timed
	seconds float64
	longest [timedSteps / 4]float64 // of the steps that were timed, the shortest of them first
	helpers []cadem.Helper          // who have encoders
	kept    int                     // how many of them have proved useful
	alone   float64                 // mean of a step with those
	rest    int                     // steps until others are tried again, when they did not pay last time
	resting bool
	settled bool // there is nothing more to try
}

// Each trial skips some steps first, while machine code is still being optimised.
const (
	untimedSteps = 10
	timedSteps   = 40
)

// firstRest is how many steps pass before what did not pay is tried again, four times as many each
// time.
const firstRest = 500

// gain is the largest fraction of a step's time at which helpers stay: they take memory, and cores
// from others.
const gain = 0.97

// add counts a step. It reports whether that was the last one that had to be timed.
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

// mean returns the mean of the steps that were timed, once there are enough of them, except for the
// longest ones: a step during which the machine did something else says nothing of the others.
func (s *offloadPolicy) mean() (seconds float64, ok bool) {
	n, sum := s.steps-untimedSteps, s.seconds
	for _, v := range s.longest {
		sum -= v
	}
	return sum / float64(n-len(s.longest)), n >= timedSteps
}

// anew begins to time steps.
func (s *offloadPolicy) anew() {
	*s = offloadPolicy{helpers: s.helpers, kept: s.kept, alone: s.alone, rest: s.rest}
}

// apply hands encoders of a training to more helpers when there are some, and takes them back when that
// does not pay.
func (s *offloadPolicy) apply(t offloader, from *Helpers) {
	if s.settled {
		return
	}
	if s.resting {
		if s.steps < s.rest {
			return
		}
		s.anew()
	}
	mean, timed := s.mean()
	if len(s.helpers) > s.kept { // on trial
		switch {
		case !timed:
			return
		case mean >= gain*s.alone:
			s.keep(t, s.kept)
			s.anew()
			s.resting, s.rest = true, max(firstRest, 4*s.rest)
			return
		}
		s.kept = len(s.helpers)
	}
	more := t.Helpers(from.Most, from.Shared)
	if more == 0 {
		s.settled = true
		return
	}
	if helpers := from.Request(more); helpers != nil && timed {
		t.Offload(helpers...)
		s.helpers, s.alone = helpers, mean
		s.anew()
	}
}

// keep takes encoders back from all but the first helpers.
func (s *offloadPolicy) keep(t offloader, first int) {
	t.Offload(s.helpers[:first]...)
	s.close(first)
}

// reclaim takes all encoders back.
func (s *offloadPolicy) reclaim(t offloader) { s.keep(t, 0) }

// close gives up all but the first helpers with what they hold.
func (s *offloadPolicy) close(first int) {
	for _, h := range s.helpers[first:] {
		h.Close()
	}
	s.helpers = s.helpers[:first]
}

// A taskOffload applies the policy to a task's training, as long as there is a core to spare.
type taskOffload struct {
	policy offloadPolicy
	before time.Time // when the last step ended; zero before the first that is timed
}

// step is called after every step of t, with whether a core is free now.
func (l *taskOffload) step(t offloader, spare bool, from *Helpers) {
	if !spare || t.Done() {
		if !l.before.IsZero() {
			l.policy.reclaim(t)
			*l = taskOffload{}
		}
		return
	}
	if l.policy.settled {
		return
	}
	now := time.Now()
	if !l.before.IsZero() {
		l.policy.add(now.Sub(l.before))
	}
	l.before = now
	l.policy.apply(t, from)
}
