package worker

import (
	"errors"
	"time"

	"gonum.org/v1/gonum/mat"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/multiplex"
	"cadem/core/property"
	"cadem/core/run"
	"cadem/wasm/bridge"
)

// A methodRun is a run of a method other than CaDeM and what the page knows of it.
type methodRun struct {
	*run.MethodRun
	request *bridge.Request // train or resume: answered when the run is over
	state   run.State
	broken  bool // it was stopped inside a step, and has nothing more to tell

	until func(baseline.Progress) bool // when the run pauses; nil when it goes on
	asked *bridge.Request              // who is answered then

	stepTime     average
	losses       []float32 // totals after the steps since the last progress event
	from         int       // number of the first of these steps
	reported     time.Duration
	framed       time.Duration // when the last frame was done
	drawing      time.Duration // how long it took
	framedStep   int
	secured      time.Duration
	rest         time.Duration // from one checkpoint to the next
	checkpointed int
	film         run.Film
}

// Serve answers requests and trains. It never returns.
func (w *MethodWorker) Serve() {
	w.serve(func() time.Duration {
		if w.run != nil && w.run.state == run.Running {
			return 0
		}
		return -1
	}, func() { w.run.slice(w) })
}

// open opens a data set. Until it stands, what was open before remains.
func (w *MethodWorker) open(r *bridge.Request) error {
	var args struct {
		Data run.DataSpec `json:"data"`
	}
	if err := r.Args(&args); err != nil {
		return err
	}
	data, err := w.load(args.Data, r)
	if err != nil {
		return err
	}
	w.end()
	w.show(data, r)
	return nil
}

// methodSettings are those that a request names, for the open data set.
func (w *MethodWorker) settings(r *bridge.Request) (s *run.Settings, paused bool, err error) {
	var args struct {
		Method    string         `json:"method"`
		Level     string         `json:"level"`
		Options   map[string]any `json:"options"`
		ModelSeed uint64         `json:"model_seed"`
		Paused    bool           `json:"paused"`
	}
	if err := r.Args(&args); err != nil {
		return nil, false, err
	}
	if w.data == nil {
		return nil, false, bridge.Errorf("no-data", "No data set is open.")
	}
	if s, err = run.MethodSettings(args.Method, args.Level, w.data.Dataset); err != nil {
		return nil, false, err
	}
	s.ModelSeed = args.ModelSeed
	return s, args.Paused, s.SetAll(args.Options)
}

// train starts a run on the open data set.
func (w *MethodWorker) train(r *bridge.Request) error {
	s, paused, err := w.settings(r)
	if err != nil {
		return err
	}
	m, err := s.Start([]*multiplex.Graph{w.data.Graph}, cadem.Single)
	if err != nil {
		return err
	}
	w.start(r, m, paused)
	return nil
}

// resume continues a run of the open data set from a checkpoint.
func (w *MethodWorker) resume(r *bridge.Request) error {
	s, paused, err := w.settings(r)
	if err != nil {
		return err
	}
	stored := r.Slab("checkpoint")
	if stored == nil {
		return bridge.Errorf("corrupt", "There is no checkpoint to continue from.")
	}
	m, err := s.Resume([]*multiplex.Graph{w.data.Graph}, cadem.Single, stored.Contents(), nil)
	if err != nil {
		return err
	}
	w.start(r, m, paused)
	return nil
}

// start begins a run in the place of the present one and tells the page that it stands.
func (w *MethodWorker) start(r *bridge.Request, m *run.MethodRun, paused bool) {
	w.end()
	steps := m.Progress().Steps
	w.run = &methodRun{MethodRun: m, request: r, state: run.Running, from: steps + 1, framedStep: -1, rest: checkpointEvery, secured: w.clock(),
		checkpointed: steps}
	if paused {
		w.run.state = run.Paused
	}
	if m.Done() {
		w.run.finish(w)
		return
	}
	w.run.report(w, true)
}

// end ends the present run.
func (w *MethodWorker) end() {
	if m := w.run; m != nil && (m.state == run.Running || m.state == run.Paused) {
		m.state = run.Cancelled
		m.settle()
		m.request.Reply(map[string]any{"progress": m.progress()})
	}
	w.run = nil
}

// settle answers who asked for a step or an epoch.
func (m *methodRun) settle() {
	if m.asked != nil {
		m.asked.Reply(map[string]any{"progress": m.progress()})
	}
	m.until, m.asked = nil, nil
}

// slice trains until it is time to look for messages, and reports. Requests are let in during a step as well, which may be a long one.
func (m *methodRun) slice(w *MethodWorker) {
	for began := w.clock(); m.state == run.Running && w.clock()-began < slice; {
		m.step(w)
	}
	if w.run == m && m.state != run.Finished && m.state != run.Failed {
		m.report(w, m.state != run.Running)
	}
}

