package worker

import (
	"cadem.example/core/base/pause"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/wasm/bridge"
)

// Compared draws embeddings of methods that CaDeM is compared with.
func Compared(w *Worker) { w.picture = (*training).ofOthers }

// OtherMethods does tasks with the methods that CaDeM is compared with, one at a time. The kind "methods" says that runs of these belong here.
func OtherMethods(w *Worker) {
	w.add(map[string]request{
		"methods": {(*Worker).idle, none{}, none{}, answered},
		"task":    {(*Worker).methodTask, methodTaskArgs{}, measure.Result{}, waits},
	})
}

// methodTaskArgs are the arguments of methodTask.
type methodTaskArgs struct {
	Task study.Task `json:"task"`
	Key  string     `json:"key"`
}

// methodTask does a task with a method. The key comes with it, from the program that made the task.
func (w *Worker) methodTask(r *bridge.Request, given any) error {
	args := given.(*methodTaskArgs)
	args.Task.Clock = func() float64 { return w.clock().Seconds() }
	return w.attend(r, &args.Task, func(yield pause.Yield) (*measure.Result, error) {
		o, err := w.opened(r, &args.Task.Data)
		if err != nil {
			return nil, err
		}
		return args.Task.RunMethod(args.Key, o, yield)
	})
}
