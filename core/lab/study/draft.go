package study

import (
	"fmt"
	"maps"
	"slices"

	"cadem.example/core/base/property"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth/examples"
)

// Task describes one training of the order on an example. Data and options are the
// study's own, which [Order.collide] keeps the order's apart from; of the order's, the task
// takes those that the example has.
func (o *Order) Task(example string, data, options map[string]any, model, seed int, specs ...measure.Spec) Task {
	var scored examples.Scoring
	for _, e := range examples.All() {
		if e.Name == example {
			scored = e.Task
		}
	}
	t := o.training(scored, options, model, specs...)
	t.Name = fmt.Sprintf("%s, seed %d", example, model)
	t.Data = run.DataSpec{Example: example, Options: maps.Clone(data), DataSeed: uint64(seed)}
	if t.Data.Options == nil {
		t.Data.Options = map[string]any{}
	}
	if o.DataSeeds > 1 {
		t.Name += fmt.Sprintf(", data %d", seed)
	}
	if o.Data == Published {
		t.Data.Options["instance"] = "published"
	}
	g, err := examples.Lookup(example)
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

// FileTask describes one training on the files of the order.
func (o *Order) FileTask(options map[string]any, model int, specs ...measure.Spec) Task {
	t := o.training(examples.Both, options, model, specs...)
	t.Name = fmt.Sprintf("%s, seed %d", o.Files[0].Name, model)
	t.Data = run.DataSpec{Files: o.Files, Choice: o.Choice, Reader: run.Reader}
	return t
}

// TaskOn describes one training on the data of the order: its files, or the example that it names.
func (o *Order) TaskOn(options map[string]any, model, seed int, specs ...measure.Spec) Task {
	if o.OfFiles() {
		return o.FileTask(options, model, specs...)
	}
	return o.Task(o.Example, nil, options, model, seed, specs...)
}

// training describes a training without its data: options are the study's own, beside those
// of the order that are of training and evaluation; scored is how the data are scored, as
// [run.Dataset.Task] names it.
func (o *Order) training(scored examples.Scoring, options map[string]any, model int, specs ...measure.Spec) Task {
	specs = o.Asks(specs...)
	t := Task{Preset: o.Preset, Options: maps.Clone(options), ModelSeed: uint64(model), EvalSeed: o.SeedOf(run.UsualSeeds.Eval, specs...), Measure: specs,
		Width: o.Width, Lenient: o.Links > 0}
	if t.Options == nil {
		t.Options = map[string]any{}
	}
	for name, v := range o.Options {
		if s := (run.Settings{}); property.Has(s.CaDeM(), name) || property.Has(&s.Evaluation, name) &&
			slices.ContainsFunc(specs, func(m measure.Spec) bool { return m.Evaluates(name, scored) }) {
			t.Options[name] = v
		}
	}
	return t
}

// Asks returns measures with what the order wants to know beside their scores.
func (o *Order) Asks(specs ...measure.Spec) []measure.Spec {
	specs = slices.Clone(specs)
	for i := range specs {
		specs[i].Predictions = o.Predictions && specs[i].Predicts()
	}
	return specs
}

// SeedOf returns the seed of a task that measures so: the order's, or else the usual one. A task
// that draws nothing by it keeps the usual one, so that what it finds serves every order.
func (o *Order) SeedOf(usual uint64, specs ...measure.Spec) uint64 {
	if o.EvalSeed != nil && slices.ContainsFunc(specs, func(m measure.Spec) bool { return m.Draws() }) {
		return *o.EvalSeed
	}
	return usual
}

// Each calls f for every pair of a model seed and a data seed.
func (o *Order) Each(f func(model, data int)) {
	for data := range o.DataSeeds {
		for model := range o.Seeds {
			f(model, data)
		}
	}
}

// Tasks returns the task of every pair of a model seed and a data seed.
func (o *Order) Tasks(task func(model, data int) Task) (tasks []Task) {
	o.Each(func(model, data int) { tasks = append(tasks, task(model, data)) })
	return tasks
}

// Texts returns the options of the order that a measurement has, as it takes them; nil for none.
func (o *Order) Texts(has func(name string) bool) map[string]string {
	var texts map[string]string
	for name, v := range o.Options {
		if has(name) {
			if texts == nil {
				texts = map[string]string{}
			}
			texts[name] = property.Text(v)
		}
	}
	return texts
}

// Trainings returns a training on an example for every pair of seeds, as [Order.Task] describes it. Their names end with what they have in common; "" for
// nothing.
func (o *Order) Trainings(example string, data, options map[string]any, what string, specs ...measure.Spec) []Task {
	return o.Tasks(func(model, seed int) Task {
		t := o.Task(example, data, options, model, seed, specs...)
		if what != "" {
			t.Name += ", " + what
		}
		return t
	})
}