// step does one step. A run that is replaced or cancelled meanwhile is dropped.
func (m *methodRun) step(w *MethodWorker) {
	began := w.clock()
	var err error
	crashed := m.request.Guard(func() {
		defer w.begin(nil)()
		err = m.Step(func(int, int) error { return w.breathe() })
	})
	switch {
	case w.run != m: // cancelled
		return
	case crashed != nil:
		m.state, w.run = run.Failed, nil
		m.settle()
		return
	case w.stopped(err):
		w.end()
		return
	case err != nil:
		m.state = run.Failed
		m.settle()
		m.request.Fail(coded(err))
		w.run = nil
		return
	}
	m.stepTime.add((w.clock() - began).Seconds(), 1)
	if now := m.Progress(); len(now.Losses) > 0 {
		m.losses = append(m.losses, float32(now.Losses[len(now.Losses)-1]))
	} else {
		m.from = now.Steps + 1
	}
	switch {
	case m.Done():
		m.finish(w)
	case m.until != nil && m.until(m.Progress()):
		m.state = run.Paused
		m.settle()
	}
}

// stopped tells whether an error is that of a request that ended a job.
func (w *MethodWorker) stopped(err error) bool {
	var e *bridge.Error
	return errors.As(err, &e) && e.Code == "cancelled"
}

// finish ends a run that has done its last step.
func (m *methodRun) finish(w *MethodWorker) {
	m.state = run.Finished
	m.settle()
	m.report(w, true)
	report := m.Report()
	m.request.Reply(map[string]any{"progress": m.progress(), "hash": baseline.Hash(m.Embeddings(0)), "notes": append([]string{}, report.Notes...)})
}

// report sends progress, frame and checkpoint, those that are due, or all that tell something new.
func (m *methodRun) report(w *MethodWorker, all bool) {
	now, steps := w.clock(), m.Progress().Steps
	if all || now-m.reported >= progressEvery {
		m.reported = now
		m.send("progress", m.progress(), bridge.Float32s("losses", m.losses, len(m.losses), 1))
		m.from += len(m.losses)
		m.losses = m.losses[:0]
	}
	// Pictures of wide embeddings take a while: they may cost a tenth of the time.
	if w.watched && steps != m.framedStep && (all || now-m.framed >= max(frameEvery, 10*m.drawing)) {
		if fields, xy, err := m.frame(w); err == nil {
			m.framedStep = steps
			m.send("frame", fields, xy)
		}
		m.framed = w.clock()
		m.drawing = m.framed - now
	}
	if steps != m.checkpointed && (all || w.clock()-m.secured >= m.rest) {
		began := w.clock()
		out := bridge.NewBlobWriter()
		err := m.WriteCheckpoint(out)
		if err != nil {
			return // the browser has no memory for it: the page tells how old the last is
		}
		if b, err := out.Blob(); err == nil {
			m.checkpointed, m.secured = steps, w.clock()
			m.rest = restAfter(m.secured-began, b.Size())
			m.send("checkpoint", map[string]any{"step": steps, "epoch": m.Progress().Epoch, "rest_s": m.rest.Seconds()}, bridge.InBlob("checkpoint", b))
			w.blobs = true
		}
	}
}

func (m *methodRun) send(event string, fields any, slabs ...bridge.Slab) {
	if err := m.request.Event(event, fields, slabs...); err != nil {
		panic(err) // finite numbers and words always encode
	}
}

// A methodProgress is a [progress] of steps: what a method calls an epoch need not be counted beforehand.
type methodProgress struct {
	State  run.State          `json:"state"`
	Epoch  int                `json:"epoch"`
	Epochs int                `json:"epochs"`
	Step   int                `json:"step"`
	Steps  int                `json:"steps"`
	Losses map[string]float64 `json:"losses,omitempty"`
	StepMS float64            `json:"step_ms,omitempty"`
	ETA    float64            `json:"eta_s,omitempty"`
	From   int                `json:"from_step"`
}

func (m *methodRun) progress() methodProgress {
	now := m.Progress()
	p := methodProgress{State: m.state, Epoch: now.Steps, Epochs: now.Total, Step: now.Steps, Steps: now.Total, From: m.from, StepMS: 1000 * m.stepTime.value}
	if n := len(now.Losses); n > 0 {
		p.Losses = map[string]float64{"total": now.Losses[n-1]}
	}
	if m.state == run.Running {
		p.ETA = float64(now.Total-now.Steps) * m.stepTime.value
	}
	return p
}

