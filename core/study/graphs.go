package study

import (
	"fmt"

	"cadem/core/synth"
)

// planGraphs trains all graphs, each by itself from the same seed.
func planGraphs(o *Order, completion string, model, data int) []Task {
	var tasks []Task
	for sample := range synth.Syn4Samples {
		t := o.task("syn4", map[string]any{"sample": sample}, map[string]any{"completion": completion}, model, data, Measure{Kind: "pool"})
		t.Name += fmt.Sprintf(", graph %d, completion %s", sample, completion)
		tasks = append(tasks, t)
	}
	return tasks
}

// together is a task that measures the results of others.
func (o *Order) together(name string, of []Task, m Measure) Task {
	t := o.task("syn4", nil, nil, 0, 0, m)
	t.Name, t.EvalSeed = name, o.evalSeed(syn4Eval, m)
	for i := range of {
		t.Needs = append(t.Needs, of[i].Key())
	}
	return t
}
