package cadem

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/multiplex"
)

// brief returns options of a few steps.
func brief(t *testing.T, preset, features string) Options {
	t.Helper()
	o, err := Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	o.Epochs, o.Hidden, o.Features = 3, 16, features
	return o
}

// Features that an option makes of links train to the bits of a graph that comes with them, and leave nothing else changed.
func TestMadeFeaturesAreFeatures(t *testing.T) {
	for _, option := range []string{"spectral:12", "random:12", "degree"} {
		g := blocks(t, 60, 3, 1)
		x, err := inputs.ParseStructure(option).Of(g, 1, 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		with := *g
		with.Layers = slices.Clone(g.Layers)
		for l := range with.Layers {
			with.Layers[l].Features = x
		}
		made, given := trainedOn(t, g, brief(t, "released", option)), trainedOn(t, &with, brief(t, "released", "identity"))
		if Hash(made) != Hash(given) {
			t.Errorf("%s: made %s, given %s", option, Hash(made), Hash(given))
		}
		if identity := trainedOn(t, g, brief(t, "released", "identity")); Hash(identity) == Hash(made) {
			t.Errorf("%s changes nothing", option)
		}
		// Where inputs are split or trimmed, and where nodes have features, it has nothing to act on.
		for _, preset := range []string{"refined", "evidence"} {
			if Hash(trainedOn(t, g, brief(t, preset, option))) != Hash(trainedOn(t, g, brief(t, preset, "identity"))) {
				t.Errorf("%s changes %s", option, preset)
			}
		}
		if Hash(trainedOn(t, &with, brief(t, "released", option))) != Hash(given) {
			t.Errorf("%s changes nodes with features", option)
		}

		var b bytes.Buffer
		if err := WriteCheckpoint(&b, made); err != nil {
			t.Fatal(err)
		}
		c, err := OpenCheckpoint(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.New([]*multiplex.Graph{g}, Given{})
		if err == nil {
			err = c.Restore(again)
		}
		if err != nil || Hash(again) != Hash(made) {
			t.Errorf("%s: resumed %v", option, err)
		}
	}
}

func trainedOn(t *testing.T, g *multiplex.Graph, o Options) *Trainer {
	t.Helper()
	r, err := New([]*multiplex.Graph{g}, o, 5, precision.Single)
	if err != nil {
		t.Fatal(err)
	}
	for !r.Done() {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// Few links have fewer directions than are asked for: the encoders read those that there are.
func TestFewerFeaturesThanAskedFor(t *testing.T) {
	g := &multiplex.Graph{}
	for l := range 2 {
		var edges []multiplex.Edge
		for i := range 5 {
			edges = append(edges, multiplex.Edge{I: i, J: i + 1 + l, Weight: 1})
		}
		a, err := multiplex.FromEdges(300, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: string(rune('a' + l)), Adjacency: a, Features: multiplex.Identity(300)})
	}
	made := trainedOn(t, g, brief(t, "released", "spectral:32"))
	if n := len(made.Maps().Live[0]); n == 0 || n >= 32 {
		t.Errorf("%d features of ten links", n)
	}
	for _, x := range made.Embeddings(0).Common[0].RawMatrix().Data {
		if math.IsNaN(x) {
			t.Fatal("an embedding is not a number")
		}
	}
}

// With the option, rows of any scale train as rows of length 1 do; without it, they are as they come.
func TestRowScale(t *testing.T) {
	for _, preset := range []string{"released", "refined"} {
		g, src := blocks(t, 40, 3, 11), rng.New(3, "test/rows")
		x := &multiplex.Features{Rows: 40, Cols: 9}
		for range 40 * 9 {
			x.Dense = append(x.Dense, src.Float64())
		}
		for l := range g.Layers {
			g.Layers[l].Features = x
		}
		unit := *g
		unit.Layers = slices.Clone(g.Layers)
		for l, x := range multiplex.RowsOf(g.Layers, "unit") {
			unit.Layers[l].Features = x
		}
		o := brief(t, preset, "identity")
		o.Dim = 2
		came, scaled := trainedOn(t, g, o), trainedOn(t, &unit, o)
		o.RowScale = "unit"
		if asked := trainedOn(t, g, o); Hash(asked) != Hash(scaled) || Hash(asked) == Hash(came) {
			t.Errorf("%s: %s with rows of length 1 asked for, %s with such rows, %s without", preset, Hash(asked), Hash(scaled), Hash(came))
		}
	}
}
