package train

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/fingerprint"
)

// ErrDone is returned by Step after the last step.
var ErrDone = cadem.ErrDone

// A Setup holds the inputs of a training: data, options, seed.
type Setup struct {
	Graphs  []*multiplex.Graph
	Options any    // of the method, as its row makes them
	Seed    uint64 // of what is drawn
	Source  Source // of everything random but that of CaDeM; [Seeded] for nil
	// Precision of the training, single for 0; double to be compared with other programs.
	Precision precision.Bits
	// Yield is called while a training is made whose inputs are trimmed or split, as [cadem.Given] has it; it may be nil.
	Yield   pause.Yield
	Journal *pause.Journal // likewise
}

// A Training is a method at work. It is not safe for concurrent use.
type Training interface {
	// Step does the next part of the work, as an epoch: one after which State is whole. Yield, which
	// may be nil, is called after every few milliseconds of it with what is done of the step; its
	// error ends the step and is returned, and the training is of no use then. Step returns [ErrDone]
	// after the last, and an error where a loss is not a finite number.
	Step(yield pause.Yield) error
	// Progress says how far it is.
	Progress() Progress
	// Embeddings returns the embeddings of a graph by the current weights: "layer_1" and so on, or "fused",
	// or "common" and "private_1" and so on; nil before there are any. Each is M x d, or 1 x d of a
	// method that embeds whole graphs. All have one width, a multiple of its heads, where the combiner reads
	// them.
	Embeddings(graph int) []Embedding
	// State lists what a step may change.
	State() *State
	// Report says what became known beside the embeddings.
	Report() Report
}

// An Embedding is a matrix by the name under which it is scored.
type Embedding struct {
	Name string
	X    *mat.Dense // M x d, or 1 x d of a whole graph
}

// Common is the name of the embedding of the shared part of all layers.
const Common = "common"

// Private returns the name of the embedding of the part of a layer, counted from 0, beside it.
func Private(layer int) string { return fmt.Sprintf("private_%d", layer+1) }

// Progress says how far a training is.
type Progress struct {
	Steps, Total int       // done, and of all; a training that ends early leaves some out
	Epoch        int       // complete passes of the optimiser; 0 if there are none
	Losses       []float64 // of the last of them, one for each of [Method.Losses]
	Early        bool      // it ended before Total
}

// Done reports whether a training is over.
func Done(t Training) bool {
	p := t.Progress()
	return p.Early || p.Steps == p.Total
}

// A Report lists findings of a training other than its embeddings.
type Report struct {
	Figures []Figure // as "parameters", or "rank_S"
	Notes   []string // sentences: rules that acted
}

// A Figure is a number by its name.
type Figure struct {
	Name  string
	Value float64
}

// Figure returns the figure of a name, and whether there is one.
func (r *Report) Figure(name string) (float64, bool) {
	for _, f := range r.Figures {
		if f.Name == name {
			return f.Value, true
		}
	}
	return 0, false
}

// With returns the report with another figure.
func (r Report) With(name string, value float64) Report {
	r.Figures = append(r.Figures, Figure{name, value})
	return r
}

// Start returns a training before its first step. Errors about data, options and memory are [*diag.Error]; that of a method that this
// program does not train is a [*diag.Unregistered].
func Start(m *Method, s *Setup) (Training, error) {
	if err := m.Trains(); err != nil {
		return nil, err
	}
	if m.Check != nil {
		if err := m.Check(s); err != nil {
			return nil, err
		}
	}
	return m.New(s)
}

// Hash names the embeddings of a graph: equal bits, equal hash.
func Hash(list []Embedding) string {
	var all []*mat.Dense
	for _, e := range list {
		all = append(all, e.X)
	}
	return fingerprint.Matrices(all)
}

// A Source supplies everything random of a training. What names the purpose of a draw, as "layer
// 1/W"; round is 0 for a single draw, otherwise the number of an epoch, a walk or the like. The same
// what and round give the same numbers, whatever was drawn before, and a longer dst of numbers begins
// with those of a shorter one.
type Source interface {
	// Uniform fills dst with numbers from low up to but not including high.
	Uniform(dst []float64, low, high float64, what string, round int)
	// Normal fills dst with normal numbers of mean 0 and that standard deviation.
	Normal(dst []float64, deviation float64, what string, round int)
	// Permutation fills dst with the numbers 0 to len(dst)-1 in a random order.
	Permutation(dst []int, what string, round int)
	// Below fills dst with numbers from 0 to n-1.
	Below(dst []int, n int, what string, round int)
}

// Seeded returns the source of a seed: a stream of its own for every what, a part of it for every
// round.
func Seeded(seed uint64) Source { return &seeded{seed, map[string]*rng.Stream{}} }

type seeded struct {
	seed uint64
	kept map[string]*rng.Stream
}

func (s *seeded) at(what string, round int) *rng.Stream {
	stream := s.kept[what]
	if stream == nil {
		stream = rng.New(s.seed, "baseline/"+what)
		s.kept[what] = stream
	}
	stream.At(uint64(round))
	return stream
}

func (s *seeded) Uniform(dst []float64, low, high float64, what string, round int) {
	stream := s.at(what, round)
	for i := range dst {
		dst[i] = stream.Uniform(low, high)
	}
}

func (s *seeded) Normal(dst []float64, deviation float64, what string, round int) {
	stream := s.at(what, round)
	for i := range dst {
		dst[i] = deviation * stream.Norm()
	}
}

func (s *seeded) Permutation(dst []int, what string, round int) { s.at(what, round).Perm(dst) }

func (s *seeded) Below(dst []int, n int, what string, round int) {
	stream := s.at(what, round)
	for i := range dst {
		dst[i] = stream.IntN(n)
	}
}
