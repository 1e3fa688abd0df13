package train

import (
	"cmp"
	"io"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
)

// described is the row of CaDeM, without what trains it. Its levels are the presets: a level's settings are in the tags of [cadem.Options].
func described() Method {
	m := Method{
		Name: NameOfCaDeM, Label: "CaDeM", Doc: "Common and private linear encoders, kept apart by matching, layer prediction and swaps.",
		Family: Disentanglement, Fusion: Combiner, Shares: true, Needs: []Need{Layers},
		Levels:  []Level{{Name: "released"}, {Name: "printed"}, {Name: "refined"}, {Name: "evidence"}},
		Options: func() any { o := cadem.Released(); return &o },
	}
	for _, term := range cadem.Terms {
		m.Losses = append(m.Losses, term.Name)
	}
	return m
}

// CaDeM is the row of CaDeM itself, with what trains it.
func CaDeM() Method {
	m := described()
	m.New, m.Format = newCaDeM, ownFormat{}
	return m
}

// NameOfCaDeM is its name in the table.
const NameOfCaDeM = "cadem"

// An ofCaDeM is a training of CaDeM as one of the table's.
type ofCaDeM struct{ *cadem.Trainer }

// TrainerOf returns the trainer of CaDeM, nil for another method.
func TrainerOf(t Training) *cadem.Trainer {
	if c, ok := t.(*ofCaDeM); ok {
		return c.Trainer
	}
	return nil
}

func newCaDeM(s *Setup) (Training, error) {
	t, err := cadem.NewFrom(multiplex.Held(s.Graphs), *s.Options.(*cadem.Options), s.Seed, cmp.Or(s.Precision, precision.Single),
		cadem.Given{Yield: s.Yield, Journal: s.Journal})
	if err != nil {
		return nil, err
	}
	return &ofCaDeM{t}, nil
}

// ownFormat is the format of package cadem. Its checkpoints have nothing of the graphs.
type ownFormat struct{}

func (ownFormat) Write(dst io.Writer, _ *Method, _ *Setup, t Training) error {
	return cadem.WriteCheckpoint(dst, TrainerOf(t))
}

func (ownFormat) Hash(t Training) string { return cadem.Hash(TrainerOf(t)) }

func (ownFormat) Open(stored checkpoint.Stored) (*Opened, error) {
	c, err := cadem.OpenCheckpoint(stored)
	if err != nil {
		return nil, err
	}
	return &Opened{&c.Options, c.Seed, c.Precision, func(t Training, _ *Method, _ *Setup) error { return c.Restore(TrainerOf(t)) }}, nil
}

// Step does an inner step, which is short.
func (t *ofCaDeM) Step(pause.Yield) error { return t.Trainer.Step() }

// Progress counts inner steps, each of which is a pass of the optimiser.
func (t *ofCaDeM) Progress() Progress {
	p := t.Trainer.Progress()
	losses := p.Losses.Columns()
	return Progress{Steps: p.Step, Total: p.Steps, Epoch: p.Step, Losses: losses[:], Early: p.EarlyStopped}
}

// Embeddings returns S, and P of every layer.
func (t *ofCaDeM) Embeddings(graph int) []Embedding {
	e := t.Trainer.Embeddings(graph)
	list := []Embedding{{Common, e.Consensus}}
	for l, p := range e.Private {
		list = append(list, Embedding{Private(l), p})
	}
	return list
}

// State is nil: [ownFormat] needs none.
func (t *ofCaDeM) State() *State { return nil }

// Report says how the training was set up.
func (t *ofCaDeM) Report() Report {
	return Report{Notes: t.Trainer.Notes(), Figures: []Figure{{"rank_S", float64(t.Trainer.Progress().Rank)}, {"parameters", float64(t.Trainer.Parameters())}}}
}
