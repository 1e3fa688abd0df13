package main

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/scripts/cadem/console"
)

// keptEvery is the interval of checkpoints for interruptions, as steps may be long; a test has one each
// step. They take one part of keptShare of the time.
var keptEvery = 5 * time.Second

const keptShare = 20

// trainJob takes the steps that are left of a job. Interrupted it keeps the run.
func (p *program) trainJob(w *work, progress *console.Progress) (*run.Result, error) {
	progress.Begin("training")
	r, err := p.finishJob(w, progress)
	progress.End()
	switch {
	case !errors.Is(err, errInterrupted):
		return r, err
	case r == nil:
		fmt.Fprintln(p.stderr, "interrupted while the data were prepared")
		return nil, err
	}
	p.over()
	return nil, p.keepRun(w, r)
}

// finishJob trains. Beside errInterrupted it returns the result so far; after a step that was left in the middle, that of one not
// long ago, without embeddings.
func (p *program) finishJob(w *work, progress *console.Progress) (*run.Result, error) {
	graphs := []*multiplex.Graph{w.data.Graph}
	preparing := func(done, total int) error {
		progress.Tell(0, 1, fmt.Sprintf("preparing, %d %%", 100*done/max(total, 1)))
		return p.interrupted()
	}
	var t *run.Run
	var err error
	if w.from != nil {
		var stored *run.Stored
		if stored, err = w.settings.Open(bytes.NewReader(w.from.Checkpoint), w.precision); err == nil {
			t, err = stored.Resume(graphs, w.from.Losses, preparing)
		}
	} else {
		t, err = w.settings.Start(graphs, w.precision, preparing)
	}
	if err != nil {
		return nil, err
	}
	var kept *run.Result
	var last time.Time
	var took time.Duration
	keep := func() {
		began := time.Now()
		kept, w.checkpoint = t.Result(), t.Checkpoint()
		then, job, r := *w, *w.job, *kept
		then.job = &job
		p.rescues(func() error { return p.keepRun(&then, &r) })
		last, took = time.Now(), time.Since(began)
	}
	if w.trainer = t.Trainer(); w.trainer == nil || w.from != nil {
		keep()
	} else { // its first step is not left in the middle, unless it is long
		last = time.Now()
	}
	begun := false
	err = t.Finish(run.Watch{
		Within: func(done, total int) error {
			said := ""
			if now := t.Progress(); len(now.Losses) > 0 {
				said = fmt.Sprintf("step %d of %d, loss %.4f", now.Steps, now.Total, now.Losses[len(now.Losses)-1])
			}
			if !begun { // a run that goes on
				progress.Had(done)
				begun = true
			}
			progress.Tell(done, total, said)
			return p.interrupted()
		},
		Each: func(*run.Run) error {
			if time.Since(last) >= max(keptEvery, keptShare*took) {
				keep()
			}
			return nil
		},
	})
	switch {
	case t.Whole():
		keep()
	case kept != nil:
		kept.Embeddings, kept.Scored = nil, nil
	}
	return kept, err
}
