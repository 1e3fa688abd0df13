package worker

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"cadem.example/core/base/pause"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// taskEvery is the interval of reports on a task.
const taskEvery = time.Second / 10

// tasks is the state that the worker keeps from one task to the next.
type tasks struct {
	files run.Files // what the task before has read

	of     string // the data of the task of another method before, and what they are
	opened *study.Opened
}

// taskArgs are the arguments of task.
type taskArgs struct {
	Task study.Task `json:"task"`
}

// task trains and measures what the request describes, apart from the run.
func (w *Worker) task(r *bridge.Request, given any) error {
	args := given.(*taskArgs)
	if err := fill(args.Task.Inputs, r); err != nil {
		return err
	}
	return w.attend(r, &args.Task, func(yield pause.Yield) (*measure.Result, error) {
		return args.Task.Run(&w.tasks.files, yield)
	})
}

// attend runs a task with its files at hand, and with requests let in by yield, and answers with the result.
func (w *Worker) attend(r *bridge.Request, t *study.Task, do func(yield pause.Yield) (*measure.Result, error)) error {
	defer w.reads(r, t.Data.Files)()
	defer w.begin(w.run)()
	reported := -taskEvery // so that the first is reported
	found, err := do(func(done, total int) error {
		since := w.job.since
		if err := w.breathe(); err != nil || w.job.since == since {
			return err
		}
		if now := w.job.since; now-reported >= taskEvery {
			reported = now
			saveMemory()
			return r.Event("task", soFar{Done: done, Total: total})
		}
		return nil
	})
	if err != nil {
		return err
	}
	var slabs []bridge.Slab
	for _, a := range found.Arrays {
		slabs = append(slabs, bridge.Float64s(string(a.Name), a.Data, a.Shape...))
	}
	found.Arrays = nil
	return r.Reply(found, slabs...)
}

// reads has files come with a request until the function that it returns is called. What the task before has read need not come again.
func (w *Worker) reads(r *bridge.Request, files []run.FileSpec) (end func()) {
	w.tasks.files.Read = func(f run.FileSpec) ([]byte, error) {
		s := r.Slab(fmt.Sprintf("file:%d", slices.Index(files, f)))
		if s == nil {
			return nil, missing(f)
		}
		return s.Load()
	}
	return func() { w.tasks.files.Read = nil }
}

// saveMemory collects garbage earlier once a task holds much memory. How much that will be is not
// known before its files are read. Small trainings are made and dropped by the hundred: collecting
// early would cost them more than it saves.
func saveMemory() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	percent := 100
	if m.HeapAlloc > replaceAbove {
		percent = gcPercentLarge
	}
	debug.SetGCPercent(percent)
}

// fill puts what the arrays of results hold, slabs named input:I:NAME, into place.
func fill(results []*measure.Result, r *bridge.Request) error {
	for i, t := range results {
		if t == nil {
			continue
		}
		for k := range t.Arrays {
			a := &t.Arrays[k]
			s := r.Slab(fmt.Sprintf("input:%d:%s", i, a.Name))
			if s == nil {
				continue // it is in the result itself
			}
			data, err := s.Load()
			if err != nil {
				return err
			}
			a.Data = npy.Decode("<f8", data).([]float64)
		}
	}
	return nil
}

// planned has the key and the memory of every task.
type planned struct {
	Tasks []needs `json:"tasks"`
}

type needs struct {
	Key   string `json:"key"`
	Bytes int64  `json:"bytes"`
}

// planArgs are the arguments of plan.
type planArgs struct {
	Tasks []study.Task `json:"tasks"`
}

// plan returns the keys and needs of tasks, before any of them runs.
func (w *Worker) plan(r *bridge.Request, given any) error {
	args := given.(*planArgs)
	list := make([]needs, len(args.Tasks))
	for i := range args.Tasks {
		list[i] = needs{args.Tasks[i].Key(), args.Tasks[i].Bytes()}
	}
	return r.Reply(planned{list})
}

type worked struct {
	Tasks []*study.Work `json:"tasks"`
}

// amountArgs are the arguments of amount.
type amountArgs struct {
	Tasks    []study.Task          `json:"tasks"`
	Compared *multiplex.Comparison `json:"compared"`
}

// amount estimates how much tasks compute.
func (w *Worker) amount(r *bridge.Request, given any) error {
	args := given.(*amountArgs)
	return r.Reply(worked{study.WorkOf(args.Tasks, args.Compared)})
}

// missing says that a file came without its contents.
func missing(f run.FileSpec) error {
	return &bridge.Error{Code: "bad-data", File: f.Name, Message: f.Name + ": its contents are missing"}
}

type described struct {
	Files []run.FileSpec `json:"files"`
}

// describe answers how the files of an order are named.
func (w *Worker) describe(r *bridge.Request, given any) error {
	args := given.(*dataArgs)
	files, _, err := contents(args.Data, r)
	if err != nil {
		return err
	}
	specs := make([]run.FileSpec, len(files))
	for i, f := range files {
		var contents io.Reader = bytes.NewReader(f.Data)
		if f.At != nil {
			contents = io.NewSectionReader(f.At, 0, f.Size)
		}
		var err error
		if specs[i], err = run.Describe(f.Name, contents); err != nil {
			return err
		}
	}
	return r.Reply(described{specs})
}

// contents returns the files that a request brings along.
func contents(spec run.DataSpec, r *bridge.Request) ([]formats.File, []bridge.Slab, error) {
	var slabs []bridge.Slab
	for i, f := range spec.Files {
		s := r.Slab(fmt.Sprintf("file:%d", i))
		if s == nil {
			return nil, nil, missing(f)
		}
		slabs = append(slabs, *s)
	}
	if len(slabs) == 0 {
		return nil, nil, bridge.Errorf("bad-data", "No file and no example was named.")
	}
	return named(spec, slabs), slabs, nil
}

// named puts the names of a data set's files to their contents.
func named(spec run.DataSpec, slabs []bridge.Slab) []formats.File {
	files := make([]formats.File, len(slabs))
	for i, f := range spec.Files {
		files[i] = formats.File{Name: f.Name, Data: slabs[i].Data, Size: f.Size}
		if b := slabs[i].Blob; b != nil {
			files[i].At, files[i].Size = b, b.Size()
		}
	}
	return files
}
