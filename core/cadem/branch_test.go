package cadem

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem/core/cadem/internal/offload"
	"cadem/core/checkpoint"
	"cadem/core/kernel"
	"cadem/core/multiplex"
	"cadem/core/precision"
)

// A thread is a helper in another goroutine, which does a plan by the scalar kernels.
type thread struct {
	work    chan func()
	answers chan []byte
	plan    *Plan
	memory  []float32
}

func newThread(t testing.TB) *thread {
	p := &thread{work: make(chan func(), 1), answers: make(chan []byte, 2)}
	go func() {
		for f := range p.work {
			f()
		}
	}()
	t.Cleanup(func() { close(p.work) })
	return p
}

// threads returns n new threads.
func threads(t testing.TB, n int) (all []Helper) {
	for range n {
		all = append(all, newThread(t))
	}
	return all
}

func (p *thread) Load(plan *Plan) {
	var memory []byte
	for _, b := range plan.Blocks {
		// In windows, as over a line.
		memory = append(memory, make([]byte, b.At-len(memory))...)
		for w := make([]byte, 1000); len(memory) < b.At+b.Size; {
			n, err := b.Read(w[:min(len(w), b.At+b.Size-len(memory))])
			if memory = append(memory, w[:n]...); err != nil {
				panic(err)
			}
		}
		if n, err := b.Read(make([]byte, 4)); n > 0 || err != io.EOF {
			panic("a block goes on after its end")
		}
	}
	p.work <- func() {
		p.plan, p.memory = plan, make([]float32, plan.Size/4)
		kernel.TakeBytes(p.memory[:len(memory)/4], memory)
		p.do(plan.Forward)
		p.answer()
	}
}

// do does operations of a plan.
func (p *thread) do(list []offload.Operation) {
	at := func(o *offload.Operation, i, n int) []float32 { return p.memory[o.At[i]/4:][:n] }
	rate := p.memory[p.plan.Rate/4:]
	r := kernel.AdamRate[float32]{B1: rate[0], B2: rate[1], Root: rate[2], Eps: rate[3], Decay: rate[4]}
	for _, o := range list {
		switch n := o.N[0]; o.Op {
		case offload.Clear:
			clear(at(&o, 0, n/4))
		case offload.Copy:
			copy(at(&o, 0, n/4), at(&o, 1, n/4))
		case offload.Mul:
			h, d := o.N[1], o.N[2]
			kernel.Mul(at(&o, 0, n*d), at(&o, 1, n*h), at(&o, 2, h*d), n, h, d)
		case offload.AddMulTrans:
			h, d := o.N[1], o.N[2]
			kernel.AddMulTrans(at(&o, 0, h*d), at(&o, 1, n*h), at(&o, 2, n*d), n, h, d)
		case offload.Adam:
			kernel.Adam(at(&o, 0, n), at(&o, 1, n), at(&o, 2, n), at(&o, 3, n), &r)
		case offload.AdamFactored:
			h, d := o.N[1], o.N[2]
			kernel.AdamFactored(at(&o, 0, n*h), at(&o, 1, n*h), at(&o, 2, n*h), at(&o, 3, n*d), at(&o, 4, n*d), at(&o, 5, h*d), at(&o, 6, h*d), n, h, d, &r)
		default:
			panic("an unknown operation")
		}
	}
}

func (p *thread) answer() {
	o := p.plan.Output
	p.answers <- kernel.AppendBytes(nil, p.memory[o.At/4:(o.At+o.Size)/4])
}

func (p *thread) Step(input []byte) {
	input = bytes.Clone(input)
	p.work <- func() {
		kernel.TakeBytes(p.memory[p.plan.Input.At/4:][:len(input)/4], input)
		p.do(p.plan.Step)
		p.do(p.plan.Forward)
		p.answer()
	}
}

func (p *thread) Products() []byte { return <-p.answers }

func (p *thread) Read(parts []Part) {
	done := make(chan bool)
	p.work <- func() {
		for _, q := range parts {
			copy(q.To, kernel.AppendBytes(nil, p.memory[q.From/4:][:len(q.To)/4]))
		}
		done <- true
	}
	<-done
}

