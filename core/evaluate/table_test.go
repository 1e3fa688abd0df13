package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// example has n nodes, three classes that the common embedding and the first private
// one show, a second label set that only private_2 shows, and untrained noise.
func example(n int) Input {
	src := rng.New(1, "example")
	labels := []multiplex.LabelSet{
		{Name: "final", Classes: []string{"a", "b", "c"}, Of: randomLabels(n, 3, src)},
		{Name: "layer_2", Classes: []string{"x", "y"}, Of: randomLabels(n, 2, src)},
	}
	shows := func(y []int, spread float64) *mat.Dense {
		x := mat.NewDense(n, 8, nil)
		for i := range n {
			for j := range 8 {
				x.Set(i, j, spread*src.Norm())
			}
			x.Set(i, y[i], x.At(i, y[i])+2)
		}
		return x
	}
	noise := func() *mat.Dense { return randomTokens(n, 8, 1, src)[0] }
	s, p1, p2 := shows(labels[0].Of, 0.3), shows(labels[0].Of, 0.3), shows(labels[1].Of, 0.3)
	u := []*mat.Dense{noise(), noise(), noise()}
	return Input{
		Trained: []Embedding{{Name: "combined", Tokens: []*mat.Dense{s, p1, p2}}, {Name: "common", Tokens: []*mat.Dense{s}},
			{Name: "private_2", Tokens: []*mat.Dense{p2}}},
		Untrained: []Embedding{{Name: "combined", Tokens: u}, {Name: "common", Tokens: u[:1]}, {Name: "private_2", Tokens: u[2:]}},
		Targets:   labels, Classify: true, Cluster: true,
	}
}

func quick() Options {
	o := Defaults()
	o.Epochs, o.KMeansRuns, o.Rate = 30, 5, 0.1
	return o
}

func find(t *testing.T, scores []Score, embedding, target, metric string) Score {
	t.Helper()
	for _, s := range scores {
		if s.Embedding == embedding && s.Target == target && s.Metric == metric {
			return s
		}
	}
	t.Fatalf("no row %s %s %s in %+v", embedding, target, metric, scores)
	return Score{}
}

