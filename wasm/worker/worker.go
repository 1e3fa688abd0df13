package worker

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
	"cadem.example/wasm/bridge"
)

// slice is how long the program computes before it looks for messages, which takes it a third of
// a millisecond.
const slice = 16 * time.Millisecond

// A Worker holds the open data set and the run.
type Worker struct {
	program
	queue
	clock func() time.Duration // time since some moment

	data *dataset
	run  *training
	pace float64 // outer epochs a second; 0 is as fast as possible
	// watched reports whether the page wants frames.
	watched bool

	warmUp *warmUp // trains something small before the first run; or nil

	inspected *inspected // the files that were inspected last and are not open
	tasks     tasks
	layouts   layouts
	attended  *attended
	blobs     bool // Blobs were sent; the browser keeps them as long as anything here refers to them
}

// A program holds the differences between the workers of programs.
type program struct {
	requests map[string]request
	read     func(*Worker, run.DataSpec, *bridge.Request) (*dataset, error) // of files; nil: it does not
	columns  func(*dataset) ([]string, []bridge.Slab)                       // of files: their numbers of nodes; nil: it does not read any
	clear    func(*Worker, *dataset, *run.Settings) error                   // before a run of CaDeM; nil: the program trains none
	keep     func(*training, *Worker)                                       // an epoch of CaDeM that is looked back at later; or nil
	picture  func(*training) (*frame, bridge.Slab, error)                   // of another method's embeddings; nil: the program trains none
	model    func(*Worker, io.Writer, *training) error                      // writes one that embeds new nodes; nil: the program does not
	// garbage is how much of it, in percent of what the program holds, comes together before it
	// is collected, as long as there is no large run.
	garbage int
}

// A queue holds what the worker is asked.
type queue struct {
	in        *bridge.Inbox
	yield     func()            // lets requests arrive
	job       *job              // the longer piece of work that is going on, or nil
	postponed []*bridge.Request // what came meanwhile and has to wait for its end
}

// next returns the request to answer next, nil when there is none.
func (q *queue) next() *bridge.Request {
	if len(q.postponed) > 0 {
		r := q.postponed[0]
		q.postponed = q.postponed[1:]
		return r
	}
	return q.in.Next()
}

// A dataset is an open data set with its source.
type dataset struct {
	*run.Dataset
	spec  run.DataSpec
	files []bridge.Slab
}

// New returns a worker that trains on the examples what its program has registered, and whatever else its parts add. It takes its requests
// from in; yield lets new ones arrive.
func New(in *bridge.Inbox, yield func(), parts ...Part) *Worker {
	began := time.Now()
	// time.Since takes half as long as time.Now here.
	w := &Worker{queue: queue{in: in, yield: yield}, clock: func() time.Duration { return time.Since(began) }}
	w.requests, w.garbage = map[string]request{"cancel": {(*Worker).idle, none{}, none{}, stops}}, 100
	for _, add := range parts {
		add(w)
	}
	return w
}

// Serve answers requests and trains. It never returns.
func (w *Worker) Serve() { w.serve(w.wait, w.work) }

// serve answers requests and works in between; wait is how long there is nothing to do, as [Worker.wait] has it.
func (w *Worker) serve(wait func() time.Duration, work func()) {
	debug.SetGCPercent(w.garbage)
	for {
		for r := w.next(); r != nil; r = w.next() {
			w.answer(r)
		}
		if w.blobs {
			w.blobs = false
			runtime.GC()
		}
		switch rest := wait(); {
		case rest < 0:
			<-w.in.Ready()
		case rest > 0:
			timer := time.NewTimer(rest)
			select {
			case <-w.in.Ready():
			case <-timer.C:
			}
			timer.Stop()
		default:
			work()
			w.yield()
		}
	}
}

// work does a slice of the pending work.
func (w *Worker) work() {
	if w.active() {
		w.run.slice(w)
	} else if !w.warmUp.slice() {
		w.warmUp = nil
	}
}

// active reports whether there is a run that goes on.
func (w *Worker) active() bool { return w.run != nil && w.run.state == run.Running }

// wait returns the time until there is something to compute, a negative number for as long as no
// request comes.
func (w *Worker) wait() time.Duration {
	switch {
	case w.active():
		return max(0, w.run.due-w.clock())
	case w.warmUp != nil && !w.warmUp.due.IsZero():
		return max(0, time.Until(w.warmUp.due))
	}
	return -1
}

// answer answers a request. If that panics the request is answered with the error and
// the rest goes on: what a request changes is put in place only at its end.
func (w *Worker) answer(r *bridge.Request) {
	_ = r.Guard(func() {
		if err := w.handle(r); err != nil {
			r.Fail(coded(err))
		}
	})
}