func (p *thread) Close() { p.work <- func() { p.memory = nil } }

// lendables are options and graphs of runs that can be lent.
func lendables(t *testing.T) map[string]func() *Trainer {
	o := small()
	o.Hidden, o.Dim = 16, 8
	one := o
	one.Graphs, one.Pairing, one.Combine = "augmented", "all", "concat"
	few := o
	few.Completion = "centred"
	return map[string]func() *Trainer{
		"released":      func() *Trainer { return start(t, blocks(t, 41, 3, 2), o, 7, precision.Single) },
		"one group":     func() *Trainer { return start(t, blocks(t, 30, 2, 3), one, 1, precision.Single) },
		"few features":  func() *Trainer { return start(t, weighted(t, 60, 2, 3, 4), few, 1, precision.Single) },
		"several heads": func() *Trainer { o := o; o.Batch = 2; return start(t, blocks(t, 30, 2, 5), o, 2, precision.Single) },
	}
}

// Lent from any step on to one helper or several, a run has the same bits in all that it tells, and so do
// those that go on from its checkpoints with others.
func TestLendingChangesNothing(t *testing.T) {
	for name, run := range lendables(t) {
		for helpers := 1; helpers <= 4; helpers++ {
			for _, from := range []int{0, 1, 7} {
				t.Run(fmt.Sprintf("%s, %d helpers from step %d", name, helpers, from), func(t *testing.T) {
					lend(t, run, helpers, from)
				})
			}
		}
	}
}

// lend lends a run to helpers before a step, and compares it with one that trains alone.
func lend(t *testing.T, run func() *Trainer, helpers, from int) {
	alone, shared := run(), run()
	for !alone.Done() {
		if step := alone.Progress().Step; step == from {
			shared.Offload(threads(t, helpers)...)
		} else if step == 12 {
			for _, r := range []*Trainer{alone, shared} {
				if err := r.SetLive("lr_encoders", 0.01); err != nil {
					t.Fatal(err)
				}
			}
		}
		if a, b := alone.Step(), shared.Step(); a != nil || b != nil {
			t.Fatal(a, b)
		}
		if a, b := alone.Progress(), shared.Progress(); !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v, alone %+v", b, a)
		}
		switch alone.Progress().Step {
		case 8, 9:
			if !bytes.Equal(alone.Checkpoint(), shared.Checkpoint()) {
				t.Error("another checkpoint")
			}
		case 14:
			if alone.Hash() != shared.Hash() {
				t.Error("other embeddings")
			}
		case 20:
			again, err := resume([]*multiplex.Graph{graphOf(shared)}, shared.Checkpoint())
			if err != nil {
				t.Fatal(err)
			}
			again.Offload(threads(t, 5-helpers)...)
			shared = again
		}
	}
	if alone.Hash() != shared.Hash() || !bytes.Equal(alone.Checkpoint(), shared.Checkpoint()) {
		t.Error("ends otherwise")
	}
	for _, tensor := range []string{"l0.W1p", "l1.W2p", "l0.bp", "l1.W1c", "l0.W2c", "l1.bc"} {
		if !slices.Equal(alone.Tensor(tensor), shared.Tensor(tensor)) || !slices.Equal(alone.Gradient(tensor), shared.Gradient(tensor)) {
			t.Errorf("another %s or gradient", tensor)
		}
	}
}

// graphOf returns the graph that a run of this package's tests was made from.
func graphOf(r *Trainer) *multiplex.Graph {
	return modelOf[float32](r).source.(*seeded).graphs.Graph(0)
}

// A run that has its encoders back goes on, and can lend them again.
func TestRecall(t *testing.T) {
	for name, run := range lendables(t) {
		alone, shared := run(), run()
		p := newThread(t)
		for _, r := range []*Trainer{alone, shared} {
			for n := range 4 {
				if r == shared {
					r.Offload(append([]Helper{p}, threads(t, n)...)...)
				}
				if err := r.Step(); err != nil {
					t.Fatal(err)
				}
				r.Offload()
				if r == shared {
					p.Close()
				}
			}
			finish(t, r)
		}
		if alone.Hash() != shared.Hash() {
			t.Errorf("%s: another hash", name)
		}
	}
}

