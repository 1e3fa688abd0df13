package worker

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/run"
	"cadem/wasm/bridge"
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

// restAfter returns how long after one checkpoint the next is due, from what this one took and its size.
func restAfter(took time.Duration, size int64) time.Duration {
	if size <= checkpointRate {
		return checkpointEvery
	}
	return max(checkpointShare*took, time.Duration(size)*time.Second/checkpointRate)
}

// A training is one under way and what the page knows of it.
type training struct {
	request   *bridge.Request // train or resume: answered when the run is over
	trainer   *cadem.Trainer
	advance   func() error          // does a step of it
	save      func(io.Writer) error // writes its checkpoint
	untrained *cadem.Embeddings     // of the same seed before any step
	layers    int
	state     run.State

	until    int             // the epoch at whose end the run pauses; 0 when it goes on
	asked    *bridge.Request // who is answered then
	due      time.Duration   // when the next step may be taken at the present pace
	stepTime average         // of computing a step
	offload  offloadPolicy
	wallTime average       // of a step and all that comes with it
	mark     time.Duration // until when wallTime has counted

	terms          []float32     // losses of the steps since the last progress event
	from           int           // number of the first of them
	reported       time.Duration // as of the worker's clock, as all moments here
	framed         time.Duration
	framedStep     int           // step of the last frame
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
	r.advance, r.save = r.trainer.Step, func(dst io.Writer) error { return cadem.WriteCheckpoint(dst, r.trainer) }
	r.framedStep = -1
	r.checkpointRest = checkpointEvery
	r.from = r.trainer.Progress().Step + 1
}

// step does one inner step. It tells whether the run goes on.
func (r *training) step(w *Worker) bool {
	var err error
	// A panic inside a step may have left the weights half moved: the run is given up.
	if broken := r.request.Guard(func() { err = r.advance() }); broken != nil {
		r.state = run.Failed
		r.settle()
		r.offload.close(0)
		w.run = nil
		return false
	}
	switch {
	case errors.Is(err, cadem.ErrDone):
		r.finish(w)
		return false
	case err != nil:
		r.state = run.Failed
		r.settle()
		r.report(w, true)
		r.request.Fail(coded(err))
		return false
	}
	for _, x := range r.trainer.Progress().Losses.Columns() {
		r.terms = append(r.terms, float32(x))
	}
	if r.trainer.Done() {
		r.finish(w)
		return false
	}
	r.keep(w)
	if r.until > 0 && r.trainer.Progress().Epoch >= r.until {
		r.pause()
		r.report(w, true)
		return false
	}
	return true
}

// pause holds the run.
func (r *training) pause() {
	r.state = run.Paused
	r.settle()
}

// settle answers who asked for an epoch.
func (r *training) settle() {
	if r.asked != nil {
		r.asked.Reply(map[string]any{"progress": r.progress()})
	}
	r.until, r.asked = 0, nil
}

// interval is the time between steps that the pace asks for. A single epoch is not held
// up.
func (r *training) interval(pace float64) time.Duration {
	if pace == 0 || r.until > 0 {
		return 0
	}
	p := r.trainer.Progress()
	return time.Duration(float64(time.Second) / pace * float64(p.Epochs) / float64(p.Steps))
}

// slice trains until it is time to look for messages, and reports.
func (r *training) slice(w *Worker) {
	r.offload.apply(r.trainer, &w.Helpers)
	began, steps := w.clock(), 0
	for before := time.Duration(0); ; {
		if !r.step(w) {
			return
		}
		steps++
		spent := w.clock() - began
		r.stepTime.add((spent - before).Seconds(), 1)
		if r.offload.add(spent - before) {
			r.offload.apply(r.trainer, &w.Helpers)
			spent = w.clock() - began // that was no part of a step
		}
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
		r.send("progress", r.progress(), bridge.Float32s("losses", r.terms, len(r.terms)/len(cadem.Terms), len(cadem.Terms)))
		r.from += len(r.terms) / len(cadem.Terms)
		r.terms = r.terms[:0]
	}
	p := r.trainer.Progress()
	if w.watched && p.Step != r.framedStep && (all || now-r.framed >= frameEvery) {
		r.framed, r.framedStep = now, p.Step
		if fields, xy, err := r.frame(); err == nil {
			r.send("frame", fields, xy)
		}
		if !all && !r.putOff && r.between(w) < slice {
			r.putOff = true
			return
		}
	}
	if p.Step != r.checkpointed && (all || r.overdue(w, now)) {
		r.secured, r.putOff = now, false
		// One that the browser has no memory for is left out; the page tells how old the last is.
		if b, err := r.checkpoint(w); err == nil {
			r.checkpointed = p.Step
			r.checkpointRest = restAfter(w.clock()-now, b.Size())
			r.send("checkpoint", map[string]any{"step": p.Step, "epoch": p.Epoch, "rest_s": r.checkpointRest.Seconds()}, bridge.InBlob("checkpoint", b))
			w.blobs = true
		}
		if !all && r.state == run.Paused { // meanwhile
			r.report(w, true)
		}
	}
}

