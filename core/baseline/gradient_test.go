package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// small returns small options of every method with gradients; those that end early do so here.
func small() map[string]any {
	return map[string]any{
		"vgae":        &VGAEOptions{Dim: 4, Hidden: 8, Epochs: 12, Rate: 0.01, Decoder: "dense"},
		"dgi":         &DGIOptions{Dim: 8, Epochs: 40, Patience: 2, Rate: 0.01, Variant: "released"},
		"mvgrl":       &MVGRLOptions{Dim: 8, Epochs: 40, Patience: 2, Rate: 0.01, Alpha: 0.2, Diffusion: "exact", Terms: 60, Top: 4, Window: 2000, Windows: 4},
		"mvgrl-graph": &MVGRLGraphOptions{Dim: 8, Convolutions: 2, Epochs: 6, Batch: 2, Patience: 2, Rate: 0.01, Alpha: 0.2},
		"graphmae": &GraphMAEOptions{Dim: 8, Attention: 2, Epochs: 12, Rate: 0.01, Decay: 2e-4, Masked: 0.5, Token: 0.7, Noise: 0.2, Dropout: 0.2,
			DropoutEdge: 0.1, Gamma: 3},
		"hdmi": &HDMIOptions{Dim: 8, Epochs: 20, Patience: 2, Rate: 0.01, LayerExternal: 1, LayerInternal: 2, LayerJoint: 0.1, FusedExternal: 0.1, FusedInternal: 0.1,
			FusedJoint: 0.1},
		"dmg": &DMGOptions{Common: 3, Private: 2, Hidden: 8, DecoderWidth: 8, DecoderLayers: 2, CriticWidth: 8, Outer: 6, Inner: 2, Patience: 2, PatienceAfter: 1,
			Rate: 0.01, RateCritic: 0.1, DecayCritic: 1e-4, Alpha: 0.02, Beta: 0.8, Lambda: 3, Tau: 0.5, SelfLoop: 3, DropColumns: 0.1, DropEntries: 0.1,
			Neighbours: 3, NeighbourList: 12, NeighbourRule: "mean", Consensus: "all"},
	}
}

// smallSetup returns one with two graphs for a method that needs several.
func smallSetup(t testing.TB, name string, source train.Source, p precision.Bits) (*train.Method, *train.Setup) {
	t.Helper()
	m, err := train.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	graphs := []*multiplex.Graph{blocks(t, 16)}
	if slices.Contains(m.Needs, train.Graphs) {
		graphs = append(graphs, blocks(t, 12), blocks(t, 10))
	}
	return m, &train.Setup{Graphs: graphs, Options: small()[name], Source: source, Precision: p}
}

// The same seed gives these bits on every machine, natively and in WebAssembly.
func TestHashesOfGradientMethods(t *testing.T) {
	for name, want := range map[string]string{
		"vgae":        "b6b7e28e54a8fa30",
		"dgi":         "70e868537627c2d3",
		"mvgrl":       "f330cf35240bb594",
		"mvgrl-graph": "9f2877e297656f68",
		"graphmae":    "7a249b2cf17a1720",
		"hdmi":        "b620c7ab84cbb8e3",
		"dmg":         "d3497738ab7d3c04",
	} {
		m, s := smallSetup(t, name, train.Seeded(5), precision.Single)
		run, err := train.Start(m, s)
		if err != nil {
			t.Fatal(err)
		}
		take(t, run, -1)
		if got := train.Hash(run.Embeddings(0)); got != want {
			t.Errorf("%s: hash %s, expected %s", name, got, want)
		}
	}
}

