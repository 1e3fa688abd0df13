package worker

import (
	"fmt"
	"maps"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// An action is a request of the page to a run.
type action string

const (
	toPlay   action = "play"
	toPause  action = "pause"
	toStep   action = "step"   // one inner step
	toEpoch  action = "epoch"  // to the end of the outer epoch
	toCancel action = "cancel" // for good
	toSet    action = "set"    // live options, pace, whether frames are wanted
)

// controlArgs are the arguments of control.
type controlArgs struct {
	Action action             `json:"action"`
	Live   map[string]float64 `json:"live"`
	Pace   *float64           `json:"pace"`
	Watch  *bool              `json:"watch"`
}

// control steers the run.
func (w *Worker) control(q *bridge.Request, r *training, given any) error {
	args := given.(*controlArgs)
	within := w.job != nil && w.job.step
	if within && args.Action != toPause && args.Action != toCancel { // it waits for the end of the step
		w.postponed = append(w.postponed, q)
		return nil
	}
	active := r.state == run.Running || r.state == run.Paused
	reply := func() { q.Reply(reached{Progress: r.progress()}) }
	pauseAfter := func(done func() bool) {
		if !active {
			reply()
			return
		}
		r.settle()
		r.until, r.asked = done, q
		r.play(w)
	}
	switch args.Action {
	case toPlay:
		if active {
			r.settle()
			r.play(w)
			r.report(w, true)
		}
		reply()
	case toPause:
		if r.state == run.Running {
			r.pause()
		}
		// The answer first: a checkpoint of a large run takes a while.
		reply()
		if active && !within { // else at the end of the step
			r.report(w, true)
		}
	case toStep:
		if steps := r.Progress().Steps; r.Trainer() == nil {
			pauseAfter(func() bool { return r.Progress().Steps > steps })
			break
		}
		if active {
			r.pause()
			r.step(w)
		}
		if w.run != r {
			return bridge.Errorf("internal", "The program made a mistake in this step; the run was given up.")
		}
		reply()
	case toEpoch:
		epoch := r.epoch()
		pauseAfter(func() bool { return r.epoch() > epoch })
	case toCancel:
		w.cancel()
		reply()
	case toSet:
		if err := w.set(r, args.Live, args.Pace, args.Watch); err != nil {
			return err
		}
		reply()
		if r.state == run.Paused {
			r.report(w, true)
		}
	default:
		return bridge.Errorf("internal", "a run knows no action %q", args.Action)
	}
	return nil
}

// epoch counts those that are complete: of CaDeM outer ones, of another method those of the optimiser.
func (r *training) epoch() int {
	if t := r.Trainer(); t != nil {
		return t.Progress().Epoch
	}
	return r.Progress().Epoch
}

// play lets the run go on.
func (r *training) play(w *Worker) {
	now := w.clock()
	if r.state != run.Running {
		r.secured = now // nothing can have been lost while it was held
	}
	r.state, r.mark, r.due = run.Running, now, now
}

// set changes what may change while a run goes on: all of it or, on an error, nothing.
func (w *Worker) set(r *training, live map[string]float64, pace *float64, watch *bool) error {
	if pace != nil && !(*pace >= 0 && *pace <= 1e6) {
		return &bridge.Error{Code: "bad-option", Field: "pace",
			Message: fmt.Sprintf("pace: found %v, expected epochs a second from 0 (as fast as possible) to 1000000", *pace)}
	}
	for _, name := range slices.Sorted(maps.Keys(live)) {
		t := r.Trainer()
		if t == nil {
			return diag.Option(name, property.Text(live[name]), "none: "+r.Settings.Method.Label+" changes nothing while it trains")
		}
		if err := t.SetLive(name, live[name]); err != nil {
			return err
		}
	}
	if pace != nil {
		w.pace = *pace
		r.due = w.clock()
	}
	if watch != nil {
		if *watch && !w.watched {
			r.framedStep = -1
		}
		w.watched = *watch
	}
	return nil
}
