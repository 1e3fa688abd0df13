package cadem

import (
	"math"
	"strings"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/multiplex"
)

// A Trainer fits one pair of encoders per layer to one multiplex graph, or to several with
// the same layers and features. It is not safe for concurrent use.
type Trainer struct {
	Seed uint64 // of what it draws

	o         Options
	precision precision.Bits
	graphs    int
	model     engine

	step          int
	adam          kernel.AdamPowers
	losses, first Losses
	best          float64
	worse         int // epochs since the best total
	early         bool
	changes       []Change
	failed        error
}

// An engine is a model in one precision: [model].
type engine interface {
	update()                   // recomputes the consensus of every graph
	refresh(step int)          // draws the pooled graphs
	gradients(step int) Losses // of all parameters
	move(kernel.AdamPowers)    // all parameters
	rank(graph int) int
	parameters() int
	notes() []string
	embeddings(graph int) *Embeddings
	parameter(name string) (value, gradient []float64)
	consensus(graph int) (s []float64, rank int)
	arrays() checkpoint.Arrays
	restore(ranks []int, began bool)
	shares() *Shares
	maps() *Maps
	trail(graphs multiplex.Source, yield pause.Yield) (*inputs.Trail, error)
	inputsOf(layer, most int, place []int, yield pause.Yield) (*Inputs, error)
	guesses() *Guesses
}

// Progress is how far a run has come.
type Progress struct {
	Epoch, Epochs int // complete outer epochs, and their number if the run does not end early
	Step, Steps   int
	Losses, First Losses
	Rank          int // of the consensus of the first graph
	EarlyStopped  bool
	Changes       []Change
}

// A Change of a live option, made before step Step.
type Change = checkpoint.Change

// New returns an untrained run, drawing from streams of the seed. The graphs must have the
// same layers and features; their losses are averaged. The build for the page (js, wasm,
// simd) refuses precision.Double with a [*diag.Error].
func New(graphs []*multiplex.Graph, o Options, seed uint64, p precision.Bits) (*Trainer, error) {
	return NewFrom(multiplex.Held(graphs), o, seed, p, Given{})
}

// Given holds optional inputs of a run. The zero value is that of [New].
type Given struct {
	// Yield is called while inputs that are trimmed or split, or spectral features, are prepared, after every few milliseconds of
	// work with what is done of a total; its error ends the work and is returned. Nil is not called.
	Yield pause.Yield
	// Journal, if not nil, keeps parts of the preparation, for another one of the same graphs, options, seed and precision to go on with.
	Journal *pause.Journal
	// For comparisons with other programs, which take graphs unchecked, of one layer or without links in another:
	Source   RandomSource // of everything random; [Seeded] for nil
	RankRule float64      // singular values up to this share of the largest count as zero; [RoundingRule] for 0
}

// NewFrom is [New] with what is given, and with graphs that need not be in memory all at once: of each the run keeps Z and,
// where augmentation is not fresh, pooled rows. Inputs that are trimmed or split are prepared in memory. The error is a [*diag.Error] for
// options, a precision or graphs that cannot be used, or that of given.Yield.
func NewFrom(graphs multiplex.Source, o Options, seed uint64, p precision.Bits, given Given) (*Trainer, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if given.Source == nil {
		if err := multiplex.CheckAlike(graphs); err != nil {
			return nil, err
		}
	}
	if o.Trim == "off" && o.Split == "off" && !strings.HasPrefix(o.Features, "spectral") {
		given.Yield = nil
	} else if err := given.Yield.At(0, 1); err != nil { // checking large graphs took a while
		return nil, err
	}
	t := &Trainer{Seed: seed, o: o, precision: p, graphs: graphs.Len, adam: kernel.NewAdamPowers(), best: math.Inf(1)}
	if given.Source == nil {
		given.Source = newSeeded(graphs, &t.o, seed)
	}
	if precision.HasDouble && p == precision.Double {
		m, err := newModel[float64](graphs, &t.o, seed, p, given)
		t.model = m
		return t, err
	}
	m, err := newModel[float32](graphs, &t.o, seed, p, given)
	t.model = m
	return t, err
}

// Step does one inner Adam step; the first of an outer epoch recomputes the consensus. The error is
// [ErrDone] after the last step and a [*NonFinite] when a loss is not finite: the weights are then
// unchanged, and the step can be retried after SetLive.
func (t *Trainer) Step() error {
	switch {
	case t.failed != nil:
		return t.failed
	case t.Done():
		return ErrDone
	}
	if t.step%t.o.InnerSteps == 0 {
		t.model.update()
	}
	if t.o.Augmentation == "fresh" {
		t.model.refresh(t.step)
	}
	losses := t.model.gradients(t.step)
	for i, x := range losses.Columns() {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.failed = &NonFinite{Step: t.step + 1, Term: Terms[i].Name}
			return t.failed
		}
	}
	t.losses = losses
	if t.step == 0 {
		t.first = losses
	}
	t.adam.Next()
	t.model.move(t.adam)
	t.step++
	if t.step%t.o.InnerSteps == 0 {
		t.endEpoch()
	}
	return nil
}

// endEpoch applies the rule of early stopping, (f): the total of an epoch's last step against
// the best so far.
func (t *Trainer) endEpoch() {
	if t.losses.Total < t.best {
		t.best, t.worse = t.losses.Total, 0
	} else {
		t.worse++
	}
	t.early = t.o.EarlyStop == "on" && t.worse >= t.o.Patience && t.step/t.o.InnerSteps > t.o.PatienceAfter
}

// Done reports whether the run is over.
func (t *Trainer) Done() bool { return t.early || t.step >= t.o.Epochs*t.o.InnerSteps }

// Progress returns how far the run has come.
func (t *Trainer) Progress() Progress {
	return Progress{Epoch: t.step / t.o.InnerSteps, Epochs: t.o.Epochs, Step: t.step, Steps: t.o.Epochs * t.o.InnerSteps,
		Losses: t.losses, First: t.first, Rank: t.model.rank(0), EarlyStopped: t.early, Changes: t.changes}
}

// Parameters returns how many numbers are trained.
func (t *Trainer) Parameters() int { return t.model.parameters() }

// SetLive changes a learning rate or loss weight from the next step on. The error is a
// [*diag.Error].
func (t *Trainer) SetLive(name string, value float64) error {
	if err := property.SetLive(&t.o, name, value); err != nil {
		return err
	}
	t.changes = append(t.changes, Change{Step: t.step, Name: name, Value: value})
	t.failed = nil // the weights are those before the step: it may be tried again
	return nil
}

// Options returns the options that hold now.
func (t *Trainer) Options() Options { return t.o }

// Notes returns in sentences how the run was set up: the routes chosen, and the rules that applied.
func (t *Trainer) Notes() []string { return t.model.notes() }
