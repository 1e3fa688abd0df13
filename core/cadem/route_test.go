package cadem

import (
	"fmt"
	"slices"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/multiplex"
)

// The consensus, the matching loss and its gradient must not depend on whether the nodes are
// visited, along a run and for whatever completes the consensus.
func TestFactoredAgreesWithNodes(t *testing.T) {
	graphs := map[string]func() []*multiplex.Graph{
		"one feature":        func() []*multiplex.Graph { return []*multiplex.Graph{weighted(t, 60, 2, 1, 1)} },
		"two features":       func() []*multiplex.Graph { return []*multiplex.Graph{weighted(t, 60, 2, 2, 2)} },
		"more than it takes": func() []*multiplex.Graph { return []*multiplex.Graph{weighted(t, 90, 3, 5, 3)} },
		"several graphs": func() []*multiplex.Graph {
			return []*multiplex.Graph{weighted(t, 60, 2, 2, 4), weighted(t, 80, 2, 2, 5), weighted(t, 70, 2, 2, 6)}
		},
		"dependent features": func() []*multiplex.Graph {
			g := weighted(t, 60, 2, 3, 7)
			for _, l := range g.Layers {
				x := l.Features.Dense
				for i := 0; i < len(x); i += 3 {
					x[i+1], x[i+2] = 2*x[i], 0
				}
			}
			return []*multiplex.Graph{g}
		},
		"sparse features": func() []*multiplex.Graph {
			g := weighted(t, 60, 2, 3, 8)
			for l := range g.Layers {
				start, index := []int32{0}, []int32(nil)
				for i := range 60 {
					if i%3 == l { // most nodes have none
						index = append(index, int32(i%2))
					}
					start = append(start, int32(len(index)))
				}
				x, err := multiplex.NewCSR(60, 3, start, index, nil)
				if err != nil {
					t.Fatal(err)
				}
				g.Layers[l].Features = multiplex.SparseFeatures(x)
			}
			return []*multiplex.Graph{g}
		},
	}
	for name, make := range graphs {
		for _, completion := range []string{"none", "centred", "arbitrary"} {
			for _, preset := range Presets {
				for _, dropout := range []float64{0, 0.5} {
					if !takesEvidence(preset, make()...) {
						continue
					}
					o, _ := Preset(preset)
					o.Epochs, o.InnerSteps, o.Hidden, o.Dim, o.Augmented, o.Completion, o.LREncoders = 12, 2, 6, 4, 2, completion, 0.01
					o.DropoutRate, o.Dropout = dropout, "columns"
					agree(t, fmt.Sprintf("%s, %s, %s, dropout %v", name, completion, preset, dropout), make(), o)
				}
			}
		}
	}
}

// visitNodes gives a graph of the model the consensus of the formulas.
func (m *model[T]) visitNodes(index int) {
	g, d := m.graphs[index], m.o.Dim
	var z []*multiplex.Propagation[T]
	for _, q := range g.Layers {
		z = append(z, q.Z[common])
	}
	g.consensus = newOverNodes(z, d, problem(z, m.o, m.precision, m.inputs.Shared(index, d), 0, func(x []float64) { m.source.Directions(index, x, d) }))
}

// The matching loss through moments must be that over the nodes.
func TestMomentsAgreeWithNodes(t *testing.T) {
	o := Released()
	o.Dim, o.Hidden, o.DropoutRate = 4, 6, 0
	r := modelOf[float64](start(t, weighted(t, 60, 2, 24, 5), o, 1, precision.Double))
	it := r.graphs[0]
	how, layers := it.consensus.Notes()
	if how != "" || layers[0] != "matching goes through moments" {
		t.Fatalf("%q, %q: not the way that this test is about", how, layers)
	}
	through := it.consensus
	r.visitNodes(0)
	through.Update(r.commonU)
	it.consensus.Update(r.commonU)
	for l, u := range r.commonU {
		b := []float64{.3, .6, .9, 1.2}
		du, want := make([]float64, len(u)), make([]float64, len(u))
		db, wantb := make([]float64, 4), make([]float64, 4)
		near(t, "value", []float64{through.Match(l, u, b, du, db, 0.7)}, []float64{it.consensus.Match(l, u, b, want, wantb, 0.7)}, 1e-12)
		near(t, "dU", du, want, 1e-12)
		near(t, "db", db, wantb, 1e-12)
	}
}

