package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// The runs of the essay are this program's, and its numbers theirs.
func TestShippedEssayIsTrue(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("../../..", essayFile))
	if err != nil {
		t.Fatal(err)
	}
	e, err := trainEssay()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.readSyn1("../../../www/finished/syn1.json"); err != nil {
		t.Fatal(err)
	}
	if err := e.Longer.read("../../.."); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if string(got)+"\n" != string(want) {
		t.Errorf("%s differs: write it anew with `go run ./scripts/build/shipped -essay`", essayFile)
	}
}

// What the essay says of the town holds in towns that are drawn anew: split first, S and each P find their own groups and no others; and
// with nothing shared, the published S comes to know private groups, while the split leaves it empty.
func TestEssayHoldsElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("trains nine runs")
	}
	for seed := uint64(1); seed <= 3; seed++ {
		scores, _ := trainTown(t, "refined", usualGamma, seed)
		for _, s := range scores {
			if s.Metric != "ari" || s.Embedding == "combined" {
				continue
			}
			names := []string{"common", "private_1", "private_2", "private_3"}
			own := slices.Index([]string{"shared", "friends", "work", "lunch"}, s.Target) == slices.Index(names, s.Embedding)
			if v := float64(s.Value); own && v < 0.9 || !own && v > 0.2 {
				t.Errorf("seed %d: %s matches %s at %.2f", seed, s.Embedding, s.Target, v)
			}
		}
		scores, _ = trainTown(t, "released", 0, seed)
		most, before := 0.0, 0.0
		for _, s := range scores {
			if s.Metric == "ari" && s.Embedding == "common" && s.Target != "shared" {
				most, before = max(most, float64(s.Probe)), max(before, float64(s.UntrainedProbe))
			}
		}
		if most < 0.4 || most <= before {
			t.Errorf("seed %d: with nothing shared, a probe of S finds private groups at %.2f, untrained at %.2f", seed, most, before)
		}
		if _, rank := trainTown(t, "refined", 0, seed); rank != 0 {
			t.Errorf("seed %d: with nothing shared, S has rank %d after the split", seed, rank)
		}
	}
}

func trainTown(t *testing.T, preset string, gamma float64, seed uint64) ([]evaluate.Score, int) {
	t.Helper()
	d, err := run.OpenExample("town", map[string]any{"gamma": gamma}, seed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings(preset, d)
	if err != nil {
		t.Fatal(err)
	}
	s.ModelSeed = seed
	r, err := run.Train(d, s, precision.Single, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := run.Score(d, r.Scored, r.ScoredBefore, s.Scoring(), s.EvalSeed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return scores, r.Trained.Rank
}