// A reader counts how often its encoders are read.
type reader struct {
	*thread
	reads int
}

func (p *reader) Read(parts []Part) {
	p.reads++
	p.thread.Read(parts)
}

// Results larger than a window come back in as few windows as possible.
func TestRecallInWindows(t *testing.T) {
	o := small()
	o.Hidden, o.Dim = 2048, 8
	g := blocks(t, 41, 3, 2)
	alone, shared := start(t, g, o, 7, precision.Single), start(t, g, o, 7, precision.Single)
	p := &reader{thread: newThread(t)}
	shared.Offload(p)
	for _, r := range []*Trainer{alone, shared} {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
		r.Offload()
	}
	size := 0
	for _, pair := range modelOf[float32](shared).enc {
		for _, a := range pair[private].Arrays() {
			size += 4 * len(*a)
		}
	}
	if want := size/(4*checkpoint.Window) + 1; want < 3 || p.reads != want {
		t.Errorf("%d bytes read in %d windows, expected %d", size, p.reads, want)
	}
	if !bytes.Equal(alone.Checkpoint(), shared.Checkpoint()) || !slices.Equal(alone.Gradient("l2.W1p"), shared.Gradient("l2.W1p")) {
		t.Error("what came back is not what the run alone has")
	}
}

// A step whose loss is not a number leaves the weights unchanged, also those that were lent.
func TestLentWeightsStayWhenALossIsNotFinite(t *testing.T) {
	o := small()
	o.Hidden, o.Dim, o.LREncoders, o.WeightMatching, o.EarlyStop, o.Epochs = 16, 8, 10, 1000, "off", 4000
	g := weighted(t, 12, 2, 3, 9)
	for l := range g.Layers {
		for i := range g.Layers[l].Features.Dense {
			g.Layers[l].Features.Dense[i] *= 1e18
		}
	}
	alone, shared := start(t, g, o, 1, precision.Single), start(t, g, o, 1, precision.Single)
	shared.Offload(newThread(t))
	var a, b error
	for a == nil && b == nil && !alone.Done() {
		a, b = alone.Step(), shared.Step()
	}
	var e *NonFinite
	if !errors.As(a, &e) || !reflect.DeepEqual(a, b) {
		t.Fatalf("%v, alone %v", b, a)
	}
	if !bytes.Equal(alone.Checkpoint(), shared.Checkpoint()) {
		t.Error("the weights are others")
	}
}

// Encoders that cannot be lent, or not with profit, say so.
func TestLendable(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"fresh":  func(o *Options) { o.Augmentation = "fresh" },
		"decay":  func(o *Options) { o.DecayEncoders = 1e-3 },
		"width":  func(o *Options) { o.Dim = 4 },
		"hidden": func(o *Options) { o.Hidden = 24 },
	} {
		o := small()
		o.Hidden, o.Dim = 16, 8
		change(&o)
		r := start(t, blocks(t, 20, 2, 1), o, 1, precision.Single)
		func() {
			defer func() {
				if got := recover(); got != ErrOffload {
					t.Errorf("%s: panicked with %v", name, got)
				}
			}()
			r.Offload(newThread(t))
		}()
	}
	o := small()
	o.Hidden, o.Dim, o.DropoutRate, o.Epochs = 16, 8, 0, 1
	if start(t, blocks(t, 20, 2, 1), o, 1, precision.Single).Helpers(4, true) > 0 {
		t.Error("a run of a few hundred weights would be lent")
	}
	o.Hidden = 4096
	large := start(t, blocks(t, 40, 2, 1), o, 1, precision.Single)
	if large.Helpers(1, false) != 1 {
		t.Error("a run of 327680 private weights would not be lent")
	}
	large.Offload(newThread(t))
	if large.Helpers(1, true) != 0 || !strings.Contains(strings.Join(large.Notes(), "; "), "beside") {
		t.Errorf("lent, it could be lent again, or does not say so: %q", large.Notes())
	}
}