// between returns how long it is from the end of one step to that of the next.
func (r *training) between(w *Worker) time.Duration {
	return max(time.Duration(r.stepTime.value*float64(time.Second)), r.interval(w.pace))
}

// overdue tells whether the end of this step is nearer to the moment when a checkpoint is due than that of the next.
func (r *training) overdue(w *Worker, now time.Duration) bool {
	return now-r.secured+r.between(w)/2 >= r.checkpointRest
}

// checkpoint writes a checkpoint into a Blob: there is no room here for a copy of the weights.
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

// mostTokens is how many numbers the embeddings of an epoch may have to be kept with its picture.
const mostTokens = 1 << 18

// keep sends the picture of an epoch that is looked back at later, and the embeddings themselves: S, P_1, ..., P_N and
// C_1, ..., C_N. The picture comes twice, laid on the frame before and as the first one of a film, which before the first step
// are the same.
func (r *training) keep(w *Worker) {
	p := r.trainer.Progress()
	if p.Step*p.Epochs != p.Epoch*p.Steps || !run.Kept(p.Epoch) {
		return
	}
	e := r.untrained
	if p.Step > 0 {
		e = r.trainer.Embeddings(0)
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
	all := append(matrices(e), e.Common...)
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
	r.offload.reclaim(r.trainer)
	r.report(w, true)
	r.request.Reply(map[string]any{"progress": r.progress(), "hash": cadem.Hash(r.trainer)})
}

type progress struct {
	State  run.State     `json:"state"`
	Epoch  int           `json:"epoch"`
	Epochs int           `json:"epochs"`
	Step   int           `json:"step"`
	Steps  int           `json:"steps"`
	Losses *cadem.Losses `json:"losses,omitempty"`
	Rank   int           `json:"rank_S"`
	StepMS float64       `json:"step_ms,omitempty"`
	ETA    float64       `json:"eta_s,omitempty"`
	From   int           `json:"from_step"`
	Guess  float64       `json:"guessing"`
}

func (r *training) progress() progress {
	p := r.trainer.Progress()
	o := r.trainer.Options()
	out := progress{State: r.state, Epoch: p.Epoch, Epochs: p.Epochs, Step: p.Step, Steps: p.Steps, Rank: p.Rank, From: r.from, StepMS: 1000 * r.stepTime.value,
		Guess: o.Guessing(r.layers)}
	if p.Step > 0 {
		out.Losses = &p.Losses
	}
	if r.state == run.Running {
		out.ETA = float64(p.Steps-p.Step) * r.wallTime.value
	}
	return out
}

// embeddingNames lists what is drawn and scored: the common embedding and the private
// one of each layer.
func embeddingNames(layers int) []string {
	names := []string{"common"}
	for l := range layers {
		names = append(names, fmt.Sprintf("private_%d", l+1))
	}
	return names
}

// matrices returns the embeddings in the order of embeddingNames.
func matrices(e *cadem.Embeddings) []*mat.Dense {
	return append([]*mat.Dense{e.Consensus}, e.Private...)
}

// frame projects the present embeddings to the plane: (1 + N) x M x 2.
func (r *training) frame() (fields map[string]any, xy bridge.Slab, err error) {
	return r.picture(r.trainer.Embeddings(0))
}

// picture is frame of the present embeddings e. What a run ends with is drawn as if it were all there is: the same, however it
// came there.
func (r *training) picture(e *cadem.Embeddings) (fields map[string]any, xy bridge.Slab, err error) {
	if r.state == run.Finished {
		r.film = run.Film{}
	}
	points, explained, err := r.film.Frame(e)
	if err != nil {
		return nil, xy, err
	}
	m, _ := e.Consensus.Dims()
	p := r.trainer.Progress()
	return map[string]any{"epoch": p.Epoch, "step": p.Step, "embeddings": embeddingNames(len(e.Private)), "explained": explained},
		bridge.Float32s("xy", points, 1+len(e.Private), m, 2), nil
}
