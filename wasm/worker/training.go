package worker

import (
	"errors"
	"io"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/train"
	"cadem.example/wasm/bridge"
)

// How often the page hears of a run that goes on: as often as it draws, of losses and
// pictures at once.
const (
	progressEvery   = time.Second / 10
	frameEvery      = time.Second / 10
	checkpointEvery = time.Second
)

// A checkpoint that fits into checkpointRate is due once a second, whatever steps and saves take: with
// a second to write it in, a killed browser loses 2 s of training. A larger one is written at
// that many bytes a second, which the disk of a small machine takes, and may cost a tenth of the time.
const (
	checkpointShare = 10
	checkpointRate  = 32 << 20
)

// restAfter returns the time from one checkpoint to the next, from this one's duration and size.
func restAfter(took time.Duration, size int64) time.Duration {
	if size <= checkpointRate {
		return checkpointEvery
	}
	return max(checkpointShare*took, time.Duration(size)*time.Second/checkpointRate)
}

// A training is one under way and the page's knowledge of it.
type training struct {
	*run.Run
	request *bridge.Request               // train or resume: answered when the run is over
	advance func(yield pause.Yield) error // does a step of it
	save    func(io.Writer) error         // writes its checkpoint
	layers  int
	state   run.State

	until    func() bool     // when the run pauses; nil when it goes on
	asked    *bridge.Request // who is answered then
	due      time.Duration   // when the next step may be taken at the current pace
	stepTime average         // of computing a step
	wallTime average         // of a step and all that comes with it
	mark     time.Duration   // until when wallTime has counted

	terms          []float32     // losses of the steps since the last progress event
	from           int           // number of the first of them
	reported       time.Duration // as of the worker's clock, as all moments here
	framed         time.Duration // when the last frame was done
	drawing        time.Duration // how long it took
	framedStep     int           // the step that it shows
	checkpointed   int           // step of the last checkpoint
	secured        time.Duration // when it was taken, or the run went on from it
	checkpointRest time.Duration // from then to the next one
	putOff         bool          // a frame went before a checkpoint

	film run.Film
}

// An average forgets slowly.
type average struct{ value, weight float64 }

// add counts n steps of x seconds each.
func (a *average) add(x float64, n int) {
	const keep = 0.98
	old := a.weight * math.Pow(keep, float64(n))
	share := 1 - math.Pow(keep, float64(n))
	a.weight = old + share
	a.value += (x - a.value) * share / a.weight
}

func (r *training) begin() {
	r.advance, r.save = r.Step, r.WriteCheckpoint
	if t := r.Trainer(); t != nil { // the page has the losses
		r.advance = func(pause.Yield) error { return t.Step() }
	}
	r.framedStep = -1
	r.checkpointRest = checkpointEvery
	r.from = r.Progress().Steps + 1
}

// step does a step, which of CaDeM is an inner one. Requests are let in during a long one: one that has the run replaced or cancelled
// meanwhile ends it. It reports whether the run goes on.
func (r *training) step(w *Worker) bool {
	var err error
	within := func(int, int) error {
		if w.job == nil {
			w.begin(r)
			w.job.step = true
		}
		return w.breathe()
	}
	// A panic inside a step may have left the weights half moved: the run is given up.
	broken := r.request.Guard(func() { err = r.advance(within) })
	if w.job != nil && w.job.step {
		w.job = nil
	}
	switch {
	case w.run != r: // cancelled
		return false
	case broken != nil:
		r.state = run.Failed
		r.settle()
		w.run = nil
		return false
	case errors.Is(err, cadem.ErrDone):
		r.finish(w)
		return false
	case isCancelled(err):
		w.cancel()
		return false
	case err != nil:
		r.state = run.Failed
		r.settle()
		if r.Trainer() == nil { // left in the middle of a step
			w.run = nil
		} else {
			r.report(w, true)
		}
		r.request.Fail(coded(err))
		return false
	}
	r.note()
	if r.Done() {
		r.finish(w)
		return false
	}
	if w.keep != nil {
		w.keep(r, w)
	}
	if r.state == run.Running && r.until != nil && r.until() {
		r.pause()
	}
	if r.state == run.Paused { // also by a request during the step
		r.report(w, true)
		return false
	}
	return true
}