// A training that is stopped anywhere ends with the bits of one that was not, also where it ended early.
func TestGradientMethodsResume(t *testing.T) {
	early := 0
	for name := range small() {
		m, s := smallSetup(t, name, train.Seeded(5), precision.Single)
		whole, err := train.Start(m, s)
		if err != nil {
			t.Fatal(err)
		}
		take(t, whole, -1)
		if whole.Progress().Early {
			early++
		}
		for k := 1; k <= whole.Progress().Steps; k += 3 {
			run, err := train.Start(m, s)
			if err != nil {
				t.Fatal(err)
			}
			take(t, run, k)
			var b bytes.Buffer
			if err := m.Format.Write(&b, m, s, run); err != nil {
				t.Fatal(err)
			}
			_, fresh := smallSetup(t, name, train.Seeded(5), precision.Single)
			again, err := Resume(m, fresh, bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			take(t, again, -1)
			if train.Hash(again.Embeddings(0)) != train.Hash(whole.Embeddings(0)) {
				t.Errorf("%s: interrupted after step %d it ends with other bits", name, k)
			}
		}
	}
	if early == 0 {
		t.Error("no training ended early")
	}
}

// Embeddings taken between two steps change nothing.
func TestLookingChangesNothing(t *testing.T) {
	for name := range small() {
		var hashes []string
		for _, look := range []bool{false, true} {
			m, s := smallSetup(t, name, train.Seeded(5), precision.Single)
			run, err := train.Start(m, s)
			if err != nil {
				t.Fatal(err)
			}
			for !train.Done(run) {
				take(t, run, 1)
				if look {
					run.Embeddings(0)
					Inspect(run, 0)
				}
			}
			hashes = append(hashes, train.Hash(run.Embeddings(0)))
		}
		if hashes[0] != hashes[1] {
			t.Errorf("%s: %v", name, hashes)
		}
	}
}

// Once all sizes have been met, steps allocate nothing.
func TestGradientMethodsAllocateNothing(t *testing.T) {
	for name := range small() {
		m, s := smallSetup(t, name, train.Seeded(5), precision.Single)
		switch o := s.Options.(type) {
		case *DGIOptions:
			o.Patience = 0
		case *MVGRLOptions:
			o.Patience = 0
		case *HDMIOptions:
			o.Patience, o.Epochs = 0, 40
		case *VGAEOptions:
			o.Epochs = 30
		case *GraphMAEOptions:
			o.Epochs = 30
		case *DMGOptions:
			o.Outer, o.Patience = 30, 0
		case *MVGRLGraphOptions:
			o.Epochs, o.Patience = 30, 0
		}
		run, err := train.Start(m, s)
		if err != nil {
			t.Fatal(err)
		}
		take(t, run, 24)
		if n := testing.AllocsPerRun(6, func() {
			if err := run.Step(nil); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations in a step", name, n)
		}
	}
}

// The loss falls, in single and in double precision.
func TestLossesFall(t *testing.T) {
	for name := range small() {
		for _, p := range []precision.Bits{precision.Single, precision.Double} {
			m, s := smallSetup(t, name, train.Seeded(5), p)
			if o, ok := s.Options.(*DMGOptions); ok {
				o.Outer, o.Patience = 20, 0
			}
			run, err := train.Start(m, s)
			if err != nil {
				t.Fatal(err)
			}
			total := func() float64 {
				take(t, run, 2)
				losses := run.Progress().Losses
				return losses[len(losses)-1]
			}
			first := total()
			lowest := first
			for !train.Done(run) {
				lowest = min(lowest, total())
			}
			if now := run.Progress(); !(lowest < first) || now.Epoch < 2 {
				t.Errorf("%s, %d bits: the loss is never below %v in %d epochs", name, p, first, now.Epoch)
			}
		}
	}
}

// relabelled hands the draws of a graph to the same graph with other numbers of its nodes: node i is
// now to[i]. There is no noise.
type relabelled struct {
	train.Source
	to       []int
	from, at map[string]*multiplex.CSR // drawn entries: before and now
}

func (r *relabelled) Normal(dst []float64, deviation float64, what string, round int) {
	r.Source.Normal(dst, deviation, what, round)
	if strings.HasSuffix(what, "noise") {
		clear(dst)
	}
}

func (r *relabelled) Permutation(dst []int, what string, round int) {
	r.Source.Permutation(dst, what, round)
	old := slices.Clone(dst)
	switch {
	case strings.HasSuffix(what, "permutation"): // of rows
		for i, j := range old {
			dst[r.to[i]] = r.to[j]
		}
	case strings.HasSuffix(what, "masked"), strings.HasSuffix(what, "sources"): // a list of nodes
		for k, i := range old {
			dst[k] = r.to[i]
		}
	}
}

func (r *relabelled) Below(dst []int, n int, what string, round int) {
	r.Source.Below(dst, n, what, round)
	if r.from == nil {
		return
	}
	from, at := r.from[what], r.at[what]
	for k, e := range dst {
		i, _ := slices.BinarySearch(from.Start, int32(e+1))
		row, column := r.to[i-1], r.to[from.Index[e]]
		dst[k] = int(at.Start[row]) + slices.Index(at.Index[at.Start[row]:at.Start[row+1]], int32(column))
	}
}

// Other numbers of the nodes give the same embedding in another order, with noise off.
func TestPermutedNodes(t *testing.T) {
	const m = 16
	to := make([]int, m)
	rng.New(9, "relabelled").Perm(to)
	identity := make([]int, m)
	for i := range identity {
		identity[i] = i
	}
	for name, o := range small() {
		switch o := o.(type) {
		case *GraphMAEOptions:
			o.Dropout, o.DropoutEdge = 0, 0
		case *DMGOptions:
			o.DropEntries, o.Alpha = 0, 0 // the list of neighbours is in the order of their numbers
		case *MVGRLGraphOptions:
			continue // graphs have one order, nodes none: see below
		}
		g := blocks(t, m)
		h := permuted(t, g, to)
		method, err := train.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		train := func(g *multiplex.Graph, s *relabelled) []train.Embedding {
			s.Source = train.Seeded(5)
			run, err := train.Start(method, &train.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Source: s, Precision: precision.Double})
			if err != nil {
				t.Fatal(err)
			}
			take(t, run, 8)
			return run.Embeddings(0)
		}
		moved := &relabelled{to: to, from: map[string]*multiplex.CSR{}, at: map[string]*multiplex.CSR{}}
		for l := range g.Layers {
			what := fmt.Sprintf("layer %d/pairs", l+1)
			moved.from[what], moved.at[what] = SymNorm(g.Layers[l].Adjacency, 3), SymNorm(h.Layers[l].Adjacency, 3)
		}
		a, b := train(g, &relabelled{to: identity}), train(h, moved)
		for k := range a {
			for i := range m {
				for j, v := range a[k].X.RawRowView(i) {
					if w := b[k].X.At(to[i], j); math.Abs(v-w) > 1e-7*(1+math.Abs(v)) {
						t.Fatalf("%s, %s: entry %d of node %d is %g, with another number %g", name, a[k].Name, j, i, v, w)
					}
				}
			}
		}
	}
}

// permuted returns the graph with node i called to[i].
func permuted(t *testing.T, g *multiplex.Graph, to []int) *multiplex.Graph {
	t.Helper()
	h := &multiplex.Graph{Name: g.Name}
	for _, l := range g.Layers {
		var edges []multiplex.Edge
		a := l.Adjacency
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				edges = append(edges, multiplex.Edge{I: to[i], J: to[j], Weight: 1})
			}
		}
		b, err := multiplex.FromEdges(a.Rows, edges)
		if err != nil {
			t.Fatal(err)
		}
		f := l.Features.Cols
		x := make([]float64, len(l.Features.Dense))
		for i := range a.Rows {
			copy(x[to[i]*f:(to[i]+1)*f], l.Features.Dense[i*f:])
		}
		features, err := multiplex.DenseFeatures(a.Rows, f, x)
		if err != nil {
			t.Fatal(err)
		}
		h.Layers = append(h.Layers, multiplex.Layer{Name: l.Name, Adjacency: b, Features: features})
	}
	return h
}

