package main

import (
	"runtime"
	"testing"
	"time"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/multiplex"
)

// syn2Parameters is the number of weights of the encoders of Syn2: 3 layers of 2 encoders,
// F = 1000, H = 256, d = 8.
const syn2Parameters = 3 * 2 * (1000*256 + 256*8 + 8)

// native has the objects measured in this process.
type native struct {
	step *cadem.Trainer // Syn2, for the time of a step
}

func newNative() *native {
	d := must(run.OpenExample("syn2", nil, 0))
	s := settings(d, syn2Step)
	s.CaDeM().Epochs = 100_000
	run := must(cadem.New([]*multiplex.Graph{d.Graph}, *s.CaDeM(), 0, precision.Single))
	return &native{run}
}

// settings returns the settings of an example with changes.
func settings(d *run.Dataset, changes map[string]any) *run.Settings {
	s := must(run.NewSettings("released", d))
	ok(s.SetAll(changes))
	return s
}

// on calls f with that number of processors, with vector kernels or without, and restores both.
func (n *native) on(processors int, vectors bool, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	defer kernel.UseVectors(kernel.UseVectors(vectors))
	f()
}

// milliseconds of a step, the mean of steps.
func (n *native) milliseconds(steps int) float64 {
	began := time.Now()
	for range steps {
		ok(n.step.Step())
	}
	return 1000 * time.Since(began).Seconds() / float64(steps)
}

// allocations per step.
func (n *native) allocations() float64 {
	return testing.AllocsPerRun(10, func() { ok(n.step.Step()) })
}

// hash of a whole training.
func (n *native) hash(t *study.Task) string { return must(t.Run(nil, nil)).Hash }

// scores returns the milliseconds of scoring the embeddings of Syn1 on all its labels.
func (n *native) scores() float64 {
	d := must(run.OpenExample("syn1", nil, 0))
	s := settings(d, map[string]any{"early_stop": "off"})
	r := must(run.Train(d, s, precision.Single, run.Watch{}))
	began := time.Now()
	must(run.Score(d, r.Scored, r.ScoredBefore, s.Evaluation, 1, nil))
	return 1000 * time.Since(began).Seconds()
}
