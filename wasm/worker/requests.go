package worker

import (
	"maps"
	"slices"

	"cadem.example/core/cadem"
	"cadem.example/core/synth/examples"
	"cadem.example/wasm/bridge"
)

// A handler answers the requests of one kind.
type handler func(*Worker, *bridge.Request) error

// ofRun answers about the current run.
func ofRun(answer func(*Worker, *bridge.Request, *training) error) handler {
	return func(w *Worker, q *bridge.Request) error {
		if w.run == nil {
			return bridge.Errorf("no-run", "There is no run.")
		}
		return answer(w, q, w.run)
	}
}

// ofEpoch answers about the embeddings of an epoch of the run, which the request brings along, or about
// the current ones.
func ofEpoch(answer func(*Worker, *bridge.Request, *training, *cadem.Embeddings) error) handler {
	return ofRun(func(w *Worker, q *bridge.Request, r *training) error {
		e, err := w.embedded(q, r)
		if err != nil {
			return err
		}
		return answer(w, q, r, e)
	})
}

// A request is a kind of request to a worker, as wasm/PROTOCOL.md describes it.
type request struct {
	answer handler
	during duringJob
}

// A duringJob says what becomes of a request that comes while a [job] is going on.
type duringJob int

const (
	waits    duringJob = iota // until the job is over
	answered                  // at once, beside the job
	replaces                  // ends the job, then is answered: it changes what the job is about
	stops                     // ends the job and has nothing else to do
)

// Answers lists the kinds of requests that the worker answers, and "draws" with the name of each example that it draws. If it reads data
// sets of files there is "files".
func (w *Worker) Answers() []string {
	list := slices.Sorted(maps.Keys(w.requests))
	for _, name := range examples.Names() {
		list = append(list, "draws "+name)
	}
	if w.read != nil {
		list = append(list, "files")
	}
	return list
}

func (w *Worker) handle(r *bridge.Request) error {
	if kind, ok := w.requests[r.Kind]; ok {
		return kind.answer(w, r)
	}
	return bridge.Errorf("internal", "this program knows no request %q", r.Kind)
}

// admit lets in the requests that came during a job.
func (w *Worker) admit(j *job) {
	for q := w.in.Next(); q != nil; q = w.in.Next() {
		switch w.requests[q.Kind].during {
		case answered:
			if j.coming && q.Kind == "control" {
				w.steer(j, q)
			} else {
				w.answer(q)
			}
		case replaces:
			j.stop = true
			w.postponed = append(w.postponed, q)
		case stops:
			j.stop = true
			w.answer(q)
		default:
			w.postponed = append(w.postponed, q)
		}
	}
}
