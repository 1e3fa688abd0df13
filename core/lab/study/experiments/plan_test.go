package experiments

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/lab/study"
)

// Settings that cannot fit together are refused before any task is run, under the name of the first that has them.
func TestPlanChecksSettings(t *testing.T) {
	for _, c := range []struct {
		order study.Order
		want  string
	}{
		{study.Order{Study: "table1", Options: map[string]any{"dim": 2}},
			"syn1, seed 0: heads: found 4, expected a divisor of the embedding size 2"},
		{study.Order{Study: "table1", Options: map[string]any{"heads": 3}, Preset: study.Closed},
			"syn1, seed 0: heads: found 3, expected a divisor of the embedding size 8"},
		{study.Order{Study: "table2", Options: map[string]any{"heads": 7}, Methods: "random"},
			"syn1, seed 0: heads: found 7, expected a divisor of the embedding size 8"},
		{study.Order{Study: "table2", Options: map[string]any{"nodes": -1}}, "syn1, seed 0: nodes: found \"-1\", expected a whole number from 2 to 5000"},
		{study.Order{Study: "table2", Options: map[string]any{"graphs": "augmented", "augmented": 0}}, "syn1, seed 0: augmented: found 0, expected at least 1"},
		{study.Order{Study: "table5", Options: map[string]any{"dim": 6}},
			"encoders of all scans, seed 0: heads: found 4, expected a divisor of the embedding size 6"},
		{study.Order{Study: "table5", Options: map[string]any{"frames": 1}}, "graphs of scans 1 to 15: frames: found \"1\", expected a whole number from "},
	} {
		tasks, err := All().Plan(c.order)
		var refused *diag.Error
		if !errors.As(err, &refused) || !refused.Option || !strings.HasPrefix(err.Error(), c.want) || tasks != nil {
			t.Errorf("%s with %v: %v, expected %s", c.order.Study, c.order.Options, err, c.want)
		}
	}
}

// Another evaluation seed deals other folds of the same trainings; what no such seed draws is not
// trained anew.
func TestEvaluationSeedOfAnOrder(t *testing.T) {
	seed := uint64(7)
	for _, experiment := range []string{"table1", "table4", "tsne", "posterior", "identify", "table5"} {
		plan := func(seed *uint64) map[string]bool {
			tasks, err := All().Plan(study.Order{Study: experiment, EvalSeed: seed})
			if err != nil {
				t.Fatal(experiment, err)
			}
			keys := map[string]bool{}
			for i := range tasks {
				keys[tasks[i].Key()] = len(tasks[i].Needs) == 0
			}
			return keys
		}
		usual, other := plan(nil), plan(&seed)
		differ, shared := 0, 0
		for key := range other {
			if _, same := usual[key]; same {
				shared++
			} else {
				differ++
			}
		}
		if differ == 0 || experiment == "table4" && shared != 180 || experiment == "table5" && shared < 60 {
			t.Errorf("%s: %d tasks differ, %d are shared", experiment, differ, shared)
		}
	}

	o := study.Order{Study: "table2", Seeds: 1, Options: map[string]any{"nodes": 40, "epochs": 2, "eval_epochs": 5}}
	usual := carriedOut(t, o)
	o.EvalSeed = &seed
	other := carriedOut(t, o)
	row := func(r *study.Report) float64 { return *figureOf(r, t, "combined", "").Ours }
	if row(usual) == row(other) || !strings.Contains(other.Setting, "Evaluation seed 7.") ||
		!strings.Contains(other.Setting, "data drawn here, evaluation seed 7") || strings.Contains(usual.Setting, "Evaluation seed") {
		t.Errorf("%v and %v; %s", row(usual), row(other), other.Setting)
	}

	var refused *diag.Error
	if _, err := All().Plan(study.Order{Study: "regions", EvalSeed: &seed}); !errors.As(err, &refused) || refused.Where != "eval_seed" {
		t.Errorf("regions, which draw nothing by it: %v", err)
	}
}

// The page offers predictions of every study that classifies, but for those that say that they have none: no other refuses them.
func TestPredictionsOfAllThatClassify(t *testing.T) {
	asked := 0
	for _, s := range All() {
		if !s.Classifies {
			continue
		}
		o := study.Order{Study: s.Name, Seeds: 1, DataSeeds: 1, Predictions: true}
		invented(t, s.Needs, &o)
		if _, err := All().Plan(o); (err != nil) != slices.Contains(s.Without, "predictions") {
			t.Errorf("%s, without %v: %v", s.Name, s.Without, err)
		}
		asked++
	}
	if asked < 5 {
		t.Errorf("%d studies classify", asked)
	}
}
