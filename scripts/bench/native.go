package main

import (
	"runtime"
	"testing"
	"time"

	"cadem/core/cadem"
	"cadem/core/kernel"
	"cadem/core/multiplex"
	"cadem/core/run"
	"cadem/core/study"
)

// syn2Parameters is the number of weights of the encoders of Syn2: 3 layers of 2 encoders,
// F = 1000, H = 256, d = 8.
const syn2Parameters = 3 * 2 * (1000*256 + 256*8 + 8)

// native is what is measured in this process.
type native struct {
	step *cadem.Trainer // Syn2, for the time of a step
}

func newNative() (*native, error) {
	d, err := run.OpenExample("syn2", nil, 0)
	if err != nil {
		return nil, err
	}
	s, err := settings(d, syn2Step)
	if err != nil {
		return nil, err
	}
	s.Training.Epochs = 100_000
	run, err := cadem.New([]*multiplex.Graph{d.Graph}, s.Training, 0, cadem.Single)
	if err != nil {
		return nil, err
	}
	return &native{run}, nil
}

// settings returns those of an example with changes.
func settings(d *run.Dataset, changes map[string]any) (*run.Settings, error) {
	s, err := run.NewSettings("released", d)
	if err != nil {
		return nil, err
	}
	return s, s.SetAll(changes)
}

// on has f run on so many processors, with vector kernels or without, and undoes that.
func (n *native) on(processors int, vectors bool, f func() error) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	defer kernel.UseVectors(kernel.UseVectors(vectors))
	return f()
}

// milliseconds of a step, over so many.
func (n *native) milliseconds(steps int) (float64, error) {
	began := time.Now()
	for range steps {
		if err := n.step.Step(); err != nil {
			return 0, err
		}
	}
	return 1000 * time.Since(began).Seconds() / float64(steps), nil
}

// allocations per step.
func (n *native) allocations() (float64, error) {
	var err error
	mean := testing.AllocsPerRun(10, func() {
		if e := n.step.Step(); e != nil {
			err = e
		}
	})
	return mean, err
}

// hash of a whole training.
func (n *native) hash(t *study.Task) (string, error) {
	r, err := t.Run(nil, nil, nil)
	if err != nil {
		return "", err
	}
	return r.Hash, nil
}

// scores returns the milliseconds of scoring the embeddings of Syn1 on all its labels.
func (n *native) scores() (float64, error) {
	d, err := run.OpenExample("syn1", nil, 0)
	if err != nil {
		return 0, err
	}
	s, err := settings(d, map[string]any{"early_stop": "off"})
	if err != nil {
		return 0, err
	}
	r, err := run.Train(d, s, cadem.Single, run.Watch{})
	if err != nil {
		return 0, err
	}
	began := time.Now()
	_, err = run.Score(d, run.Tokens(r.Trained), run.Tokens(r.Untrained), s.Evaluation, 1, nil)
	return 1000 * time.Since(began).Seconds(), err
}
