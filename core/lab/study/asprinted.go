package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/synth/examples"
)

// OtherSettings is the status of a figure that stands beside one of the paper, but was found
// with other settings or data, so that the two cannot be held against each other.
const OtherSettings Status = "other settings"

// DrawnHere is an entry of [Order.Differs].
const DrawnHere = "data drawn here"

// Differs lists in words what was done otherwise than for the paper's figures; none: they can be
// held against each other. These are the paper's settings:
//
//   - the preset released, the authors' program, which made the figures; printed follows the
//     text where the two part;
//   - tables I to IV, VII and XI on Syn1: the published data; drawn ones are other graphs;
//   - tables VI, VII and XI on real data: a graph with the nodes, features and edges of the
//     paper's, and like it with a link of every node to itself in each layer;
//   - table V: never, for the series of its subjects may not be passed on;
//   - every option at its usual value for the data: the published one, or that of the authors'
//     program where none is published. A setting of the experiment itself, as the completion of S
//     in tables III and IV, is an interpretation of an open point in the paper;
//   - any number of model seeds: the paper's figure is of one training, which the mean of ours
//     estimates; folds dealt by the experiment's seed; streams of either kind, the authors' being
//     those of the figures.
//
// Needs and examples are the study's: the data it needs, and the examples it draws, "" for files.
// Data describes the files, nil without any.
func (o *Order) Differs(needs Need, examples []string, data *run.Summary) []string {
	var list []string
	defaults := run.DefaultsOf
	switch {
	case needs == NeedCohort:
		list = append(list, "other subjects")
	case needs == NeedGraphs:
		list = append(list, "other data")
	case needs == NeedGraph && (data == nil || data.Paper == ""):
		list = append(list, "other data")
		defaults = func(string) map[string]any { return run.OwnDefaults }
	case needs == NeedGraph:
		for _, l := range data.Layers {
			if l.SelfLoops < data.Nodes {
				list = append(list, "data without the link of every node to itself")
				break
			}
		}
		for _, p := range run.PublishedSets() {
			if p.Name == data.Paper {
				defaults = func(string) map[string]any { return p.Defaults }
			}
		}
	case o.Data != Published && o.Options["instance"] != "published":
		list = append(list, DrawnHere)
	}
	if o.Preset != cadem.Presets[0] {
		list = append(list, "preset "+o.Preset)
	}
	if o.Width > 0 {
		list = append(list, fmt.Sprintf("width %d", o.Width))
	}
	usual := run.UsualSeeds.Eval
	if slices.Contains(examples, "syn4") {
		usual = Syn4Eval
	}
	if o.EvalSeed != nil && *o.EvalSeed != usual {
		list = append(list, fmt.Sprintf("evaluation seed %d", *o.EvalSeed))
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		value := property.Text(o.Options[name])
		if _, _, own := Own(name); own {
			continue // of another method, whose row says so
		}
		if name != "instance" && name != "streams" && slices.ContainsFunc(examples, func(e string) bool { return sets(o.Preset, e, defaults(e), name, value) }) {
			list = append(list, name+" = "+value)
		}
	}
	return list
}

// examplesOf lists the examples that tasks draw, "" for files.
func examplesOf(tasks []Task) []string {
	var list []string
	for i := range tasks {
		if e := tasks[i].Data.Example; !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}

// sets reports whether a value of an option is another than the usual one of an example, "" for
// files, whose defaults are given.
func sets(preset, example string, defaults map[string]any, name, value string) bool {
	if preset == Closed {
		return true // its figures are not the paper's anyhow
	}
	s, err := run.NewSettings(preset, &run.Dataset{Defaults: defaults})
	if err != nil {
		return true
	}
	if property.Has(s.CaDeM(), name) || property.Has(&s.Evaluation, name) {
		before := s.Values()[name]
		return s.Set(name, value) != nil || s.Values()[name] != before
	}
	g, err := examples.Lookup(example)
	if err != nil || !property.Has(g.Options(), name) {
		return true
	}
	o := g.Options()
	before := property.Values(o)[name]
	return property.Set(o, name, value) != nil || property.Values(o)[name] != before
}

// against says whether figures of the report can be held against the paper's.
func against(differs []string) string {
	if len(differs) == 0 {
		return " These are the paper's settings."
	}
	return " Not the paper's settings: " + strings.Join(differs, ", ") + "."
}

// Syn4Eval is the published seed of the folds.
const Syn4Eval = 10
