package study

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"cadem/core/run"
	"cadem/core/study/measure"
)

// A Scheduler runs tasks beside each other. What they find depends on the tasks alone.
type Scheduler struct {
	// Workers run at once; 0: as many as the machine has processors for the program.
	Workers int
	// Files gives the contents of the files that tasks name; nil where they name none.
	Files *run.Files
	// Stored, if not nil, returns the result a task had in an earlier run, or nil.
	Stored func(key string) *measure.Result
	// Progress, if not nil, is told what is done of all tasks, in thousandths of a task.
	// It is called from one goroutine at a time; its error ends the run.
	Progress func(done, total int) error
	// Finished, if not nil, is told every new result, one at a time; its error ends the run.
	Finished func(*measure.Result) error
}

// Run runs the tasks, those that need others after them, and returns their results. After
// an error no task begins, those under way end soon, and the first error is returned, under
// the name of its task if it is of one, beside the results that are complete.
func (s *Scheduler) Run(tasks []Task) (Results, error) {
	r := &schedule{Scheduler: s, results: Results{}, done: make([]int, len(tasks)), started: make([]bool, len(tasks)), tasks: tasks}
	r.wake.L = &r.lock
	workers := s.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var all sync.WaitGroup
	for range min(workers, max(len(tasks), 1)) {
		all.Go(r.work)
	}
	all.Wait()
	return r.results, r.err
}

// A schedule is a run of tasks.
type schedule struct {
	*Scheduler
	tasks []Task

	lock    sync.Mutex
	wake    sync.Cond
	results Results
	started []bool
	running int
	done    []int // thousandths
	err     error
}

// Thousand parts of a task are what [Scheduler.Progress] counts.
const Thousand = 1000

// work runs tasks until there are none or one has failed.
func (r *schedule) work() {
	r.lock.Lock()
	defer r.lock.Unlock()
	for {
		i := r.next()
		if i < 0 {
			return
		}
		t := r.tasks[i]
		key := t.Key()
		r.started[i] = true
		result := r.stored(key)
		if result == nil {
			t.Inputs = r.results.inputs(&t)
			r.running++
			r.lock.Unlock()
			var err error
			result, err = t.Run(r.Files, nil, func(done, total int) error {
				r.lock.Lock()
				defer r.lock.Unlock()
				r.progress(i, Thousand*done/max(total, 1))
				return r.err
			})
			r.lock.Lock()
			r.running--
			if err != nil {
				err = fmt.Errorf("%s: %w", t.Name, err)
			} else if r.Finished != nil && r.err == nil {
				err = r.Finished(result)
			}
			r.fail(err)
		}
		if result != nil {
			r.results[key] = result
			r.progress(i, Thousand)
		}
		r.wake.Broadcast()
	}
}

// next waits for a task that can begin; it returns -1 when none will.
func (r *schedule) next() int {
	for r.err == nil {
		waiting := false
		for i := range r.tasks {
			if r.started[i] {
				continue
			}
			if r.results.ready(&r.tasks[i]) {
				return i
			}
			waiting = true
		}
		if !waiting {
			break
		}
		if r.running == 0 {
			r.fail(errors.New("study: tasks need results that no task gives"))
			break
		}
		r.wake.Wait()
	}
	return -1
}

func (r *schedule) stored(key string) *measure.Result {
	if result := r.results[key]; result != nil || r.Stored == nil {
		return result
	}
	return r.Stored(key)
}

// progress notes how far a task is.
func (r *schedule) progress(i, thousandths int) {
	r.done[i] = max(r.done[i], thousandths)
	if r.Progress == nil || r.err != nil {
		return
	}
	sum := 0
	for _, d := range r.done {
		sum += d
	}
	r.fail(r.Progress(sum, Thousand*len(r.tasks)))
}

func (r *schedule) fail(err error) {
	if r.err == nil && err != nil {
		r.err = err
		r.wake.Broadcast()
	}
}
