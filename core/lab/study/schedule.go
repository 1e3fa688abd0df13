package study

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"cadem.example/core/base/pause"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// A Scheduler runs tasks beside each other. Their results depend on the tasks alone.
type Scheduler struct {
	// Workers run at once; 0: as many as the machine has processors for the program.
	Workers int
	// Files gives the contents of the files that tasks name; nil if they name none.
	Files *run.Files
	// Stored, if not nil, returns the result a task had in an earlier run, or nil.
	Stored func(key string) *measure.Result
	// Lean keeps no results: those that a task needs come from Stored, which returns what Finished got,
	// too. So memory does not grow with the number of tasks.
	Lean bool
	// Spill, if not nil, is called with every result that reports need only in part (see [Task.Reported]), and reports
	// whether Stored will return it whole. If so, the run keeps the part.
	Spill func(r *measure.Result) bool
	// Clock, if not nil, is that of the tasks.
	Clock func() float64
	// Progress, if not nil, is called with the amount done of all tasks, in thousandths of a task,
	// from one goroutine at a time; its error ends the run.
	Progress pause.Yield
	// Finished, if not nil, is called with every new result, one at a time, and the seconds its task
	// took by Clock (0 without one); its error ends the run.
	Finished func(r *measure.Result, took float64) error
	// Failed, if not nil, is called with the error of a failed task, and its own error ends the run;
	// nil lets the other tasks go on, except for those that need it.
	Failed func(t *Task, err error) error
	// Left, if not nil, returns the state of the training of a task in an earlier run that was
	// stopped, or nil; Leave is called with the state when this one is stopped. Several goroutines may
	// call them.
	Left  func(key string) *Left
	Leave func(key string, l *Left)
}

// Run runs the tasks, those that need others after them or with what is stored of them, and returns their results. After
// an error no task begins, those under way end soon, and the first error is returned, under
// the name of its task if it is of one, beside the results that are complete.
func (s *Scheduler) Run(tasks []Task) (Results, error) {
	r := &schedule{Scheduler: s, results: Results{}, there: map[string]bool{}, spilt: map[string]bool{}, given: map[string]bool{}, done: make([]int, len(tasks)),
		started: make([]bool, len(tasks)), tasks: tasks}
	r.wake.L = &r.lock
	for i := range tasks {
		r.given[tasks[i].Key()] = true
	}
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
	there   map[string]bool // keys of results, kept or not
	spilt   map[string]bool // keys of results that are kept in part
	given   map[string]bool // keys of the tasks
	started []bool
	running int
	done    []int // thousandths
	sum     int   // of done
	err     error
	lost    bool // a task failed, and others went on
}

// Thousand is the parts of a task that [Scheduler.Progress] counts.
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
			t.stored, t.Clock = r.input, r.Clock
			r.running++
			r.lock.Unlock()
			began := t.now()
			r.resumable(&t, key)
			var err error
			result, err = t.Run(r.Files, func(done, total int) error {
				r.lock.Lock()
				defer r.lock.Unlock()
				r.progress(i, Thousand*done/max(total, 1))
				return r.err
			})
			r.lock.Lock()
			r.running--
			if err != nil {
				err = r.failed(&t, fmt.Errorf("%s: %w", t.Name, err))
			} else if r.Finished != nil && r.err == nil {
				err = r.Finished(result, t.now()-began)
			}
			r.fail(err)
		}
		if result != nil {
			r.keep(&t, key, result)
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
			if r.ready(&r.tasks[i]) {
				return i
			}
			waiting = true
		}
		if !waiting {
			break
		}
		if r.running == 0 && r.lost {
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

// resumable lets the training of a task stop and go on.
func (r *schedule) resumable(t *Task, key string) {
	if r.Leave == nil || t.watched() {
		return
	}
	t.rest = &resting{leave: func(l *Left) { r.Leave(key, l) }}
	if r.Left != nil {
		t.rest.from = r.Left(key)
	}
}

// failed decides whether the error of a task ends the run.
func (r *schedule) failed(t *Task, err error) error {
	if r.Failed == nil || r.err != nil {
		return err
	}
	if err := r.Failed(t, err); err != nil {
		return err
	}
	r.lost = true
	return nil
}

// ready reports whether what the task needs is there: found by now or, where none of the tasks gives it, in
// an earlier run.
func (r *schedule) ready(t *Task) bool {
	for _, key := range t.Needs {
		if r.there[key] {
			continue
		}
		if r.given[key] {
			return false
		}
		result := r.stored(key)
		if result == nil {
			return false
		}
		r.there[key] = true
		if !r.Lean {
			r.results[key] = result
		}
	}
	return true
}

// keep keeps the result of a task, or of it what [Scheduler.Spill] leaves here.
func (r *schedule) keep(t *Task, key string, result *measure.Result) {
	if r.there[key] = true; r.Lean {
		return
	}
	if rest := t.Reported(result); rest != result && r.Spill != nil && r.Spill(result) {
		result, r.spilt[key] = rest, true
	}
	r.results[key] = result
}

// input returns a result that a task needs, while it runs.
func (r *schedule) input(key string) (*measure.Result, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if result := r.stored(key); result != nil {
		return result, nil
	}
	return nil, fmt.Errorf("a result that it needs, %s, was there and is lost", key)
}

// stored returns a result as a whole.
func (r *schedule) stored(key string) *measure.Result {
	if result := r.results[key]; result != nil && !r.spilt[key] || r.Stored == nil {
		return result
	}
	return r.Stored(key)
}

// progress notes how far a task is.
func (r *schedule) progress(i, thousandths int) {
	r.sum += max(0, thousandths-r.done[i])
	r.done[i] = max(r.done[i], thousandths)
	if r.Progress == nil || r.err != nil {
		return
	}
	r.fail(r.Progress(r.sum, Thousand*len(r.tasks)))
}

func (r *schedule) fail(err error) {
	if r.err == nil && err != nil {
		r.err = err
		r.wake.Broadcast()
	}
}
