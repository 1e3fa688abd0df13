package experiments

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/train"
)

// graphFiles are the files of a multiplex graph of two layers whose edges show three groups.
func graphFiles(name string, seed uint64) []formats.File {
	const nodes = 30
	src := rng.New(seed, "graph files")
	var edges, labels strings.Builder
	labels.WriteString("nodeID,group\n")
	for i := range nodes {
		fmt.Fprintf(&labels, "%d,%c\n", i+1, 'a'+rune(i%3))
		for j := range i {
			for layer := range 2 {
				if p := src.Float64(); p < 0.1 || i%3 == j%3 && p < 0.7 {
					fmt.Fprintf(&edges, "%d %d %d 1\n", layer+1, i+1, j+1)
				}
			}
		}
	}
	return []formats.File{{Name: name + ".edges", Data: []byte(edges.String())}, {Name: name + "_labels.csv", Data: []byte(labels.String())}}
}

// twoSets are two such graphs as an order names them, and their contents.
func twoSets() ([]study.FileSet, *run.Files) {
	first, second := graphFiles("first", 1), graphFiles("second", 2)
	_, contents := run.InMemory(slices.Concat(first, second))
	a, _ := run.InMemory(first)
	b, _ := run.InMemory(second)
	return []study.FileSet{{Files: a}, {Files: b}}, contents
}

var quick = map[string]any{"epochs": 3, "inner_steps": 2, "hidden": 8, "eval_epochs": 4}

