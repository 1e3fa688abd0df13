package worker

import (
	"time"

	"cadem/wasm/bridge"
)

// A job is a longer piece of work during which the run waits.
type job struct {
	since time.Time // when requests were last let in
	run   *training // which has to stay in place, or nil
	stop  bool
	// The clock is the page's and dear beside a short step: it is looked at every stride calls.
	calls, next, stride int
}

// begin starts a job; end is called when it is over.
func (w *Worker) begin(of *training) (end func()) {
	w.job = &job{since: time.Now(), run: of}
	return func() { w.job = nil }
}

// breathe lets requests in during a job. Those that are quick are answered at once;
// one that replaces the run, or asks for it, ends the job; the others wait for its end.
func (w *Worker) breathe() error {
	j := w.job
	if j.calls++; j.calls < j.next {
		return nil
	}
	if time.Since(j.since) < slice {
		j.next = j.calls + j.stride
		return nil
	}
	j.stride = min(j.calls/8, 16)
	j.calls, j.next = 0, j.stride
	w.yield()
	j.since = time.Now()
	w.admit(j)
	if j.stop || w.run != j.run {
		return bridge.Errorf("cancelled", "This was interrupted by another request.")
	}
	return nil
}
