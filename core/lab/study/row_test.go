package study

import (
	"math"
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		ours, seed, paper, std float64
		want                   Status
	}{{0.5, 0, 0.519, 0, "match"}, {0.5, 0, 0.53, 0, "below"}, {0.5, 0, 0.53, 0.04, "match"}, {0.5, 0.04, 0.53, 0, "match"}, {0.6, 0.04, 0.53, 0.01, "above"},
		{-0.0734, 0, -0.0734, 0, "match"}} {
		if got := StatusOf(c.ours, c.seed, c.paper, c.std); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Figures are averaged over trainings; the two spreads stay apart.
func TestSpreadsStayApart(t *testing.T) {
	training := func(value, fold, probe float64) *measure.Result {
		return &measure.Result{Hash: "x", RankS: 2, Scores: []evaluate.Score{
			{Embedding: "common", Target: "final", Metric: "macro_f1", Probe: 0.25},
			{Embedding: "private_1", Target: "final", Metric: "macro_f1", Value: value, FoldStd: fold, Untrained: 0.1, Probe: probe}}}
	}
	row := Row{Paper: new(0.5), PaperStd: new(0.01)}
	row.Fill(Collect([]*measure.Result{training(0.4, 0.02, 0.6), training(0.6, 0.04, 0.8)}, "private_1", "final", "macro_f1"), nil)
	for name, got := range map[string][2]float64{"ours": {*row.Ours, 0.5}, "fold_std": {*row.FoldStd, 0.03}, "seed_std": {*row.SeedStd, math.Sqrt(0.02)},
		"lowest": {*row.Lowest, 0.4}, "highest": {*row.Highest, 0.6},
		"probe": {*row.Probe, 0.7}, "probe_S": {*row.ProbeS, 0.25}, "rank": {*row.RankS, 2}} {
		if math.Abs(got[0]-got[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got[0], got[1])
		}
	}
	if row.Status != "match" || row.Trainings != 2 {
		t.Errorf("%+v", row)
	}
}

// For links, a method that trains nothing has no untrained figure; for labels both figures may be the same.
func TestUntrainedOfLinks(t *testing.T) {
	for target, blank := range map[string]bool{run.OfLinks: true, "final": false} {
		score := evaluate.Score{Embedding: "combined", Target: target, Metric: "auc", Value: .9, Untrained: .9, UntrainedStandardised: .9}
		var row Row
		row.Fill(Collect([]*measure.Result{{Scores: []evaluate.Score{score}}}, "combined", target, "auc"), nil)
		if (row.Untrained == nil) != blank || (row.UntrainedStandardised == nil) != blank {
			t.Errorf("%s: untrained %v", target, row.Untrained)
		}
	}
}
