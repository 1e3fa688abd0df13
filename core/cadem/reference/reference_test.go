package reference

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	_ "cadem.example/core/baseline/all"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
)

// pick returns one of the values.
func pick[V any](src *rng.Stream, values ...V) V { return values[src.IntN(len(values))] }

// anyOptions draws a combination of options.
func anyOptions(src *rng.Stream) cadem.Options {
	o := cadem.Released()
	o.InnerSteps = pick(src, 1, 2, 5)
	o.Epochs = 20/o.InnerSteps + 1
	for _, term := range cadem.Terms[:len(cadem.Terms)-1] {
		if err := property.Set(&o, term.Weight, pick(src, "0", "0.9", "1.5")); err != nil {
			panic(err)
		}
	}
	o.LRHeads, o.LREncoders = pick(src, .01, .001), pick(src, .0001, .001)
	o.DecayHeads, o.DecayEncoders = pick(src, 0, .0001), pick(src, 0, .001)
	o.EarlyStop, o.Patience, o.PatienceAfter = pick(src, "on", "off"), pick(src, 1, 20), pick(src, 0, 100)
	o.Dim, o.Hidden = 1+src.IntN(9), pick(src, 2, 5, 16)
	o.Propagation = pick(src, "twice", "kipf")
	o.DropoutRate, o.Dropout = pick(src, 0, .1, .5), pick(src, "columns", "entries")
	o.Augmented, o.NodeRatio, o.Noise = src.IntN(4), pick(src, .3, .6, 1), pick(src, 0, .1)
	o.Augmentation, o.Graphs = pick(src, "fixed", "fresh"), pick(src, "both", "both", "augmented")
	if o.Graphs == "augmented" {
		o.Augmented++
	}
	o.Batch, o.Average = pick(src, 2, 3, 64), pick(src, "batches", "all")
	o.TargetScale, o.Matching = pick(src, "nodes", "one"), pick(src, "mean", "sum")
	o.Completion = pick(src, "none", "centred", "arbitrary")
	o.Pairing, o.Combine = pick(src, "permutation", "all", "own", "sampled:2"), pick(src, "add", "concat")
	o.Streams = pick(src, "own", "own", "authors")
	if src.IntN(2) == 0 {
		return o
	}
	o.FeatureScale, o.Trim, o.Directions = pick(src, "none", "columns"), pick(src, "off", "noise"), pick(src, 64, 64, 70)
	o.Split, o.Agreement, o.Private = pick(src, "off", "agreement"), pick(src, 0, .3, .5), pick(src, "orthogonal", "own")
	o.Target, o.WeightPrivate = pick(src, "polar", "power"), pick(src, 0, .5, 1)
	return o
}

// anyGraphs draws one to three multiplex graphs with isolated nodes, self loops and weights,
// and features of each kind, few or many.
func anyGraphs(t *testing.T, src *rng.Stream) []*multiplex.Graph {
	layers, kind, f := 2+src.IntN(2), src.IntN(3), 1+src.IntN(12)
	m := 6 + src.IntN(20)
	var graphs []*multiplex.Graph
	for range 1 + src.IntN(3) {
		if kind != 0 { // without features of their own all graphs have the same nodes
			m = 6 + src.IntN(20)
		}
		g := &multiplex.Graph{Name: "any"}
		for l := range layers {
			edges := []multiplex.Edge{{I: 0, J: 1, Weight: 1}}
			density, weights := pick(src, .1, .4, .95), src.IntN(2) == 0
			for i := range m - 1 { // the last node is isolated
				for j := range i + 1 {
					if i+j == 1 || src.Float64() >= density || (i == j && src.IntN(3) > 0) {
						continue
					}
					e := multiplex.Edge{I: i, J: j, Weight: 1}
					if weights {
						e.Weight = src.Uniform(.5, 2)
					}
					edges = append(edges, e)
				}
			}
			a, err := multiplex.FromEdges(m, edges)
			if err != nil {
				t.Fatal(err)
			}
			x := multiplex.Identity(m)
			if kind > 0 {
				values := make([]float64, m*f)
				for i := range values {
					values[i] = src.Norm()
				}
				if x, err = multiplex.DenseFeatures(m, f, values); err != nil {
					t.Fatal(err)
				}
			}
			g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: x})
		}
		graphs = append(graphs, g)
	}
	return graphs
}

// deviation returns the largest difference of a tensor of the trainer, which has no rows of
// features without data, from the reference's, relative to the largest entry of that one.
func deviation(got []float64, want *mat.Dense, name string, rows []bool) float64 {
	var flat []float64
	for i := range want.RawMatrix().Rows {
		if rows == nil || rows[i] {
			flat = append(flat, want.RawRowView(i)...)
		}
	}
	if len(flat) != len(got) {
		panic(fmt.Sprintf("%s has %d numbers, expected %d", name, len(got), len(flat)))
	}
	largest, scale := 0.0, 0.0
	for i, v := range flat {
		largest, scale = max(largest, math.Abs(got[i]-v)), max(scale, math.Abs(v))
	}
	return largest / max(1, scale)
}

