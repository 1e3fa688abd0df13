package study

import (
	"fmt"
	"slices"
	"strings"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/diag"
	"cadem/core/evaluate"
	"cadem/core/property"
	"cadem/core/run"
	"cadem/core/study/measure"
)

// A Scope says what the methods of a study have to embed.
type Scope string

const (
	Nodes  Scope = "nodes"  // of one graph
	Graphs Scope = "graphs" // each as a whole
)

// cademName is the name of CaDeM in the table of methods. Its rows are in every study.
const cademName = "cadem"

// fits tells whether a method can be in a study of that scope, whatever its data hold.
func (s Scope) fits(m *baseline.Method) bool {
	other := baseline.Graphs
	if s == Graphs {
		other = baseline.OneGraph
	}
	return !slices.Contains(m.Needs, other)
}

// checkMethods reads the names of methods and the level, and fills them in.
func (o *Order) checkMethods(s *Study) error {
	asked := o.Methods != "" && o.Methods != cademName
	if s.Methods == "" {
		if asked && o.Study != "all" {
			return diag.Option("methods", fmt.Sprintf("%s for %s", o.Methods, s.Name), "cadem alone: the experiment compares no methods")
		}
		if o.Level != "" && o.Study != "all" {
			return diag.Option("level", fmt.Sprintf("%s for %s", o.Level, s.Name), "none: the experiment compares no methods")
		}
		o.Methods, o.Level = cademName, ""
		return nil
	}
	switch o.Level {
	case "":
		o.Level = baseline.Official
	case baseline.Official, baseline.Lite:
	default:
		return diag.Option("level", fmt.Sprintf("%q", o.Level), baseline.Official+" or "+baseline.Lite)
	}
	var able, all []string
	for _, m := range baseline.Methods() {
		all = append(all, m.Name)
		if s.Methods.fits(&m) {
			able = append(able, m.Name)
		}
	}
	names := []string{cademName} // all are held against it
	switch {
	case o.Methods == "all":
		names = able
	case asked:
		for _, name := range strings.Split(o.Methods, ",") {
			switch {
			case !slices.Contains(all, name):
				return property.Unknown("methods", fmt.Sprintf("%q", name), name, append(all, "all"))
			case !slices.Contains(able, name):
				return diag.Option("methods", fmt.Sprintf("%s for %s, which embeds %s", name, s.Name, s.Methods), "one of "+strings.Join(able, ", "))
			case name != cademName && slices.Contains(names, name):
				return diag.Option("methods", name+" twice", "it once")
			case name != cademName:
				names = append(names, name)
			}
		}
	}
	if len(names) > 1 && strings.Contains(o.Preset, ",") {
		return diag.Option("preset", o.Preset+" beside methods", "one preset, which all of them are held against")
	}
	o.Methods = strings.Join(names, ",")
	return nil
}

// Compared returns the methods of an order that was checked, without CaDeM.
func (o *Order) Compared() []*baseline.Method {
	var list []*baseline.Method
	for _, name := range strings.Split(o.Methods, ",") {
		if name == cademName {
			continue
		}
		m, err := baseline.Lookup(name)
		if err != nil {
			panic(err) // checkMethods knows it
		}
		list = append(list, m)
	}
	return list
}

// With describes what a task of CaDeM's does with a method in its place: on the same data, at the level of the order, and
// with the same options of evaluation. Those of training are CaDeM's own.
func (o *Order) With(m *baseline.Method, t Task, specs ...measure.Spec) Task {
	t.Name += ", " + m.Name
	t.Preset, t.Method, t.Level = "", m.Name, m.Nearest(o.Level).Name
	t.EvalSeed, t.Measure = o.SeedOf(run.UsualSeeds.Eval, specs...), specs
	if m.Fixed {
		t.ModelSeed = 0
	}
	of := map[string]any{}
	for name, v := range t.Options {
		if property.Has(&evaluate.Options{}, name) {
			of[name] = v
		}
	}
	t.Options = of
	return t
}

// methodSettings are those of a task of a method.
func (t *Task) methodSettings(d *run.Dataset) (*run.Settings, error) {
	m, err := run.NewMethodSettings(t.Method, t.Level, d)
	if err != nil {
		return nil, err
	}
	for name, v := range t.Options {
		if err := m.Set(name, property.Text(v)); err != nil {
			return nil, err
		}
	}
	m.ModelSeed = t.ModelSeed
	return &run.Settings{Training: cadem.Released(), Evaluation: m.Evaluation, Compared: m}, nil
}