// Graphs whose nodes have other numbers have the same embedding.
func TestPermutedNodesOfGraphs(t *testing.T) {
	to := make([]int, 16)
	rng.New(9, "relabelled").Perm(to)
	var lists [2][]train.Embedding
	for k := range lists {
		m, s := smallSetup(t, "mvgrl-graph", train.Seeded(5), precision.Double)
		if k == 1 {
			s.Graphs[0] = permuted(t, s.Graphs[0], to)
		}
		run, err := train.Start(m, s)
		if err != nil {
			t.Fatal(err)
		}
		take(t, run, -1)
		lists[k] = run.Embeddings(0)
	}
	for k, e := range lists[0] {
		for j, v := range e.X.RawMatrix().Data {
			if w := lists[1][k].X.RawMatrix().Data[j]; math.Abs(v-w) > 1e-7*(1+math.Abs(v)) {
				t.Errorf("%s: entry %d is %g, with other numbers %g", e.Name, j, v, w)
			}
		}
	}
}

// Sparse features, features of the identity and dense ones that are the same give the same numbers.
func TestFormsOfFeatures(t *testing.T) {
	const m = 16
	for name, o := range small() {
		if d, ok := o.(*DMGOptions); ok {
			d.DropEntries = 0 // one mark for each stored entry
		}
		method, err := train.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		var lists [3][]train.Embedding
		for k := range lists {
			var graphs []*multiplex.Graph
			for range 2 {
				g := blocks(t, m)
				for l := range g.Layers {
					g.Layers[l].Features = form(t, m, k)
				}
				graphs = append(graphs, g)
			}
			run, err := train.Start(method, &train.Setup{Graphs: graphs, Options: o, Seed: 5, Precision: precision.Double})
			if err != nil {
				t.Fatal(err)
			}
			take(t, run, 6)
			lists[k] = run.Embeddings(1)
		}
		for k := range lists[0] {
			for j, v := range lists[0][k].X.RawMatrix().Data {
				for _, other := range lists[1:] {
					if w := other[k].X.RawMatrix().Data[j]; math.Abs(v-w) > 1e-9*(1+math.Abs(v)) {
						t.Fatalf("%s, %s: entry %d is %g or %g", name, lists[0][k].Name, j, v, w)
					}
				}
			}
		}
	}
}

