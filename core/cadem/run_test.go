package cadem

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

func Example() {
	triangle, _ := multiplex.FromEdges(3, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 0, J: 2, Weight: 1}})
	path, _ := multiplex.FromEdges(3, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}})
	g := &multiplex.Graph{Layers: []multiplex.Layer{
		{Name: "triangle", Adjacency: triangle, Features: multiplex.Identity(3)},
		{Name: "path", Adjacency: path, Features: multiplex.Identity(3)},
	}}
	o := Released()
	o.Epochs, o.Dim, o.DropoutRate = 10, 2, 0
	run, err := New([]*multiplex.Graph{g}, o, 1, precision.Single)
	if err != nil {
		panic(err)
	}
	for !run.Done() {
		if err := run.Step(); err != nil {
			panic(err)
		}
	}
	rows, cols := run.Embeddings(0).Private[0].Dims()
	fmt.Println(run.Progress().Step, "steps,", rows, "nodes,", cols, "numbers each")
	// Output: 50 steps, 3 nodes, 2 numbers each
}

// Every machine must compute these, with vector kernels and without. The same test runs natively,
// compiled for wasm under node, and in a browser; a change of the arithmetic changes these words on
// purpose.
func TestHashIsTheSameEverywhere(t *testing.T) {
	defer kernel.UseVectors(kernel.UseVectors(true))
	t.Run("vectors", sameHashes)
	kernel.UseVectors(false)
	t.Run("scalar", sameHashes)
}

// sameHashes trains for 25 epochs with every kind of settings.
func sameHashes(t *testing.T) {
	for _, c := range []struct {
		preset string
		p      precision.Bits
		want   string
	}{{"few features", precision.Single, "71628775234aacbd"}, {"few features", precision.Double, "f3a002810261036b"},
		{"released", precision.Single, "6fa5fa7a81b41848"},
		{"released", precision.Double, "dfb27894895a21ed"}, {"printed", precision.Single, "097eff6f40cecc70"}, {"printed", precision.Double, "a7d30220dcade0d7"}} {
		if !slices.Contains(precisions(), c.p) {
			continue
		}
		g := blocks(t, 60, 3, 11)
		o, err := Preset(c.preset)
		if err != nil { // the steps do not visit the nodes
			o, g = Released(), weighted(t, 60, 2, 2, 11)
			o.Completion = "centred"
		}
		o.Epochs, o.Hidden, o.Augmented = 25, 32, 4
		r := start(t, g, o, 5, c.p)
		finish(t, r)
		if h := r.Hash(); h != c.want {
			t.Errorf("%s in %d bits: hash %s, want %s", c.preset, c.p, h, c.want)
		}
	}
}

// With all pairs, no noise and every node kept, nothing random is left but the weights:
// fitting the same graph twice over is fitting it once.
func TestSeveralGraphsAreAveraged(t *testing.T) {
	g := blocks(t, 30, 2, 4)
	o := small()
	o.Noise, o.NodeRatio, o.Pairing, o.DropoutRate = 0, 1, "all", 0
	one := start(t, g, o, 1, precision.Double)
	two, err := New([]*multiplex.Graph{g, g}, o, 1, precision.Double)
	if err != nil {
		t.Fatal(err)
	}
	finish(t, one)
	finish(t, two)
	a, b := one.Progress().Losses, two.Progress().Losses
	near(t, "losses", []float64{b.Matching, b.SelfSupervised, b.Causal}, []float64{a.Matching, a.SelfSupervised, a.Causal}, 1e-9)
	near(t, "S", two.Embeddings(1).Consensus.RawMatrix().Data, one.Embeddings(0).Consensus.RawMatrix().Data, 1e-8)
}

