package run

import (
	"bytes"
	"io"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/checkpoint"
	"cadem/core/evaluate"
	"cadem/core/multiplex"
)

// A MethodRun is the training of a method other than CaDeM, begun and perhaps done.
type MethodRun struct {
	Settings  *Settings
	Precision cadem.Precision
	Losses    [][]float64 // of every epoch, in the order of [baseline.Method.Losses]; none where those before a checkpoint are not known

	training  baseline.Training
	graphs    []*multiplex.Graph
	untrained []evaluate.Embedding
}

// Start starts the training of a method on graphs.
func (s *Settings) Start(graphs []*multiplex.Graph, p cadem.Precision) (*MethodRun, error) {
	t, err := baseline.Start(s.Method, s.setup(graphs, p))
	if err != nil {
		return nil, err
	}
	return &MethodRun{Settings: s, Precision: p, training: t, graphs: graphs, untrained: MethodTokens(s.Method, t.Embeddings(0))}, nil
}

// Resume is [Settings.Start] and takes the training to where a checkpoint was taken; losses are those of the epochs before. It
// ends with the bits of one that was never interrupted. Errors about the checkpoint are [*checkpoint.Error].
func (s *Settings) Resume(graphs []*multiplex.Graph, p cadem.Precision, stored checkpoint.Stored, losses [][]float64) (*MethodRun, error) {
	r, err := s.Start(graphs, p)
	if err != nil {
		return nil, err
	}
	r.training, err = baseline.Resume(s.Method, s.setup(graphs, p), s.ModelSeed, stored)
	r.Losses = losses
	return r, err
}

func (s *Settings) setup(graphs []*multiplex.Graph, p cadem.Precision) *baseline.Setup {
	return &baseline.Setup{Graphs: graphs, Options: s.Options, Source: baseline.Seeded(s.ModelSeed), Double: p == cadem.Double, Others: s.others}
}

// Finish takes the steps that are left. Each is called after every step, and yield after every few milliseconds of work with what is
// done of a total; either may be nil. Their error ends the training and is returned. After one of yield nothing but a
// checkpoint that was taken before is of use.
func (r *MethodRun) Finish(each func() error, yield func(done, total int) error) error {
	const parts = 1000                   // of a step
	begun := r.training.Progress().Steps // before the present step, which counts itself before its last piece of work
	part := func(done, of int) error {
		if yield == nil {
			return nil
		}
		return yield(parts*begun+parts*done/max(of, 1), parts*r.training.Progress().Total)
	}
	for !r.Done() {
		if err := r.Step(part); err != nil {
			return err
		}
		if each != nil {
			if err := each(); err != nil {
				return err
			}
		}
		begun = r.training.Progress().Steps
		if err := part(0, 1); err != nil {
			return err
		}
	}
	return nil
}

// Step takes one step, and notes the losses when an epoch ends with it. An error of yield, as [baseline.Training] has it, ends the
// training.
func (r *MethodRun) Step(yield func(done, total int) error) error {
	if err := r.training.Step(yield); err != nil {
		return err
	}
	if now := r.training.Progress(); now.Epoch == len(r.Losses)+1 {
		r.Losses = append(r.Losses, append([]float64(nil), now.Losses...))
	}
	return nil
}

// Done tells whether no step is left.
func (r *MethodRun) Done() bool { return baseline.Done(r.training) }

// Progress tells how far it is.
func (r *MethodRun) Progress() baseline.Progress { return r.training.Progress() }

// Embeddings returns those of a graph, as [baseline.Training] does.
func (r *MethodRun) Embeddings(graph int) []baseline.Embedding { return r.training.Embeddings(graph) }

// Report tells what became known beside the embeddings.
func (r *MethodRun) Report() baseline.Report { return r.training.Report() }

// Checkpoint returns what [Settings.Resume] goes on from.
func (r *MethodRun) Checkpoint() []byte {
	var b bytes.Buffer
	if err := r.WriteCheckpoint(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// WriteCheckpoint writes it. Errors come from dst.
func (r *MethodRun) WriteCheckpoint(dst io.Writer) error {
	return baseline.WriteCheckpoint(dst, r.Settings.Method, r.Settings.setup(r.graphs, r.Precision), r.Settings.ModelSeed, r.training)
}

// Result returns what a training that is done gave.
func (r *MethodRun) Result() *MethodResult {
	list := r.Embeddings(0)
	result := &MethodResult{Trained: MethodTokens(r.Settings.Method, list), Untrained: r.untrained, Embeddings: list, Progress: r.Progress(), Losses: r.Losses,
		Hash: baseline.Hash(list), Report: r.Report()}
	if result.Untrained == nil {
		result.Untrained = result.Trained
	}
	return result
}

// Train runs the training of a method on graphs to its end. Yield, which may be nil, is called after every
// few milliseconds of work with what is done of a total; its error ends the training and is
// returned.
func (s *Settings) Train(graphs []*multiplex.Graph, p cadem.Precision, yield func(done, total int) error) (*MethodRun, error) {
	r, err := s.Start(graphs, p)
	if err == nil {
		err = r.Finish(nil, yield)
	}
	return r, err
}

// TrainMethod is [Settings.Train] on a data set.
func TrainMethod(d *Dataset, s *Settings, p cadem.Precision, yield func(done, total int) error) (*MethodResult, error) {
	r, err := s.Train([]*multiplex.Graph{d.Graph}, p, yield)
	if err != nil {
		return nil, err
	}
	return r.Result(), nil
}