// coded gives an error the code that the page acts upon.
func coded(err error) *bridge.Error {
	var (
		done       *bridge.Error
		bad        *diag.Error
		infinite   *cadem.NonFinite
		checkpoint *cadem.ErrCheckpoint
		newer      *archive.VersionError
	)
	e := &bridge.Error{Code: "internal", Message: err.Error()}
	switch {
	case errors.As(err, &done):
		return done
	case errors.As(err, &newer):
		e.Code = "version"
	case errors.As(err, &bad):
		e.Code, e.File, e.Line, e.Field = "bad-data", bad.File, bad.Line, bad.Where
		if bad.Option {
			e.Code = "bad-option"
		}
	case errors.As(err, &infinite):
		e.Code = "nonfinite"
	case errors.As(err, &checkpoint) && checkpoint.Newer:
		e.Code = "version"
	case errors.As(err, &checkpoint):
		e.Code = "corrupt"
	}
	return e
}

// dataArgs name a data set, whose files come along.
type dataArgs struct {
	Data run.DataSpec `json:"data"`
}

// opened describes a data set, of which labels and numbers come along.
type opened struct {
	Summary  run.Summary      `json:"summary"`
	Task     examples.Scoring `json:"task"`
	Defaults map[string]any   `json:"defaults"`
	Expect   string           `json:"expect"`
	Advice   cadem.Advice     `json:"advice"`
	Nodes    []string         `json:"nodes,omitempty"`   // their names
	Numbers  []string         `json:"numbers,omitempty"` // names of columns of them
}

// open opens a data set. Until it is ready, the earlier one stays open.
func (w *Worker) open(r *bridge.Request, given any) error {
	args := given.(*dataArgs)
	data, err := w.load(args.Data, r)
	if err != nil {
		return err
	}
	w.cancel()
	if w.warmUp != nil && w.warmUp.due.IsZero() {
		w.warmUp.due = time.Now().Add(warmUpDue)
	}
	w.show(data, r)
	return nil
}

// show puts a data set in place and answers with what it holds.
func (w *Worker) show(data *dataset, r *bridge.Request) {
	w.data, w.inspected = data, nil
	result := opened{Summary: data.Summary(), Task: data.Task(), Defaults: data.Defaults, Expect: data.Expect,
		Advice: cadem.Recommend([]*multiplex.Graph{data.Graph}), Nodes: data.Graph.Nodes}
	var slabs []bridge.Slab
	if w.columns != nil {
		result.Numbers, slabs = w.columns(data)
	}
	for i, l := range data.Graph.Labels {
		slabs = append(slabs, bridge.Int32s(fmt.Sprintf("labels:%d", i), l.Of))
	}
	if places := data.Graph.Places; places != nil {
		flat := make([]float32, 0, 3*len(places))
		for _, p := range places {
			flat = append(flat, float32(p[0]), float32(p[1]), float32(p[2]))
		}
		slabs = append(slabs, bridge.Float32s("places", flat, len(places), 3))
	}
	r.Reply(result, slabs...)
}

// load reads the data set that a request names.
func (w *Worker) load(spec run.DataSpec, r *bridge.Request) (*dataset, error) {
	if spec.Example != "" {
		d, err := run.OpenExample(spec.Example, spec.Options, spec.DataSeed)
		return &dataset{Dataset: d, spec: spec}, err
	}
	if w.read == nil {
		return nil, bridge.Errorf("internal", "this program reads no files")
	}
	return w.read(w, spec, r)
}

// idle answers a cancel when nothing is going on.
func (w *Worker) idle(r *bridge.Request, _ any) error {
	return r.Reply(none{})
}

// same reports whether the open data set is the one named. Files are compared by name
// and size; contents that come along always count as new.
func (w *Worker) same(spec *run.DataSpec, r *bridge.Request) bool {
	if w.data == nil {
		return false
	}
	for _, s := range r.Slabs {
		if strings.HasPrefix(s.Name, "file:") {
			return false
		}
	}
	a, errA := json.Marshal(w.data.spec)
	b, errB := json.Marshal(spec)
	return errA == nil && errB == nil && string(a) == string(b)
}

// The settings in a request for a training.
type trainArgs struct {
	Data      *run.DataSpec  `json:"data"` // to resume on, where they are not open
	Preset    string         `json:"preset"`
	Method    string         `json:"method"` // other than CaDeM
	Level     string         `json:"level"`
	Options   map[string]any `json:"options"`
	ModelSeed uint64         `json:"model_seed"`
	Paused    bool           `json:"paused"`
}

// settings returns the settings in a request for a training, on a data set.
func (a *trainArgs) settings(d *run.Dataset) (s *run.Settings, err error) {
	if a.Method == "" {
		s, err = settings(d, a.Preset, a.Options)
	} else if s, err = run.MethodSettings(a.Method, a.Level, d); err == nil {
		err = s.SetAll(a.Options)
	}
	if err != nil {
		return nil, err
	}
	s.ModelSeed = a.ModelSeed
	if s.OfCaDeM() {
		err = s.CaDeM().Check()
	}
	return s, err
}

