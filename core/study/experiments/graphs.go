package experiments

import (
	"fmt"

	"cadem/core/study"
	"cadem/core/study/measure"
	"cadem/core/synth"
)

// planGraphs trains all graphs, each by itself from the same seed.
func planGraphs(o *study.Order, completion string, model, data int) []study.Task {
	var tasks []study.Task
	for sample := range synth.Syn4Samples {
		t := o.Task("syn4", map[string]any{"sample": sample}, map[string]any{"completion": completion}, model, data, measure.Spec{Kind: measure.Pool})
		t.Name += fmt.Sprintf(", graph %d, completion %s", sample, completion)
		tasks = append(tasks, t)
	}
	return tasks
}

// together is a task that measures the results of others.
func together(o *study.Order, name string, of []study.Task, m measure.Spec) study.Task {
	t := o.Task("syn4", nil, nil, 0, 0, m)
	t.Name, t.EvalSeed = name, o.SeedOf(study.Syn4Eval, m)
	for i := range of {
		t.Needs = append(t.Needs, of[i].Key())
	}
	return t
}
