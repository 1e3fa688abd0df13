package worker

import (
	"time"

	"cadem.example/wasm/bridge"
)

// A job is a longer piece of work during which the run waits.
type job struct {
	since time.Duration // when requests were last let in, as of the worker's clock
	run   *training     // which has to stay in place, or nil
	stop  bool
	step  bool // it is a step of the run
	// A run is being prepared, which is held once it stands.
	coming, held bool
	// The clock is the page's and dear beside a short step: it is looked at every stride calls.
	calls, next, stride int
}

// begin starts a job; end is called when it is over.
func (w *Worker) begin(of *training) (end func()) {
	w.job = &job{since: w.clock(), run: of}
	return func() { w.job = nil }
}

// breathe lets requests in during a job. Those that are quick are answered at once;
// one that replaces the run, or asks for it, ends the job; the others wait for its end.
func (w *Worker) breathe() error {
	j := w.job
	if j.calls++; j.calls < j.next {
		return nil
	}
	most := slice
	if j.coming { // one part of a preparation may take the rest of a slice
		most /= 4
	}
	if w.clock()-j.since < most {
		j.next = j.calls + j.stride
		return nil
	}
	if !j.coming {
		j.stride = min(j.calls/8, 16)
	}
	j.calls, j.next = 0, j.stride
	w.yield()
	j.since = w.clock()
	w.admit(j)
	if j.stop || w.run != j.run {
		return bridge.Errorf("cancelled", "This was interrupted by another request.")
	}
	return nil
}

// soFar says how much of a longer piece of work is done.
type soFar struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Of    string `json:"of,omitempty"` // the embedding that it is about
}

// tell returns a function that reports how much of a total is done, and serves requests. The page
// hears of hundredths: the work itself is counted in multiply-adds.
func (w *Worker) tell(r *bridge.Request, event string, of *string) func(done, total int) error {
	reported := -progressEvery // so that the first is reported
	return func(done, total int) error {
		if now := w.clock(); now-reported >= progressEvery {
			reported = now
			say := soFar{Done: int(100 * float64(done) / float64(max(total, 1))), Total: 100}
			if of != nil {
				say.Of = *of
			}
			if err := r.Event(event, say); err != nil {
				return err
			}
		}
		return w.breathe()
	}
}

// steer does requests to a run that is being prepared: to begin once it is ready, to be held then, or to
// be given up. Other requests wait until it is ready.
func (w *Worker) steer(j *job, q *bridge.Request) {
	var args controlArgs
	err := q.Args(&args)
	switch {
	case err != nil:
	case args.Action == toPlay, args.Action == toPause:
		j.held = args.Action == toPause
	case args.Action == toCancel:
		j.stop = true
	default:
		w.postponed = append(w.postponed, q)
		return
	}
	if err != nil {
		q.Fail(coded(err))
		return
	}
	q.Reply(none{})
}
