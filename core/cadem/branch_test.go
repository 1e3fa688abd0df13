package cadem

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem/core/cadem/internal/checkpoint"
	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// A thread is a helper in another goroutine.
type thread struct {
	work    chan func()
	answers chan []byte
	enc     []*encoder[float32]
	zbar    [][]float32
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

func (p *thread) Load(list []HelperEncoder) {
	blocks := make([][]byte, len(list))
	for i, b := range list {
		// In windows, as over a line.
		for w := make([]byte, 1000); len(blocks[i]) < b.Size; {
			n, err := b.Block.Read(w[:min(len(w), b.Size-len(blocks[i]))])
			if blocks[i] = append(blocks[i], w[:n]...); err != nil {
				panic(err)
			}
		}
		if n, err := b.Block.Read(make([]byte, 4)); n > 0 || err != io.EOF {
			panic("a block goes on after its end")
		}
	}
	p.work <- func() {
		p.enc, p.zbar = nil, nil
		for i, b := range list {
			e, zbar, data := newEncoder[float32](b.F, b.H, b.D), make([]float32, b.K*b.F), blocks[i]
			for _, a := range e.arrays() {
				kernel.TakeBytes(*a, data[:4*len(*a)])
				data = data[4*len(*a):]
			}
			kernel.TakeBytes(zbar, data)
			p.enc, p.zbar = append(p.enc, e), append(p.zbar, zbar)
		}
		p.answer()
	}
}

func (p *thread) answer() {
	var all []byte
	for i, e := range p.enc {
		k := len(p.zbar[i]) / e.f
		out := make([]float32, k*e.d)
		kernel.Mul(out, p.zbar[i], e.u, k, e.f, e.d)
		all = kernel.AppendBytes(all, out)
	}
	p.answers <- all
}

func (p *thread) Step(dh []byte, r *kernel.AdamRate[float32]) {
	dh, rate := bytes.Clone(dh), *r
	p.work <- func() {
		for i, e := range p.enc {
			k := len(p.zbar[i]) / e.f
			g := make([]float32, k*e.d)
			kernel.TakeBytes(g, dh[:4*len(g)])
			dh = dh[4*len(g):]
			clear(e.du)
			kernel.AddMulTrans(e.du, p.zbar[i], g, k, e.f, e.d)
			e.move(&rate)
		}
		p.answer()
	}
}

func (p *thread) Products() []byte { return <-p.answers }

func (p *thread) Read(parts []HelperPart) {
	done := make(chan bool)
	p.work <- func() {
		for _, q := range parts {
			var block []byte
			for _, a := range p.enc[q.Block].arrays() {
				block = kernel.AppendBytes(block, *a)
			}
			copy(q.To, block[q.From:])
		}
		done <- true
	}
	<-done
}

func (p *thread) Close() { p.work <- func() { p.enc, p.zbar = nil, nil } }

// lendables are options and graphs of runs that can be lent.
func lendables(t *testing.T) map[string]func() Trainer {
	o := small()
	o.Hidden, o.Dim = 16, 8
	one := o
	one.Graphs, one.Pairing, one.Combine = "augmented", "all", "concat"
	few := o
	few.Completion = "centred"
	return map[string]func() Trainer{
		"released":      func() Trainer { return start(t, blocks(t, 41, 3, 2), o, 7, Single) },
		"one group":     func() Trainer { return start(t, blocks(t, 30, 2, 3), one, 1, Single) },
		"few features":  func() Trainer { return start(t, weighted(t, 60, 2, 3, 4), few, 1, Single) },
		"several heads": func() Trainer { o := o; o.Batch = 2; return start(t, blocks(t, 30, 2, 5), o, 2, Single) },
	}
}

// Lent from any step on, a run has the same bits in all that it tells, and so do those that go
// on from its checkpoints.
func TestLendingChangesNothing(t *testing.T) {
	for name, run := range lendables(t) {
		for _, from := range []int{0, 1, 7} {
			alone, shared := run(), run()
			for !alone.Done() {
				if step := alone.Progress().Step; step == from {
					shared.Offload(newThread(t))
				} else if step == 12 {
					for _, r := range []Trainer{alone, shared} {
						if err := r.SetLive("lr_encoders", 0.01); err != nil {
							t.Fatal(err)
						}
					}
				}
				if a, b := alone.Step(), shared.Step(); a != nil || b != nil {
					t.Fatal(a, b)
				}
				if a, b := alone.Progress(), shared.Progress(); !reflect.DeepEqual(a, b) {
					t.Fatalf("%s, lent before step %d: %+v, alone %+v", name, from, b, a)
				}
				switch alone.Progress().Step {
				case 8, 9:
					if !bytes.Equal(alone.Checkpoint(), shared.Checkpoint()) {
						t.Errorf("%s, lent before step %d: another checkpoint", name, from)
					}
				case 14:
					if alone.Hash() != shared.Hash() {
						t.Errorf("%s, lent before step %d: other embeddings", name, from)
					}
				case 20:
					again, err := resume([]*multiplex.Graph{graphOf(shared)}, shared.Checkpoint())
					if err != nil {
						t.Fatal(err)
					}
					again.Offload(newThread(t))
					shared = again
				}
			}
			if alone.Hash() != shared.Hash() || !bytes.Equal(alone.Checkpoint(), shared.Checkpoint()) {
				t.Errorf("%s, lent before step %d: ends otherwise", name, from)
			}
			for _, tensor := range []string{"l0.W1p", "l1.W2p", "l0.bp", "l1.W1c"} {
				if !slices.Equal(alone.Tensor(tensor), shared.Tensor(tensor)) || !slices.Equal(alone.Gradient(tensor), shared.Gradient(tensor)) {
					t.Errorf("%s, lent before step %d: another %s or gradient", name, from, tensor)
				}
			}
		}
	}
}

// graphOf returns the graph that a run of this package's tests was made from.
func graphOf(r Trainer) *multiplex.Graph { return r.(*run[float32]).draws.(*seeded).graphs[0] }

// A run that has its encoders back goes on, and can lend them again.
func TestRecall(t *testing.T) {
	for name, run := range lendables(t) {
		alone, shared := run(), run()
		p := newThread(t)
		for _, r := range []Trainer{alone, shared} {
			for range 4 {
				if r == shared {
					r.Offload(p)
				}
				if err := r.Step(); err != nil {
					t.Fatal(err)
				}
				r.Reclaim()
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

func (p *reader) Read(parts []HelperPart) {
	p.reads++
	p.thread.Read(parts)
}

// What takes more than a window comes back in as few of them as it fills.
func TestRecallInWindows(t *testing.T) {
	o := small()
	o.Hidden, o.Dim = 2048, 8
	g := blocks(t, 41, 3, 2)
	alone, shared := start(t, g, o, 7, Single), start(t, g, o, 7, Single)
	p := &reader{thread: newThread(t)}
	shared.Offload(p)
	for _, r := range []Trainer{alone, shared} {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
		r.Reclaim()
	}
	size := 0
	for _, pair := range shared.(*run[float32]).enc {
		size += pair[private].bytes()
	}
	if want := size/(4*checkpoint.Window) + 1; want < 3 || p.reads != want {
		t.Errorf("%d bytes read in %d windows, expected %d", size, p.reads, want)
	}
	if !bytes.Equal(alone.Checkpoint(), shared.Checkpoint()) || !slices.Equal(alone.Gradient("l2.W1p"), shared.Gradient("l2.W1p")) {
		t.Error("what came back is not what the run alone has")
	}
}

// A step whose loss is not a number leaves the weights as they were, also those that were lent.
func TestLentWeightsStayWhenALossIsNotFinite(t *testing.T) {
	o := small()
	o.Hidden, o.Dim, o.LREncoders, o.WeightMatching, o.EarlyStop, o.Epochs = 16, 8, 10, 1000, "off", 4000
	g := weighted(t, 12, 2, 3, 9)
	for l := range g.Layers {
		for i := range g.Layers[l].Features.Dense {
			g.Layers[l].Features.Dense[i] *= 1e18
		}
	}
	alone, shared := start(t, g, o, 1, Single), start(t, g, o, 1, Single)
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

// What cannot be lent, or not with profit, says so.
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
		r := start(t, blocks(t, 20, 2, 1), o, 1, Single)
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
	if start(t, blocks(t, 20, 2, 1), o, 1, Single).Offloadable(true) {
		t.Error("a run of a few hundred weights would be lent")
	}
	o.Hidden = 4096
	large := start(t, blocks(t, 40, 2, 1), o, 1, Single)
	if !large.Offloadable(false) {
		t.Error("a run of 327680 private weights would not be lent")
	}
	large.Offload(newThread(t))
	if large.Offloadable(true) || !strings.Contains(strings.Join(large.Notes(), "; "), "beside") {
		t.Errorf("lent, it could be lent again, or does not say so: %q", large.Notes())
	}
}
