package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

func ExampleTrain() {
	d, err := OpenExample("syn1", map[string]any{"nodes": 40}, 0)
	if err != nil {
		panic(err)
	}
	s, _ := NewSettings("released", d)
	s.CaDeM().Epochs, s.Evaluation.Epochs = 2, 5
	r, err := Train(d, s, precision.Single, Watch{})
	if err != nil {
		panic(err)
	}
	scores, err := Score(d, r.Scored, r.ScoredBefore, s.Evaluation, s.EvalSeed, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Progress.Step, "steps,", len(r.Losses), "losses,", len(scores), "scores")
	// Output: 30 steps, 30 losses, 40 scores
}

func TestEveryExampleOpensWithSettingsThatFit(t *testing.T) {
	for _, e := range examples.All() {
		var few map[string]any
		if e.Large {
			few = map[string]any{"nodes": 100}
		}
		d, err := OpenExample(e.Name, few, UsualSeeds.Data)
		if err != nil {
			t.Fatal(err)
		}
		if d.Task() != e.Task || d.Expect == "" || e.Sentence == "" || e.Title == "" {
			t.Errorf("%s: task %s, want %s; or a sentence is missing", e.Name, d.Task(), e.Task)
		}
		for _, preset := range cadem.Presets {
			s, err := NewSettings(preset, d)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(); err != nil {
				t.Errorf("%s, %s: %v", e.Name, preset, err)
			}
			// Values fixed by the printed equations override recommendations for the data.
			if (preset == "printed") != (s.CaDeM().InnerSteps == 1) {
				t.Errorf("%s, %s: %d inner steps", e.Name, preset, s.CaDeM().InnerSteps)
			}
		}
	}
}

// Scores are drawn as the run is: in the authors' streams, and with their folds, an untrained private embedding of the published Syn1 has
// the score that their program has.
func TestScoringFollowsTheStreams(t *testing.T) {
	d, err := OpenExample("syn1", map[string]any{"instance": "published"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	if s.Scoring() != s.Evaluation {
		t.Errorf("in streams of our own %+v, want %+v", s.Scoring(), s.Evaluation)
	}
	if err := s.SetAll(map[string]any{"streams": "authors", "epochs": 1, "inner_steps": 1}); err != nil {
		t.Fatal(err)
	}
	s.ModelSeed = 15
	r, err := Train(d, s, precision.Single, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := Score(d, r.ScoredBefore, r.ScoredBefore, s.Scoring(), s.EvalSeed, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range scores {
		if x.Embedding == "private_1" && x.Target == "layer_1" && x.Metric == "macro_f1" && math.Abs(x.Value-0.9402) > 0.0005 {
			t.Errorf("%.4f, the authors' program has 0.9402", x.Value)
		}
	}
}

func TestSettingsKnowWhereAnOptionBelongs(t *testing.T) {
	s, err := NewSettings("released", &Dataset{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetAll(map[string]any{"dim": 4.0, "eval_lr": 0.2, "pairing": "all"}); err != nil {
		t.Fatal(err)
	}
	if s.CaDeM().Dim != 4 || s.Evaluation.Rate != 0.2 || s.CaDeM().Pairing != "all" {
		t.Errorf("%+v", s)
	}
	s.CaDeM().Dim = 6
	var e *diag.Error
	if err := s.Check(); !errors.As(err, &e) || e.Where != "heads" {
		t.Errorf("4 heads on 6 numbers: %v", err)
	}
	for name, value := range map[string]string{"dim": "0", "eval_lr": "x", "nothing": "1"} {
		if err := s.Set(name, value); !errors.As(err, &e) || e.Where != name {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}

// A score without labels is an empty table, not a failure.
func TestDataWithoutLabels(t *testing.T) {
	d, err := OpenFiles([]formats.File{{Name: "a.edges", Data: []byte("1 1 2 1\n1 2 3 1\n2 1 3 1\n")}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	s.CaDeM().Epochs = 2
	r, err := Train(d, s, precision.Single, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if scores, err := Score(d, r.Scored, r.ScoredBefore, s.Evaluation, 1, nil); err != nil || len(scores) != 0 {
		t.Errorf("%d scores, error %v", len(scores), err)
	}
}

// The real AUCS set, where it is: counts, missing labels, a training.
func TestAUCS(t *testing.T) {
	const dir = "../../../../shared/data/small/aucs/"
	var files []formats.File
	for _, name := range []string{"CS-Aarhus_multiplex.edges", "CS-Aarhus_layers.txt", "CS-Aarhus_nodes.txt", "labels.csv"} {
		data, err := os.ReadFile(dir + name)
		if err != nil {
			t.Skip("the AUCS files are not beside the repository: ", err)
		}
		files = append(files, formats.File{Name: name, Data: data})
	}
	d, err := OpenFiles(files, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := d.Summary()
	if got.Nodes != 61 || len(got.Layers) != 5 {
		t.Fatalf("%d nodes, %d layers", got.Nodes, len(got.Layers))
	}
	for i, want := range []multiplex.LayerSummary{{Name: "lunch", Edges: 193, Isolated: 1}, {Name: "facebook", Edges: 124, Isolated: 29},
		{Name: "coauthor", Edges: 21, Isolated: 36}, {Name: "leisure", Edges: 88, Isolated: 14}, {Name: "work", Edges: 194, Isolated: 1}} {
		if l := got.Layers[i]; l.Name != want.Name || l.Edges != want.Edges || l.Isolated != want.Isolated {
			t.Errorf("layer %+v, want %+v", l, want)
		}
	}
	found := false
	for _, l := range got.Labels {
		if l.Name == "group" {
			found = l.Missing == 6
		}
	}
	if !found {
		t.Errorf("research groups with 6 missing labels: %+v", got.Labels)
	}
	s, err := NewSettings("released", d)
	if err != nil {
		t.Fatal(err)
	}
	s.CaDeM().Epochs, s.Evaluation.Epochs, s.Evaluation.KMeansRuns = 10, 20, 3
	r, err := Train(d, s, precision.Single, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Progress.Losses.Matching >= r.Progress.First.Matching {
		t.Errorf("matching %v after %v", r.Progress.Losses.Matching, r.Progress.First.Matching)
	}
	scores, err := Score(d, r.Scored, r.ScoredBefore, s.Evaluation, 1, nil)
	if err != nil || len(scores) == 0 {
		t.Errorf("%d scores, %v", len(scores), err)
	}
}
