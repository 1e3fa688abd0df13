package run

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// A Run is a training, begun and perhaps done.
type Run struct {
	Settings  *Settings
	Precision precision.Bits
	// Losses lists the losses of every epoch of the optimiser (for CaDeM a step), in the order of [train.Method.Losses]. Other methods
	// have none if those before a checkpoint are not known.
	Losses [][]float64

	training train.Training
	graphs   []*multiplex.Graph
	before   []train.Embedding // of the same seed before any step; nil of a method that has none then
	broken   bool              // it was left in the middle of a step

	Untrained *cadem.Embeddings // those of CaDeM before any step; nil of another method
}

// Start starts a training on graphs. An error of who watches the preparation ends that and is returned.
func (s *Settings) Start(graphs []*multiplex.Graph, p precision.Bits, watch Watch) (*Run, error) {
	t, err := train.Start(s.Method, s.setup(graphs, p, watch))
	if err != nil {
		return nil, err
	}
	r := &Run{Settings: s, Precision: p, training: t, graphs: graphs}
	if c := r.Trainer(); c != nil {
		r.Untrained = c.Embeddings(0)
		r.before = named(r.Untrained)
	} else {
		r.before = t.Embeddings(0)
	}
	return r, nil
}

// A Stored is a training at a checkpoint.
type Stored struct {
	Settings  *Settings // with what the checkpoint says of them by itself
	precision precision.Bits
	opened    *train.Opened
}

// Open opens a checkpoint of a training. Options, seed and precision of CaDeM are those of the checkpoint. Errors about it are
// [*checkpoint.Error].
func (s *Settings) Open(stored checkpoint.Stored, p precision.Bits) (*Stored, error) {
	if err := s.Method.Trains(); err != nil {
		return nil, err
	}
	c, err := s.Method.Format.Open(stored)
	if err != nil {
		return nil, err
	}
	if c.Options != nil {
		own := *s
		own.Options, own.ModelSeed = c.Options, c.Seed
		s, p = &own, c.Precision
	}
	return &Stored{s, p, c}, nil
}

// Resume is [Settings.Start] of the training, which then goes on; losses are the earlier ones. It ends with the bits of an uninterrupted
// training.
func (c *Stored) Resume(graphs []*multiplex.Graph, losses [][]float64, watch Watch) (*Run, error) {
	r, err := c.Settings.Start(graphs, c.precision, watch)
	if err == nil {
		r.Losses = losses
		s := r.Settings
		err = c.opened.Restore(r.training, s.Method, s.setup(graphs, r.Precision, Watch{}))
	}
	return r, err
}

func (s *Settings) setup(graphs []*multiplex.Graph, p precision.Bits, watch Watch) *train.Setup {
	return &train.Setup{Graphs: graphs, Options: s.Options, Seed: s.ModelSeed, Precision: p, Yield: watch.Preparing, Journal: watch.Journal}
}

// Watch is who follows a training. Its functions may be nil; their errors stop the training and are returned.
type Watch struct {
	Preparing pause.Yield    // called while inputs are trimmed or split, as [cadem.Given] says
	Journal   *pause.Journal // of that
	// Within is called after every few milliseconds of work and after each step with what is done of a total. After an error
	// in the middle of a step nothing but a checkpoint that was taken before is of use.
	Within pause.Yield
	Each   func(*Run) error // called after each step
}

// Train trains on a data set to the end. An error of who watches comes beside the result so far, unless it came in the middle of a
// step.
func Train(d *Dataset, s *Settings, p precision.Bits, watch Watch) (*Result, error) {
	r, err := s.Train([]*multiplex.Graph{d.Graph}, p, watch)
	if r == nil || !r.Whole() {
		return nil, err
	}
	return r.Result(), err
}

// Train trains on graphs to the end.
func (s *Settings) Train(graphs []*multiplex.Graph, p precision.Bits, watch Watch) (*Run, error) {
	r, err := s.Start(graphs, p, watch)
	if err == nil {
		err = r.Finish(watch)
	}
	return r, err
}