// control steers the run. What is asked in the middle of a step, but for a pause, waits for its end.
func (w *MethodWorker) control(q *bridge.Request) error {
	var args struct {
		Action action `json:"action"`
		Watch  *bool  `json:"watch"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	m := w.run
	if m == nil {
		return bridge.Errorf("no-run", "There is no run.")
	}
	within := w.job != nil
	if within && args.Action != toPause && args.Action != toCancel {
		w.postponed = append(w.postponed, q)
		return nil
	}
	active := m.state == run.Running || m.state == run.Paused
	told := func() { q.Reply(map[string]any{"progress": m.progress()}) }
	pauseAfter := func(done func(baseline.Progress) bool) {
		if !active {
			told()
			return
		}
		m.settle()
		m.until, m.asked, m.state = done, q, run.Running
	}
	now := m.Progress()
	switch args.Action {
	case toPlay:
		if active {
			m.settle()
			m.state, m.secured = run.Running, w.clock()
			m.report(w, true)
		}
		told()
	case toPause:
		if m.state == run.Running {
			m.state = run.Paused
			m.settle()
		}
		told()
		if active && !within { // else at the end of the step
			m.report(w, true)
		}
	case toStep:
		pauseAfter(func(p baseline.Progress) bool { return p.Steps > now.Steps })
	case toEpoch:
		pauseAfter(func(p baseline.Progress) bool { return p.Epoch > now.Epoch })
	case toCancel:
		w.end()
		told()
	case toSet:
		if args.Watch != nil {
			w.watched = *args.Watch
		}
		told()
		if m.state == run.Paused {
			m.report(w, true)
		}
	default:
		return bridge.Errorf("internal", "a run knows no action %q", args.Action)
	}
	return nil
}

// present returns the run with its embeddings, or the error that there is none, or none yet.
func (w *MethodWorker) present() (m *methodRun, names []string, list []*mat.Dense, err error) {
	if w.run == nil {
		return nil, nil, nil, bridge.Errorf("no-run", "There is no run.")
	}
	for _, e := range w.run.Embeddings(0) {
		names, list = append(names, e.Name), append(list, e.X)
	}
	if list == nil {
		return nil, nil, nil, bridge.Errorf("no-run", "The method %s has no embeddings before its end.", w.run.Settings.Method.Name)
	}
	return w.run, names, list, nil
}

// embeddings answers with what names the present embeddings.
func (w *MethodWorker) embeddings(q *bridge.Request) error {
	m, names, _, err := w.present()
	if err != nil {
		return err
	}
	q.Reply(map[string]any{"hash": baseline.Hash(m.Embeddings(0)), "embeddings": names})
	return nil
}

// frame answers with one picture of the present weights.
func (w *MethodWorker) frame(q *bridge.Request) error {
	m, _, _, err := w.present()
	if err != nil {
		return err
	}
	fields, xy, err := m.frame(w)
	if err != nil {
		return err
	}
	q.Reply(fields, xy)
	return nil
}

// frame projects the present embeddings to the plane.
func (m *methodRun) frame(w *MethodWorker) (fields map[string]any, xy bridge.Slab, err error) {
	_, names, list, err := w.present()
	if err != nil {
		return nil, xy, err
	}
	points, explained, err := m.film.FrameOf(list)
	if err != nil {
		return nil, xy, err
	}
	nodes, _ := list[0].Dims()
	steps := m.Progress().Steps
	return map[string]any{"epoch": steps, "step": steps, "embeddings": names, "explained": explained},
		bridge.Float32s("xy", points, len(list), nodes, 2), nil
}

// clusters cuts an embedding into k groups.
func (w *MethodWorker) clusters(q *bridge.Request) error {
	_, names, list, err := w.present()
	if err != nil {
		return err
	}
	return w.cluster(q, names, list)
}

// evaluate scores the present embeddings on all label sets.
func (w *MethodWorker) evaluate(q *bridge.Request) error {
	var args struct {
		Options  map[string]any `json:"options"`
		EvalSeed uint64         `json:"eval_seed"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	m, _, _, err := w.present()
	if err != nil {
		return err
	}
	o := m.Settings.Evaluation
	if err := property.SetAll(args.Options, &o); err != nil {
		return err
	}
	m.Settings.Evaluation, m.Settings.EvalSeed = o, args.EvalSeed
	found := m.Result()
	defer w.begin(nil)()
	scores, err := run.Score(w.data.Dataset, found.Trained, found.Untrained, o, args.EvalSeed, w.tell(q, "scoring"))
	if err != nil {
		return err
	}
	q.Reply(map[string]any{"scores": scores})
	return nil
}
