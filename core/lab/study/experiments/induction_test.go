package experiments

import (
	"slices"
	"strings"
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// The report computes who beats whom, figure by figure, and says what could not be done with the data; what was not run is left out.
func TestInductionSaysWhatIsFound(t *testing.T) {
	o := study.Order{Study: "induction", Preset: "released,evidence"}
	tasks, err := All().Plan(o)
	if err != nil || len(tasks) != 4 {
		t.Fatal(len(tasks), err)
	}
	found := func(task study.Task, model, mean [2]float64, f1 float64) *measure.Result {
		r := &measure.Result{Key: task.Key(), Words: []string{run.ByRetraining, run.ByModel, run.ByNeighbours, run.ByChance}}
		r.Arrays = []measure.Array{{Name: measure.ArrayWays, Shape: []int{4, 2}, Data: []float64{1, 0, model[0], model[1], mean[0], mean[1], .1, 1.5}},
			{Name: measure.ArrayHeld, Shape: []int{1, 1}, Data: []float64{10}}}
		for i, way := range r.Words {
			value := []float64{1, f1, .5, .2}[i]
			r.Scores = append(r.Scores, evaluate.Score{Embedding: way, Target: "shared", Metric: "macro_f1", Value: value})
		}
		return r
	}
	results := study.Results{}
	for i, r := range []*measure.Result{found(tasks[0], [2]float64{.9, .1}, [2]float64{.5, .4}, .8),
		{Key: tasks[1].Key(), Refused: "nodes with features"}, found(tasks[2], [2]float64{.4, 1.2}, [2]float64{.5, .9}, .8)} {
		results[tasks[i].Key()] = r
	}
	r := assembled(t, o, results)
	text := strings.Join(r.Findings, "\n")
	for _, want := range []string{"Syn1, released: the model beats the mean of the neighbours' S in distance (0.100 beside 0.400)",
		"Syn1, evidence: nodes with features",
		"Syn2, released: the model does not beat the mean of the neighbours' S in distance (1.200 beside 0.900), nearest (0.400 beside 0.500); " +
			"it does in macro-F1 of shared (0.800 beside 0.500)", "Syn2, released: the model beats random numbers"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if r.Missing != 1 || len(r.Sheets) != 1 || len(r.Sheets[0].Lines) != 9 || len(r.Charts) != 1 || strings.Contains(text, "Syn2, evidence") {
		t.Errorf("%d missing, sheets %v, findings %s", r.Missing, r.Sheets, text)
	}
}

// Brief orders of both experiments are carried out and reported, on drawn data and on files.
func TestModelsAreAsked(t *testing.T) {
	sets, files := twoSets()
	options := map[string]any{"epochs": 2, "inner_steps": 2, "hidden": 8}
	for name, want := range map[string]string{"induction": "the mean of the neighbours' S", "faithful": "the order of contributions"} {
		o := study.Order{Study: name, Preset: "released", Sets: sets[:1], Options: options}
		r := assembled(t, o, resultsOf(t, o, files))
		if r.Missing != 0 || len(r.Sheets) != 1 || !slices.ContainsFunc(r.Findings, func(s string) bool {
			return strings.HasPrefix(s, "first, released") && strings.Contains(s, want)
		}) {
			t.Errorf("%s: %d missing, %q", name, r.Missing, r.Findings)
		}
	}
}