// Finish takes the steps that are left.
func (r *Run) Finish(watch Watch) error {
	const parts = 1000                   // of a step
	begun := r.training.Progress().Steps // before the current step, which counts itself before its last piece of work
	part := func(done, of int) error {
		return watch.Within.At(parts*begun+parts*done/max(of, 1), parts*r.training.Progress().Total)
	}
	for !r.Done() {
		if err := r.Step(part); err != nil {
			return err
		}
		begun = r.training.Progress().Steps
		if watch.Each != nil {
			if err := watch.Each(r); err != nil {
				return err
			}
		}
		if err := part(0, 1); err != nil {
			return err
		}
	}
	return nil
}

// Step takes one step, and notes the losses when an epoch of the optimiser ends with it. An error of yield, as [train.Training]
// has it, ends the training.
func (r *Run) Step(yield pause.Yield) error {
	if err := r.training.Step(yield); err != nil {
		r.broken = true
		return err
	}
	if now := r.training.Progress(); now.Epoch == len(r.Losses)+1 || r.Settings.OfCaDeM() {
		r.Losses = append(r.Losses, append([]float64(nil), now.Losses...))
	}
	return nil
}

// Trainer returns the trainer of CaDeM, nil for another method.
func (r *Run) Trainer() *cadem.Trainer { return train.TrainerOf(r.training) }

// Whole reports whether no step was left in the middle.
func (r *Run) Whole() bool { return !r.broken }

// Done reports whether no step is left.
func (r *Run) Done() bool { return train.Done(r.training) }

// Progress returns how far it has come.
func (r *Run) Progress() train.Progress { return r.training.Progress() }

// Embeddings returns the embeddings of a graph, as [train.Training] does.
func (r *Run) Embeddings(graph int) []train.Embedding { return r.training.Embeddings(graph) }

// Hash names the current embeddings.
func (r *Run) Hash() string { return r.Settings.Method.Format.Hash(r.training) }

// Report returns what became known beside the embeddings.
func (r *Run) Report() train.Report { return r.training.Report() }

