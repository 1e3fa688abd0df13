package experiments

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "cadem.example/core/baseline/all"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// Where CaDeM draws as the authors' program does, methods beside it are scored in the same folds.
func TestMethodsInTheSameFolds(t *testing.T) {
	tasks, err := All().Plan(study.Order{Study: "table2", Methods: "random", Seeds: 1, Options: map[string]any{"streams": "authors"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 1+5 || tasks[0].Options["streams"] != "authors" || tasks[1].Options["fold_deal"] != "published" || tasks[1].Options["streams"] != nil {
		t.Errorf("%+v", tasks)
	}
}

// Encoders that are not trained have 24 seeds where that takes a few seconds, in whatever experiment they stand.
func TestCheapRowsHaveManySeeds(t *testing.T) {
	file := func(size int64) []run.FileSpec {
		return []run.FileSpec{{Name: "a.edges", Size: size, Sum: strings.Repeat("0", 32)}}
	}
	for _, c := range []struct {
		order study.Order
		want  int
	}{
		{study.Order{Study: "table2", Data: study.Published, Seeds: 5}, 24},
		{study.Order{Study: "claims", Example: "town", Seeds: 10}, 24},
		{study.Order{Study: "table2", Data: study.Published, Seeds: 1}, 1},
		{study.Order{Study: "table2", Seeds: 5, DataSeeds: 2}, 10},
		{study.Order{Study: "table6", Files: file(9_000), Seeds: 5}, 24},
		{study.Order{Study: "claims", Files: file(9_000), Seeds: 5}, 24},
		{study.Order{Study: "table6", Files: file(2_000_000), Seeds: 5}, 5},
	} {
		tasks, err := All().Plan(c.order)
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]int{}
		for i := range tasks {
			of[tasks[i].Method]++
		}
		if of["random"] != c.want || of["untrained"] != c.want || of["pca"] > max(1, c.order.DataSeeds) {
			t.Errorf("%+v: %v, expected %d of random and of untrained, which draw, and one of pca, which does not", c.order, of, c.want)
		}
	}
}

// Methods are trained on CaDeM's data, once for each pair of seeds, or once for all if they draw nothing; their rows say
// the cost, and sentences the differences.
func TestMethodsBesideCaDeM(t *testing.T) {
	o := study.Order{Study: "table2", Methods: "random,pca,features", Seeds: 2, Options: map[string]any{"nodes": 60, "epochs": 2, "eval_epochs": 5}}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 2+2+2+1+1+1 {
		t.Errorf("%d tasks, expected 2 of CaDeM, 2 of random and of untrained, and one each of pca, features and the closed form, which draw nothing", len(tasks))
	}
	ticks := 0.0
	results, err := (&study.Scheduler{Workers: 1, Clock: func() float64 { ticks++; return ticks }}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	for name, trainings := range map[string]int{"Random encoder": 2, "Principal components": 1, "CaDeM": 2} {
		row := r.RowOf(name, "final", "macro_f1", "")
		if row == nil || row.Trainings != trainings || row.Seconds == nil || *row.Seconds != 1 {
			t.Fatalf("%s: %+v, expected %d trainings of one tick", name, row, trainings)
		}
		if other := name != "CaDeM"; other != (row.Untrained == nil) || other != (row.Level == train.Official) {
			t.Errorf("%s: %+v", name, row)
		}
	}
	if row := r.RowOf("Random encoder", "final", "macro_f1", ""); row.Parameters == nil || *row.Parameters != 3*256*(60+8) {
		t.Errorf("parameters of the random encoder: %+v", row)
	}
	bothReaders(t, r)
	if r.RowOf("Raw features", "final", "macro_f1", "") != nil {
		t.Error("a method that was refused has a row")
	}
	for _, want := range []string{"Raw features was not run: data: found nodes without features, expected features of the nodes, which features needs; ",
		"Macro-F1 on final: of 10 pairs of methods, ", "Macro-F1 on final by the well-fitted reader: of 10 pairs of methods, ",
		" are not read alike by the reader with fixed rate and epochs", " between CaDeM and 4 other methods"} {
		if !slices.ContainsFunc(r.Findings, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("no sentence with %q in %q", want, r.Findings)
		}
	}
	if len(r.Held) != 2 || len(r.Held[0].Lines) != 5 || len(r.Sheets) != 4 || len(r.Sheets[1].Lines) != 11 {
		t.Errorf("tables of differences: %v", r.Sheets)
	}
	if !strings.Contains(r.Setting, "beside 3 other methods, with official settings") {
		t.Errorf("setting %q", r.Setting)
	}
}

// Table VI is about an example as about files: methods classify its nodes, a level other than their own is said of them everywhere, and
// nothing of the paper stands beside.
func TestMethodsOnAnExample(t *testing.T) {
	o := study.Order{Study: "table6", Example: "town", Methods: "pca,dgi", Level: train.Lite, DataSeeds: 2,
		Options: map[string]any{"nodes": 60, "epochs": 2, "eval_epochs": 3}}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 2*8 {
		t.Errorf("%d tasks, expected 2 of CaDeM and one each of pca, dgi, untrained, random, features and the closed form for two data seeds", len(tasks))
	}
	results, err := (&study.Scheduler{Workers: 1}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	row := r.RowOf("DGI", "shared", "macro_f1", "")
	if row == nil || row.Dataset != "town" || row.Level != train.Lite || row.Paper != nil || row.Trainings != 2 {
		t.Errorf("DGI: %+v", row)
	}
	if !strings.Contains(r.Setting, "of town, 2 data seeds") {
		t.Errorf("setting %q", r.Setting)
	}
	if !strings.Contains(fmt.Sprint(r.Held), "DGI (lite)") || strings.Contains(strings.Join(r.Findings, " "), "paper") {
		t.Errorf("held against each other: %v; sentences %q", r.Held, r.Findings)
	}
	o.Example = "village"
	if _, err := All().Plan(o); err == nil || !strings.Contains(err.Error(), "town") {
		t.Errorf("of an unknown example: %v", err)
	}
}

// On the paper's settings CaDeM's place is held against the paper's; figures at the level lite, or of data that were drawn here,
// are not.
func TestPlaceAmongMethods(t *testing.T) {
	o := study.Order{Study: "table2", Methods: "dgi,mvgrl", Level: train.Lite, Seeds: 1, Data: study.Published}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tasks[1:] {
		if !slices.Contains(standing, tasks[i+1].Method) && tasks[i+1].Level != train.Lite {
			t.Errorf("%s is at level %q", tasks[i+1].Name, tasks[i+1].Level)
		}
	}
	results := study.Results{}
	for i := range tasks {
		value := 0.9
		switch tasks[i].Method {
		case "dgi":
			value = 0.6
		case "mvgrl":
			value = 0.95
		}
		results[tasks[i].Key()] = scoring(&tasks[i], value)
	}
	said := func(o study.Order, want string) bool {
		t.Helper()
		reports, err := All().Assemble(o, results)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(reports[0].Findings, func(s string) bool { return regexp.MustCompile(want).MatchString(s) })
	}
	const place = "In the paper CaDeM is number "
	if said(o, place) {
		t.Error("the level lite is held against the paper")
	}
	o.Level = ""
	official, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range official {
		r := *results[tasks[i].Key()]
		r.Key = official[i].Key()
		results[r.Key] = &r
	}
	want := place + `1 of these 3 methods, here number 2\. .*the other side of 1 .*1 of them by more than chance.*not reproduced.* MVGRL\.`
	if !said(o, want) || !said(o, `tau .* of the 3 methods .*\(macro_f1\): 0\.33, p = `) {
		reports, _ := All().Assemble(o, results)
		t.Errorf("findings %q, expected %q", reports[0].Findings, want)
	}
}

// scoring is the result of a task whose folds all have nearly the same value.
func scoring(task *study.Task, value float64) *measure.Result {
	s := evaluate.Score{Embedding: "combined", Target: "final", Metric: "macro_f1", Value: value}
	for fold := range 5 {
		s.Folds = append(s.Folds, value+0.001*float64(fold))
	}
	return &measure.Result{Key: task.Key(), Name: task.Name, Scores: []evaluate.Score{s}}
}

func TestMethodsAreChecked(t *testing.T) {
	for want, o := range map[string]study.Order{
		`methods: found "dgy", expected one of cadem, closed, deepwalk`:                                    {Study: "table2", Methods: "dgy"},
		"methods: dgi is listed twice":                                                                     {Study: "table2", Methods: "dgi,dgi"},
		"methods: found graph2vec for table2, which embeds nodes, expected one of cadem, closed, deepwalk": {Study: "table2", Methods: "graph2vec"},
		"methods: found deepwalk for table5, which embeds graphs, expected one of cadem, closed, vgae":     {Study: "table5", Methods: "deepwalk"},
		"methods: found dgi for table1, expected cadem alone: the experiment compares no methods":          {Study: "table1", Methods: "dgi"},
		"level: found lite for table1, expected none: the experiment compares no methods":                  {Study: "table1", Level: "lite"},
		`level: found "lit", expected official or lite`:                                                    {Study: "table2", Methods: "dgi", Level: "lit"},
		"preset: found released,printed beside methods, expected one preset, ": {Study: "table2", Methods: "dgi",
			Preset: "released,printed"},
	} {
		if _, err := All().Plan(o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, expected %s", o, err, want)
		}
	}
	all, err := All().Plan(study.Order{Study: "table2", Methods: "all", Seeds: 1})
	if err != nil {
		t.Fatal(err)
	}
	fit := 0
	for _, m := range train.Methods() {
		if !slices.Contains(m.Needs, train.Graphs) {
			fit++
		}
	}
	if len(all) != fit {
		t.Errorf("%d tasks, expected one of each of the %d methods of nodes", len(all), fit)
	}
}

// Methods embed all scans of a cohort with one set of weights.
func TestMethodsOnScans(t *testing.T) {
	o := study.Order{Study: "table5", Methods: "random,graph2vec", Options: map[string]any{"subjects": 5, "keep": 30, "eval_epochs": 5}}
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	tasks = slices.DeleteFunc(tasks, func(task study.Task) bool { return task.Method == "" })
	if len(tasks) != 2 {
		t.Fatalf("%d tasks of methods, expected 2", len(tasks))
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	row := reports[0].RowOf("Random encoder", "condition", "macro_f1", "")
	if row == nil || row.Ours == nil || row.Dataset != "synthetic cohort" {
		t.Errorf("the random encoder on %d scans: %+v", 5*len(cohort.Conditions), row)
	}
	printed := reports[0].RowOf("Graph2Vec", "condition", "macro_f1", "")
	if printed == nil || printed.Paper == nil || printed.Ours == nil || printed.Status != study.OtherSettings {
		t.Errorf("graph2vec: %+v", printed)
	}
}

// No row of lite settings that the paper's reader has at chance, and a well-fitted one has not, is without a word that says so; those of walks, which once
// were such, no longer are.
func TestLiteRowsAreReadable(t *testing.T) {
	methods := "deepwalk,node2vec"
	if os.Getenv("CADEM_LONG") != "" {
		methods = "all"
	}
	o, err := study.Order{Study: "table2", Methods: methods, Level: train.Lite, Data: study.Published, Seeds: 1}.Check(&table2)
	if err != nil {
		t.Fatal(err)
	}
	c := syn1Contest(o)
	var tasks []study.Task
	for _, m := range o.Compared() {
		tasks = append(tasks, c.tasks(m)...)
	}
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	r := &study.Report{}
	c.rows(o, results, r, "macro_f1")
	for _, m := range o.Compared() {
		s := results[c.tasks(m)[0].Key()].Score("combined", "final", "macro_f1")
		if s == nil {
			continue // it was refused
		}
		row := r.Rows[slices.IndexFunc(r.Rows, func(row study.Row) bool { return strings.EqualFold(row.Method, m.Label) && row.Ours != nil })]
		atChance := s.Value <= s.Fitted.Chance+0.03
		t.Logf("%s: %.3f, fitted %.3f, by chance %.3f: %s", m.Name, s.Value, s.Fitted.Value, s.Fitted.Chance, row.Word)
		if atChance && s.Fitted.Value > s.Fitted.Chance+0.15 && row.Word == "" {
			t.Errorf("%s has %.3f, fitted %.3f, and no word", m.Name, s.Value, s.Fitted.Value)
		}
		if atChance && m.Family == train.Walks {
			t.Errorf("%s is at chance by the paper's reader: %.3f", m.Name, s.Value)
		}
	}
}

// On files of one's own, what a model without training gets stands beside the trained scores: figures from one training; from ten a sentence,
// which says of each method whether the trained model is above it by more than the interval of the paired test.
func TestWithoutTraining(t *testing.T) {
	sets, files := twoSets()
	short := map[string]any{"epochs": 2, "inner_steps": 1, "hidden": 8, "eval_epochs": 2}
	labels := []string{"All layers together", "Principal components, unit columns", "Union spectral"}
	for _, experiment := range []string{"table6", "tune"} {
		for _, seeds := range []int{1, 10} {
			o := study.Order{Study: experiment, Files: sets[0].Files, Seeds: seeds, Options: short, Search: study.Random, Trials: 2}
			all := All()
			if experiment == "tune" {
				all = study.Studies{Tune}
			} else {
				o.Search, o.Trials = "", 0
			}
			tasks, err := all.Plan(o)
			if err != nil {
				t.Fatal(err)
			}
			results, err := (&study.Scheduler{Files: files}).Run(tasks)
			if err != nil {
				t.Fatal(err)
			}
			reports, err := all.Assemble(o, results)
			if err != nil {
				t.Fatal(err)
			}
			r := reports[0]
			said := slices.DeleteFunc(slices.Clone(r.Findings), func(s string) bool { return !strings.Contains(s, "of what needs no training") })
			if len(said) > 0 != (seeds == 10) {
				t.Errorf("%s, %d seeds: %q", experiment, seeds, said)
			}
			for _, label := range labels {
				if !slices.ContainsFunc(r.Rows, func(row study.Row) bool { return row.Method == label && row.Ours != nil }) {
					t.Errorf("%s: %s has no figure", experiment, label)
				}
				for _, s := range said {
					what, sentence, _ := strings.Cut(s, ": of what needs no training, ")
					k := slices.IndexFunc(r.Tests, func(test study.Test) bool { return test.What == what && test.B == label })
					beaten, _, _ := strings.Cut(sentence, "; it does not beat so")
					if k < 0 || strings.Contains(beaten, label) != (r.Tests[k].Low > 0) || !strings.Contains(sentence, label) {
						t.Errorf("%s: %q of %s, %+v", experiment, s, label, r.Tests)
					}
				}
			}
		}
	}
}