// isCancelled reports whether an error is that of a request that ended a job.
func isCancelled(err error) bool {
	var e *bridge.Error
	return errors.As(err, &e) && e.Code == "cancelled"
}

// note puts the losses of a step behind those that the page has yet to hear of: of a method other than CaDeM the total, if it has any.
func (r *training) note() {
	list := r.Progress().Losses
	if len(list) == 0 {
		r.from = r.Progress().Steps + 1
		return
	}
	for _, x := range list[len(list)-r.columns():] {
		r.terms = append(r.terms, float32(x))
	}
}

// columns is the number of losses of a step that the page gets.
func (r *training) columns() int {
	if r.Trainer() == nil {
		return 1
	}
	return len(cadem.Terms)
}

// pause holds the run.
func (r *training) pause() {
	r.state = run.Paused
	r.settle()
}

// settle answers who asked for an epoch.
func (r *training) settle() {
	if r.asked != nil {
		r.asked.Reply(reached{Progress: r.progress()})
	}
	r.until, r.asked = nil, nil
}

// interval is the time between steps that the pace asks for. A single epoch is not held
// up.
func (r *training) interval(pace float64) time.Duration {
	if pace == 0 || r.until != nil {
		return 0
	}
	p := r.progress()
	return time.Duration(float64(time.Second) / pace * float64(p.Epochs) / float64(p.Steps))
}

// slice trains until it is time to look for messages, and reports.
func (r *training) slice(w *Worker) {
	began, steps := w.clock(), 0
	for before := time.Duration(0); ; {
		if !r.step(w) {
			return
		}
		steps++
		spent := w.clock() - began
		r.stepTime.add((spent - before).Seconds(), 1)
		before = spent
		if i := r.interval(w.pace); i > 0 {
			now := began + spent
			r.due += i
			if r.due < now-i {
				r.due = now // too slow for the pace: do not run after the time lost
			}
			if r.due > now {
				break
			}
		}
		if spent >= slice {
			break
		}
	}
	now := w.clock()
	r.wallTime.add((now-r.mark).Seconds()/float64(steps), steps)
	r.mark = now
	r.report(w, false)
}

// report sends progress, frame and checkpoint, those that are due, or all that tell
// something new. While the run goes on in short steps a frame puts off the checkpoint once, so
// that requests never wait for both. A frame that cannot be drawn is left out: the losses say
// what went wrong.
func (r *training) report(w *Worker, all bool) {
	now := w.clock()
	if all || now-r.reported >= progressEvery {
		r.reported = now
		r.send("progress", r.progress(), bridge.Float32s("losses", r.terms, len(r.terms)/r.columns(), r.columns()))
		r.from += len(r.terms) / r.columns()
		r.terms = r.terms[:0]
	}
	p := r.progress()
	// Pictures of wide embeddings take a while: they may cost a tenth of the time.
	if w.watched && p.Step != r.framedStep && (all || now-r.framed >= max(frameEvery, 10*r.drawing)) {
		r.framedStep = p.Step
		if fields, xy, err := r.frame(w); err == nil {
			r.send("frame", fields, xy)
		}
		r.framed = w.clock()
		r.drawing = r.framed - now
		if !all && !r.putOff && r.between(w) < slice {
			r.putOff = true
			return
		}
	}
	if p.Step != r.checkpointed && (all || r.overdue(w, now)) {
		r.secured, r.putOff = now, false
		// One that the browser has no memory for is left out; the page says how old the last is.
		if b, err := r.checkpoint(w); err == nil {
			r.checkpointed = p.Step
			r.checkpointRest = restAfter(w.clock()-now, b.Size())
			r.send("checkpoint", secured{p.Step, p.Epoch, r.checkpointRest.Seconds()}, bridge.InBlob("checkpoint", b))
			w.blobs = true
		}
		if !all && r.state == run.Paused { // meanwhile
			r.report(w, true)
		}
	}
}