// The page's program says why it does not take a run in double precision; every other
// build trains it.
func TestDoubleIsRefusedByThePageAlone(t *testing.T) {
	_, err := New([]*multiplex.Graph{blocks(t, 20, 2, 1)}, small(), 1, precision.Double)
	var e *diag.Error
	switch {
	case precision.HasDouble && err != nil:
		t.Error(err)
	case !precision.HasDouble && (!errors.As(err, &e) || e.Where != "precision"):
		t.Errorf("got %v, want an error about the precision", err)
	}
}

// S has no more directions than a centred sum of M rows and of maps through H units can
// have: a further one would be rounding noise.
func TestRankIsBoundedByAlgebra(t *testing.T) {
	for _, p := range precisions() {
		for seed := range uint64(40) {
			g := weighted(t, 12, 2, 6, seed)
			o := small()
			o.Epochs, o.Hidden, o.Dim, o.DropoutRate = 1, 1, 5, 0
			if n := start(t, g, o, seed, p).Embeddings(0).Rank; n > 2 {
				t.Errorf("rank %d from 2 layers of one hidden unit, %d bits", n, p)
			}
			o.Hidden = 3
			for _, o.Dim = range []int{1, 2, 3, 8} {
				if n := start(t, pair(t, seed), o, seed, p).Embeddings(0).Rank; n > 1 {
					t.Errorf("rank %d from 2 nodes, %d bits, seed %d", n, p, seed)
				}
			}
		}
	}
}

// pair is the smallest multiplex graph: two nodes, joined in both layers and one of
// them to itself, with three features.
func pair(t testing.TB, seed uint64) *multiplex.Graph {
	t.Helper()
	g := &multiplex.Graph{Name: "pair"}
	for l := range 2 {
		a, err := multiplex.FromEdges(2, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: l, J: l, Weight: 1}})
		if err != nil {
			t.Fatal(err)
		}
		src, x := rng.New(seed, fmt.Sprint("pair ", l)), make([]float64, 2*3)
		for i := range x {
			x[i] = src.Norm()
		}
		features, err := multiplex.DenseFeatures(2, 3, x)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: features})
	}
	return g
}

func TestGraphsOfOtherShapesAreRefused(t *testing.T) {
	a, b := blocks(t, 20, 2, 1), blocks(t, 21, 2, 1)
	var e *diag.Error
	if _, err := New([]*multiplex.Graph{a, b}, small(), 1, precision.Single); !errors.As(err, &e) {
		t.Errorf("other features: %v", err)
	}
	if _, err := New(nil, small(), 1, precision.Single); !errors.As(err, &e) {
		t.Errorf("no graph: %v", err)
	}
}

// With one feature, a hit of the dropout would erase the layer: the rule keeps it and the
// run says so.
func TestDropoutNeverErasesALayer(t *testing.T) {
	g := weighted(t, 12, 2, 1, 9)
	o := small()
	o.DropoutRate = 0.95
	noted := 0
	for seed := range uint64(5) {
		r := start(t, g, o, seed, precision.Double)
		for l := range 2 {
			if n := len(r.Tensor(fmt.Sprintf("l%d.W1c", l))); n != o.Hidden {
				t.Fatalf("layer %d has %d weights, want %d", l, n, o.Hidden)
			}
		}
		for _, n := range r.Notes() {
			if strings.Contains(n, "the last one was kept") {
				noted++
			}
		}
	}
	if noted < 5 || noted > 10 {
		t.Errorf("5 runs of 2 layers say %d times that the rule acted, which it does in 19 of 20 layers", noted)
	}
}

