package worker

import (
	"time"

	"cadem/core/study"
	"cadem/core/study/measure"
	"cadem/wasm/bridge"
)

// A MethodWorker trains the methods that CaDeM is compared with, and not CaDeM: on the examples and on files, a run or a task at
// a time. Nothing else may refer to it, nor it to the trainer of CaDeM.
type MethodWorker struct {
	*Worker
	run *methodRun // or nil
}

// NewMethods returns a worker that takes its requests from in; yield lets new ones arrive.
func NewMethods(in *bridge.Inbox, yield func()) *MethodWorker {
	began := time.Now()
	w := &MethodWorker{Worker: &Worker{
		program: program{read: (*Worker).readFiles, garbage: 40}, queue: queue{in: in, yield: yield},
		clock: func() time.Duration { return time.Since(began) },
	}}
	of := func(answer func(*bridge.Request) error, during duringJob) request {
		return request{func(_ *Worker, r *bridge.Request) error { return answer(r) }, during}
	}
	// The kinds are those of a run of CaDeM, so that the page need not tell them apart once the program is there: "methods" says
	// which program it is.
	w.requests = map[string]request{
		"methods":    of(w.idle, answered),
		"open":       of(w.open, replaces),
		"train":      of(w.train, replaces),
		"resume":     of(w.resume, replaces),
		"cancel":     of(w.idle, stops),
		"control":    of(w.control, answered),
		"embeddings": of(w.embeddings, waits),
		"frame":      of(w.frame, waits),
		"layers":     of(w.layers, answered),
		"places":     of(w.places, waits),
		"clusters":   of(w.clusters, waits),
		"evaluate":   of(w.evaluate, waits),
		"export":     of(w.export, waits),
		"inspect":    of(w.inspect, waits),
		"task":       of(w.task, waits),
		"spare":      of(w.idle, answered),
	}
	return w
}

// task does a task with a method. The key comes with it, from the program that made the task.
func (w *MethodWorker) task(r *bridge.Request) error {
	var args struct {
		Task study.Task `json:"task"`
		Key  string     `json:"key"`
	}
	if err := r.Args(&args); err != nil {
		return err
	}
	args.Task.Clock = func() float64 { return w.clock().Seconds() }
	return w.attend(r, &args.Task, func(yield func(done, total int) error) (*measure.Result, error) {
		return args.Task.RunMethod(args.Key, &w.tasks.files, yield)
	})
}