// between returns the time from the end of one step to that of the next.
func (r *training) between(w *Worker) time.Duration {
	return max(time.Duration(r.stepTime.value*float64(time.Second)), r.interval(w.pace))
}

// overdue reports whether the end of this step is nearer to the moment when a checkpoint is due than that of the next.
func (r *training) overdue(w *Worker, now time.Duration) bool {
	return now-r.secured+r.between(w)/2 >= r.checkpointRest
}

// checkpoint writes a checkpoint into a Blob: memory has no place for a copy of the weights.
func (r *training) checkpoint(w *Worker) (bridge.Blob, error) {
	out := bridge.NewBlobWriter()
	if err := r.save(&pausableWriter{out, r, w, time.Now()}); err != nil {
		return nil, err
	}
	return out.Blob()
}

func (r *training) send(event string, fields any, slabs ...bridge.Slab) {
	if err := r.request.Event(event, fields, slabs...); err != nil {
		panic(err) // finite numbers and words always encode
	}
}

// mostTokens is the largest number of values of an epoch's embeddings that are kept with its picture.
const mostTokens = 1 << 18

// keep sends the picture of an epoch that is looked back at later, and the embeddings themselves: S, P_1, ..., P_N and
// C_1, ..., C_N. The picture comes twice, laid on the frame before and as the first one of a film, which before the first step
// are the same.
func (r *training) keep(w *Worker) {
	t := r.Trainer()
	if t == nil {
		return
	}
	p := t.Progress()
	if p.Step*p.Epochs != p.Epoch*p.Steps || !run.Kept(p.Epoch) {
		return
	}
	e := r.Untrained
	if p.Step > 0 {
		e = t.Embeddings(0)
	}
	fields, xy, err := r.picture(e)
	if err != nil {
		return // the losses say what went wrong
	}
	plane := bridge.Slab{Name: "plane", Type: xy.Type, Shape: []int{len(xy.Data) / 4}, Data: xy.Data}
	if p.Step > 0 {
		var first run.Film
		points, _, _ := first.Frame(e)
		plane = bridge.Float32s("plane", points)
	}
	slabs := []bridge.Slab{xy, plane}
	_, all := list(e)
	all = append(all, e.Common...)
	if m, d := e.Consensus.Dims(); m*d*len(all) <= mostTokens {
		tokens := make([]float32, 0, m*d*len(all))
		for _, x := range all {
			for _, v := range x.RawMatrix().Data {
				tokens = append(tokens, float32(v))
			}
		}
		slabs = append(slabs, bridge.Float32s("tokens", tokens, len(all), m, d))
	}
	r.framed, r.framedStep = w.clock(), p.Step
	r.send("snapshot", fields, slabs...)
}

// finish ends a run that has done its last step.
func (r *training) finish(w *Worker) {
	r.state = run.Finished
	r.settle()
	var over reached
	if r.Trainer() == nil {
		over.Notes = r.Report().Notes
	}
	r.report(w, true)
	over.Progress, over.Hash = r.progress(), r.Hash()
	r.request.Reply(over)
}

