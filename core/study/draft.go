package study

import (
	"fmt"
	"maps"
	"slices"

	"cadem/core/property"
	"cadem/core/synth"
)

// task describes one training of the order on an example. Data and options are the
// study's own, which [Order.collide] keeps the order's apart from; of the order's, the task
// takes those that the example has.
func (o *Order) task(example string, data, options map[string]any, model, seed int, measure ...Measure) Task {
	scored := ""
	for _, e := range Examples() {
		if e.Name == example {
			scored = e.Task
		}
	}
	t := o.training(scored, options, model, measure...)
	t.Name = fmt.Sprintf("%s, seed %d", example, model)
	t.Data = DataSpec{Example: example, Options: maps.Clone(data), DataSeed: uint64(seed)}
	if t.Data.Options == nil {
		t.Data.Options = map[string]any{}
	}
	if o.DataSeeds > 1 {
		t.Name += fmt.Sprintf(", data %d", seed)
	}
	if o.Data == "published" {
		t.Data.Options["instance"] = "published"
	}
	g, err := synth.Lookup(example)
	if err != nil {
		panic(err) // the studies' own names
	}
	for name, v := range o.Options {
		if property.Has(g.Options(), name) {
			t.Data.Options[name] = v
			delete(t.Options, name)
		}
	}
	return t
}

// fileTask describes one training on the files of the order.
func (o *Order) fileTask(options map[string]any, model int, measure ...Measure) Task {
	t := o.training("both", options, model, measure...)
	t.Name = fmt.Sprintf("%s, seed %d", o.Files[0].Name, model)
	t.Data = DataSpec{Files: o.Files, Choice: o.Choice}
	return t
}

// training describes a training without its data: options are the study's own, beside those
// of the order that are of training and evaluation; scored is how the data are scored, as
// [Dataset.Task] names it.
func (o *Order) training(scored string, options map[string]any, model int, measure ...Measure) Task {
	t := Task{Preset: o.Preset, Options: maps.Clone(options), ModelSeed: uint64(model), EvalSeed: o.evalSeed(UsualSeeds.Eval, measure...), Measure: measure}
	if t.Options == nil {
		t.Options = map[string]any{}
	}
	for name, v := range o.Options {
		if s := (Settings{}); property.Has(&s.Training, name) || property.Has(&s.Evaluation, name) && slices.ContainsFunc(measure, func(m Measure) bool { return m.evaluates(name, scored) }) {
			t.Options[name] = v
		}
	}
	return t
}

// evalSeed returns the seed of a task that measures so: the order's, or else the usual one. A task
// that draws nothing by it keeps the usual one, so that what it finds serves every order.
func (o *Order) evalSeed(usual uint64, measure ...Measure) uint64 {
	if o.EvalSeed != nil && slices.ContainsFunc(measure, func(m Measure) bool { return m.draws() }) {
		return *o.EvalSeed
	}
	return usual
}

// each calls f for every pair of a model seed and a data seed.
func (o *Order) each(f func(model, data int)) {
	for data := range o.DataSeeds {
		for model := range o.Seeds {
			f(model, data)
		}
	}
}
