package worker

import "time"

// Sharing decides by time whether a run trains its private encoders in a second worker: on a
// machine that has other things to do as well, two workers wait for each other. It times some
// steps without and some with, and what was lent comes back if they have not become shorter.
type sharing struct {
	phase   sharingPhase
	steps   int // since the phase began
	seconds float64
	alone   float64 // mean of a step without
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

// add counts a step.
func (s *sharing) add(took time.Duration) {
	if s.steps++; s.steps > untimedSteps {
		s.seconds += took.Seconds()
	}
}

// mean returns that of the steps that were timed, once there are enough of them.
func (s *sharing) mean() (seconds float64, ok bool) {
	n := s.steps - untimedSteps
	return s.seconds / float64(n), n >= timedSteps
}

// lent begins the time with a partner.
func (s *sharing) lent() {
	mean, _ := s.mean()
	*s = sharing{phase: tried, alone: mean}
}

// pays tells whether steps have become shorter, and that it is known.
func (s *sharing) pays() (yes, known bool) {
	mean, ok := s.mean()
	return mean < s.alone, ok
}

// share lends the private encoders to a partner when there is one, and takes them back when
// that does not pay.
func (r *run) share(w *Worker) {
	switch r.sharing.phase {
	case alone:
		if !r.trainer.Lendable() {
			return
		}
		p := w.Partner()
		if _, timed := r.sharing.mean(); p != nil && timed {
			r.trainer.Lend(p)
			r.sharing.lent()
		}
	case tried:
		if pays, known := r.sharing.pays(); known {
			r.sharing.phase = decided
			if !pays {
				r.trainer.Recall()
			}
		}
	}
}
