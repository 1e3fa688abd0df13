package experiments

import (
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

// ofSeeds returns the tasks of an order of table I that say where its seed stands.
func ofSeeds(t *testing.T, o study.Order) []study.Task {
	t.Helper()
	o.Study = "table1"
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(tasks, func(task study.Task) bool { return !strings.Contains(task.Name, "authors' streams") })
}

// In the authors' streams the seed of table I is the best of 200 before any training. The sentence follows the numbers.
func TestTable1AmongSeeds(t *testing.T) {
	o := study.Order{Data: study.Published, Seeds: 1}
	tasks := ofSeeds(t, o)
	results, err := (&study.Scheduler{}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	o.Study = "table1"
	report := func(results study.Results) *study.Report {
		list, err := All().Assemble(o, results)
		if err != nil {
			t.Fatal(err)
		}
		return list[0]
	}
	r := report(results)
	told(t, r, []string{"that is a rare one", "macro-F1 0.847, 0.855, 0.839", "over 200 seeds", "seed 15 scores 0.940, 0.897, 0.955: number 1 of 200",
		"(18, 62, 6 singly)", "printed are 0.990, 0.948, 0.979", "printed as combined are 0.8178 and 0.8200", "In folds of evaluation seed 10"}, nil)
	seeds := 0.0
	i := slices.IndexFunc(r.Charts, func(c chart.Chart) bool { return c.Name == "table1-seeds" })
	if i < 0 {
		t.Fatal("no histogram")
	}
	for _, n := range r.Charts[i].Series[0].Y {
		seeds += n
	}
	if c := r.Charts[i]; seeds != 200 || len(c.Series) != 4 || len(c.Series[0].Y) != len(c.Categories) {
		t.Errorf("a histogram of %g seeds: %+v", seeds, c)
	}

	// A part of the tasks: the report is of as many seeds.
	some := study.Results{}
	for _, task := range tasks[:3] {
		some[task.Key()] = results[task.Key()]
	}
	told(t, report(some), []string{"over 60 seeds", "number 1 of 60"}, []string{"Trained, seed 15", "In folds of"})
	delete(some, tasks[0].Key()) // with the seed itself
	told(t, report(some), nil, []string{"one model seed"})

	// Another seed is the best.
	first := *results[tasks[0].Key()]
	first.Arrays = slices.Clone(first.Arrays)
	a := &first.Arrays[0]
	if a.Name != measure.ArraySeeds {
		t.Fatalf("the first array is %s", a.Name)
	}
	a.Data = slices.Clone(a.Data)
	copy(a.Data[15*4:], []float64{15, 0.1, 0.1, 0.1})
	changed := study.Results{tasks[0].Key(): &first}
	told(t, report(changed), []string{"that is not a rare one", "seed 15 scores 0.100, 0.100, 0.100: number 20 of 20"}, []string{"a rare one,"})
}

// Only an order with the paper's data and settings asks for them; the streams are no other setting.
func TestSeedsOfThePaper(t *testing.T) {
	with := func(data study.Source, options map[string]any, preset string) int {
		return len(ofSeeds(t, study.Order{Data: data, Seeds: 1, Options: options, Preset: preset}))
	}
	all := with(study.Published, nil, "")
	if all != triedSeeds/seedsATask+2 {
		t.Errorf("%d tasks", all)
	}
	if n := with(study.Published, map[string]any{"streams": "authors", "epochs": 140}, ""); n != all {
		t.Errorf("%d tasks with the authors' streams, %d without", n, all)
	}
	for what, n := range map[string]int{
		"drawn data":    with(study.Drawn, nil, ""),
		"epochs":        with(study.Published, map[string]any{"epochs": 6}, ""),
		"weights":       with(study.Published, map[string]any{"weight_causal": 0}, ""),
		"another level": with(study.Published, nil, "refined"),
	} {
		if n != 0 {
			t.Errorf("%s: %d tasks", what, n)
		}
	}
	if n := with(study.Published, nil, "released,refined"); n != all {
		t.Errorf("%d tasks with two presets", n)
	}
}
