package run

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// planted draws two layers of groups, with that number of links a node, as a data set of one's own.
func planted(t testing.TB, nodes, degree int) *Dataset {
	t.Helper()
	draw, g := rng.New(4, "planted"), &multiplex.Graph{Name: "planted"}
	const groups = 4
	labels := multiplex.LabelSet{Name: "groups", Classes: []string{"a", "b", "c", "d"}, Of: make([]int, nodes)}
	for i := range nodes {
		labels.Of[i] = i % groups
	}
	for l := range 2 {
		var edges []multiplex.Edge
		for range nodes * degree / 2 {
			i, j := draw.IntN(nodes), draw.IntN(nodes)
			if draw.Float64() < .6 {
				j = j/groups*groups + i%groups
			}
			if i != j && j < nodes {
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
			}
		}
		a, err := multiplex.FromEdges(nodes, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: string(rune('a' + l)), Adjacency: a, Features: multiplex.Identity(nodes)})
	}
	g.Labels = []multiplex.LabelSet{labels}
	d, err := OfGraph(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What is estimated holds what a run takes, and not many times as much.
func TestMemoryIsWhatARunTakes(t *testing.T) {
	if testing.Short() {
		t.Skip("trains larger graphs")
	}
	nodes := 3000
	if os.Getenv("CADEM_LONG") != "" {
		nodes = 6000
	}
	d := planted(t, nodes, 20)
	for _, c := range []struct{ preset, features string }{
		{"released", "identity"}, {"released", "spectral:64"}, {"released", "random:64"}, {"released", "degree"}, {"refined", "identity"}, {"evidence", "identity"},
	} {
		s, err := NewSettings(c.preset, d)
		if err != nil {
			t.Fatal(err)
		}
		o := s.CaDeM()
		o.Epochs, o.InnerSteps, o.Features, s.Evaluation.Epochs, s.Evaluation.KMeansRuns, s.Evaluation.Score = 1, 2, c.features, 2, 1, fmt.Sprint("sample:", nodes/3)
		estimate := Memory(SizeOf(d.Graph), o, &s.Evaluation)
		peak := peakOf(func() {
			r, err := s.Start([]*multiplex.Graph{d.Graph}, precision.Single, Watch{})
			if err == nil {
				err = r.Finish(Watch{})
			}
			if err != nil {
				t.Fatal(err)
			}
			result := r.Result()
			_ = r.Checkpoint()
			if _, err := Score(d, result.Scored, result.ScoredBefore, s.Scoring(), 1, nil); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%s, %s: %.0f MB estimated, %.0f MB taken", c.preset, c.features, estimate/1e6, peak/1e6)
		if peak > 1.3*estimate || estimate > 8*peak { // how many directions a split keeps is not known before
			t.Errorf("%s, %s: %.0f MB estimated, %.0f MB taken", c.preset, c.features, estimate/1e6, peak/1e6)
		}
	}
}

// peakOf returns by how much the live heap grew while f ran.
func peakOf(f func()) float64 {
	live := func() float64 { // as the last collection found it, without garbage of the time since
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return float64(sample[0].Value.Uint64())
	}
	runtime.GC()
	before, most := live(), 0.0
	var done atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for !done.Load() {
			runtime.GC()
			most = max(most, live())
			time.Sleep(20 * time.Millisecond)
		}
	}()
	f()
	done.Store(true)
	<-ended
	return most - before
}

// Each change that is proposed makes the run fit by itself, and those that are options can be set.
func TestRemedies(t *testing.T) {
	const nodes, budget = 100_000, 2 << 30
	e := Size{Nodes: nodes, Features: nodes, Layers: []int{1e6, 1e6}, Identity: true}
	scoring := evaluate.Defaults()
	for _, preset := range []string{"released", "printed"} {
		o, err := cadem.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		if need := Memory(e, &o, &scoring); need < budget {
			t.Fatalf("%s needs %.1f GB", preset, need/(1<<30))
		}
		list := Remedies(e, &o, &scoring, budget)
		if len(list) == 0 || list[0].Options["features"] != cadem.LargeFeatures {
			t.Errorf("%s: %v", preset, list)
		}
		for _, r := range list {
			s := &Settings{Options: &o}
			own := o
			s.Options = &own
			if err := s.SetAll(r.Options); err != nil {
				t.Error(err)
			}
			if r.Options != nil && Memory(e, &own, &scoring) > budget {
				t.Errorf("%s: %s does not make it fit", preset, r.Text)
			}
		}
	}
	e.Layers, scoring.Score = []int{2e7, 2e7}, "sample:5000" // too many links to find directions of
	for dim, want := range map[int]map[string]any{8: {"features": cadem.LightFeatures}, 128: {"features": cadem.LightFeatures, "dim": 64}} {
		o, _ := cadem.Preset("released")
		o.Features, o.Dim = cadem.LargeFeatures, dim
		if list := Remedies(e, &o, &scoring, budget); len(list) == 0 || !maps.Equal(list[0].Options, want) {
			t.Errorf("%d columns: %v, expected %v", dim, list, want)
		}
	}
	e.Layers, scoring = []int{1e6, 1e6}, evaluate.Defaults()
	for _, preset := range []string{"refined", "evidence"} {
		if o, _ := cadem.Preset(preset); Memory(e, &o, &scoring) > budget {
			t.Errorf("%s needs %.1f GB", preset, Memory(e, &o, &scoring)/(1<<30))
		}
	}
}

// Of 100,000 nodes, every preset with every features and every way to score fits, or an option that can be set makes it fit; of more layers and
// wider embeddings, too.
func TestRemediesOfAll(t *testing.T) {
	const nodes, budget = 100_000, 2 << 30
	fits := 0
	for _, layers := range []int{2, 8} {
		for _, dim := range []int{8, 64} {
			for _, preset := range []string{"released", "printed", "refined", "evidence"} {
				for _, features := range []string{"identity", "spectral:64", "random:64", "degree"} {
					for _, score := range []string{"all", "sample:5000", "none"} {
						e := Size{Nodes: nodes, Features: nodes, Layers: slices.Repeat([]int{2e6 / layers}, layers), Identity: true}
						o, err := cadem.Preset(preset)
						if err != nil {
							t.Fatal(err)
						}
						scoring := evaluate.Defaults()
						o.Features, o.Dim, scoring.Score = features, dim, score
						if Memory(e, &o, &scoring) <= budget {
							fits++
							continue
						}
						options := 0
						for _, r := range Remedies(e, &o, &scoring, budget) {
							own, scored := o, scoring
							s := &Settings{Options: &own, Evaluation: scored}
							if err := s.SetAll(r.Options); err != nil {
								t.Error(err)
							}
							if r.Options != nil {
								options++
								if need := Memory(e, &own, &s.Evaluation); need > budget {
									t.Errorf("%s needs %.1f GB", r.Text, need/(1<<30))
								}
							}
						}
						if options == 0 {
							t.Errorf("%d layers, dim %d, %s, %s, %s: needs %.1f GB, and no option is proposed", layers, dim, preset, features, score,
								Memory(e, &o, &scoring)/(1<<30))
						}
					}
				}
			}
		}
	}
	t.Logf("%d fit as they are", fits)
}

// Embeddings that the heads of the combiner cannot share out evenly are not proposed.
func TestRemediesFitTheCombiner(t *testing.T) {
	const nodes = 100_000
	e := Size{Nodes: nodes, Features: nodes, Layers: []int{1e6, 1e6}, Identity: true}
	o, err := cadem.Preset("released")
	if err != nil {
		t.Fatal(err)
	}
	scoring := evaluate.Defaults()
	o.Features, o.Dim, scoring.Heads = "degree", 48, 12
	list := Remedies(e, &o, &scoring, Memory(e, &o, &scoring)*.25)
	for _, r := range list {
		if d, ok := r.Options["dim"].(int); ok && d%scoring.Heads != 0 {
			t.Errorf("%+v", r)
		}
	}
	if list := Remedies(e, &o, &scoring, Memory(e, &o, &scoring)*.6); len(list) == 0 {
		t.Error("nothing is proposed")
	}
}

func TestDefaultsForSize(t *testing.T) {
	if d := ForSize(OwnDefaults, 20_000); d["features"] != nil || d["score"] != nil {
		t.Error(d)
	}
	if d := ForSize(OwnDefaults, 20_001); d["features"] != cadem.LargeFeatures || d["score"] != "sample:5000" || d["eval_lr"] != OwnDefaults["eval_lr"] {
		t.Error(d)
	}
	if OwnDefaults["features"] != nil {
		t.Error("the usual defaults have changed")
	}
	d := planted(t, 20_500, 4)
	s, err := NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	if s.CaDeM().Features != cadem.LargeFeatures || s.Evaluation.Score != "sample:5000" {
		t.Error(s.CaDeM().Features, s.Evaluation.Score)
	}
	if text := d.Protocol(&s.Evaluation); text != "5 folds, each tested once, learned from a sample of 5000 nodes at most" {
		t.Error(text)
	}
	// A run that was kept before there was the option had a column for each node, and scores of all.
	r := &Record{Preset: "released", Options: map[string]any{"epochs": 3}, Evaluation: map[string]any{}}
	old, err := r.Settings(d)
	if err != nil {
		t.Fatal(err)
	}
	if old.CaDeM().Features != "identity" || old.Evaluation.Score != "all" {
		t.Error(old.CaDeM().Features, old.Evaluation.Score)
	}
}
