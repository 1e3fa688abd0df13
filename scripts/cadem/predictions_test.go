package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study"
)

// Everything is in the answer: from the folds and predictions that are printed, or written, every score of all embeddings together can be computed again, and
// a repeat has the same bytes.
func TestPredictionsOfStudies(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"study", "table2", "-methods", "deepwalk", "-level", "lite", "-seeds", "2", "-predictions", "-untimed", "-json", "-out", "r.csv",
		"-set", "nodes=40", "-set", "epochs=2", "-set", "eval_epochs=5"}
	files := func() (all string) {
		out, _, err := command(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		all = out
		for _, name := range []string{"r.csv", "r-tests.csv", "r-predictions.csv"} {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all += "\n" + string(data)
		}
		return all
	}
	first := files()
	if files() != first {
		t.Error("a repeat has other bytes")
	}
	var o studyOutput
	line, _, _ := strings.Cut(first, "\n")
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		t.Fatal(err)
	}
	checkScoredAgain(t, &o)
	for _, test := range o.Tests {
		if test.Independent <= 0 || !strings.Contains(test.Words, "difference") {
			t.Errorf("%+v", test)
		}
	}
	checkTables(t, &o)
}

// checkScoredAgain computes scores from what is printed of folds.
func checkScoredAgain(t *testing.T, o *studyOutput) {
	t.Helper()
	classes := map[string]int{}
	number := func(words []string) (list []int) {
		for _, w := range words {
			if _, seen := classes[w]; !seen {
				classes[w] = len(classes)
			}
			list = append(list, classes[w])
		}
		return list
	}
	checked := map[string]int{}
	for _, row := range o.Rows {
		if row.Embedding != "combined" || row.Metric != "macro_f1" || row.Ours == nil {
			continue
		}
		for k, key := range row.Keys {
			i := slices.IndexFunc(o.Tasks, func(d study.Done) bool { return d.Key == key })
			var again []float64
			for _, f := range o.Tasks[i].Folds {
				if f.Target == row.Target {
					again = append(again, evaluate.MacroF1(number(f.Truth), number(f.Predicted)))
				}
			}
			if !slices.EqualFunc(again, row.Folds[k], func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
				t.Errorf("%s on %s: %v, from its predictions %v", row.Method, row.Target, row.Folds[k], again)
			}
			checked[row.Method]++
		}
	}
	if checked["CaDeM"] != 2 || checked["DeepWalk"] != 2 || checked["Closed form"] != 1 {
		t.Errorf("checked %v", checked)
	}
}

// checkTables looks for seeds, what trainings took, tests and predictions in the tables that programs read.
func checkTables(t *testing.T, o *studyOutput) {
	t.Helper()
	read := func(name string) []map[string]string {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var list []map[string]string
		for _, line := range lines[1:] {
			row := map[string]string{}
			for k, title := range lines[0] {
				row[title] = line[k]
			}
			list = append(list, row)
		}
		return list
	}
	walks := slices.IndexFunc(read("r.csv"), func(row map[string]string) bool {
		return row["method"] == "DeepWalk" && row["metric"] == "macro_f1" && row["model seeds"] == "0; 1" && row["data seeds"] == "0; 0" &&
			row["parameters each"] != "" && strings.Count(row["folds"], " ") > 4
	})
	if walks < 0 {
		t.Errorf("no row of DeepWalk with its seeds: %v", read("r.csv"))
	}
	if tests := read("r-tests.csv"); len(tests) != len(o.Tests) || tests[0]["words"] != o.Tests[0].Words {
		t.Errorf("%d tests in the table, %d printed", len(tests), len(o.Tests))
	}
	tested := 0
	for _, d := range o.Tasks {
		for _, f := range d.Folds {
			tested += len(f.Test)
		}
	}
	for _, line := range read("r-predictions.csv") {
		if line["part"] == "test" && line["class"] != "" && line["predicted"] != "" {
			tested--
		}
	}
	if tested != 0 {
		t.Errorf("%d predictions more are printed than in the table", tested)
	}
}

// Predictions are asked for of experiments that classify, and of no others.
func TestNoPredictions(t *testing.T) {
	if _, _, err := command(t, "study", "tsne", "-json", "-predictions"); err == nil || !strings.Contains(err.Error(), "which classifies nothing") {
		t.Errorf("%v", err)
	}
}
