package baseline

import (
	"cmp"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/baseline/extent"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
)

// caDeM is the row of CaDeM itself, which package cadem trains, except for its losses, which [CaDeM] adds. Its levels are the
// presets: a level's settings are in the tags of [cadem.Options].
var caDeM = Method{
	Name: NameOfCaDeM, Label: "CaDeM", Doc: "Common and private linear encoders, kept apart by matching, layer prediction and swaps.",
	Family: Disentanglement, Fusion: Combiner, Shares: true, Needs: []Need{Layers},
	Levels:  []Level{{Name: "released"}, {Name: "printed"}, {Name: "refined"}, {Name: "evidence"}},
	Options: func() any { o := cadem.Released(); return &o },
	New:     newCaDeM,
}

// CaDeM returns the row of CaDeM alone, so that programs without the other methods do not link them, as [Lookup] would.
func CaDeM() *Method {
	m := caDeM
	for _, term := range cadem.Terms {
		m.Losses = append(m.Losses, term.Name)
	}
	return &m
}

// NameOfCaDeM is its name in the table.
const NameOfCaDeM = "cadem"

// An ofCaDeM is a training of CaDeM as one of the table's.
type ofCaDeM struct{ *cadem.Trainer }

// TrainerOf returns the trainer of CaDeM, nil for another method.
func TrainerOf(t Training) *cadem.Trainer {
	if !extent.CaDeM {
		return nil
	}
	if c, ok := t.(*ofCaDeM); ok {
		return c.Trainer
	}
	return nil
}

func newCaDeM(s *Setup) (Training, error) {
	if !extent.CaDeM {
		return elsewhere()
	}
	t, err := cadem.NewFrom(multiplex.Held(s.Graphs), *s.Options.(*cadem.Options), s.Seed, cmp.Or(s.Precision, precision.Single), cadem.Given{Yield: s.Yield})
	if err != nil {
		return nil, err
	}
	return &ofCaDeM{t}, nil
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

// State is nil: a checkpoint of CaDeM has a format of its own, which [WriteCheckpoint] writes.
func (t *ofCaDeM) State() *State { return nil }

// Report tells how the training was set up.
func (t *ofCaDeM) Report() Report {
	return Report{Notes: t.Trainer.Notes(), Figures: []Figure{{"rank_S", float64(t.Trainer.Progress().Rank)}, {"parameters", float64(t.Trainer.Parameters())}}}
}
