package main

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/multiplex"
	"cadem/core/run"
	"cadem/scripts/cadem/console"
)

// An outcome is what a training gave, or had given when it was interrupted.
type outcome struct {
	trained, untrained []evaluate.Embedding // combined, and each by itself
	axes               *mat.Dense           // along whose axes nodes are drawn
	progress           run.RecordProgress
	steps              int         // as they are printed: epochs of a method other than CaDeM
	losses             [][]float64 // of every step, or of every epoch
	terms              []string    // of the loss, that are printed
	first, last        map[string]float64
	changes            []cadem.Change
	hash               string
	notes              []string
	figures            map[string]float64   // of a method other than CaDeM
	probe              *evaluate.LayerProbe // of CaDeM
}

// named returns losses by the names of their terms.
func namedLosses(names []string, row []float64) map[string]float64 {
	m := map[string]float64{}
	for i, x := range row {
		m[names[i]] = x
	}
	return m
}

// keptEvery is how often a checkpoint of a method is taken, for a step that is interrupted.
const keptEvery = 5 * time.Second

// trainJob takes the steps that are left of a job. Interrupted it keeps the run.
func (p *program) trainJob(w *work, progress *console.Progress) (*outcome, error) {
	progress.Begin("training")
	train := p.trainCaDeM
	if w.settings.Method != nil {
		train = p.trainMethod
	}
	r, err := train(w, progress)
	progress.End()
	switch {
	case !errors.Is(err, errInterrupted):
		return r, err
	case r == nil:
		fmt.Fprintln(p.stderr, "interrupted while the data were prepared")
		return nil, err
	}
	return nil, p.keepRun(w, r)
}

// trainCaDeM trains CaDeM. The error is errInterrupted beside the outcome so far, or none.
func (p *program) trainCaDeM(w *work, progress *console.Progress) (*outcome, error) {
	had := false
	watch := run.Watch{
		Preparing: func(done, total int) error {
			progress.Tell(0, 1, fmt.Sprintf("preparing, %d %%", 100*done/max(total, 1)))
			return p.interrupted()
		},
		Each: func(t *cadem.Trainer) error {
			now := t.Progress()
			if !had { // of a run that goes on
				progress.Had(now.Step - 1)
				had = true
			}
			progress.Tell(now.Step, now.Steps, fmt.Sprintf("step %d of %d, loss %.4f", now.Step, now.Steps, now.Losses.Total))
			err := p.interrupted()
			if err == nil && !t.Done() {
				return nil
			}
			var checkpoint bytes.Buffer
			err = errors.Join(err, cadem.WriteCheckpoint(&checkpoint, t))
			w.checkpoint = checkpoint.Bytes()
			return err
		},
	}
	var r *run.Result
	var err error
	if w.from != nil {
		var before []cadem.Losses
		for _, row := range w.from.Losses {
			before = append(before, cadem.LossesOf(row))
		}
		r, err = run.Resume(w.data, w.from.Of, before, watch)
	} else {
		r, err = run.Train(w.data, w.settings, w.precision, watch)
	}
	if r == nil {
		return nil, err
	}
	now := r.Progress
	first, last := now.First.Columns(), now.Losses.Columns()
	var names []string
	o := &outcome{trained: run.Tokens(r.Trained), untrained: run.Tokens(r.Untrained), axes: run.Axes(r.Trained), steps: now.Step, losses: r.Rows(),
		changes: now.Changes, hash: r.Hash, notes: r.Notes, probe: r.Probe}
	for _, t := range cadem.Terms {
		names = append(names, t.Name)
		if w.settings.Training.Has(t, w.data.Graph.F()) { // it would be 0
			o.terms = append(o.terms, t.Name)
		}
	}
	o.first, o.last = namedLosses(names, first[:]), namedLosses(names, last[:])
	o.progress = run.RecordProgress{State: run.Paused, Epoch: now.Epoch, Epochs: now.Epochs, Step: now.Step, Steps: now.Steps, Losses: o.last,
		RankS: r.Trained.Rank}
	if now.Step == now.Steps || now.EarlyStopped {
		o.progress.State = run.Finished
	}
	return o, err
}

// trainMethod trains a method other than CaDeM. Interrupted in a step, its outcome is that after a step that is not long ago.
func (p *program) trainMethod(w *work, progress *console.Progress) (*outcome, error) {
	graphs := []*multiplex.Graph{w.data.Graph}
	var t *run.MethodRun
	var err error
	if w.from != nil {
		t, err = w.settings.Resume(graphs, w.precision, bytes.NewReader(w.from.Checkpoint), w.from.Losses)
	} else {
		t, err = w.settings.Start(graphs, w.precision)
	}
	if err != nil {
		return nil, err
	}
	o := &outcome{}
	keep := func() {
		now := t.Progress()
		w.checkpoint, o.losses, o.steps = t.Checkpoint(), t.Losses, now.Epoch
		o.progress = run.RecordProgress{State: run.Paused, Epoch: now.Steps, Epochs: now.Total, Step: now.Steps, Steps: now.Total}
	}
	keep()
	last := time.Now()
	err = t.Finish(func() error {
		err := p.interrupted()
		if err != nil || time.Since(last) >= keptEvery {
			keep()
			last = time.Now()
		}
		return err
	}, func(done, total int) error {
		progress.Tell(done, total, "")
		return p.interrupted()
	})
	if err != nil {
		return o, err
	}
	keep()
	r := t.Result()
	o.trained, o.untrained, o.axes, o.hash, o.notes, o.figures = r.Trained, r.Untrained, r.Embeddings[0].X, r.Hash, r.Report.Notes, map[string]float64{}
	o.progress.State = run.Finished
	for _, f := range r.Report.Figures {
		o.figures[f.Name] = f.Value
	}
	o.progress.RankS = int(o.figures["rank_S"])
	if n := len(r.Losses); n > 0 {
		o.terms = w.settings.Method.Losses
		o.first, o.last = namedLosses(o.terms, r.Losses[0]), namedLosses(o.terms, r.Losses[n-1])
		o.progress.Losses = o.last
	} else {
		o.first, o.last = map[string]float64{}, map[string]float64{}
	}
	return o, nil
}
