package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/property"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/fingerprint"
	"cadem.example/scripts/cadem/console"
)

// keptEvery is the interval of checkpoints for interruptions, as steps may be long; a test has one each
// step. They take one part of keptShare of the time.
var keptEvery = 5 * time.Second

const keptShare = 20

// trainJob takes the steps that are left of a job. Interrupted it keeps the run.
func (p *program) trainJob(w *work, progress *console.Progress) (*run.Result, error) {
	kept := &resultFolder{p: p, dir: filepath.Dir(w.out), flag: "-out", say: progress.Say}
	key, journal := w.prepared(), &pause.Journal{}
	if left := kept.left(key); left != nil {
		journal.Parts = left.Prepared
	}
	progress.Begin("training")
	r, err := p.finishJob(w, journal, progress)
	progress.End()
	interrupted := errors.Is(err, errInterrupted)
	if !interrupted || r != nil {
		kept.drop(key) // what it was for is over
	}
	switch {
	case !interrupted:
		return r, err
	case r == nil:
		p.over()
		fmt.Fprintln(p.stderr, "interrupted while the data were prepared")
		if journal.Parts == nil {
			return nil, err
		}
		name := filepath.Join(kept.dir, key+leftEnding)
		if lost := kept.put(key+leftEnding, &study.Left{Prepared: journal.Parts, Key: key}); lost != nil {
			fmt.Fprintf(p.stderr, "What is done could not be kept: %v\n", lost)
		} else {
			fmt.Fprintf(p.stderr, "Finished parts are in %s. To continue:\n  cadem train %s\n", name, joined(w.args))
		}
		return nil, err
	}
	p.over()
	return nil, p.keepRun(w, r)
}

// prepared names a preparation by all that its bits depend on.
func (w *work) prepared() string {
	t := study.Task{Data: w.spec, Preset: w.settings.Level, ModelSeed: w.settings.ModelSeed}
	t.Options = property.Values(w.settings.Options)
	return fmt.Sprintf("cadem-%s-%s-%d", t.Key(), fingerprint.Graph(w.data.Graph), w.precision)
}

// finishJob trains. Beside errInterrupted it returns the result so far; after a step that was left in the middle, that of one not
// long ago, without embeddings.
func (p *program) finishJob(w *work, journal *pause.Journal, progress *console.Progress) (*run.Result, error) {
	graphs := []*multiplex.Graph{w.data.Graph}
	watch := run.Watch{Journal: journal, Preparing: func(done, total int) error {
		progress.Tell(0, 1, fmt.Sprintf("preparing, %d %%", 100*done/max(total, 1)))
		return p.interrupted()
	}}
	var t *run.Run
	var err error
	if w.from != nil {
		var stored *run.Stored
		if stored, err = w.settings.Open(bytes.NewReader(w.from.Checkpoint), w.precision); err == nil {
			t, err = stored.Resume(graphs, w.from.Losses, watch)
		}
	} else {
		t, err = w.settings.Start(graphs, w.precision, watch)
	}
	if err != nil {
		return nil, err
	}
	journal.Parts = nil // the training does not need them
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
