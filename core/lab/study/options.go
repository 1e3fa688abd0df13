package study

import (
	"maps"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/project"
	"cadem.example/core/synth/examples"
)

// uses returns the names of the options that an order of these studies may have.
func (all Studies) uses(o Order) []string {
	o.Seeds, o.DataSeeds, o.Options = 1, 1, nil // more of them take the same ones
	every, names := map[string]any{}, []string(nil)
	for _, p := range knownOptions() {
		if _, ok := every[p.Name]; !ok { // some are of several parts
			every[p.Name], names = property.Text(p.Default), append(names, p.Name)
		}
	}
	taken, barred := map[string]bool{}, map[string]bool{}
	for i := range all {
		s := &all[i]
		full, err := o.Check(s)
		if err != nil {
			return nil
		}
		own := s.plan(full)
		full.Options = every
		tasks := s.plan(full)
		for name, value := range every {
			full.Options = map[string]any{name: value}
			barred[name] = barred[name] || full.refuse(s) != nil || s.sets(own, name)
			taken[name] = taken[name] || takenBy(tasks, name) || s.counted(full, name)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return barred[name] || !taken[name] })
}

// takenBy reports whether an option is among those of any task.
func takenBy(tasks []Task, name string) bool {
	return slices.ContainsFunc(tasks, func(t Task) bool { return t.takes(name) })
}

// sets reports whether the study's tasks without options have one anyway, and keep it.
func (s *Study) sets(own []Task, name string) bool {
	return takenBy(own, name) && !slices.Contains(s.Yields, name)
}

const ofStudies = "an option of its data, of training or of what it measures"

// takes reports whether an option is among those of the task.
func (t *Task) takes(name string) bool {
	_, data := t.Data.Options[name]
	_, own := t.Options[name]
	if method, option, ok := Own(name); ok {
		_, own = t.Options[option]
		return own && t.Method == method
	}
	return data || own || slices.ContainsFunc(t.Measure, func(m measure.Spec) bool { return m.Options[name] != "" })
}

// counted reports whether an option says how many scans the study draws.
func (s *Study) counted(o *Order, name string) bool { return name == s.Counts && !o.OfFiles() }

// refuse refuses options that no task of the study can have, and those of how a cohort is drawn
// where its scans are files.
func (o *Order) refuse(s *Study) error {
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if slices.Contains(s.Without, name) {
			return diag.Option(name, "an option that "+s.Name+" cannot have", ofStudies)
		}
		if s.counted(o, name) { // no task would look at its value
			if err := property.Set(measure.OfScans.Drawn(), name, property.Text(o.Options[name])); err != nil {
				return err
			}
		}
		if s.Needs == NeedCohort && o.OfFiles() && measure.OfScans.Has(name) && !measure.OfScans.HasStep(name) {
			return diag.Option(name, "an option of the synthetic cohort beside files", "an option of how graphs are made of scans, of training or of what is measured")
		}
	}
	return nil
}

// collide refuses options that the study itself sets to distinguish its rows: with one value for
// all of them the names of the rows would be wrong.
func (o *Order) collide(s *Study) error {
	if len(o.Options) == 0 || s.Searches != nil {
		return nil
	}
	own := *o
	own.Options = nil
	tasks := s.plan(&own)
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if s.sets(tasks, name) {
			return diag.Option(name, "one value for all of "+s.Name, "an option that the experiment does not set itself")
		}
	}
	return nil
}

// known reports whether some part of a study has an option of that name.
func known(name string) bool {
	return slices.ContainsFunc(knownOptions(), func(p property.Property) bool { return p.Name == name })
}

// knownOptions are the options of all parts of all studies; some names are in several of them.
func knownOptions() []property.Property {
	s := run.Settings{}
	list := slices.Concat(property.Table(s.CaDeM()), property.Table(&s.Evaluation), property.Table(&project.TSNEOptions{}),
		property.Table(&measure.SharingOptions{}), measure.Options(), property.Table(&measure.NumberOptions{}),
		measure.OfScans.Steps(), property.Table(measure.OfScans.Drawn()))
	for _, g := range examples.All() {
		list = append(list, property.Table(g.Options())...)
	}
	return list
}
