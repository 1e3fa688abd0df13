package worker

import (
	"time"

	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// A warmUp trains something small before the first training, while nothing is requested. Browsers
// translate a program in haste, and code that has run for some time again and better: Syn1 takes
// half as long again right after the page has loaded as later. A step of a small graph runs the
// same code as that of a large one, and many times as often.
type warmUp struct {
	due     time.Time // when it begins, after the first data set: the page draws first
	left    time.Duration
	begin   func() *cadem.Trainer
	trainer *cadem.Trainer
}

const (
	warmUpDue  = 500 * time.Millisecond
	warmUpTime = 250 * time.Millisecond
)

// WarmUp has the worker begin with one.
func WarmUp(w *Worker) { w.warmUp = &warmUp{left: warmUpTime, begin: smallTraining} }

// slice trains for a while and reports whether there is more to do.
func (m *warmUp) slice() bool {
	if m.trainer == nil {
		m.trainer = m.begin()
	}
	began := time.Now()
	for time.Since(began) < slice {
		for range 20 { // the clock takes as long as a part of such a step
			if m.trainer.Step() != nil {
				return false
			}
		}
	}
	m.left -= time.Since(began)
	return m.left > 0
}

// smallTraining is one of a graph like Syn1's, longer than any warm-up.
func smallTraining() *cadem.Trainer {
	d, err := run.OpenExample("syn1", map[string]any{"nodes": 20}, 0)
	if err != nil {
		panic(err) // as of all that follows: nothing here depends on a request
	}
	s, err := run.NewSettings(cadem.Presets[0], d)
	if err != nil {
		panic(err)
	}
	s.CaDeM().Hidden, s.CaDeM().Epochs, s.CaDeM().EarlyStop = 16, 100_000, "off"
	t, err := cadem.NewFrom(multiplex.Held([]*multiplex.Graph{d.Graph}), *s.CaDeM(), 0, precision.Single, cadem.Given{})
	if err != nil {
		panic(err)
	}
	return t
}
