package cadem

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// partly draws layers whose nodes keep their common community with a probability, and are in one of
// the layer's own otherwise.
func partly(t testing.TB, m, n int, keep float64, seed uint64) *multiplex.Graph {
	t.Helper()
	src := rng.New(seed, "partly")
	common, g := make([]int, m), &multiplex.Graph{Name: "partly"}
	for i := range common {
		common[i] = src.IntN(3)
	}
	for l := range n {
		own := make([]int, m)
		for i := range own {
			if own[i] = common[i]; src.Float64() >= keep {
				own[i] = src.IntN(3)
			}
		}
		var edges []multiplex.Edge
		for i := range m {
			for j := range i {
				p := .05
				if own[i] == own[j] {
					p = .6
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
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: multiplex.Identity(m)})
	}
	return g
}

// refined returns small options of the preset.
func refined(t testing.TB) Options {
	t.Helper()
	o, err := Preset("refined")
	if err != nil {
		t.Fatal(err)
	}
	o.Epochs, o.Hidden, o.Dim, o.Augmented = 6, 12, 4, 3
	return o
}

// The gradient of private matching, and of all else on inputs that are split, against central differences.
func TestPrivateMatchingAgainstFiniteDifferences(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"refined":           func(*Options) {},
		"private alone":     func(o *Options) { o.WeightMatching, o.WeightSelfSupervised, o.WeightCausal = 0, 0, 0 },
		"orthogonal, polar": func(o *Options) { o.Private, o.Target = "orthogonal", "polar" },
		"trimmed, whole":    func(o *Options) { o.Split = "off" },
		"split, not trimmed": func(o *Options) {
			o.Trim, o.Directions, o.WeightPrivate = "off", 5, .3
		},
	} {
		o := refined(t)
		o.Dim, o.Hidden = 3, 4
		change(&o)
		for graphs := 1; graphs <= 2; graphs++ {
			var list []*multiplex.Graph
			for i := range graphs {
				list = append(list, partly(t, 60, 3, .6, uint64(i)))
			}
			t.Run(fmt.Sprintf("%s, %d graphs", name, graphs), func(t *testing.T) {
				needs(t, precision.Double)
				r, err := New(list, o, 3, precision.Double)
				if err != nil {
					t.Fatal(err)
				}
				r.Step()
				if l := r.Progress().Losses; !(l.Private > 0) {
					t.Errorf("private matching is %v", l.Private)
				}
				if s := r.Shares(); (s == nil) != (o.Split == "off") || s != nil && s.Shared == 0 {
					t.Errorf("shared: %+v", s)
				}
				checkGradients(t, list, o)
			})
		}
	}
}

// A run on inputs that are split goes on from its checkpoint with the same bits, in the middle of an
// epoch, and a live weight acts.
func TestRefinedGoesOnFromItsCheckpoint(t *testing.T) {
	for _, p := range precisions() {
		g := []*multiplex.Graph{partly(t, 60, 3, .6, 2), partly(t, 60, 3, .6, 3)}
		for n := 1; n <= 2; n++ {
			r, err := New(g[:n], refined(t), 1, p)
			if err != nil {
				t.Fatal(err)
			}
			for range 8 {
				r.Step()
			}
			again, err := resume(g[:n], r.Checkpoint())
			if err != nil {
				t.Fatal(err)
			}
			before := r.Hash()
			finish(t, r)
			finish(t, again)
			if r.Hash() != again.Hash() || r.Hash() == before || r.Progress().Losses != again.Progress().Losses {
				t.Errorf("%d bits, %d graphs: hash %s, from the checkpoint %s", p, n, r.Hash(), again.Hash())
			}
			lighter, err := New(g[:n], refined(t), 1, p)
			if err != nil {
				t.Fatal(err)
			}
			if err := lighter.SetLive("weight_private", 0); err != nil {
				t.Fatal(err)
			}
			if finish(t, lighter); lighter.Hash() == r.Hash() {
				t.Error("weight_private changes nothing")
			}
		}
	}
}

