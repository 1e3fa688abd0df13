package experiments

import (
	"maps"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

func tuneOrder(t *testing.T, search study.Search, options map[string]any) *study.Order {
	t.Helper()
	o, err := study.Order{Study: "tune", Example: "syn1", Methods: "dgi,pca", Level: "lite", Search: search, Trials: 9, Options: options}.Check(&Tune)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// Every method has as many trials, its usual settings first, all within its ranges, and the same ones whenever it is asked.
func TestTrials(t *testing.T) {
	o := tuneOrder(t, study.Random, map[string]any{"dgi.dim": "8"})
	for k, m := range tunedMethods(o) {
		if want := map[string]int{"cadem": 9, "dgi": 9, "pca": 5}[m.m.Name]; len(m.trials) != want || len(m.trials[0]) != 0 {
			t.Errorf("%s: %d trials, the first with %v", m.m.Name, len(m.trials), m.trials[0])
		}
		again := tunedMethods(o)[k]
		for i, trial := range m.trials {
			if !maps.Equal(trial, again.trials[i]) {
				t.Errorf("%s: %v, then %v", m.m.Name, trial, again.trials[i])
			}
			if _, has := trial[m.prefix+"epochs"]; has {
				t.Errorf("%s: the length of training is drawn: %v", m.m.Name, trial)
			}
			task := m.tasks(i, 1)[0]
			if err := property.SetAll(task.Options, m.m.Options()); err != nil || len(task.Options) < len(trial) {
				t.Errorf("%v of %v: %v", task.Options, trial, err)
			}
			if m.m.Name == "dgi" && (property.Text(task.Options["dim"]) != "8" || trial["dgi.dim"] != nil) {
				t.Errorf("a size that was given is drawn: %v", task.Options)
			}
		}
	}
	o = tuneOrder(t, study.GridSearch, map[string]any{"dgi.dim": "8,16", "dgi.lr": "0.01,0.1", "dim": "4,8,16"})
	for _, m := range tunedMethods(o) {
		if want := map[string]int{"cadem": 4, "dgi": 5, "pca": 1}[m.m.Name]; len(m.trials) != want {
			t.Errorf("%s: %d trials of a grid, expected %d", m.m.Name, len(m.trials), want)
		}
	}
	o = tuneOrder(t, study.Random, nil)
	o.Width = 16
	for _, m := range tunedMethods(o) {
		if task := m.tasks(0, 1)[0]; task.Width != 16 || len(task.Options) > 0 {
			t.Errorf("%s: width %d, options %v", m.m.Name, task.Width, task.Options)
		}
	}
}

// scoredByNumber makes results of tasks: the score of a trial is its number in hundredths, in inner folds of the first fold; in those of the second one
// the order is the other way round.
func scoredByNumber(tasks []study.Task, results study.Results) {
	for i := range tasks {
		task := &tasks[i]
		trial := 0.0
		if at := strings.Index(task.Name, "trial "); at >= 0 {
			for _, c := range task.Name[at+6:] {
				if c < '0' || c > '9' {
					break
				}
				trial = 10*trial + float64(c-'0')
			}
		}
		if results[task.Key()] == nil {
			fit := &evaluate.Fit{Value: trial / 100, Folds: []float64{trial / 100, trial / 200}, Inner: []float64{trial / 100, 1 - trial/100}}
			results[task.Key()] = &measure.Result{Key: task.Key(), Seconds: 1, Scores: []evaluate.Score{{Embedding: "combined", Target: "final", Metric: "macro_f1",
				Value: trial / 100, Folds: []float64{trial / 100, trial / 200}, Fitted: fit}}}
		}
	}
}

// Halving trains a third of the trials for longer, in each outer fold by its own inner folds alone, and takes the best of those that were trained in full.
func TestHalving(t *testing.T) {
	o, results := tuneOrder(t, study.Halving, nil), study.Results{}
	all := study.Studies{Tune}
	tasks, err := all.Plan(*o)
	if err != nil {
		t.Fatal(err)
	}
	rounds := 0
	for ; len(tasks) > 0; rounds++ {
		scoredByNumber(tasks, results)
		if tasks, err = all.More(*o, results); err != nil {
			t.Fatal(err)
		}
	}
	if rounds != 3 {
		t.Errorf("%d rounds of tasks, expected 3", rounds)
	}
	for _, m := range tunedMethods(o) {
		c := m.choose(results, "final")
		if c == nil {
			t.Fatalf("%s: nothing was chosen", m.m.Name)
		}
		// The first fold takes the trial with the highest number, the second the one with the lowest.
		if c.after[0] != map[string]float64{"cadem": 0.09, "dgi": 0.09, "pca": 0.05}[m.m.Name] || c.after[1] != 0.005 || c.before[0] != 0.01 {
			t.Errorf("%s: %v, before %v", m.m.Name, c.after, c.before)
		}
		if want := map[string]int{"cadem": 9 + 6 + 2, "dgi": 9 + 6 + 2, "pca": 5}[m.m.Name]; c.trainings != want {
			t.Errorf("%s: %d trainings, expected %d", m.m.Name, c.trainings, want)
		}
	}
	reports, err := all.Assemble(*o, results)
	if err != nil || len(reports[0].Rows) != 6 || !strings.Contains(reports[0].Setting, "Every method had 9 trials") {
		t.Errorf("%+v, %v", reports, err)
	}
}

// Options of a method have its name before them; others are refused by theirs.
func TestOptionsOfMethods(t *testing.T) {
	for want, options := range map[string]map[string]any{
		"dgi.din: found an unknown option of dgi, expected one of dgi.dim": {"dgi.din": 3},
		"dgi.dim: found \"-1\", expected a whole number":                   {"dgi.dim": -1},
		"vgae.dim: found an option of vgae, which is not compared":         {"vgae.dim": 8},
	} {
		_, err := study.Order{Study: "table2", Methods: "dgi", Options: options}.Check(&table2)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %s", options, err, want)
		}
	}
	tasks, err := All().Plan(study.Order{Study: "table2", Methods: "dgi", Seeds: 1, Options: map[string]any{"dgi.dim": 32}})
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		if has := property.Text(task.Options["dim"]) == "32"; has != (task.Method == "dgi") {
			t.Errorf("%s: %v", task.Name, task.Options)
		}
	}
}
