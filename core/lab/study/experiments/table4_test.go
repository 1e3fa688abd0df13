package experiments

import (
	"maps"
	"strings"
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study"
)

// The learning rate that the report of table IV names is the one its combined embedding is classified at.
func TestTable4NamesItsRate(t *testing.T) {
	combined := func(scores []evaluate.Score) float64 {
		for _, s := range scores {
			if s.Embedding == "combined" && s.Metric == "macro_f1" {
				return s.Value
			}
		}
		t.Fatal("no score of the combined embedding")
		return 0
	}
	values := map[string]map[float64]float64{} // by task and rate
	for _, c := range []struct {
		option any
		want   string
		rate   float64
	}{{nil, "a learning rate of 0.1. The paper prints 0.1 ", 0.1}, {0.01, "a learning rate of 0.01. The paper prints 0.1 ", 0.01}} {
		o := study.Order{Study: "table4", Options: tinyFor(study.Order{Study: "table4"})}
		o.Options["eval_epochs"] = 30
		if c.option != nil {
			o.Options["eval_lr"] = c.option
		}
		tasks, results, reports := reported(t, o, nil)
		if text := strings.Join(reports[0].Findings, "\n"); strings.Count(text, c.want) != 1 {
			t.Errorf("%q does not stand once in\n%s", c.want, text)
		}
		for i := range tasks {
			task := &tasks[i]
			if len(task.Needs) == 0 {
				continue
			}
			value := values[task.Name]
			for _, rate := range []float64{0.1, 0.01} {
				if value[rate] != 0 {
					continue // from the other order, whose tasks differ in the rate alone
				}
				again := *task
				again.Options = maps.Clone(task.Options)
				again.Options["eval_lr"] = rate
				for _, key := range task.Needs {
					again.Inputs = append(again.Inputs, results[key])
				}
				r, err := again.Run(nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				if value == nil {
					value = map[float64]float64{}
					values[task.Name] = value
				}
				value[rate] = combined(r.Scores)
			}
			if got := combined(results[task.Key()].Scores); got != value[c.rate] || value[0.1] == value[0.01] {
				t.Errorf("%s, rate %v: %v, of the rates %v", task.Name, c.rate, got, value)
			}
		}
	}
}