// Checkpoint returns the checkpoint for [Settings.Open].
func (r *Run) Checkpoint() []byte {
	var b bytes.Buffer
	if err := r.WriteCheckpoint(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// WriteCheckpoint writes it. Errors come from dst.
func (r *Run) WriteCheckpoint(dst io.Writer) error {
	s := r.Settings
	return s.Method.Format.Write(dst, s.Method, s.setup(r.graphs, r.Precision, Watch{}), r.training)
}

// Tokens lists embeddings in the form that is scored, and the untrained ones beside them: the same if a method has none.
func (r *Run) Tokens(list []train.Embedding) (trained, untrained []evaluate.Embedding) {
	trained, untrained = Scored(r.Settings.Method, list), Scored(r.Settings.Method, r.before)
	if untrained == nil {
		untrained = trained
	}
	return trained, untrained
}

// A Result is the result of a training, complete or stopped.
type Result struct {
	// Trained and Untrained are the embeddings of a method that has common and private ones; untrained: same seeds, no step. For
	// the closed form they are the same.
	Trained, Untrained *cadem.Embeddings
	// Embeddings by the names under which they are scored; none of a method that has none before its end.
	Embeddings  []train.Embedding
	Progress    cadem.Progress // of another method than CaDeM an Epoch is one of the optimiser
	Losses      [][]float64    // rows as those of a [Run]
	First, Last []float64      // rows of them; nil if there are none
	Hash        string
	Parameters  int // that were trained
	Notes       []string
	Figures     map[string]float64   // by name, results of a method other than CaDeM
	Probe       *evaluate.LayerProbe // of CaDeM: reads the layer from what was trained

	// As they are scored: combined, and each by itself.
	Scored, ScoredBefore []evaluate.Embedding
}

// Result returns the results of the training so far.
func (r *Run) Result() *Result {
	report := r.Report()
	parameters, _ := report.Figure("parameters")
	result := &Result{Losses: r.Losses, Hash: r.Hash(), Parameters: int(parameters), Notes: report.Notes}
	if c := r.Trainer(); c != nil {
		result.Trained, result.Untrained, result.Progress, result.Probe = c.Embeddings(0), r.Untrained, c.Progress(), LayerProbe(c)
		result.Embeddings = named(result.Trained)
		first, last := result.Progress.First.Columns(), result.Progress.Losses.Columns()
		result.First, result.Last = first[:], last[:]
	} else {
		now := r.Progress()
		rank, _ := report.Figure("rank_S")
		result.Progress = cadem.Progress{Epoch: now.Epoch, Step: now.Steps, Steps: now.Total, Rank: int(rank), EarlyStopped: now.Early}
		result.Figures = map[string]float64{}
		for _, f := range report.Figures {
			result.Figures[f.Name] = f.Value
		}
		if n := len(r.Losses); n > 0 {
			result.First, result.Last = r.Losses[0], r.Losses[n-1]
		}
		if result.Embeddings = r.Embeddings(0); len(result.Embeddings) > 0 && result.Embeddings[0].Name == train.Common {
			result.Trained = AsCaDeM(result.Embeddings)
			result.Trained.Rank, result.Untrained = int(rank), result.Trained
		}
	}
	result.Scored, result.ScoredBefore = r.Tokens(result.Embeddings)
	return result
}

// Passes is the number of passes of the optimiser over all data: a step each for CaDeM, an epoch each for another method.
func (r *Result) Passes() int {
	if r.Probe != nil {
		return r.Progress.Step
	}
	return r.Progress.Epoch
}

// RecordProgress is the progress of the training of a method, for a record. An epoch of a method other than CaDeM is a step there.
func (r *Result) RecordProgress(m *train.Method) RecordProgress {
	now := r.Progress
	p := RecordProgress{State: Paused, Epoch: now.Epoch, Epochs: now.Epochs, Step: now.Step, Steps: now.Steps, RankS: now.Rank,
		Losses: Named(m, r.Last)}
	if r.Probe == nil {
		p.Epoch, p.Epochs = p.Step, p.Steps
	}
	if now.Step == now.Steps || now.EarlyStopped {
		p.State = Finished
	}
	return p
}

// Named returns losses, one for each of [train.Method.Losses], by the names of these terms.
func Named(m *train.Method, losses []float64) map[string]float64 {
	named := map[string]float64{}
	for i, x := range losses {
		named[m.Losses[i]] = x
	}
	return named
}

// Exported are the embeddings that are written: those that are scored, each by itself, and of CaDeM the common one of each layer.
func (r *Result) Exported() []evaluate.Embedding {
	if r.Probe == nil {
		return slices.Clip(r.Scored[1:])
	}
	return WithCommon(r.Scored[1:], r.Trained)
}

// Axes returns the embedding whose axes nodes are drawn along, M x d; nil if there is none.
func (r *Result) Axes() *mat.Dense {
	switch {
	case r.Probe != nil:
		return Axes(r.Trained)
	case r.Embeddings != nil:
		return r.Embeddings[0].X
	}
	return nil
}

// Protocol names the splits behind classification scores, once for all label sets or one each, and the number of nodes that a sample has; ""
// if there are none.
func (d *Dataset) Protocol(o *evaluate.Options) string {
	var texts, each []string
	for i := range d.Graph.Labels {
		if s := &d.Graph.Labels[i]; d.Classify {
			text := evaluate.Protocol(s, o)
			each = append(each, s.Name+" by "+text)
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) > 1 {
		texts = each
	}
	words := strings.Join(texts, "; ")
	if n := d.Graph.M(); words != "" && o.Sample(n) < n {
		words += fmt.Sprintf(", learned from a sample of %d nodes at most", o.Sample(n))
	}
	return words
}

// Score scores embeddings, as [Scored] lists them, on all label sets of the data set, beside untrained ones. yield is called often
// and may be nil.
func Score(d *Dataset, trained, untrained []evaluate.Embedding, o evaluate.Options, seed uint64, yield pause.Yield) ([]evaluate.Score, error) {
	if len(d.Graph.Labels) == 0 {
		return []evaluate.Score{}, nil
	}
	return evaluate.Table(d.Input(trained, untrained), o, seed, yield)
}

// Input is the input of [Score].
func (d *Dataset) Input(trained, untrained []evaluate.Embedding) evaluate.Input {
	return evaluate.Input{Trained: trained, Untrained: untrained, Targets: d.Graph.Labels, Classify: d.Classify, Cluster: d.Cluster}
}