// reached says how far a run is and, at its end, what its weights are.
type reached struct {
	Progress progress `json:"progress"`
	Hash     string   `json:"hash,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// secured says where a checkpoint is, and after how many seconds the next one comes.
type secured struct {
	Step  int     `json:"step"`
	Epoch int     `json:"epoch"`
	Rest  float64 `json:"rest_s"`
}

type progress struct {
	State  run.State          `json:"state"`
	Epoch  int                `json:"epoch"`
	Epochs int                `json:"epochs"`
	Step   int                `json:"step"`
	Steps  int                `json:"steps"`
	Losses map[string]float64 `json:"losses,omitempty"`
	Rank   int                `json:"rank_S"`
	StepMS float64            `json:"step_ms,omitempty"`
	ETA    float64            `json:"eta_s,omitempty"`
	From   int                `json:"from_step"`
	Guess  float64            `json:"guessing"`
}

// progress of a method other than CaDeM counts steps alone: what it calls an epoch need not be counted beforehand.
func (r *training) progress() progress {
	p := r.Progress()
	out := progress{State: r.state, Epoch: p.Steps, Epochs: p.Total, Step: p.Steps, Steps: p.Total, From: r.from, StepMS: 1000 * r.stepTime.value}
	if t := r.Trainer(); t != nil {
		now, o := t.Progress(), t.Options()
		out.Epoch, out.Epochs, out.Rank, out.Guess = now.Epoch, now.Epochs, now.Rank, o.Guessing(r.layers)
	}
	if n := len(p.Losses); n > 0 && p.Steps > 0 {
		out.Losses = map[string]float64{"total": p.Losses[n-1]}
		if r.Trainer() != nil {
			out.Losses = run.Named(r.Settings.Method, p.Losses)
		}
	}
	if r.state == run.Running {
		out.ETA = float64(p.Total-p.Steps) * r.wallTime.value
	}
	return out
}

// list returns embeddings of CaDeM that are drawn and scored: the common embedding and the private one of each layer.
func list(e *cadem.Embeddings) (names []string, all []*mat.Dense) {
	names, all = []string{train.Common}, []*mat.Dense{e.Consensus}
	for l, p := range e.Private {
		names, all = append(names, train.Private(l)), append(all, p)
	}
	return names, all
}

// present returns the current embeddings, or the error that there are none yet.
func (r *training) present() (names []string, all []*mat.Dense, err error) {
	for _, e := range r.Embeddings(0) {
		names, all = append(names, e.Name), append(all, e.X)
	}
	if all == nil {
		return nil, nil, bridge.Errorf("no-run", "The method %s has no embeddings before its end.", r.Settings.Method.Name)
	}
	return names, all, nil
}

// A frame says what is in a picture.
type frame struct {
	Epoch      int       `json:"epoch"`
	Step       int       `json:"step"`
	Embeddings []string  `json:"embeddings"`
	Explained  []float64 `json:"explained"`
}

// frame projects the current embeddings to the plane: (1 + N) x M x 2.
func (r *training) frame(w *Worker) (fields *frame, xy bridge.Slab, err error) {
	if t := r.Trainer(); t != nil {
		return r.picture(t.Embeddings(0))
	}
	if w.picture == nil {
		return nil, xy, r.Settings.Method.Trains()
	}
	return w.picture(r)
}

// ofOthers is frame of a method other than CaDeM.
func (r *training) ofOthers() (fields *frame, xy bridge.Slab, err error) {
	names, all, err := r.present()
	if err != nil {
		return nil, xy, err
	}
	points, explained, err := r.film.FrameOf(all)
	return r.drawn(names, all, points, explained, err)
}

// picture is frame of embeddings e of CaDeM. The end of a run is drawn by itself, so that it does not depend on the
// pictures before.
func (r *training) picture(e *cadem.Embeddings) (fields *frame, xy bridge.Slab, err error) {
	if r.state == run.Finished {
		r.film = run.Film{}
	}
	names, all := list(e)
	points, explained, err := r.film.Frame(e)
	return r.drawn(names, all, points, explained, err)
}

// drawn says what is in a picture.
func (r *training) drawn(names []string, all []*mat.Dense, points []float32, explained []float64, err error) (*frame, bridge.Slab, error) {
	if err != nil {
		return nil, bridge.Slab{}, err
	}
	m, _ := all[0].Dims()
	p := r.progress()
	return &frame{p.Epoch, p.Step, names, explained}, bridge.Float32s("xy", points, len(all), m, 2), nil
}
