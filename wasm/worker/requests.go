package worker

import (
	"maps"
	"reflect"
	"slices"

	"cadem.example/core/cadem"
	"cadem.example/core/synth/examples"
	"cadem.example/wasm/bridge"
)

// A handler answers the requests of one kind, given a pointer to their arguments.
type handler func(w *Worker, q *bridge.Request, args any) error

// none are the arguments of a request that has none, and a result without fields.
type none struct{}

// ofData answers about the open data set.
func ofData(answer handler) handler {
	return func(w *Worker, q *bridge.Request, args any) error {
		if w.data == nil {
			return bridge.Errorf("no-data", "No data set is open.")
		}
		return answer(w, q, args)
	}
}

// ofRun answers about the current run.
func ofRun(answer func(*Worker, *bridge.Request, *training, any) error) handler {
	return func(w *Worker, q *bridge.Request, args any) error {
		if w.run == nil {
			return bridge.Errorf("no-run", "There is no run.")
		}
		return answer(w, q, w.run, args)
	}
}

// ofEpoch answers about the embeddings of an epoch of the run, which the request brings along, or about
// the current ones.
func ofEpoch(answer func(*Worker, *bridge.Request, *training, *cadem.Embeddings, any) error) handler {
	return ofRun(func(w *Worker, q *bridge.Request, r *training, args any) error {
		e, err := w.embedded(q, r)
		if err != nil {
			return err
		}
		return answer(w, q, r, e, args)
	})
}

// A request is a kind of request to a worker, as wasm/PROTOCOL.md describes it.
type request struct {
	answer handler
	// Arguments are read into a new value of the type of args. The page's types are made of both (scripts/build/messages).
	args, result any
	during       duringJob
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
		args := reflect.New(reflect.TypeOf(kind.args)).Interface()
		if err := r.Args(args); err != nil {
			return err
		}
		return kind.answer(w, r, args)
	}
	return bridge.Errorf("internal", "this program knows no request %q", r.Kind)
}

// Messages lists the kinds of requests that the worker answers, with values of the types of their arguments and results.
func (w *Worker) Messages(f func(kind string, args, result any)) {
	for kind, r := range w.requests {
		f(kind, r.args, r.result)
	}
}

// Events lists what comes while a request is under way.
func Events() map[string]any {
	return map[string]any{"checkpoint": secured{}, "frame": frame{}, "grouping": soFar{}, "layout": laidOut{}, "preparing": soFar{}, "progress": progress{},
		"reading": soFar{}, "scoring": soFar{}, "shares": cadem.Shares{}, "snapshot": frame{}, "task": soFar{}}
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