// unsettled reports whether a draw decides nothing: a singular value within a factor of 10 of
// the rule of the rank, or an entry of a gradient that is not zero but below 1e-12, whose
// sign, which Adam follows, is rounding noise.
func unsettled(m *Model, graphs []*multiplex.Graph, d int) bool {
	for i, g := range m.graphs {
		rule := cadem.RoundingRule(precision.Double, graphs[i].M(), d) * g.singular[0]
		for _, v := range g.singular[:min(g.bound, len(g.singular))] {
			if v > rule/10 && v < 10*rule {
				return true
			}
		}
	}
	if m.inputs.Unsettled() {
		return true
	}
	for _, p := range m.Parameters {
		for _, g := range p.G.RawMatrix().Data {
			if g != 0 && math.Abs(g) < 1e-12 {
				return true
			}
		}
	}
	return false
}

// Over randomly drawn options and graphs the trainer does what the reference does: losses and
// gradients of the first step to 1e-10, parameters and embeddings after twenty steps to 1e-7.
func TestTheTrainerFollowsTheReference(t *testing.T) {
	const draws = 150
	redrawn, compared := 0, 0
	for seed := uint64(0); compared < draws; seed++ {
		src := rng.New(seed, "reference")
		o, graphs := anyOptions(src), anyGraphs(t, src)
		want := New(graphs, o, cadem.Seeded(graphs, &o, seed))
		run, err := cadem.New(graphs, o, seed, precision.Double)
		if err != nil {
			t.Fatal(err)
		}
		settled := true
		for step := 0; step < 20 && settled && !want.Done(); step++ {
			want.Step()
			if settled = !unsettled(want, graphs, o.Dim); !settled {
				break
			}
			if run.Done() {
				t.Fatalf("seed %d: the trainer is done after step %d, %+v", seed, step, o)
			}
			if err := run.Step(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			p := run.Progress()
			if p.Rank != want.graphs[0].rank {
				t.Fatalf("seed %d, step %d: rank %d, want %d, %+v", seed, step, p.Rank, want.graphs[0].rank, o)
			}
			if step > 0 {
				continue
			}
			expected := want.Losses.Columns()
			for i, got := range p.Losses.Columns() {
				if d := math.Abs(got-expected[i]) / max(1, math.Abs(expected[i])); !(d <= 1e-10) {
					t.Errorf("seed %d: %s deviates by %g in the first step, %+v", seed, cadem.Terms[i].Name, d, o)
				}
			}
			for name := range want.Parameters {
				_, gradient := cadem.Parameter(run, name)
				if d := deviation(gradient, want.Parameters[name].G, name, rowsOf(want, name, &o)); !(d <= 1e-10) {
					t.Errorf("seed %d: the gradient of %s deviates by %g, %+v", seed, name, d, o)
				}
			}
		}
		if !settled {
			redrawn++
			continue
		}
		compared++
		for name := range want.Parameters {
			value, _ := cadem.Parameter(run, name)
			if d := deviation(value, want.Parameters[name].W, name, rowsOf(want, name, &o)); !(d <= 1e-7) {
				t.Errorf("seed %d: %s deviates by %g after twenty steps, %+v", seed, name, d, o)
			}
		}
		if run.Done() != want.Done() {
			t.Errorf("seed %d: the trainer is done: %v, the reference: %v", seed, run.Done(), want.Done())
		}
		for i := range graphs {
			s, _, _ := want.consensus(i)
			common, private := want.embed(want.graphs[i], "c"), want.embed(want.graphs[i], "p")
			e := run.Embeddings(i)
			got, expected := append([]*mat.Dense{e.Consensus}, append(e.Common, e.Private...)...), append([]*mat.Dense{s}, append(common, private...)...)
			for k := range got {
				if d := deviation(got[k].RawMatrix().Data, expected[k], "embedding", nil); !(d <= 1e-6) {
					t.Errorf("seed %d: embedding %d of graph %d deviates by %g, %+v", seed, k, i, d, o)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d draws compared, %d drawn again", compared, redrawn)
}

// rowsOf tells which rows of a W1 the trainer has: those of features that are not zero in Z of
// any graph, and all where weight decay moves them; nil for other parameters.
func rowsOf(m *Model, name string, o *cadem.Options) []bool {
	var layer int
	var branch string
	if n, _ := fmt.Sscanf(name, "l%d.W1%s", &layer, &branch); n < 2 {
		return nil
	}
	if m.inputs.Prepared() {
		return nil // every direction has one
	}
	_, f := m.graphs[0].z["c"][layer].Dims()
	rows := make([]bool, f)
	for j := range rows {
		rows[j] = o.DecayEncoders > 0
		for _, g := range m.graphs {
			rows[j] = rows[j] || mat.Norm(g.z["c"][layer].ColView(j), 1) > 0
		}
	}
	return rows
}
