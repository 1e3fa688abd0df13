package cadem

import (
	"fmt"
	"io"
	"math"

	"cadem/core/diag"
	"cadem/core/kernel"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// A Trainer fits one pair of encoders per layer to one multiplex graph, or to several with
// the same layers and features. It is not safe for concurrent use.
type Trainer interface {
	// Step does one inner Adam step; the first of an outer epoch takes the consensus anew.
	// It returns ErrDone after the last step and a *NonFinite when a loss is not a number;
	// the weights then are those before the step, which SetLive lets try anew.
	Step() error
	Done() bool
	Progress() Progress
	// SetLive changes a learning rate or loss weight from the next step on.
	SetLive(name string, value float64) error
	// Embeddings returns what the present weights make of a graph.
	Embeddings(graph int) *Embeddings
	// Hash names the present embeddings of all graphs: equal bits, equal hash.
	Hash() string
	// Checkpoint returns everything that [OpenCheckpoint] needs to go on with the same bits.
	Checkpoint() []byte
	// WriteCheckpoint writes it in pieces, so that it is never in memory as a whole. An error
	// is one of dst.
	WriteCheckpoint(dst io.Writer) error
	Options() Options
	Seed() uint64
	// Notes tells in sentences how the run was set up: plans chosen, rules that acted.
	Notes() []string
	// Tensor and Gradient return a parameter, or its gradient in the last step without
	// weight decay, by the names of [Draws]; features without data have no row.
	Tensor(name string) []float64
	Gradient(name string) []float64
	// Offloadable tells whether the run gains from a [Helper], with which memory is shared or not;
	// Offload hands it the private encoders, which changes no bit of anything. Reclaim takes them
	// back, as Tensor and Gradient do.
	Offloadable(shared bool) bool
	Offload(Helper)
	Reclaim()
	// Consensus returns S as the last step used it (M x d) and its rank.
	Consensus(graph int) ([]float64, int)
}

// Progress tells how far a run is.
type Progress struct {
	Epoch, Epochs int // complete outer epochs, and their number if the run does not end early
	Step, Steps   int
	Losses, First Losses
	Rank          int // of the consensus of the first graph
	EarlyStopped  bool
	Changes       []Change
}

// A Change of a live option, made before step Step.
type Change struct {
	Step  int     `json:"step"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// NonFinite is the error of a step whose loss is not a finite number.
type NonFinite struct {
	Step int    // from 1
	Term string // its name in [Terms]
}

func (e *NonFinite) Error() string {
	return fmt.Sprintf("step %d: the %s loss is not a finite number; a smaller learning rate or loss weight may help", e.Step, e.Term)
}

// New returns an untrained run, drawing from streams of the seed. The graphs must have the
// same layers and features; their losses are averaged. The build for the page (js, wasm,
// simd) refuses Double with a [*property.Error].
func New(graphs []*multiplex.Graph, o Options, seed uint64, p Precision) (Trainer, error) {
	return NewFrom(graphs, o, seed, p, nil)
}

// NewFrom is [New] with the random quantities handed over; nil draws them from the seed.
func NewFrom(graphs []*multiplex.Graph, o Options, seed uint64, p Precision, draws Draws) (Trainer, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if p == Double && !hasDouble {
		return nil, &property.Error{Field: "precision", Found: "64", Expected: "32: the page trains in single precision; double precision is for the command line"}
	}
	if err := checkGraphs(graphs); err != nil {
		return nil, err
	}
	if draws == nil {
		draws = newSeeded(graphs, &o, seed)
	}
	if p == Double {
		return newDouble(graphs, o, seed, draws), nil
	}
	return newRun[float32](graphs, o, seed, p, draws), nil
}

func checkGraphs(graphs []*multiplex.Graph) error {
	for i, g := range graphs {
		if err := g.Check(); err != nil {
			return err
		}
		if g.N() != graphs[0].N() || g.F() != graphs[0].F() {
			return &diag.Error{Where: fmt.Sprintf("graph %d", i), Found: fmt.Sprintf("%d layers and %d features", g.N(), g.F()),
				Expected: fmt.Sprintf("%d and %d as in the first", graphs[0].N(), graphs[0].F())}
		}
	}
	if len(graphs) == 0 {
		return &diag.Error{Where: "graphs", Found: "none", Expected: "at least one"}
	}
	return nil
}

func (o *Options) kind() multiplex.Kind {
	if o.Propagation == "kipf" {
		return multiplex.Kipf
	}
	return multiplex.Twice
}

const private = 1 // index of the private encoder of a layer; the common one is 0

// run is a Trainer in one precision.
type run[T kernel.Float] struct {
	o         Options
	seed      uint64
	precision Precision
	draws     Draws
	enc       [][2]*encoder[T] // per layer: common, private
	common    [][]T            // U of every common encoder
	phi, psi  *head[T]
	causal    *causal[T]
	members   []*member[T]
	private   branch[T]          // where the private ones train
	rate      kernel.AdamRate[T] // of the encoders in this step
	logits    []float64
	graphs    *crossEntropy

	step          int
	pow1, pow2    float64 // 0.9^step, 0.999^step
	losses, first Losses
	best          float64
	worse         int // epochs since the best total
	early         bool
	changes       []Change
	failed        error
}

func newRun[T kernel.Float](graphs []*multiplex.Graph, o Options, seed uint64, p Precision, draws Draws) *run[T] {
	n, f := graphs[0].N(), graphs[0].F()
	r := &run[T]{o: o, seed: seed, precision: p, draws: draws, pow1: 1, pow2: 1, best: math.Inf(1)}
	live := make([][]int32, n)
	inputs := make([][]input, len(graphs))
	for l := range live {
		mark := make([]bool, f)
		for i, g := range graphs {
			in := input{multiplex.NewPropagator(g.Layers[l].Adjacency, o.kind()), draws.Features(i, l, g.Layers[l].Features)}
			multiplex.LiveFeatures(mark, in.b, in.x)
			inputs[i] = append(inputs[i], in)
		}
		for j, ok := range mark {
			// With decay a weight moves without data; it is kept then, of no consequence though.
			if ok || o.DecayEncoders > 0 {
				live[l] = append(live[l], int32(j))
			}
		}
	}
	largest := 1
	for i := range graphs {
		it := newMember[T](inputs[i], i, live, &o, p, draws)
		for _, group := range it.groups {
			for _, b := range group.Batch {
				largest = max(largest, len(b))
			}
		}
		r.members = append(r.members, it)
	}
	w := make([]float64, max(f, o.Dim)*o.Hidden) // as drawn, in double precision: one tensor at a time
	for l := range n {
		var pair [2]*encoder[T]
		for branch, tag := range []string{"c", "p"} {
			pair[branch] = r.drawEncoder(w, fmt.Sprintf("l%d.", l), tag, f, live[l])
		}
		r.enc = append(r.enc, pair)
		r.common = append(r.common, pair[0].u)
	}
	rows := o.Dim
	if o.Combine == "concat" {
		rows *= 2
	}
	r.private = local[T]{r}
	r.phi, r.psi = newHead[T](o.Dim, n, o.Dim), newHead[T](rows, n, o.Dim)
	r.drawHead(r.phi, "phi")
	r.drawHead(r.psi, "psi")
	r.logits = make([]float64, largest*r.phi.width)
	r.graphs = newCrossEntropy(n, largest)
	r.causal = newCausal(r.psi, o.Dim, largest, &o)
	return r
}

func (r *run[T]) drawEncoder(w []float64, layer, tag string, f int, live []int32) *encoder[T] {
	h, d := r.o.Hidden, r.o.Dim
	e := newEncoder[T](len(live), h, d)
	clear(w)
	r.draws.Weights(layer+"W1"+tag, w[:f*h], f, h)
	for i, j := range live {
		row := e.w1[i*h:][:h]
		for k, v := range w[int(j)*h:][:h] {
			row[k] = T(v)
		}
	}
	fill := func(dst []T, name string, rows int) {
		clear(w)
		r.draws.Weights(layer+name+tag, w[:len(dst)], rows, len(dst)/rows)
		for i := range dst {
			dst[i] = T(w[i])
		}
	}
	fill(e.w2, "W2", h)
	fill(e.b, "b", 1)
	e.refresh()
	return e
}

func (r *run[T]) drawHead(p *head[T], name string) {
	w := make([]float64, len(p.w))
	r.draws.Weights("W"+name, w, p.rows, p.n)
	for i, v := range w {
		p.w[i] = T(v)
	}
	b := make([]float64, p.n)
	r.draws.Weights("b"+name, b, 1, p.n)
	for i, v := range b {
		p.b[i] = T(v)
	}
}

func (r *run[T]) Step() error {
	switch {
	case r.failed != nil:
		return r.failed
	case r.Done():
		return ErrDone
	}
	fresh := r.o.Augmentation == "fresh"
	for i, it := range r.members {
		if r.step%r.o.InnerSteps == 0 {
			it.consensus.Update(r.common)
		}
		if fresh {
			for g := range it.groups {
				r.draws.Refresh(i, g, r.step, &it.groups[g])
			}
			it.pool()
		}
	}
	losses := r.gradients()
	for i, x := range losses.Columns() {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			r.failed = &NonFinite{r.step + 1, Terms[i].Name}
			return r.failed
		}
	}
	r.losses = losses
	if r.step == 0 {
		r.first = losses
	}
	r.move()
	r.step++
	if r.step%r.o.InnerSteps == 0 {
		r.endEpoch()
	}
	return nil
}

// gradients fills the gradients of the encoders and heads and returns the losses.
func (r *run[T]) gradients() Losses {
	for _, pair := range r.enc {
		for _, e := range pair { // matching and Learn set du
			clear(e.db)
		}
	}
	for _, p := range []*head[T]{r.phi, r.psi} {
		p.prepare()
	}
	var sum Losses
	each := 1 / float64(len(r.members))
	for i, it := range r.members {
		share := each
		if r.o.Matching == "mean" {
			share /= float64(it.m)
		}
		sum.Matching += float64(share * it.match(r.enc, i == 0, r.o.WeightMatching*share))
		it.forward(i, r.enc, r.private)
		for g := range it.groups {
			group, from, to := &it.groups[g], it.offset[g]*it.d, it.offset[g]*it.d+len(it.groups[g].Layer)*it.d
			hp, dhp := it.hp[from:to], it.dhp[from:to]
			sum.SelfSupervised += float64(each * selfSupervised(r.phi, group, hp, dhp, r.logits, r.graphs, r.o.WeightSelfSupervised*each))
			pair := func(batch int, perm []int) { r.draws.Pair(i, g, batch, r.step, perm) }
			sum.Causal += float64(each * r.causal.loss(group, hp, it.hc[from:to], dhp, it.dhc[from:to], r.o.WeightCausal*each, pair))
		}
		it.backward(i, r.enc, r.private)
	}
	sum.weigh(&r.o)
	return sum
}

const beta1, beta2 = 0.9, 0.999 // decay of Adam's moments

// move does the Adam step, with 1e-8 added after the root and one counter for all
// parameters.
func (r *run[T]) move() {
	r.pow1 = float64(r.pow1 * beta1)
	r.pow2 = float64(r.pow2 * beta2)
	rate := func(lr, decay float64) kernel.AdamRate[T] {
		return kernel.NewAdamRate[T](lr, beta1, beta2, r.pow1, r.pow2, 1e-8, decay)
	}
	heads := rate(r.o.LRHeads, r.o.DecayHeads)
	r.rate = rate(r.o.LREncoders, r.o.DecayEncoders)
	r.private.Step(&r.rate)
	for _, pair := range r.enc {
		pair[0].move(&r.rate)
		for _, e := range pair {
			kernel.Adam(e.b, e.mb, e.vb, e.db, &r.rate)
		}
	}
	r.phi.move(&heads)
	r.psi.move(&heads)
}

// endEpoch applies the rule of early stopping: the total of an epoch's last step against
// the best so far.
func (r *run[T]) endEpoch() {
	if r.losses.Total < r.best {
		r.best, r.worse = r.losses.Total, 0
	} else {
		r.worse++
	}
	r.early = r.o.EarlyStop == "on" && r.worse >= r.o.Patience && r.step/r.o.InnerSteps > r.o.PatienceAfter
}

func (r *run[T]) Done() bool { return r.early || r.step >= r.o.Epochs*r.o.InnerSteps }

func (r *run[T]) Progress() Progress {
	return Progress{Epoch: r.step / r.o.InnerSteps, Epochs: r.o.Epochs, Step: r.step, Steps: r.o.Epochs * r.o.InnerSteps,
		Losses: r.losses, First: r.first, Rank: r.members[0].consensus.Rank(), EarlyStopped: r.early, Changes: r.changes}
}

func (r *run[T]) SetLive(name string, value float64) error {
	for _, p := range property.Table(&r.o) {
		if p.Name == name && !p.Live {
			return &property.Error{Field: name, Found: "a change during the run", Expected: "a learning rate or a loss weight"}
		}
	}
	if err := property.Set(&r.o, name, property.Text(value)); err != nil {
		return err
	}
	r.changes = append(r.changes, Change{r.step, name, value})
	r.failed = nil // the weights are those before the step: it may be tried anew
	return nil
}

func (r *run[T]) Options() Options { return r.o }
func (r *run[T]) Seed() uint64     { return r.seed }

func (r *run[T]) Notes() []string {
	var notes []string
	if r.helped() {
		notes = append(notes, "the private encoders train beside the run")
	}
	if s, ok := r.draws.(*seeded); ok {
		notes = append(notes, s.notes...)
	}
	consensus, layers := r.members[0].consensus.Notes()
	if consensus != "" {
		notes = append(notes, consensus)
	}
	for l, how := range layers {
		notes = append(notes, fmt.Sprintf("layer %d: Z is kept %s, %s", l+1, r.members[0].layers[l].z, how))
	}
	return notes
}
