package worker

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"cadem/core/cadem"
	"cadem/core/run"
	"cadem/wasm/bridge"
)

// An action is what the page may ask of a run.
type action string

const (
	toPlay   action = "play"
	toPause  action = "pause"
	toStep   action = "step"   // one inner step
	toEpoch  action = "epoch"  // to the end of the outer epoch
	toCancel action = "cancel" // for good
	toSet    action = "set"    // live options, pace, whether frames are wanted
)

// control steers the run.
func (w *Worker) control(q *bridge.Request, r *training) error {
	var args struct {
		Action action             `json:"action"`
		Live   map[string]float64 `json:"live"`
		Pace   *float64           `json:"pace"`
		Watch  *bool              `json:"watch"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	active := r.state == run.Running || r.state == run.Paused
	told := func() { q.Reply(map[string]any{"progress": r.progress()}) }
	switch args.Action {
	case toPlay:
		if active {
			r.settle()
			r.play(w)
			r.report(w, true)
		}
		told()
	case toPause:
		if r.state == run.Running {
			r.pause()
		}
		// The answer first: a checkpoint of a large run takes a while.
		told()
		if active {
			r.report(w, true)
		}
	case toStep:
		if active {
			r.pause()
			if r.step(w) {
				r.report(w, true)
			}
		}
		if w.run != r {
			return bridge.Errorf("internal", "The program made a mistake in this step; the run was given up.")
		}
		told()
	case toEpoch:
		if !active {
			told()
			break
		}
		r.settle()
		r.until, r.asked = r.trainer.Progress().Epoch+1, q
		r.play(w)
	case toCancel:
		w.cancel()
		told()
	case toSet:
		if err := w.set(r, args.Live, args.Pace, args.Watch); err != nil {
			return err
		}
		told()
		if r.state == run.Paused {
			r.report(w, true)
		}
	default:
		return bridge.Errorf("internal", "a run knows no action %q", args.Action)
	}
	return nil
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
		if err := r.trainer.SetLive(name, live[name]); err != nil {
			return err
		}
	}
	if pace != nil {
		w.pace = *pace
		r.due = w.clock()
	}
	if watch != nil {
		if *watch && !w.watched {
			r.advance, r.save = r.trainer.Step, func(dst io.Writer) error { return cadem.WriteCheckpoint(dst, r.trainer) }
			r.framedStep = -1
		}
		w.watched = *watch
	}
	return nil
}