// agree compares a run with one of the same weights that visits the nodes.
func agree(t *testing.T, name string, graphs []*multiplex.Graph, o Options) {
	t.Helper()
	needs(t, precision.Double)
	make := func() (*Trainer, *model[float64]) {
		r, err := New(graphs, o, 3, precision.Double)
		if err != nil {
			t.Fatal(err)
		}
		return r, modelOf[float64](r)
	}
	run, a := make()
	other, b := make()
	for i := range graphs {
		if how, _ := a.graphs[i].consensus.Notes(); how == "" {
			t.Fatalf("%s: the consensus visits the nodes", name)
		}
		b.visitNodes(i)
	}
	for !run.Done() {
		if err := run.Step(); err != nil {
			t.Fatal(err)
		}
		for l, pair := range a.enc {
			for branch, e := range pair {
				f := b.enc[l][branch]
				copy(f.W1, e.W1)
				copy(f.W2, e.W2)
				copy(f.B, e.B)
				f.product()
				clear(f.DU)
				clear(f.DB)
				clear(e.DU)
				clear(e.DB)
			}
		}
		if run.step%o.InnerSteps == 0 {
			a.update()
			b.update()
			for i, g := range a.graphs {
				it := b.graphs[i]
				if got, want := g.consensus.Rank(), it.consensus.Rank(); got != want {
					t.Fatalf("%s, step %d: rank %d, over the nodes %d", name, run.step, got, want)
				}
				near(t, name+": S", g.consensus.Target(), it.consensus.Target(), 1e-10)
				near(t, name+": loss", []float64{a.matching(g, false, 0.7, 0.7)}, []float64{b.matching(it, false, 0.7, 0.7)}, 1e-10)
				e, f := run.Embeddings(i), other.Embeddings(i)
				near(t, name+": consensus", e.Consensus.RawMatrix().Data, f.Consensus.RawMatrix().Data, 1e-10)
				near(t, name+": common", e.Common[1].RawMatrix().Data, f.Common[1].RawMatrix().Data, 1e-12)
			}
		}
		for l := range a.enc {
			near(t, name+": dU", a.enc[l][common].DU, b.enc[l][common].DU, 1e-10)
			near(t, name+": db", a.enc[l][common].DB, b.enc[l][common].DB, 1e-10)
		}
	}
}

// A checkpoint holds what S is taken from, and S comes back with the same bits.
func TestFactoredResumesExactly(t *testing.T) {
	g := []*multiplex.Graph{weighted(t, 60, 2, 2, 1)}
	for _, completion := range []string{"none", "centred", "arbitrary"} {
		for _, p := range precisions() {
			o := Released()
			o.Epochs, o.Hidden, o.Dim, o.Augmented, o.Completion = 4, 6, 4, 2, completion
			whole := start(t, g[0], o, 7, p)
			finish(t, whole)
			for stop := range 8 {
				r := start(t, g[0], o, 7, p)
				for range stop {
					if err := r.Step(); err != nil {
						t.Fatal(err)
					}
				}
				again, err := resume(g, r.Checkpoint())
				if err != nil {
					t.Fatal(err)
				}
				a, ra := r.Consensus(0)
				b, rb := again.Consensus(0)
				if !slices.Equal(a, b) || ra != rb {
					t.Errorf("%s, %d bits, step %d: S is another", completion, p, stop)
				}
				finish(t, again)
				if again.Hash() != whole.Hash() {
					t.Errorf("%s, %d bits, stopped after step %d: another hash", completion, p, stop)
				}
			}
		}
	}
}
