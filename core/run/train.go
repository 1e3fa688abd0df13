package run

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/multiplex"
)

// Result of a training.
type Result struct {
	Trained, Untrained *cadem.Embeddings // untrained: same seeds, no step
	Progress           cadem.Progress
	Hash               string
	Notes              []string
	Losses             []cadem.Losses       // of every step
	Probe              *evaluate.LayerProbe // reads the layer from what was trained
}

// Train runs a training to its end. After each step it calls each, unless that is nil,
// and stops with its error, which it returns beside the result so far.
func Train(d *Dataset, s *Settings, p cadem.Precision, each func(*cadem.Trainer) error) (*Result, error) {
	t, err := cadem.New([]*multiplex.Graph{d.Graph}, s.Training, s.ModelSeed, p)
	if err != nil {
		return nil, err
	}
	return finish(t, t, nil, each)
}

// Resume is [Train] of the rest of a training, from a checkpoint on. Before are the losses of
// steps before it. The result has the bits of a training that was never interrupted.
func Resume(d *Dataset, c *cadem.Checkpoint, before []cadem.Losses, each func(*cadem.Trainer) error) (*Result, error) {
	graphs := []*multiplex.Graph{d.Graph}
	fresh, err := cadem.New(graphs, c.Options, c.Seed, c.Precision)
	if err != nil {
		return nil, err
	}
	t, err := c.Resume(graphs, nil)
	if err != nil {
		return nil, err
	}
	return finish(t, fresh, before, each)
}

// finish takes the steps that are left of t; fresh is the same training before the first one.
func finish(t, fresh *cadem.Trainer, before []cadem.Losses, each func(*cadem.Trainer) error) (*Result, error) {
	r := &Result{Untrained: fresh.Embeddings(0), Notes: t.Notes(), Losses: before}
	var stopped error
	for !t.Done() && stopped == nil {
		if err := t.Step(); err != nil {
			return nil, err
		}
		r.Losses = append(r.Losses, t.Progress().Losses)
		if each != nil {
			stopped = each(t)
		}
	}
	r.Trained, r.Progress, r.Hash, r.Probe = t.Embeddings(0), t.Progress(), cadem.Hash(t), LayerProbe(t)
	return r, stopped
}

// Score scores embeddings, as [Tokens] and [MethodTokens] list them, on all label sets of the data
// set, beside untrained ones. yield is called often and may be nil.
func Score(d *Dataset, trained, untrained []evaluate.Embedding, o evaluate.Options, seed uint64, yield func(done, total int) error) ([]evaluate.Score, error) {
	if len(d.Graph.Labels) == 0 {
		return []evaluate.Score{}, nil
	}
	return evaluate.Table(evaluate.Input{
		Trained: trained, Untrained: untrained, Targets: d.Graph.Labels, Classify: d.Classify, Cluster: d.Cluster,
	}, o, seed, yield)
}

// Tokens names the embeddings that are scored: combined, the consensus and every private
// one together; common, the consensus alone; private_1 to private_N.
func Tokens(e *cadem.Embeddings) []evaluate.Embedding {
	all := append([]*mat.Dense{e.Consensus}, e.Private...)
	list := []evaluate.Embedding{{Name: "combined", Tokens: all}, {Name: "common", Tokens: all[:1]}}
	for l, p := range e.Private {
		list = append(list, evaluate.Embedding{Name: fmt.Sprintf("private_%d", l+1), Tokens: []*mat.Dense{p}})
	}
	return list
}
