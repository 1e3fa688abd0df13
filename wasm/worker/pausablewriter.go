package worker

import (
	"io"
	"time"

	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// A pausableWriter looks for messages while the checkpoint of a run is written.
type pausableWriter struct {
	io.Writer
	run   *training
	w     *Worker
	since time.Time // when requests were last let in
}

// Write answers a request to pause at once: no step is taken before the checkpoint is done.
// Others wait for that, and so does a pause that comes after them. During a job all are left
// to that, which they may end.
func (h *pausableWriter) Write(p []byte) (int, error) {
	if h.w.job == nil && time.Since(h.since) >= slice {
		h.w.yield()
		h.since = time.Now()
		for q := h.w.in.Next(); q != nil; q = h.w.in.Next() {
			if len(h.w.postponed) == 0 && h.run.state == run.Running && pauses(q) {
				h.run.pause()
				q.Reply(reached{Progress: h.run.progress()})
			} else {
				h.w.postponed = append(h.w.postponed, q)
			}
		}
	}
	return h.Writer.Write(p)
}

// pauses reports whether a request is one to pause.
func pauses(q *bridge.Request) bool {
	var args controlArgs
	return q.Kind == "control" && q.Args(&args) == nil && args.Action == toPause
}