func TestNonFiniteLossStopsTheRun(t *testing.T) {
	o := small()
	o.Epochs, o.LREncoders, o.WeightMatching, o.EarlyStop = 4000, 10, 1000, "off"
	g := weighted(t, 12, 2, 3, 9)
	for l := range g.Layers {
		for i := range g.Layers[l].Features.Dense {
			g.Layers[l].Features.Dense[i] *= 1e18 // finite, but not its square in 32 bits
		}
	}
	r := start(t, g, o, 1, precision.Single)
	var err error
	for err == nil && !r.Done() {
		err = r.Step()
	}
	var e *NonFinite
	if !errors.As(err, &e) || e.Step != r.Progress().Step+1 || e.Term == "" {
		t.Fatalf("error %v at step %d", err, r.Progress().Step)
	}
	if again := r.Step(); again != err {
		t.Errorf("a stopped run went on: %v", again)
	}
	hash := r.Hash()
	if err := r.SetLive("weight_matching", 1); err != nil {
		t.Fatal(err)
	}
	if again := r.Step(); !errors.As(again, &e) || r.Hash() != hash {
		t.Errorf("another weight cannot mend the loss itself: %v", again)
	}
}

func TestLiveOptions(t *testing.T) {
	g := blocks(t, 30, 2, 6)
	o := small()
	changed := start(t, g, o, 1, precision.Single)
	for name, v := range map[string]float64{"weight_causal": 2, "lr_heads": 0.02} {
		if err := changed.SetLive(name, v); err != nil {
			t.Fatal(err)
		}
	}
	o.WeightCausal, o.LRHeads = 2, 0.02
	given := start(t, g, o, 1, precision.Single)
	finish(t, changed)
	finish(t, given)
	if changed.Hash() != given.Hash() {
		t.Error("a change before the first step is not the option")
	}
	if n := len(changed.Progress().Changes); n != 2 {
		t.Errorf("%d changes on record", n)
	}
	var e *diag.Error
	for name, v := range map[string]float64{"dim": 4, "weight_causal": -1, "lr_heads": math.NaN(), "nothing": 1} {
		if err := changed.SetLive(name, v); !errors.As(err, &e) || e.Where != name {
			t.Errorf("%s = %v: %v", name, v, err)
		}
	}
}

func TestEarlyStop(t *testing.T) {
	o := small()
	o.Epochs, o.LREncoders, o.LRHeads, o.Patience, o.PatienceAfter = 500, 0, 0, 3, 10
	o.Pairing = "all" // nothing changes from step to step
	r := start(t, blocks(t, 30, 2, 7), o, 1, precision.Single)
	finish(t, r)
	if p := r.Progress(); !p.EarlyStopped || p.Epoch != 11 {
		t.Errorf("stopped after epoch %d (%v), want 11: the first beyond both limits", p.Epoch, p.EarlyStopped)
	}
	o.EarlyStop, o.Epochs = "off", 30
	r = start(t, blocks(t, 30, 2, 7), o, 1, precision.Single)
	finish(t, r)
	if p := r.Progress(); p.EarlyStopped || p.Epoch != 30 {
		t.Errorf("stopped after epoch %d with early_stop off", p.Epoch)
	}
}

func TestDamagedCheckpointsAreRefused(t *testing.T) {
	g := []*multiplex.Graph{blocks(t, 20, 2, 8)}
	r := start(t, g[0], small(), 1, precision.Single)
	r.Step()
	good := r.Checkpoint()
	var e *ErrCheckpoint
	for cut := 0; cut < len(good); cut += 1 + cut/8 {
		if _, err := resume(g, good[:cut]); !errors.As(err, &e) {
			t.Fatalf("cut after %d bytes: %v", cut, err)
		}
	}
	for at := 0; at < len(good); at += 1 + at/8 {
		bad := append([]byte(nil), good...)
		bad[at] ^= 4
		if _, err := resume(g, bad); !errors.As(err, &e) {
			t.Fatalf("byte %d changed: %v", at, err)
		}
	}
	if _, err := resume([]*multiplex.Graph{blocks(t, 21, 2, 8)}, good); !errors.As(err, &e) {
		t.Errorf("another graph: %v", err)
	}
}