func TestTableFindsWhatIsThere(t *testing.T) {
	scores, err := Table(example(90), quick(), 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, s := range scores {
		order = append(order, s.Embedding+" "+s.Target+" "+s.Metric)
		for name, v := range map[string]float64{"value": s.Value, "fold_std": s.FoldStd, "standardised": s.Standardised, "untrained": s.Untrained,
			"untrained standardised": s.UntrainedStandardised, "probe": s.Probe, "untrained probe": s.UntrainedProbe} {
			if math.IsNaN(v) || v < -1 || v > 1 {
				t.Errorf("%s: %s is %v", order[len(order)-1], name, v)
			}
		}
	}
	var want []string
	for _, row := range []string{"combined final", "combined layer_2", "common final", "common layer_2", "private_2 final", "private_2 layer_2"} {
		for _, m := range Metrics {
			if m.From == Classifier || !strings.HasPrefix(row, "combined") { // it has no clusters
				want = append(want, row+" "+m.Name)
			}
		}
	}
	if !reflect.DeepEqual(order, want) {
		t.Errorf("rows %q", order)
	}
	for _, row := range []struct {
		embedding, target, metric string
		shown                     bool
	}{
		{"combined", "final", "macro_f1", true}, {"common", "final", "micro_f1", true}, {"common", "final", "ari", true}, {"common", "final", "nmi", true},
		{"private_2", "layer_2", "macro_f1", true}, {"private_2", "layer_2", "ari", true},
		{"common", "layer_2", "ari", false}, {"private_2", "final", "macro_f1", false}, {"private_2", "final", "nmi", false},
	} {
		s := find(t, scores, row.embedding, row.target, row.metric)
		limit := 0.65 // guessing among two or three classes
		if row.shown && (s.Value < 0.85 || s.Probe < 0.85) || !row.shown && (s.Value > limit || s.Probe > limit) {
			t.Errorf("%+v", s)
		}
		if s.Untrained > limit || s.UntrainedStandardised > limit {
			t.Errorf("untrained: %+v", s)
		}
	}
}

func TestTableFields(t *testing.T) {
	b, err := json.Marshal(Score{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"embedding":"","target":"","metric":"","value":0,"fold_std":0,"standardised":0,"untrained":0,` +
		`"untrained_standardised":0,"probe":0,"untrained_probe":0}`; string(b) != want {
		t.Errorf("got %s", b)
	}
}

// Scores have the same bits on every machine, with SIMD kernels and without.
func TestScoresAreTheSameEverywhere(t *testing.T) {
	in, o := example(90), quick()
	o.LayerTag = "on"
	scores, err := Table(in, o, 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	for _, s := range scores {
		if !slices.Contains([]string{"macro_f1", "micro_f1", "ari", "nmi"}, s.Metric) {
			continue // a later one, whose bits are not written down
		}
		fmt.Fprintf(h, "%x %x %x %x %x %x", s.Value, s.FoldStd, s.Standardised, s.Untrained, s.Probe, s.UntrainedProbe)
	}
	c := NewCombiner(Shape{Tokens: 3, Dim: 8, Classes: 3, Heads: 4})
	c.Init(rng.New(1, "bits"))
	b := whole(in.Trained[0].Tokens, in.Targets[0].Of)
	for range 30 {
		c.Step(b, 0.1)
	}
	fmt.Fprintf(h, "%x", c.param)
	if got := fmt.Sprintf("%016x", h.Sum64()); got != "b5f5e0777a4d354b" {
		t.Errorf("hash %s", got)
	}
}

// A score depends on its own embedding and target only, and on the seed.
func TestTableIsReproducible(t *testing.T) {
	in, o := example(60), quick()
	all, err := Table(in, o, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	part := in
	part.Trained, part.Untrained, part.Targets, part.Cluster = in.Trained[1:2], in.Untrained[1:2], in.Targets[1:], false
	some, err := Table(part, o, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range some {
		if got := find(t, all, s.Embedding, s.Target, s.Metric); !reflect.DeepEqual(got, s) {
			t.Errorf("alone %+v, with others %+v", s, got)
		}
	}
	other, err := Table(in, o, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(all, other) {
		t.Error("another seed gave the same scores")
	}
}

// Nodes without a label must not affect classification.
func TestMissingLabelsAreLeftOut(t *testing.T) {
	in, o := example(60), quick()
	in.Cluster = false
	in.Targets = in.Targets[:1]
	of := append([]int(nil), in.Targets[0].Of...)
	for i := 0; i < 60; i += 4 {
		of[i] = multiplex.Missing
	}
	in.Targets[0].Of = of
	before, err := Table(in, o, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 60; i += 4 {
		for j := range 8 {
			in.Trained[1].Tokens[0].Set(i, j, 100*float64(j))
		}
	}
	// The probe's standardisation sees all nodes; the protocol itself has none.
	after, err := Table(in, o, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range before {
		if before[i].Value != after[i].Value || before[i].FoldStd != after[i].FoldStd {
			t.Errorf("%+v became %+v", before[i], after[i])
		}
	}
	in.Classify, in.Cluster = false, true
	if _, err := Table(in, o, 3, nil); err != nil {
		t.Errorf("clustering with missing labels: %v", err)
	}
}

func TestTableOfFewLabels(t *testing.T) {
	missing, rows := multiplex.Missing, 0
	for _, m := range Metrics { // of three embeddings, one of them combined; a single class has no scores
		if rows += 2; m.From == Classifier {
			rows++
		}
	}
	for name, of := range map[string][]int{
		"class of one":     {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2},
		"all classes rare": {0, 1, 2, missing, 0, 1, missing, missing, missing, missing, missing, missing},
		"two labels":       {0, missing, missing, missing, missing, missing, missing, missing, missing, missing, missing, 2},
		"absent class":     {0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2},
	} {
		in := example(12)
		in.Targets = []multiplex.LabelSet{{Name: name, Classes: []string{"a", "b", "c"}, Of: of}, {Name: "one class", Classes: []string{"a"}, Of: make([]int, 12)}}
		scores, err := Table(in, quick(), 1, nil)
		if err != nil || len(scores) != rows {
			t.Errorf("%s: %d rows, %v", name, len(scores), err)
		}
		for _, s := range scores {
			if math.IsNaN(s.Value + s.FoldStd + s.Standardised + s.Untrained + s.UntrainedStandardised + s.Probe + s.UntrainedProbe) {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
}

func TestTableRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Input, *Options)
		want   string
	}{
		{"no target", func(in *Input, o *Options) { in.Targets = nil }, "labels: found no label set"},
		{"one class", func(in *Input, o *Options) {
			in.Targets = []multiplex.LabelSet{{Name: "group", Classes: []string{"a"}, Of: make([]int, 30)}}
		}, "labels group: found 30 labelled nodes of 1 classes"},
		{"no embedding", func(in *Input, o *Options) { in.Trained, in.Untrained = nil, nil }, "embeddings: found none"},
		{"no task", func(in *Input, o *Options) { in.Classify, in.Cluster = false, false }, "none that the task can score"},
		{"NaN", func(in *Input, o *Options) { in.Trained[1].Tokens[0].Set(4, 2, math.NaN()) }, "embedding combined, node 4, coordinate 2: found NaN"},
		{"huge", func(in *Input, o *Options) { in.Untrained[2].Tokens[0].Set(4, 2, 1e200) }, "node 4, coordinate 2: found 1e+200"},
		{"heads", func(in *Input, o *Options) { o.Heads = 3 }, "heads: found 3, expected a divisor of the embedding size 8"},
		{"range", func(in *Input, o *Options) { o.Folds = 1 }, "folds: found \"1\", expected a whole number from 2 to 20"},
	} {
		in, o := example(30), quick()
		c.change(&in, &o)
		scores, err := Table(in, o, 1, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || scores != nil {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	var e *diag.Error
	in, o := example(30), quick()
	o.Heads = 5
	if _, err := Table(in, o, 1, nil); !errors.As(err, &e) || e.Where != "heads" {
		t.Errorf("heads that do not divide: %v", err)
	}
	// Without tokens to fuse the heads are not asked for.
	in.Trained, in.Untrained = in.Trained[1:], in.Untrained[1:]
	if _, err := Table(in, o, 1, nil); err != nil {
		t.Errorf("heads without a combiner: %v", err)
	}
}

func TestTableOptions(t *testing.T) {
	in, o := example(60), quick()
	in.Trained, in.Untrained, in.Cluster = in.Trained[:1], in.Untrained[:1], false
	seen := map[string]string{}
	for _, merge := range []string{"concatenated", "averaged"} {
		for _, tag := range []string{"off", "on"} {
			o.HeadsMerge, o.LayerTag = merge, tag
			scores, err := Table(in, o, 5, nil)
			if err != nil {
				t.Fatal(err)
			}
			key, name := fmt.Sprint(scores), merge+" "+tag
			if other, ok := seen[key]; ok {
				t.Errorf("%s scores exactly as %s", name, other)
			}
			seen[key] = name
		}
	}
}

// The rows do not depend on the number of processors.
func TestTableOnSeveralProcessors(t *testing.T) {
	in, deals := example(60), [2][]Deal{}
	var rows [2][]Score
	for k, processors := range []int{1, 3} {
		before := runtime.GOMAXPROCS(processors)
		in.Deals = &deals[k]
		var err error
		rows[k], err = Table(in, quick(), 1, nil)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(in.Trained) < 2 || !reflect.DeepEqual(rows[0], rows[1]) || !reflect.DeepEqual(deals[0], deals[1]) {
		t.Errorf("%d embeddings: %+v on one processor, %+v on three", len(in.Trained), rows[0], rows[1])
	}
}

func TestTableYields(t *testing.T) {
	in, o := example(90), quick()
	last, calls := 0, 0
	if _, err := Table(in, o, 1, func(done, total int) error {
		if done < last || done > total || total <= 0 {
			t.Errorf("done %d after %d of %d", done, last, total)
		}
		last = done
		calls++
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if calls < 10 {
		t.Errorf("%d yields", calls)
	}
	stop, after := errors.New("stop"), 0
	_, err := Table(in, o, 1, func(int, int) error {
		after++
		if after == 3 {
			return stop
		}
		return nil
	})
	if err != stop || after != 3 {
		t.Errorf("error %v after %d yields", err, after)
	}
}

func TestOptionTable(t *testing.T) {
	o := Defaults()
	want := Options{Score: "all", Epochs: 50, Rate: 0.3, Folds: 5, FoldDeal: "drawn", NestedSelect: "off", Heads: 4, HeadsMerge: "concatenated",
		LayerTag: "off", KMeansRuns: 50, KMeansRestarts: 1}
	if o != want {
		t.Errorf("defaults %+v, want %+v", o, want)
	}
	var names []string
	for _, p := range property.Table(&o) {
		names = append(names, p.Name)
		if p.Group != "evaluation" {
			t.Errorf("%s is in group %q", p.Name, p.Group)
		}
	}
	const all = "score eval_epochs eval_lr folds fold_deal nested_select heads heads_merge layer_tag kmeans_runs kmeans_restarts"
	if strings.Join(names, " ") != all {
		t.Errorf("options %q", names)
	}
	property.Preset(&o, "printed")
	if want.HeadsMerge = "averaged"; o != want {
		t.Errorf("printed %+v", o)
	}
}

// The table of the paper on Syn1: 100 nodes, combined of 4 tokens, common and 3 private
// embeddings of size 8, 4 targets.
func BenchmarkTableSyn1(b *testing.B) { benchmarkTable(b, 100, true, false) }

// The clusters of Syn2: 1000 nodes.
func BenchmarkTableSyn2(b *testing.B) { benchmarkTable(b, 1000, false, true) }

func benchmarkTable(b *testing.B, n int, classify, cluster bool) {
	src := rng.New(1, "bench")
	x, u := randomTokens(n, 8, 4, src), randomTokens(n, 8, 4, src)
	in := Input{Classify: classify, Cluster: cluster}
	embeddings := func(x []*mat.Dense) []Embedding {
		return []Embedding{{Name: "combined", Tokens: x}, {Name: "common", Tokens: x[:1]}, {Name: "private_1", Tokens: x[1:2]},
			{Name: "private_2", Tokens: x[2:3]}, {Name: "private_3", Tokens: x[3:]}}
	}
	in.Trained, in.Untrained = embeddings(x), embeddings(u)
	for _, name := range []string{"final", "layer_1", "layer_2", "layer_3"} {
		in.Targets = append(in.Targets, multiplex.LabelSet{Name: name, Classes: []string{"a", "b", "c"}, Of: randomLabels(n, 3, src)})
	}
	for b.Loop() {
		if _, err := Table(in, Defaults(), 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The folds kept of each kind of embedding are those its score is the mean of.
func TestFoldsBelongToTheirScores(t *testing.T) {
	in := example(60)
	in.Trivial = []Embedding{{Name: "common", Tokens: []*mat.Dense{in.Trained[2].Tokens[0]}}}
	scores, err := Table(in, quick(), 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		name := s.Embedding + " " + s.Target + " " + s.Metric
		if MetricOf(s.Metric).From == Clusters {
			if s.Folds != nil || s.UntrainedFolds != nil || s.TrivialFolds != nil {
				t.Errorf("%s has folds", name)
			}
			continue
		}
		near(t, name, []float64{mean(s.Folds), mean(s.UntrainedFolds)}, []float64{s.Value, s.Untrained}, 1e-12)
		if (s.Trivial == nil) != (s.TrivialFolds == nil) || s.Embedding == "common" && s.Trivial == nil {
			t.Errorf("%s: trivial %v, folds %v", name, s.Trivial, s.TrivialFolds)
		} else if s.Trivial != nil {
			near(t, name+", trivial", []float64{mean(s.TrivialFolds)}, []float64{*s.Trivial}, 1e-12)
		}
	}
}

// Without untrained embeddings the trained ones have the same values, and nothing beside them.
func TestTableOfTrainedAlone(t *testing.T) {
	in := example(40)
	both, err := Table(in, quick(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Untrained = nil
	last := 0
	alone, err := Table(in, quick(), 1, func(done, total int) error {
		if done < last || done > total {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
		return nil
	})
	if err != nil || len(alone) != len(both) {
		t.Fatalf("%d rows, expected %d: %v", len(alone), len(both), err)
	}
	for i, s := range alone {
		want := both[i]
		want.Standardised, want.Untrained, want.UntrainedStandardised, want.UntrainedProbe, want.UntrainedFolds = 0, 0, 0, 0, nil
		if !reflect.DeepEqual(s, want) {
			t.Errorf("alone %+v, expected %+v", s, want)
		}
	}
}