// For layers that share nothing the consensus is zero, of rank 0, and each private embedding has its layer.
func TestNothingSharedGivesAnEmptyConsensus(t *testing.T) {
	for _, completion := range []string{"none", "centred"} {
		o := refined(t)
		o.Completion = completion
		r := start(t, blocks(t, 60, 3, 5), o, 1, precision.Single)
		finish(t, r)
		e := r.Embeddings(0)
		if s := r.Shares(); s.Shared != 0 || e.Rank != 0 || r.Progress().Rank != 0 {
			t.Errorf("%+v, rank %d", s, e.Rank)
		}
		if m, d := e.Consensus.Dims(); m != 60 || d != o.Dim {
			t.Errorf("S is %d x %d", m, d)
		}
		if norm := mat.Norm(e.Consensus, 2); (norm == 0) != (completion == "none") {
			t.Errorf("completion %s: S has the norm %v", completion, norm)
		}
		for _, p := range e.Private {
			if !(mat.Norm(p, 2) > 1) {
				t.Errorf("a private embedding of norm %v", mat.Norm(p, 2))
			}
		}
		if notes := strings.Join(r.Notes(), "\n"); !strings.Contains(notes, "the layers share nothing") {
			t.Errorf("notes: %s", notes)
		}
	}
}

// noise returns a layer without communities.
func noise(t *testing.T, m int) multiplex.Layer {
	t.Helper()
	var edges []multiplex.Edge
	src := rng.New(1, "noise")
	for i := range m {
		for j := range i {
			if src.Float64() < .3 {
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
			}
		}
	}
	a, err := multiplex.FromEdges(m, edges)
	if err != nil {
		t.Fatal(err)
	}
	return multiplex.Layer{Name: "noise", Adjacency: a, Features: multiplex.Identity(m)}
}

// featured returns a graph with f features, the first of them several times over.
func featured(t *testing.T, m, f, copies int) *multiplex.Graph {
	t.Helper()
	g := partly(t, m, 3, .6, 1)
	src := rng.New(2, "features")
	x := make([]float64, m*f)
	for i := range x {
		if x[i] = src.Float64(); i%f >= f/copies && f > 1 {
			x[i] = x[i-f/copies]
		}
	}
	for l := range g.Layers {
		features, err := multiplex.DenseFeatures(m, f, x)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers[l].Features = features
	}
	return g
}

