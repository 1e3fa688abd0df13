package worker

import (
	"maps"

	"cadem.example/core/base/pause"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/wasm/bridge"
)

// NewMethods returns a worker that trains the methods that CaDeM is compared with: on the examples and on files, a run or a task at a
// time. It takes its requests from in; yield lets new ones arrive.
func NewMethods(in *bridge.Inbox, yield func()) *Worker {
	w := newWorker(in, yield)
	w.read, w.garbage = (*Worker).readFiles, 40
	// "methods" identifies this program. The other kinds are shared with the programs that train CaDeM, as far as they suit any method.
	w.requests = map[string]request{
		"methods": {(*Worker).idle, answered},
		"export":  {ofRun((*Worker).export), waits},
		"task":    {(*Worker).methodTask, waits},
	}
	maps.Copy(w.requests, anyRequests())
	return w
}

// methodTask does a task with a method. The key comes with it, from the program that made the task.
func (w *Worker) methodTask(r *bridge.Request) error {
	var args struct {
		Task study.Task `json:"task"`
		Key  string     `json:"key"`
	}
	if err := r.Args(&args); err != nil {
		return err
	}
	args.Task.Clock = func() float64 { return w.clock().Seconds() }
	return w.attend(r, &args.Task, func(yield pause.Yield) (*measure.Result, error) {
		return args.Task.RunMethod(args.Key, &w.tasks.files, yield)
	})
}