// train starts a run on the open data set.
func (w *Worker) train(r *bridge.Request, given any) error {
	args := given.(*trainArgs)
	s, err := args.settings(w.data.Dataset)
	if err != nil {
		return err
	}
	if w.clear != nil && s.OfCaDeM() { // what another method needs is known when it starts
		if err := w.clear(w, w.data, s); err != nil {
			return err
		}
	}
	next := &training{request: r, layers: w.data.Graph.N()}
	held, err := w.prepare(next, args.Paused, func(preparing pause.Yield) (*run.Run, error) {
		return s.Start([]*multiplex.Graph{w.data.Graph}, precision.Single, run.Watch{Preparing: preparing})
	})
	if err != nil {
		return err
	}
	w.start(next, held)
	return nil
}

// prepare makes a run before its next step, with its untrained embeddings. Where inputs are trimmed or split that takes a
// while, during which the page hears how far it is and may have the run held, let go or given up.
func (w *Worker) prepare(next *training, held bool, begin func(preparing pause.Yield) (*run.Run, error)) (bool, error) {
	defer w.begin(w.run)()
	w.job.coming, w.job.held = true, held
	r, err := begin(w.tell(next.request, "preparing", nil))
	if err != nil {
		return false, err
	}
	next.Run = r
	err = w.breathe()
	return w.job.held, err
}

// settings returns the settings of a preset for a data set, with changes.
func settings(d *run.Dataset, preset string, changes map[string]any) (*run.Settings, error) {
	if preset == "" {
		preset = cadem.Presets[0]
	}
	s, err := run.NewSettings(preset, d)
	if err != nil {
		return nil, err
	}
	return s, s.SetAll(changes)
}

// resume continues a run from a checkpoint.
func (w *Worker) resume(r *bridge.Request, given any) error {
	args := given.(*trainArgs)
	data := w.data
	if args.Data != nil && !w.same(args.Data, r) {
		var err error
		if data, err = w.load(*args.Data, r); err != nil {
			return err
		}
	}
	if data == nil {
		return bridge.Errorf("no-data", "No data set is open.")
	}
	stored := r.Slab("checkpoint")
	if stored == nil {
		return bridge.Errorf("corrupt", "There is no checkpoint to continue from.")
	}
	s, err := args.settings(data.Dataset)
	if err != nil {
		return err
	}
	c, err := s.Open(stored.Contents(), precision.Single)
	if err != nil {
		return err
	}
	if w.clear != nil && s.OfCaDeM() {
		if err := w.clear(w, data, c.Settings); err != nil {
			return err
		}
	}
	next := &training{request: r, layers: data.Graph.N()}
	held, err := w.prepare(next, args.Paused, func(preparing pause.Yield) (*run.Run, error) {
		return c.Resume([]*multiplex.Graph{data.Graph}, nil, run.Watch{Preparing: preparing})
	})
	if err != nil {
		return err
	}
	next.checkpointed, w.data = next.Progress().Steps, data
	w.start(next, held)
	return nil
}

// replaceAbove is the largest memory of a run, in bytes, that is made beside the current one.
const replaceAbove = 64 << 20

// gcPercentLarge is how much garbage, in percent of what it holds, a program with a large run lets come
// together: WebAssembly's memory does not shrink, and arrays of weights are collected in no time.
const gcPercentLarge = 10

// CaDeM trains runs of CaDeM in the memory that the program has.
func CaDeM(w *Worker) { w.clear, w.keep = (*Worker).vacate, (*training).keep }

// vacate refuses a run of CaDeM that does not fit, and frees memory for another one. A large one takes that of the current one, which
// ends: beside each other they would double what the program takes for good. Otherwise the present
// one stays until the other stands.
func (w *Worker) vacate(data *dataset, s *run.Settings) error {
	e := run.SizeOf(data.Graph)
	if err := fits(e, s); err != nil {
		return err
	}
	if run.Memory(e, s.CaDeM(), &s.Evaluation) <= replaceAbove {
		debug.SetGCPercent(w.garbage)
		return nil
	}
	debug.SetGCPercent(gcPercentLarge)
	w.cancel()
	runtime.GC() // of reading files, too: what comes is large, and grows the memory where it does not fit
	return nil
}

// start begins a run in the place of the current one and reports it to the page.
func (w *Worker) start(next *training, held bool) {
	w.cancel()
	w.run, w.warmUp = next, nil
	next.begin()
	next.play(w)
	if held {
		next.state = run.Paused
	}
	if t := next.Trainer(); t != nil {
		if s := t.Shares(); s != nil {
			next.send("shares", s)
		}
	}
	if next.Done() {
		next.finish(w)
		return
	}
	if next.from == 1 && w.keep != nil {
		w.keep(next, w)
	}
	next.report(w, true)
}

// cancel ends the current run.
func (w *Worker) cancel() {
	if w.run == nil {
		return
	}
	if w.run.state == run.Running || w.run.state == run.Paused {
		w.run.state = run.Cancelled
		w.run.settle()
		w.run.request.Reply(reached{Progress: w.run.progress()})
	}
	w.run, w.layouts = nil, layouts{}
}
