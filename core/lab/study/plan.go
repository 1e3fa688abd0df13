package study

import (
	"fmt"
	"maps"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/lab/study/measure"
)

// ordered returns the studies that an order names: one, or all that draw their data.
func (all Studies) ordered(o *Order) (Studies, error) {
	if o.Study == "all" {
		return slices.DeleteFunc(slices.Clone(all), func(s Study) bool { return s.Needs != NeedNothing || s.AnyExample || s.Apart }), nil
	}
	if s := all.Lookup(o.Study); s != nil {
		return Studies{*s}, nil
	}
	var names []string
	for _, s := range all {
		names = append(append(names, s.Name), s.Also...)
	}
	return nil, property.Unknown("study", fmt.Sprintf("%q", o.Study), o.Study, append(names, "all"))
}

// Plan returns the tasks of an order, each once; those that need others come after them.
// An order that cannot be carried out gives a [*diag.Error], behind the name of the task that cannot.
func (all Studies) Plan(o Order) ([]Task, error) {
	list, err := all.ordered(&o)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if _, _, own := Own(name); !own && !known(name) {
			return nil, property.Unknown(name, "an unknown option", name, list.uses(o))
		}
	}
	tasks, idle, err := list.tasks(o)
	if idle != "" {
		return nil, property.Unknown(idle, "an option that "+o.Study+" does not use", idle, list.uses(o))
	}
	if err != nil {
		return nil, err
	}
	for i := range tasks {
		if err := tasks[i].Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", tasks[i].Name, err)
		}
	}
	return tasks, nil
}

// More returns the tasks that follow from results of an order's tasks, without those that are among the results.
func (all Studies) More(o Order, results Results) ([]Task, error) {
	list, err := all.ordered(&o)
	if err != nil {
		return nil, err
	}
	var tasks []Task
	for i := range list {
		full, err := o.Check(&list[i])
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, list[i].more(full, results)...)
	}
	return slices.DeleteFunc(Distinct(tasks), func(t Task) bool { return results[t.Key()] != nil }), nil
}

// tasks is [Studies.Plan] of the studies that an order names, except for an option that is of no use, which it returns.
func (all Studies) tasks(o Order) (tasks []Task, idle string, err error) {
	for i := range all {
		full, err := o.Check(&all[i])
		if err != nil {
			return nil, "", err
		}
		if err := full.refuse(&all[i]); err != nil {
			return nil, "", err
		}
		if err := full.collide(&all[i]); err != nil {
			return nil, "", err
		}
		tasks = append(tasks, all[i].plan(full)...)
	}
	tasks = Distinct(tasks)
	if o.EvalSeed != nil && !slices.ContainsFunc(tasks, func(t Task) bool {
		return slices.ContainsFunc(t.Measure, func(m measure.Spec) bool { return m.Draws() })
	}) {
		return nil, "", diag.Option("eval_seed", fmt.Sprintf("%d for %s, which draws nothing by it", *o.EvalSeed, o.Study), "an experiment that scores")
	}
	if o.Predictions && !slices.ContainsFunc(tasks, func(t Task) bool {
		return slices.ContainsFunc(t.Measure, func(m measure.Spec) bool { return m.Predictions })
	}) {
		return nil, "", diag.Option("predictions", "them of "+o.Study+", which classifies nothing", "them of an experiment that trains a classifier")
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if !takenBy(tasks, name) && !slices.ContainsFunc(all, func(s Study) bool { return s.counted(&o, name) }) {
			return nil, name, nil
		}
	}
	return tasks, "", nil
}

// Distinct leaves out every task that computes what one before it does.
func Distinct(tasks []Task) []Task {
	seen := map[string]bool{}
	var list []Task
	for _, t := range tasks {
		if key := t.Key(); !seen[key] {
			seen[key] = true
			list = append(list, t)
		}
	}
	return list
}
