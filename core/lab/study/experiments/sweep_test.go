package experiments

import (
	"math"
	"strings"
	"testing"

	"cadem.example/core/lab/study"
)

// A sweep trains every combination, and each cell of its maps is the figure of a training with those options.
func TestSweepIsItsTrainings(t *testing.T) {
	o := study.Order{Study: "sweep", Example: "syn1", Seeds: 1, Options: map[string]any{"nodes": "40", "epochs": "1,2", "dim": "4,8", "hidden": "8",
		"eval_epochs": "3", "noise": "0.1,0.2,0.3"}}
	all := study.Studies{Sweep}
	tasks, err := all.Plan(o)
	if err != nil || len(tasks) != 12 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := all.Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	one := tasks[8] // dim=8, epochs=1, noise=0.3
	if one.Options["dim"] != "8" || one.Options["epochs"] != "1" || one.Options["noise"] != "0.3" {
		t.Fatalf("%v", one.Options)
	}
	s := results[one.Key()].Score("common", "final", "macro_f1")
	found := false
	for _, row := range r.Rows {
		if row.Variant == "dim=8 epochs=1 noise=0.3" && row.Embedding == "common" && row.Target == "final" && row.Metric == "macro_f1" {
			found = *row.Ours == s.Value && *row.Untrained == s.Untrained
		}
	}
	if !found {
		t.Errorf("no row with %v", s.Value)
	}
	maps := 0
	for _, c := range r.Charts {
		if strings.HasPrefix(c.Name, "sweep-common-final-macro_f1-trained") {
			maps++
			if c.Name == "sweep-common-final-macro_f1-trained-2" && (c.Cells.Values[2] != s.Value || !strings.HasSuffix(c.Title, ", dim=8")) {
				t.Errorf("%s: %v", c.Title, c.Cells)
			}
		}
	}
	if maps != 2 {
		t.Errorf("%d maps of a figure, expected one for each dim", maps)
	}
	if _, err := all.Plan(study.Order{Study: "sweep", Example: "syn9"}); err == nil || !strings.Contains(err.Error(), "one of the examples") {
		t.Errorf("%v", err)
	}
}

// A selection by inner folds is scored in outer folds alone: each by the combination with the best inner score there.
func TestSweepSelectsByInnerFolds(t *testing.T) {
	o := study.Order{Study: "sweep", Example: "syn1", Seeds: 2, Options: map[string]any{"nodes": "30", "epochs": "1", "dim": "4,8", "hidden": "4",
		"folds": "2", "heads": "1", "nested_select": "on"}}
	all := study.Studies{Sweep}
	tasks, err := all.Plan(o)
	if err != nil || len(tasks) != 4 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	results := study.Results{}
	computed, err := (&study.Scheduler{}).Run(tasks[:1])
	if err != nil {
		t.Fatal(err)
	}
	real := computed[tasks[0].Key()]
	for _, s := range real.Scores {
		for _, c := range s.Selected {
			if s.Metric == "macro_f1" && (c.Inner <= 0 || c.Inner > 1) {
				t.Errorf("inner score %v", c.Inner)
			}
		}
	}
	inner := [4][2]float64{{0.5, 0.4}, {0.5, 0.9}, {0.6, 0.3}, {0.4, 0.8}} // dim=4 with seeds 0 and 1, then dim=8
	outer := [4][2]float64{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}, {0.7, 0.8}}
	for i := range tasks {
		one := *real
		one.Key, one.Scores = tasks[i].Key(), nil
		for _, s := range real.Scores {
			s.Selected = append(s.Selected[:0:0], s.Selected...)
			for f := range inner[i] {
				s.Selected[f].Inner = inner[i][f]
			}
			s.Folds, s.UntrainedFolds = outer[i][:], outer[3-i][:]
			one.Scores = append(one.Scores, s)
		}
		results[one.Key] = &one
	}
	reports, err := all.Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	want := ((0.5+0.2)/2 + (0.3+0.4)/2) / 2 // seed 0: dim=8, then dim=4; seed 1: dim=4 in both
	for _, row := range reports[0].Rows {
		if row.Variant == "selected" && row.Embedding == "combined" {
			if math.Abs(*row.Ours-want) > 1e-12 || row.Trainings != 2 {
				t.Errorf("%s: %v of %d trainings, expected %v", row.Target, *row.Ours, row.Trainings, want)
			}
			return
		}
	}
	t.Error("no row of what was selected")
}

// Methods of a sweep have as many trials each, listed or drawn, one width if that is asked for, and each its row of what inner folds selected.
func TestSweepOfMethods(t *testing.T) {
	o := study.Order{Study: "sweep", Example: "syn1", Seeds: 1, Methods: "dgi,random", Level: "lite", Width: 12, Options: map[string]any{"nodes": 20, "epochs": 1,
		"hidden": 4, "folds": 2, "heads": 1, "nested_select": "on", "weight_causal": "0,1,2", "dgi.epochs": 2, "dgi.lr": "0.001,0.01"}}
	all := study.Studies{Sweep}
	tasks, err := all.Plan(o)
	if err != nil || len(tasks) != 3+2+3 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	results, err := (&study.Scheduler{}).Run([]study.Task{tasks[0], tasks[3], tasks[5]}) // of each method one trial; the others are given the same
	if err != nil {
		t.Fatal(err)
	}
	for i := range tasks {
		of := tasks[0]
		for _, k := range []int{3, 5} {
			if i >= k {
				of = tasks[k]
			}
		}
		one := *results[of.Key()]
		one.Key = tasks[i].Key()
		results[one.Key] = &one
	}
	reports, err := all.Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	if !strings.Contains(r.Setting, "Trials: CaDeM 3, DGI 2, Random encoder 3;") {
		t.Errorf("the budget is not told: %s", r.Setting)
	}
	if !strings.HasPrefix(r.Findings[0], "Macro-F1 on ") || !strings.Contains(r.Findings[0], "of what inner folds selected: ") {
		t.Errorf("the first finding is %q", r.Findings[0])
	}
	chosen := map[string]bool{}
	for _, row := range r.Rows {
		if row.Target == "final" && row.Metric == "macro_f1" && row.Embedding == "combined" {
			chosen[row.Method] = chosen[row.Method] || row.Variant == "selected" && len(row.Folds[0]) == 2
			if row.Variant != "selected" && (row.Width == nil || *row.Width != 12) {
				t.Errorf("%s, %s: width %v", row.Method, row.Variant, row.Width)
			}
		}
	}
	if !chosen["CaDeM"] || !chosen["DGI"] || !chosen["Random encoder"] {
		t.Errorf("no row of what was selected: %v", chosen)
	}
	if r.Tests == nil {
		t.Error("the differences are not tested")
	}
	o.Trials = 2
	if tasks, err = all.Plan(o); err != nil || len(tasks) != 3*2 {
		t.Errorf("%d tasks of 2 trials each, %v", len(tasks), err)
	}
	o.Options["dim"] = 4
	if _, err = all.Plan(o); err == nil || !strings.Contains(err.Error(), "dim: found a size beside the width of all methods") {
		t.Errorf("%v", err)
	}
}
