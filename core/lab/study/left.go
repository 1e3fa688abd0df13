package study

import (
	"bytes"
	"slices"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// A Left is the state of the training of a task when it was stopped. A task that continues from
// there has the same result as without the stop.
type Left struct {
	Losses     []cadem.Losses `json:"losses"` // of the steps before; none of a training on results of other tasks
	Checkpoint []byte         `json:"checkpoint"`
	Prepared   []pause.Part   `json:"prepared,omitempty"` // of the inputs
	Key        string         `json:"key,omitempty"`      // of the task, in files
}

// A resting lets a training stop and go on; nil: it cannot.
type resting struct {
	from    *Left
	leave   func(*Left)
	trainer *cadem.Trainer
	losses  []cadem.Losses
	journal pause.Journal // of the preparation
}

// watched reports whether something is seen on the way of a training, which a checkpoint has not.
func (t *Task) watched() bool {
	followed := []measure.Kind{measure.Trace, measure.Posterior, measure.Exchange, measure.Pairings}
	return slices.ContainsFunc(t.Measure, func(m measure.Spec) bool { return slices.Contains(followed, m.Kind) })
}

// train trains a data set, from its start or from where it was stopped. If it cannot be continued, it is begun anew.
func (p *resting) train(d *run.Dataset, s *run.Settings, watch run.Watch) (*run.Result, error) {
	if p == nil || !s.OfCaDeM() {
		return run.Train(d, s, precision.Single, watch)
	}
	each := watch.Each
	watch.Each = func(r *run.Run) error {
		p.trainer, p.losses = r.Trainer(), append(p.losses, r.Trainer().Progress().Losses)
		return each(r)
	}
	watch.Journal = &p.journal
	if p.from != nil {
		p.journal.Parts = p.from.Prepared
	}
	c := p.checkpoint()
	if c == nil || c.Step != len(p.from.Losses) {
		return run.Train(d, s, precision.Single, watch)
	}
	p.losses = slices.Clone(p.from.Losses)
	var before [][]float64
	for _, l := range p.losses {
		x := l.Columns()
		before = append(before, x[:])
	}
	stored, err := s.Open(bytes.NewReader(p.from.Checkpoint), c.Precision)
	if err != nil {
		return nil, err
	}
	r, err := stored.Resume([]*multiplex.Graph{d.Graph}, before, watch)
	if err == nil {
		err = r.Finish(watch)
	}
	if err != nil {
		return nil, err
	}
	return r.Result(), nil
}

// checkpoint opens the one to go on from; nil when there is none that is whole.
func (p *resting) checkpoint() *cadem.Checkpoint {
	if p.from == nil {
		return nil
	}
	c, err := cadem.OpenCheckpoint(bytes.NewReader(p.from.Checkpoint))
	if err != nil {
		return nil
	}
	return c
}

// Trains lets a training on results of others stop and go on. A checkpoint that does not fit changes nothing.
func (n needed) Trains(t *cadem.Trainer) {
	if n.rest == nil {
		return
	}
	n.rest.trainer = t
	if c := n.rest.checkpoint(); c != nil {
		_ = c.Restore(t)
	}
}

// stop leaves the training where it stands.
func (p *resting) stop() {
	if p == nil || p.trainer == nil && p.journal.Parts == nil {
		return
	}
	var b bytes.Buffer
	if p.trainer != nil {
		_ = cadem.WriteCheckpoint(&b, p.trainer) // a buffer takes everything
	}
	p.leave(&Left{Losses: p.losses, Checkpoint: b.Bytes(), Prepared: p.journal.Parts})
}