// results runs an order on files.
func resultsOf(t *testing.T, o study.Order, files *run.Files) study.Results {
	t.Helper()
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&study.Scheduler{Files: files}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func assembled(t *testing.T, o study.Order, results study.Results) *study.Report {
	t.Helper()
	reports, err := All().Assemble(o, results)
	if err != nil || len(reports) != 1 {
		t.Fatal(err)
	}
	return reports[0]
}

// One report holds tables VI, VII and XI of several data sets, each as in a report of its own.
func TestSeveralDataSets(t *testing.T) {
	sets, files := twoSets()
	for experiment, variants := range map[string][]string{"table6": {"", "match"}, "table7": {"match", "match+selfsup", "match+causal", "all"},
		"table11": {"augmentation_off", "augmentation_on"}} {
		o := study.Order{Study: experiment, Sets: sets, Options: quick}
		results := resultsOf(t, o, files)
		r := assembled(t, o, results)
		tasks := 2 * len(variants)
		if experiment == "table6" {
			tasks += 2 * (len(standing) + len(train.Without))
		}
		if r.Missing != 0 || r.Tasks != tasks {
			t.Errorf("%s: %d of %d tasks are missing, expected %d", experiment, r.Missing, r.Tasks, tasks)
		}
		rows, charts, said := 0, 0, map[int]bool{}
		var found []string
		for i, set := range sets {
			name := []string{"first", "second"}[i]
			alone := study.Order{Study: experiment, Files: set.Files, Options: quick}
			one := assembled(t, alone, results)
			for k := range one.Rows {
				if got, want := &r.Rows[rows+k], &one.Rows[k]; !reflect.DeepEqual(got, want) || one.Rows[k].Dataset != name {
					t.Errorf("%s: row %+v, alone %+v", experiment, got, want)
				}
				if !slices.Contains(found, one.Rows[k].Variant) {
					found = append(found, one.Rows[k].Variant)
				}
			}
			for _, text := range one.Findings { // what is said of both sets stands there once, without their names
				k := slices.IndexFunc(r.Findings, func(got string) bool { return got == name+": "+text || got == text })
				if k < 0 {
					t.Errorf("%s: no finding %q of %s", experiment, text, name)
				}
				said[k] = true
			}
			rows, charts = rows+len(one.Rows), charts+len(one.Charts)
		}
		if rows == 0 || rows != len(r.Rows) || len(said) != len(r.Findings) || charts < 2 || charts != len(r.Charts) || !slices.Equal(found, variants) {
			t.Errorf("%s: %d of %d rows, %d of %d findings, %d of %d charts, variants %q", experiment, rows, len(r.Rows), len(said), len(r.Findings), charts,
				len(r.Charts), found)
		}
		names := map[string]bool{}
		for _, c := range r.Charts {
			names[c.Name] = true
		}
		if len(names) != len(r.Charts) || !strings.Contains(r.Setting, "Files: first.edges, first_labels.csv. Files: second.edges") {
			t.Errorf("%s: charts %v; %s", experiment, names, r.Setting)
		}
	}
}

// A data set of the paper stands beside the figures that its table prints of it, and of no other.
func TestPrintedRowsOfFiles(t *testing.T) {
	sets, files := twoSets()
	for _, c := range []struct {
		study, paper string
		printed      map[string]float64 // macro-F1 by variant
	}{
		{"table7", "ACM", map[string]float64{"match": 0.8658, "match+selfsup": 0.9152, "match+causal": 0.9169, "all": 0.9287}},
		{"table7", "DBLP", map[string]float64{}},
		{"table11", "DBLP", map[string]float64{"augmentation_off": 0.8339, "augmentation_on": 0.8497}},
		{"table11", "IMDB", map[string]float64{"augmentation_off": 0.6571, "augmentation_on": 0.6667}},
		{"table11", "", map[string]float64{}},
	} {
		o := study.Order{Study: c.study, Files: sets[0].Files, Options: quick}
		results := resultsOf(t, o, files)
		for _, r := range results {
			r.Summary.Paper = c.paper // as of the data that the paper has
		}
		r := assembled(t, o, results)
		got := map[string]float64{}
		for _, row := range r.Rows {
			if row.Metric == "macro_f1" && row.Paper != nil {
				got[row.Variant] = *row.Paper
			}
			if row.Ours == nil || row.Target != "group" || c.paper != "" && row.Dataset != c.paper {
				t.Errorf("%s of %q: %+v", c.study, c.paper, row)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.printed) {
			t.Errorf("%s of %q prints %v, expected %v", c.study, c.paper, got, c.printed)
		}
		said := strings.Contains(strings.Join(r.Findings, "\n"), map[bool]string{true: "prints nothing", false: "has no figures of " + c.paper}[c.paper == ""])
		if said != (len(c.printed) == 0) {
			t.Errorf("%s of %q: %q", c.study, c.paper, r.Findings)
		}
	}
}

// Orders under the names that the experiments had first are the same orders.
func TestOtherNamesOfStudies(t *testing.T) {
	for old, name := range map[string]string{"ablation": "table7", "augmentation": "table11"} {
		keys := func(experiment string) (list []string) {
			tasks, err := All().Plan(study.Order{Study: experiment})
			if err != nil {
				t.Fatal(err)
			}
			for i := range tasks {
				list = append(list, tasks[i].Key())
			}
			return list
		}
		if a, b := keys(old), keys(name); !slices.Equal(a, b) || len(a) == 0 {
			t.Errorf("%s has %d tasks, %s %d others", old, len(a), name, len(b))
		}
	}
}

func TestDataSetsThatAreRefused(t *testing.T) {
	sets, _ := twoSets()
	unsummed := []study.FileSet{sets[0], {Files: []run.FileSpec{{Name: "b.edges", Size: 3}}}}
	for name, c := range map[string]struct {
		o    study.Order
		want string
	}{
		"the same twice":          {study.Order{Study: "table6", Sets: []study.FileSet{sets[0], sets[1], sets[0]}}, "sets 1 and 3 with the same files"},
		"an empty one":            {study.Order{Study: "table7", Sets: []study.FileSet{sets[0], {}}}, "no file in set 2"},
		"beside files":            {study.Order{Study: "table7", Sets: sets, Files: sets[0].Files}, "2 sets of files"},
		"of a study that draws":   {study.Order{Study: "table2", Sets: sets}, "2 sets of files"},
		"without sums":            {study.Order{Study: "table6", Sets: unsummed}, "b.edges without the sum"},
		"beside published data":   {study.Order{Study: "table7", Sets: sets, Data: "published"}, "\"published\""},
		"seeds of data":           {study.Order{Study: "table11", Sets: sets, DataSeeds: 2}, "files are not drawn"},
		"nothing, where needed":   {study.Order{Study: "table6"}, "no files"},
		"files of all studies":    {study.Order{Study: "all", Sets: sets}, "2 sets of files"},
		"an option of Syn1's":     {study.Order{Study: "table7", Sets: sets, Options: map[string]any{"nodes": 30}}, "does not use"},
		"what the variants set":   {study.Order{Study: "table11", Sets: sets, Options: map[string]any{"augmented": 3}}, "one value for all"},
		"a cohort's, with graphs": {study.Order{Study: "table5", Sets: sets}, "2 sets of files"},
	} {
		_, err := All().Plan(c.o)
		var refused *diag.Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
	}
}