func TestPresets(t *testing.T) {
	if _, err := Preset("other"); err == nil {
		t.Error("an unknown preset passed")
	}
	released, printed := Released(), func() Options { o, _ := Preset("printed"); return o }()
	for _, o := range []Options{released, printed} {
		if err := o.Check(); err != nil {
			t.Error(err)
		}
	}
	if released.Propagation != "twice" || printed.Propagation != "kipf" || printed.InnerSteps != 1 || printed.EarlyStop != "off" || released.Dim != printed.Dim {
		t.Errorf("presets: %+v, %+v", released, printed)
	}
	o := released
	o.Graphs, o.Augmented = "augmented", 0
	if err := o.Check(); err == nil {
		t.Error("no graphs at all passed")
	}
}

// Names of the terms are those of their JSON, weights are options that may change during a run, the
// total is the weighted sum, and the columns of losses are read back unchanged.
func TestTermsDescribeTheLosses(t *testing.T) {
	live := map[string]bool{}
	for _, p := range property.Table(&Options{}) {
		live[p.Name] = p.Live
	}
	var o Options
	var x [len(Terms)]float64
	total := 0.0
	for i, term := range Terms {
		x[i] = float64(i + 1)
		if term.Weight == "" {
			continue
		}
		if err := property.Set(&o, term.Weight, property.Text(float64(10*i))); err != nil || !live[term.Weight] {
			t.Errorf("%s has the weight %q: %v", term.Name, term.Weight, err)
		}
		total += float64(10*i) * x[i]
	}
	l := LossesOf(x[:])
	text, err := json.Marshal(l)
	var named map[string]float64
	if err != nil || json.Unmarshal(text, &named) != nil || len(named) != len(Terms) || l.Columns() != x {
		t.Fatalf("%s, %v", text, err)
	}
	for i, term := range Terms {
		if named[term.Name] != x[i] || TermColumn(term.Name) != i {
			t.Errorf("%s is not column %d of %s", term.Name, i, text)
		}
	}
	if l.Total = o.Weights.total(l); l.Total != total {
		t.Errorf("the total is %v, expected %v", l.Total, total)
	}
}

// A recalled source holds no graph: it draws each when it is asked for.
type recalled struct {
	t     *testing.T
	asked []int
}

func (r *recalled) graph(i int) *multiplex.Graph {
	r.asked[i]++
	return weighted(r.t, 20+3*i, 2, 9, uint64(i))
}

// Graphs that are not held train to the bits of those that are, whatever is drawn again, and are asked for a few times
// whatever the number of steps.
func TestStreamed(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"released":  func(*Options) {},
		"dropout":   func(o *Options) { o.DropoutRate, o.Dropout = 0.95, "columns" },
		"entries":   func(o *Options) { o.DropoutRate, o.Dropout = 0.3, "entries" },
		"fresh":     func(o *Options) { o.Augmentation = "fresh" },
		"completed": func(o *Options) { o.Completion = "centred" },
		"trimmed":   func(o *Options) { o.Trim = "noise" },
	} {
		o := Released()
		o.Epochs, o.Hidden = 6, 16
		change(&o)
		source := &recalled{t, make([]int, 3)}
		var held []*multiplex.Graph
		for i := range source.asked {
			held = append(held, source.graph(i))
		}
		a, err := New(held, o, 4, precision.Single)
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := NewFrom(multiplex.Source{Len: len(source.asked), Graph: source.graph}, o, 4, precision.Single, Given{})
		if err != nil {
			t.Fatal(name, err)
		}
		for !a.Done() {
			if err := errors.Join(a.Step(), b.Step()); err != nil {
				t.Fatal(name, err)
			}
		}
		if Hash(a) != Hash(b) || !slices.Equal(a.Notes(), b.Notes()) {
			t.Errorf("%s: %s, %q; held %s, %q", name, Hash(b), b.Notes(), Hash(a), a.Notes())
		}
		if n := slices.Max(source.asked); n > 100 {
			t.Errorf("%s: a graph was asked for %d times", name, n)
		}
	}
}
