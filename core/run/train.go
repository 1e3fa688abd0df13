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
	Parameters         int // that were trained
	Notes              []string
	Losses             []cadem.Losses       // of every step
	Probe              *evaluate.LayerProbe // reads the layer from what was trained
}

// Rows are the losses in the columns of [cadem.Terms].
func (r *Result) Rows() (rows [][]float64) {
	for _, l := range r.Losses {
		x := l.Columns()
		rows = append(rows, x[:])
	}
	return rows
}

// Watch is who follows a training. Its functions may be nil; their errors stop the training and are
// returned.
type Watch struct {
	// Preparing is called while inputs are trimmed or split, as [cadem.Given] says; there is no result then.
	Preparing func(done, total int) error
	// Each is called after each step. Its error comes beside the result so far.
	Each func(*cadem.Trainer) error
}

// Train runs a training to its end.
func Train(d *Dataset, s *Settings, p cadem.Precision, watch Watch) (*Result, error) {
	t, err := cadem.NewFrom(multiplex.Held([]*multiplex.Graph{d.Graph}), s.Training, s.ModelSeed, p, cadem.Given{Yield: watch.Preparing})
	if err != nil {
		return nil, err
	}
	return finish(t, t.Embeddings(0), nil, watch.Each)
}

// Resume is [Train] of the rest of a training, from a checkpoint on. Before are the losses of
// steps before it. The result has the bits of a training that was never interrupted.
func Resume(d *Dataset, c *cadem.Checkpoint, before []cadem.Losses, watch Watch) (*Result, error) {
	t, err := c.New([]*multiplex.Graph{d.Graph}, cadem.Given{Yield: watch.Preparing})
	if err != nil {
		return nil, err
	}
	untrained := t.Embeddings(0)
	if err := c.Restore(t); err != nil {
		return nil, err
	}
	return finish(t, untrained, before, watch.Each)
}

// finish takes the steps that are left of t; untrained is what it was before the first one.
func finish(t *cadem.Trainer, untrained *cadem.Embeddings, before []cadem.Losses, each func(*cadem.Trainer) error) (*Result, error) {
	r := &Result{Untrained: untrained, Notes: t.Notes(), Losses: before}
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
	r.Parameters = t.Parameters()
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