// Layers that cannot be split well train anyway, by a rule that the notes tell, or are refused with a message.
func TestLayersThatAreHardToSplit(t *testing.T) {
	const m = 60
	with := func(g *multiplex.Graph, change func(*multiplex.Graph)) *multiplex.Graph { change(g); return g }
	for _, c := range []struct {
		name  string
		g     *multiplex.Graph
		says  string // in a note, or in the error
		check func(e *Embeddings, s *Shares) bool
	}{
		{"a layer of noise", with(partly(t, m, 3, .8, 1), func(g *multiplex.Graph) { g.Layers[1] = noise(t, m) }), "takes more than about 4 edges a node",
			func(e *Embeddings, s *Shares) bool {
				return s.Ranks[1] == 0 && constant(e.Private[1]) && constant(e.Common[1])
			}},
		{"two layers that are one", with(partly(t, m, 2, .6, 1), func(g *multiplex.Graph) { g.Layers[1].Adjacency = g.Layers[0].Adjacency }), "the layers share",
			func(e *Embeddings, s *Shares) bool {
				return s.Shared == s.Ranks[0] && s.Agreement[0] > .999 && constant(e.Private[0])
			}},
		{"a layer of one edge", with(partly(t, m, 3, .8, 1), func(g *multiplex.Graph) {
			g.Layers[0].Adjacency, _ = multiplex.FromEdges(m, []multiplex.Edge{{I: 0, J: 1, Weight: 1}})
		}), "directions are kept", nil},
		{"a layer without edges", with(partly(t, m, 3, .8, 1), func(g *multiplex.Graph) {
			g.Layers[0].Adjacency, _ = multiplex.FromEdges(m, nil)
		}), "without edges nothing propagates", nil},
		{"few nodes", partly(t, 9, 2, 1, 1), "with 9 nodes", nil},
		{"two nodes", pair(t, 1), "with 2 nodes", nil},
		{"one feature", featured(t, m, 1, 1), "have no more features than dim", func(e *Embeddings, s *Shares) bool { return s.Ranks[0] == 1 }},
		{"columns that repeat", featured(t, m, 24, 2), "directions are kept", nil},
	} {
		o := refined(t)
		r, err := New([]*multiplex.Graph{c.g}, o, 1, precision.Single)
		var refused *diag.Error
		if errors.As(err, &refused) && strings.Contains(err.Error(), c.says) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		finish(t, r)
		if notes := strings.Join(r.Notes(), "\n"); !strings.Contains(notes, c.says) {
			t.Errorf("%s: nothing says %q: %s", c.name, c.says, notes)
		}
		e, s := r.Embeddings(0), r.Shares()
		for _, x := range append(append(e.Common, e.Private...), e.Consensus) {
			if norm := mat.Norm(x, 2); math.IsNaN(norm) || math.IsInf(norm, 0) {
				t.Errorf("%s: an embedding of norm %v", c.name, norm)
			}
		}
		if c.check != nil && !c.check(e, s) {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// constant reports whether all rows are the same to rounding.
func constant(x *mat.Dense) bool {
	m, d := x.Dims()
	for i := range m {
		for k := range d {
			if math.Abs(x.At(i, k)-x.At(0, k)) > 1e-4 {
				return false
			}
		}
	}
	return true
}

// A term that needs an option is 0 if none of those is on, and has something to say where one is.
func TestTermsThatNeedAnOption(t *testing.T) {
	for _, name := range Presets {
		o, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		o.Epochs, o.InnerSteps, o.Hidden, o.Augmented = 1, 1, 16, 2
		r, err := New([]*multiplex.Graph{blocks(t, 60, 2, 60)}, o, 1, precision.Single)
		if err != nil {
			t.Fatal(err)
		}
		finish(t, r)
		losses := r.Progress().Losses.Columns()
		for i, term := range Terms {
			if on := o.Has(term, 60); term.Needs != nil && on != (losses[i] != 0) {
				t.Errorf("%s, %s: on %v, loss %v", name, term.Name, on, losses[i])
			}
			if on := o.Has(term, o.Dim); on != (term.Needs == nil) {
				t.Errorf("%s, %s: on %v with few features", name, term.Name, on)
			}
		}
	}
}

// A preparation that is given up ends there, wherever that is, and one that is only watched has the same bits.
func TestPreparationEndsWhereItIsGivenUp(t *testing.T) {
	stop, g := errors.New("stop"), []*multiplex.Graph{partly(t, 120, 3, .8, 1)}
	prepare := func(calls int) (*Trainer, int, error) {
		n := 0
		r, err := NewFrom(multiplex.Held(g), refined(t), 1, precision.Single, Given{Yield: func(int, int) error {
			if n++; n > calls {
				return stop
			}
			return nil
		}})
		return r, n, err
	}
	watched, all, err := prepare(math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := New(g, refined(t), 1, precision.Single)
	if err != nil || Hash(watched) != Hash(alone) {
		t.Errorf("hash %s, unwatched %s, %v", Hash(watched), Hash(alone), err)
	}
	for calls := all - 1; calls >= 0; calls -= 1 + (all-calls)/16 { // all of the last, where steps are prepared, and some before
		if _, n, err := prepare(calls); !errors.Is(err, stop) || n != calls+1 {
			t.Errorf("given up after %d of %d calls: %d, %v", calls, all, n, err)
		}
	}
}
