package frozen_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	_ "cadem.example/core/baseline/all"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/fingerprint"
)

// drawn returns a graph of three layers with groups that they share in part, weights on one layer, and an isolated node.
func drawn(t testing.TB, m int, features string, seed uint64) *multiplex.Graph {
	t.Helper()
	src := rng.New(seed, "frozen")
	g := &multiplex.Graph{Name: features}
	common := make([]int, m)
	for i := range common {
		common[i] = src.IntN(3)
	}
	x := multiplex.Identity(m)
	switch features {
	case "sparse":
		s := &multiplex.CSR{Rows: m, Cols: 9, Start: []int32{0}}
		for i := range m {
			for f := range 9 {
				if f%3 == common[i] && src.Float64() < .7 {
					s.Index, s.Value = append(s.Index, int32(f)), append(s.Value, .5+src.Float64())
				}
			}
			s.Start = append(s.Start, int32(len(s.Index)))
		}
		x = multiplex.SparseFeatures(s)
	case "dense", "one":
		f := map[string]int{"dense": 7, "one": 1}[features]
		d := make([]float64, m*f)
		for k := range d {
			d[k] = src.Norm() + float64(common[k/f])
		}
		x, _ = multiplex.DenseFeatures(m, f, d)
	}
	for l := range 3 {
		var edges []multiplex.Edge
		for i := 1; i < m; i++ { // node 0 has no link
			for j := 1; j <= i; j++ {
				p := .04
				if common[i] == common[j] != (l == 2 && i%2 == 0) {
					p = .5
				}
				if src.Float64() < p && (i != j || l == 1) {
					w := 1.0
					if l == 1 {
						w = .5 + src.Float64()
					}
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: w})
				}
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: x})
	}
	return g
}

// A setting is a training that is asked.
type setting struct {
	name   string
	preset string
	change func(*cadem.Options)
	// features of the graphs, which may be several
	features string
	graphs   int
}

func settings() (all []setting) {
	none := func(*cadem.Options) {}
	kipf := func(o *cadem.Options) { o.Propagation = "kipf" }
	for _, features := range []string{"identity", "sparse", "dense", "one"} {
		for _, preset := range []string{"released", "printed", "refined"} {
			all = append(all, setting{preset, preset, none, features, 1})
		}
		all = append(all, setting{"refined, kipf", "refined", kipf, features, 1}, setting{"twice, power", "released",
			func(o *cadem.Options) { o.Target = "power" }, features, 1})
	}
	unit := func(o *cadem.Options) { o.RowScale = "unit" }
	return append(all, setting{"unit rows", "refined", unit, "sparse", 1},
		setting{"unit rows", "released", unit, "dense", 1}, setting{"evidence", "evidence", none, "identity", 1},
		setting{"evidence, orthogonal", "evidence", func(o *cadem.Options) { o.Private = "orthogonal" }, "identity", 1},
		setting{"trimmed", "refined", func(o *cadem.Options) { o.Split = "off" }, "sparse", 1},
		setting{"orthogonal, polar", "refined", func(o *cadem.Options) { o.Private, o.Target = "orthogonal", "polar" }, "identity", 1},
		setting{"completed", "released", func(o *cadem.Options) { o.Completion = "centred" }, "one", 1},
		setting{"several", "released", none, "sparse", 2}, setting{"several", "refined", none, "sparse", 2}, setting{"several", "refined", none, "one", 2})
}

