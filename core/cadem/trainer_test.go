package cadem

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// blocks draws a graph of n layers with three communities each, joined with probability
// .7 inside and .1 outside.
func blocks(t testing.TB, m, n int, seed uint64) *multiplex.Graph {
	t.Helper()
	g := &multiplex.Graph{Name: "blocks"}
	for l := range n {
		src := rng.New(seed, "layer "+string(rune('a'+l)))
		labels := make([]int, m)
		for i := range labels {
			labels[i] = src.IntN(3)
		}
		var edges []multiplex.Edge
		for i := range m {
			for j := range i {
				p := .1
				if labels[i] == labels[j] {
					p = .7
				}
				if src.Float64() < p {
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
				}
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: string(rune('a' + l)), Adjacency: a, Features: multiplex.Identity(m)})
	}
	return g
}

func small() Options {
	o := Released()
	o.Epochs, o.Hidden, o.Dim, o.Augmented = 6, 12, 4, 3
	return o
}

func finish(t testing.TB, r *Trainer) {
	t.Helper()
	for !r.Done() {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// precisions returns the precisions that this build trains in.
func precisions() []precision.Bits {
	if precision.HasDouble {
		return []precision.Bits{precision.Single, precision.Double}
	}
	return []precision.Bits{precision.Single}
}

// needs skips a test whose precision this build does not have.
func needs(t testing.TB, p precision.Bits) {
	t.Helper()
	if !slices.Contains(precisions(), p) {
		t.Skipf("this build does not train in %d bits", p)
	}
}

func start(t testing.TB, g *multiplex.Graph, o Options, seed uint64, p precision.Bits) *Trainer {
	t.Helper()
	needs(t, p)
	r, err := New([]*multiplex.Graph{g}, o, seed, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMatchingFallsAndSeedsDecide(t *testing.T) {
	g := blocks(t, 60, 3, 1)
	o := small()
	o.Epochs, o.LREncoders = 60, 1e-3
	a, b, c := start(t, g, o, 1, precision.Single), start(t, g, o, 1, precision.Single), start(t, g, o, 2, precision.Single)
	for _, r := range []*Trainer{a, b, c} {
		finish(t, r)
		if p := r.Progress(); p.Losses.Matching >= p.First.Matching || p.Losses.Total >= p.First.Total {
			t.Errorf("losses did not fall: %+v to %+v", p.First, p.Losses)
		}
	}
	if a.Hash() != b.Hash() {
		t.Error("the same seed gave other bits")
	}
	if a.Hash() == c.Hash() {
		t.Error("another seed gave the same bits")
	}
}

// A run interrupted anywhere must end with the bits of one that was not.
func TestResumeIsExact(t *testing.T) {
	g := blocks(t, 40, 2, 2)
	for name, change := range map[string]func(*Options){
		"released": func(*Options) {},
		"printed":  func(o *Options) { *o, _ = Preset("printed"); o.Epochs, o.Hidden, o.Dim, o.Augmented = 30, 12, 4, 3 },
		"sampled":  func(o *Options) { o.Pairing = "sampled:3"; o.Completion = "arbitrary"; o.Dim = 8 },
		"decay":    func(o *Options) { o.DecayEncoders = 1e-3; o.Batch = 2 },
	} {
		o := small()
		change(&o)
		for _, p := range precisions() {
			whole := start(t, g, o, 7, p)
			finish(t, whole)
			for _, stop := range []int{0, 1, 5, 13} {
				r := start(t, g, o, 7, p)
				for range stop {
					if err := r.Step(); err != nil {
						t.Fatal(err)
					}
				}
				checkpoint := r.Checkpoint()
				_, rank := r.Consensus(0)
				r.Embeddings(0) // looking on must change nothing
				if _, now := r.Consensus(0); now != rank || !bytes.Equal(r.Checkpoint(), checkpoint) {
					t.Errorf("%s, %d bits, step %d: embeddings were taken and the run is another", name, p, stop)
				}
				again, err := resume([]*multiplex.Graph{g}, checkpoint)
				if err != nil {
					t.Fatal(err)
				}
				if a, b := again.Progress(), r.Progress(); !reflect.DeepEqual(a, b) {
					t.Errorf("%s, %d bits: resumed with progress %+v, want %+v", name, p, a, b)
				}
				finish(t, again)
				finish(t, r)
				if again.Hash() != whole.Hash() || r.Hash() != whole.Hash() {
					t.Errorf("%s, %d bits, stopped after step %d: another hash", name, p, stop)
				}
				a, b := again.Progress(), whole.Progress()
				if a.Losses != b.Losses || a.First != b.First || a.Step != b.Step {
					t.Errorf("%s: progress %+v, want %+v", name, a, b)
				}
			}
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for name, g := range map[string]*multiplex.Graph{"many features": blocks(t, 40, 2, 3), "few features": weighted(t, 60, 2, 2, 3)} {
		for _, preset := range Presets {
			for _, completion := range []string{"none", "centred"} {
				if !takesEvidence(preset, g) {
					continue
				}
				o, _ := Preset(preset)
				o.Epochs, o.Hidden, o.Dim, o.Augmented, o.Completion = 10000, 8, 4, 2, completion
				r := start(t, g, o, 1, precision.Single)
				for range 10 {
					r.Step()
				}
				if n := testing.AllocsPerRun(50, func() { r.Step() }); n != 0 {
					t.Errorf("%s, %s, completion %s: %v allocations a step", name, preset, completion, n)
				}
			}
		}
	}
}