// form returns the identity symbolic, sparse or dense.
func form(t *testing.T, m, k int) *multiplex.Features {
	t.Helper()
	start, index, dense := []int32{0}, []int32{}, make([]float64, m*m)
	for i := range m {
		index, dense[i*m+i] = append(index, int32(i)), 1
		start = append(start, int32(i+1))
	}
	switch k {
	case 1:
		s, err := multiplex.NewCSR(m, m, start, index, nil)
		if err != nil {
			t.Fatal(err)
		}
		return multiplex.SparseFeatures(s)
	case 2:
		x, err := multiplex.DenseFeatures(m, m, dense)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	return multiplex.Identity(m)
}

// Settings and data that a method cannot work with are named.
func TestGradientMethodsRefuse(t *testing.T) {
	var edges []multiplex.Edge
	for i := range 6 {
		for j := range i {
			edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
		}
	}
	a, err := multiplex.FromEdges(6, edges)
	if err != nil {
		t.Fatal(err)
	}
	layer := multiplex.Layer{Name: "complete", Adjacency: a, Features: multiplex.Identity(6)}
	complete := &multiplex.Graph{Layers: []multiplex.Layer{layer, layer}}
	for name, c := range map[string]struct {
		options any
		want    string
	}{
		"vgae":     {&VGAEOptions{Dim: 2, Hidden: 2, Epochs: 1, Decoder: "sampled"}, "pairs without one, which the sampled decoder needs"},
		"graphmae": {&GraphMAEOptions{Dim: 8, Attention: 3, Epochs: 1, Masked: 0.5, Gamma: 1}, "attention: found 3, expected a divisor of the embedding size 8"},
	} {
		m, err := train.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{complete}, Options: c.options, Seed: 1})
		var wrong *diag.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %s", name, err, c.want)
		}
	}
}

// A pause in the preparation or between the graphs of an epoch may end a step.
func TestPausesOfSteps(t *testing.T) {
	stop := errors.New("stop")
	for name := range small() {
		m, s := smallSetup(t, name, train.Seeded(5), precision.Single)
		run, err := train.Start(m, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Step(func(int, int) error { return stop }); err != stop {
			t.Errorf("%s: a pause that ends the step: %v", name, err)
		}
	}
}

// Layers with features of their own are noted where a method takes those of the first for all.
func TestFeaturesOfTheFirstLayerAreNoted(t *testing.T) {
	for _, name := range []string{"hdmi", "dmg"} {
		for _, same := range []bool{true, false} {
			m, s := smallSetup(t, name, train.Seeded(5), precision.Single)
			g := s.Graphs[0]
			if same {
				g.Layers[1].Features = g.Layers[0].Features
			}
			run, err := train.Start(m, s)
			if err != nil {
				t.Fatal(err)
			}
			if notes := run.Report().Notes; (len(notes) == 0) != same {
				t.Errorf("%s, the same features %v: notes %q", name, same, notes)
			}
		}
	}
}