// trained returns the training of a setting.
func trained(t testing.TB, s setting, p precision.Bits) (*cadem.Trainer, []*multiplex.Graph) {
	t.Helper()
	var graphs []*multiplex.Graph
	for k := range s.graphs {
		graphs = append(graphs, drawn(t, 60, s.features, uint64(3+k)))
	}
	o, err := cadem.Preset(s.preset)
	if err != nil {
		t.Fatal(err)
	}
	o.Epochs, o.Hidden, o.Augmented, o.Dim = 4, 16, 2, 4
	s.change(&o)
	run, err := cadem.New(graphs, o, 5, p)
	if err != nil {
		t.Fatal(err)
	}
	for !run.Done() {
		if err := run.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return run, graphs
}

func precisions() []precision.Bits {
	if precision.HasDouble {
		return []precision.Bits{precision.Single, precision.Double}
	}
	return []precision.Bits{precision.Single}
}

// length of a vector, or of the difference of two.
func length(x ...[]float64) float64 {
	sum := 0.0
	for k, v := range x[0] {
		if len(x) > 1 {
			v -= x[1][k]
		}
		sum += v * v
	}
	return math.Sqrt(sum)
}

// total adds up terms of all kinds.
func total(w *frozen.Why, terms []frozen.Term) []float64 {
	x := make([]float64, len(w.Place))
	for _, t := range terms {
		for k, v := range t.X {
			x[k] += v
		}
	}
	for k := range x {
		x[k] += w.Bias[k] + w.Mean[k] + w.Left[k]
	}
	return x
}

func embedding(e *cadem.Embeddings, of frozen.Target, l int) *mat.Dense {
	switch of {
	case frozen.S:
		return e.Consensus
	case frozen.C:
		return e.Common[l]
	}
	return e.Private[l]
}

// Contributions by node, feature, both, layer or group add up to the embedding: to 1e-5 of the longest in single precision, 1e-12 in
// double. Inputs that were trimmed and split by products in single precision are no less exact.
func TestSumsAreTheEmbedding(t *testing.T) {
	for _, s := range settings() {
		for _, p := range precisions() {
			run, graphs := trained(t, s, p)
			m, err := frozen.New(run, graphs, nil)
			if err != nil {
				t.Fatal(err)
			}
			tolerance := map[precision.Bits]float64{precision.Single: 1e-5, precision.Double: 1e-12}[p]
			name := fmt.Sprintf("%s, %s, %d graphs, %d bits", s.name, s.features, s.graphs, p)
			for g, graph := range graphs {
				e := run.Embeddings(g)
				for l := range 3 {
					for _, of := range []frozen.Target{frozen.C, frozen.P, frozen.S} {
						if of == frozen.S && l > 0 {
							continue
						}
						x := embedding(e, of, l)
						longest, worst, left := 0.0, 0.0, 0.0
						for i := range graph.M() {
							longest = max(longest, length(x.RawRowView(i)))
						}
						for i := 0; i < graph.M(); i += 6 {
							w, err := m.Why(of, l, g, i)
							if err != nil {
								t.Fatal(err)
							}
							groups := make([][]int, len(graphs))
							for k := range groups {
								groups[k] = make([]int, graphs[k].M())
								for n := range groups[k] {
									groups[k][n] = n % 3
								}
							}
							first, rest := w.Strongest(w.ByNode(), 2)
							for _, terms := range [][]frozen.Term{w.ByNode(), w.ByLink(), w.ByFeature(), w.ByPair(), w.ByLayer(), w.ByGroup(groups),
								append(slices.Clone(first), rest)} {
								worst = max(worst, length(total(w, terms), x.RawRowView(i)))
							}
							left = max(left, length(w.Left))
						}
						if worst > tolerance*max(longest, 1e-9) {
							t.Errorf("%s: %v of layer %d of graph %d: sums are off by %.2g of %.2g", name, of, l, g, worst, longest)
						}
						if left > .05*longest && s.name != "completed" {
							t.Errorf("%s: %v of layer %d of graph %d: %.2g of %.2g is left without a reason", name, of, l, g, left, longest)
						}
					}
				}
			}
		}
	}
}

// The same sums, places with another link, and places of a new node come out natively and in the tab, in their bits. The Makefile runs it in
// all builds.
func TestHashIsTheSameEverywhere(t *testing.T) {
	for _, c := range []struct{ preset, features, want string }{
		{"released", "sparse", "d03341d5405d8b71"}, {"refined", "identity", "7ca1c5479e4dc953"}, {"evidence", "identity", "d4e1668ed7b3b0f4"},
	} {
		run, graphs := trained(t, setting{preset: c.preset, features: c.features, graphs: 1, change: func(*cadem.Options) {}}, precision.Single)
		m, err := frozen.New(run, graphs, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []*mat.Dense
		for _, of := range []frozen.Target{frozen.C, frozen.P, frozen.S} {
			w, err := m.Why(of, 1, 0, 7)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range w.ByPair() {
				all = append(all, mat.NewDense(1, len(x.X), x.X))
			}
		}
		changed, err := m.WithLink(0, 1, 7, 8, 2)
		if err != nil {
			t.Fatal(err)
		}
		places, err := changed.Places(frozen.S, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		model, err := m.Save()
		if err != nil {
			t.Fatal(err)
		}
		found, err := model.Find(as(graphs[0], func(i int) bool { return i > 50 }))
		if err != nil {
			t.Fatal(err)
		}
		e := model.Embed(found.Nodes)
		for _, x := range [][]float64{places, e.S, e.C[1], e.P[1]} {
			all = append(all, mat.NewDense(len(x)/model.Dim, model.Dim, x))
		}
		if got := fingerprint.Matrices(all); got != c.want {
			t.Errorf("%s: hash %s, want %s", c.preset, got, c.want)
		}
	}
}

// A model of features that were made of links is one of nodes without any: a row for each node, which sums to the same places.
func TestFeaturesMadeOfLinks(t *testing.T) {
	g := drawn(t, 50, "none", 3)
	for _, option := range []string{"spectral:10", "random:10", "degree"} {
		o := cadem.Released()
		o.Epochs, o.Features = 4, option
		run, err := cadem.New([]*multiplex.Graph{g}, o, 2, precision.Single)
		if err != nil {
			t.Fatal(err)
		}
		for !run.Done() {
			if err := run.Step(); err != nil {
				t.Fatal(err)
			}
		}
		before := cadem.Hash(run)
		m, err := frozen.New(run, []*multiplex.Graph{g}, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := run.Embeddings(0)
		for l := range g.Layers {
			for target, want := range map[frozen.Target]*mat.Dense{frozen.C: e.Common[l], frozen.P: e.Private[l]} {
				got, err := m.Places(target, l, 0)
				if err != nil {
					t.Fatal(err)
				}
				for k, v := range want.RawMatrix().Data {
					if math.Abs(got[k]-v) > 1e-4*(1+math.Abs(v)) {
						t.Fatalf("%s, layer %d, target %v, entry %d: %v, expected %v", option, l, target, k, got[k], v)
					}
				}
			}
		}
		s, err := m.Save()
		if err != nil {
			t.Fatal(err)
		}
		if s.Features != 0 {
			t.Errorf("%s: newcomers would be asked for %d features", option, s.Features)
		}
		if cadem.Hash(run) != before {
			t.Errorf("%s: looking changed the run", option)
		}
	}
}
