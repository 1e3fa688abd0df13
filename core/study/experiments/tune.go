package experiments

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cadem/core/baseline"
	"cadem/core/evaluate"
	"cadem/core/figure"
	"cadem/core/kernel"
	"cadem/core/property"
	"cadem/core/rng"
	"cadem/core/study"
	"cadem/core/study/measure"
)

// Tune trains every method with as many settings as every other one, and scores what inner folds choose among them. It is not an experiment of
// the paper, and so not among [All].
var Tune = study.Study{
	Name: "tune", Title: "Every method with the same number of trials", Seeds: 1, DataSeeds: 1, Classifies: true, Takes: study.NeedGraph, AnyExample: true,
	Methods: study.Nodes, Searches: true,
	Text: "The first trial of every method has its usual settings. The others have settings that are drawn: each number among its options within a factor " +
		"of four of the usual one, but for those that say how long it trains; or the values that -set lists. What is chosen, is chosen for each outer " +
		"fold by what a well-fitted reader tells in inner folds of what that trains on, or of the validation nodes of a split, so that no node " +
		"that is scored has a part in it. \"fitted\" is the score of the choice by that reader, \"here\" by the paper's combiner.",
	Plan: func(o *study.Order) []study.Task {
		return study.PlanSets(o, func(o *study.Order) []study.Task { return planTune(o, nil) })
	},
	More: func(o *study.Order, results study.Results) []study.Task {
		return study.PlanSets(o, func(o *study.Order) []study.Task { return planTune(o, results) })
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		study.AssembleSets(o, results, r, assembleTune)
	},
}

// A tuned is a method whose settings are tried.
type tuned struct {
	o      *study.Order
	m      *baseline.Method
	trials []map[string]any // the first are the usual settings
	budget string           // the option that says how long it trains; "" where there is none
	full   float64          // its usual value
}

// drawnWithin is by how much drawn numbers are larger or smaller than the usual ones, at most.
const drawnWithin = 4

// length tells of an option that says how long a method trains, or when it stops.
func length(name string) bool {
	return slices.ContainsFunc([]string{"epoch", "patience", "steps", "outer", "inner", "tolerance", "iterations", "batch"}, func(part string) bool {
		return strings.Contains(name, part)
	})
}

// tunedOf draws the trials of a method.
func tunedOf(o *study.Order, m *baseline.Method) (*tuned, error) {
	t := &tuned{o: o, m: m}
	usual := t.task(nil, 0, 0)
	s, err := usual.Usual()
	if err != nil {
		return nil, err
	}
	values, fixed := property.Values(s.Options), map[string]any{}
	if o.Width > 0 && values["dim"] != nil {
		fixed["dim"] = o.Width
	}
	var axes []axis
	given := o.Options
	if m.Name != baseline.NameOfCaDeM {
		given = o.OwnOptions(m.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if list := strings.Split(property.Text(given[name]), ","); property.Has(s.Options, name) && len(list) > 1 {
			axes = append(axes, axis{name, list})
		}
	}
	for _, name := range []string{"epochs", "outer"} {
		if n, ok := values[name].(int); ok && t.budget == "" {
			t.budget, t.full = name, float64(n)
		}
	}
	var free []property.Property
	for _, p := range property.Table(s.Options) {
		_, set := given[p.Name]
		if fixed[p.Name] == nil && !set && !length(p.Name) && (p.Kind == "int" || p.Kind == "float") && number(values[p.Name]) > 0 {
			free = append(free, p)
		}
	}
	t.trials = []map[string]any{fixed}
	if o.Search == study.GridSearch {
		for _, point := range gridOver(axes) {
			trial := maps.Clone(fixed)
			for k, v := range point {
				trial[axes[k].name] = v
			}
			if len(axes) > 0 {
				t.trials = append(t.trials, trial)
			}
		}
		return t, nil
	}
	if len(axes) > 0 {
		free = nil // these are what is asked for
	}
	src := rng.New(0, "study/tune/"+m.Name)
	for tries := 0; len(t.trials) < o.Trials && tries < 20*o.Trials && len(free)+len(axes) > 0; tries++ {
		trial := maps.Clone(fixed)
		for _, a := range axes {
			trial[a.name] = a.values[src.IntN(len(a.values))]
		}
		for _, p := range free {
			trial[p.Name] = draw(&p, number(values[p.Name]), src)
		}
		task := t.task(trial, 0, 0)
		other := false
		for name, v := range trial {
			other = other || property.Text(v) != property.Text(values[name])
		}
		if other && task.Check() == nil && !slices.ContainsFunc(t.trials, func(other map[string]any) bool { return maps.Equal(other, trial) }) {
			t.trials = append(t.trials, trial)
		}
	}
	return t, nil
}

func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// draw draws a number about the usual one: whole numbers of it times a power of two, others from the logarithmic uniform distribution.
func draw(p *property.Property, usual float64, src *rng.Stream) any {
	factor := float64(int(1)<<src.IntN(5)) / drawnWithin
	if p.Kind == "float" {
		factor = kernel.Exp(float64((2*src.Float64() - 1) * kernel.Log(drawnWithin)))
	}
	x := usual * factor
	if p.Min != nil {
		x = max(x, *p.Min)
	}
	if p.Max != nil {
		x = min(x, *p.Max)
	}
	if p.Kind == "int" {
		return int(max(1, x))
	}
	x, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		panic(err) // it was written so
	}
	return x
}

// gridOver returns every combination of values, the last axis fastest.
func gridOver(axes []axis) [][]string {
	grid := [][]string{nil}
	for _, a := range axes {
		var next [][]string
		for _, point := range grid {
			for _, v := range a.values {
				next = append(next, append(slices.Clone(point), v))
			}
		}
		grid = next
	}
	return grid
}

// task is a trial for a pair of seeds.
func (t *tuned) task(trial map[string]any, model, data int) study.Task {
	bare := *t.o
	bare.Options = map[string]any{}
	for name, v := range t.o.Options {
		if text := property.Text(v); !strings.Contains(text, ",") {
			bare.Options[name] = v
		}
	}
	spec := measure.Spec{Kind: measure.Classes, Embeddings: []string{"combined"}, Fitted: true}
	if t.m.Name == baseline.NameOfCaDeM {
		task := bare.TaskOn(nil, model, data, spec)
		maps.Copy(task.Options, trial)
		return task
	}
	if t.m.Fixed {
		model = 0
	}
	task := bare.With(t.m, bare.TaskOn(nil, model, data, measure.Spec{Kind: measure.Combined, Fitted: true}))
	maps.Copy(task.Options, trial)
	return task
}

// tasks returns the tasks of a trial for all pairs of seeds, trained for a part of the usual length.
func (t *tuned) tasks(trial int, part float64) (tasks []study.Task) {
	options := maps.Clone(t.trials[trial])
	if part < 1 {
		options[t.budget] = max(1, int(float64(t.full*part)))
	}
	t.o.Each(func(model, data int) {
		task := t.task(options, model, data)
		if task.Name += fmt.Sprintf(", trial %d", trial+1); part < 1 {
			task.Name += fmt.Sprintf(" for 1/%.0f of its length", 1/part)
		}
		tasks = append(tasks, task)
	})
	return tasks
}

// rungs are the parts of their length for which trials are trained: a third of them goes on to three times as much.
func (t *tuned) rungs() []float64 {
	if t.o.Search == study.Halving && t.budget != "" {
		return []float64{1. / 9, 1. / 3, 1}
	}
	return []float64{1}
}

// alive returns, for every pair of seeds and outer fold, the trials that go on to the last of so many rungs, best first; nil where results of
// a rung before are missing. Each fold goes by its own inner folds: those of others have seen what it tests.
func (t *tuned) alive(rungs int, results study.Results, target string) [][][]int {
	var alive [][][]int // by pair of seeds and fold
	for k, part := range t.rungs()[:rungs] {
		scores := map[int][]*evaluate.Score{}
		pairs := 0
		for trial := range t.trials {
			if alive != nil && !used(alive, trial) {
				continue
			}
			tasks := t.tasks(trial, part)
			pairs = len(tasks)
			for _, task := range tasks {
				r := results[task.Key()]
				if r == nil {
					return nil
				}
				var s *evaluate.Score
				if r.Refused == "" {
					s = r.Score("combined", target, "macro_f1")
				}
				scores[trial] = append(scores[trial], s)
			}
		}
		next := make([][][]int, pairs)
		for pair := range next {
			folds := 0
			for _, list := range scores {
				if s := list[pair]; s != nil && s.Fitted != nil {
					folds = len(s.Fitted.Folds)
				}
			}
			for fold := range folds {
				var order []int
				for trial := range t.trials {
					list := scores[trial]
					if list != nil && list[pair] != nil && (alive == nil || slices.Contains(alive[pair][fold], trial)) {
						order = append(order, trial)
					}
				}
				slices.SortStableFunc(order, func(a, b int) int {
					x, y := scores[a][pair].Fitted.Inner[fold], scores[b][pair].Fitted.Inner[fold]
					switch {
					case x > y:
						return -1
					case x < y:
						return 1
					}
					return 0
				})
				if k < len(t.rungs())-1 {
					order = order[:(len(order)+2)/3]
				}
				next[pair] = append(next[pair], order)
			}
		}
		alive = next
	}
	return alive
}

func used(alive [][][]int, trial int) bool {
	return slices.ContainsFunc(alive, func(folds [][]int) bool {
		return slices.ContainsFunc(folds, func(list []int) bool { return slices.Contains(list, trial) })
	})
}

// tunedMethods are the methods of an order, CaDeM first.
func tunedMethods(o *study.Order) []*tuned {
	own := baseline.CaDeM()
	var list []*tuned
	for _, m := range append([]*baseline.Method{own}, o.Compared()...) {
		t, err := tunedOf(o, m)
		if err == nil {
			list = append(list, t)
		}
	}
	return list
}

// planTune returns the tasks that are known to be needed; of halving that depends on what those before gave.
func planTune(o *study.Order, results study.Results) (tasks []study.Task) {
	for _, t := range tunedMethods(o) {
		for trial := range t.trials {
			tasks = append(tasks, t.tasks(trial, t.rungs()[0])...)
		}
		tasks = append(tasks, t.tasks(0, 1)...) // the usual settings, to compare with
		for rung := 1; rung < len(t.rungs()) && results != nil; rung++ {
			alive := t.alive(rung, results, firstTarget(t, results))
			for trial := range t.trials {
				if alive != nil && used(alive, trial) {
					tasks = append(tasks, t.tasks(trial, t.rungs()[rung])...)
				}
			}
		}
	}
	return tasks
}

// firstTarget is the first label set that is scored: what settings are chosen by in halving.
func firstTarget(t *tuned, results study.Results) string {
	for _, r := range results.Of(t.tasks(0, 1)) {
		if list := r.Targets(); len(list) > 0 {
			return list[0]
		}
	}
	return ""
}

// A chosen is what came of the trials of a method on a target.
type chosen struct {
	t                 *tuned
	before, after     []float64 // by the well-fitted reader, of every pair of seeds and fold
	inner             []float64
	combiner          []float64   // of what was chosen, by the paper's
	usual             []float64   // of the usual settings, by the paper's
	folds             [][]float64 // what after has, by pair of seeds
	share             float64
	trials, trainings int
	seconds           float64
	settings          string
}

// choose takes for every fold what its inner folds chose.
func (t *tuned) choose(results study.Results, target string) *chosen {
	alive := t.alive(len(t.rungs()), results, target)
	if alive == nil {
		return nil
	}
	c := &chosen{t: t, trials: len(t.trials)}
	counts := make([]int, len(t.trials))
	usual := t.tasks(0, 1)
	for pair, folds := range alive {
		before := results[usual[pair].Key()].Score("combined", target, "macro_f1")
		c.folds = append(c.folds, nil)
		for fold, order := range folds {
			if len(order) == 0 || before == nil {
				continue
			}
			best := results[t.tasks(order[0], 1)[pair].Key()].Score("combined", target, "macro_f1")
			counts[order[0]]++
			c.before, c.after = append(c.before, before.Fitted.Folds[fold]), append(c.after, best.Fitted.Folds[fold])
			c.folds[pair] = append(c.folds[pair], best.Fitted.Folds[fold])
			c.inner = append(c.inner, best.Fitted.Inner[fold])
			c.combiner, c.usual = append(c.combiner, best.Folds[fold]), append(c.usual, before.Folds[fold])
			c.share = max(c.share, best.TestShare)
		}
	}
	if len(c.after) == 0 {
		return nil
	}
	for _, part := range t.rungs() {
		for trial := range t.trials {
			for _, r := range results.Of(study.Distinct(t.tasks(trial, part))) {
				c.trainings++
				c.seconds += r.Seconds
			}
		}
	}
	best := slices.Index(counts, slices.Max(counts))
	c.settings = "the usual ones"
	if best > 0 {
		var words []string
		for _, name := range slices.Sorted(maps.Keys(t.trials[best])) {
			words = append(words, name+" = "+property.Text(t.trials[best][name]))
		}
		c.settings = strings.Join(words, ", ")
	}
	c.settings += fmt.Sprintf(" (%d of %d)", counts[best], len(c.after))
	return c
}

func assembleTune(o *study.Order, results study.Results, r *study.Report) {
	r.Differs = nil // nothing of the paper stands beside
	methods := tunedMethods(o)
	var first *measure.Result
	for _, t := range methods {
		for _, of := range results.Of(t.tasks(0, 1)) {
			if of.Refused != "" {
				r.Find("%s was not run: %s.", t.m.Label, strings.TrimSuffix(of.Refused, "."))
			} else if first == nil {
				first = of
			}
		}
	}
	if first == nil {
		return
	}
	r.Setting += " " + budget(o)
	for _, target := range first.Targets() {
		var list []*chosen
		sheet := study.Sheet{Title: "Macro-F1 on " + target + " by the well-fitted reader, with the usual settings and with those that inner folds chose",
			Lines: [][]string{{"method", "trials", "trainings", "seconds", "usual", "chosen", "gain", "inner", "settings chosen most often"}}}
		for _, t := range methods {
			c := t.choose(results, target)
			if c == nil {
				continue
			}
			list = append(list, c)
			for k, variant := range []string{"usual settings", "chosen"} {
				row := study.Row{Dataset: dataOf(o, first), Method: t.m.Label, Embedding: "combined", Target: target, Metric: "macro_f1", Variant: variant,
					Ours: study.Average([][]float64{c.usual, c.combiner}[k]), Fitted: study.Average([][]float64{c.before, c.after}[k]), Trainings: c.trainings}
				if k == 1 {
					row.Seconds = &c.seconds
				}
				r.Rows = append(r.Rows, row)
			}
			before, after := *study.Average(c.before), *study.Average(c.after)
			sheet.Lines = append(sheet.Lines, []string{t.m.Label, strconv.Itoa(c.trials), strconv.Itoa(c.trainings), figure.AtMost(c.seconds, 1),
				figure.Fixed(before, 3), figure.Fixed(after, 3), study.Signed(after - before), study.Number(study.Average(c.inner)), c.settings})
		}
		r.Sheets = append(r.Sheets, sheet)
		brief := study.Sheet{Title: sheet.Title}
		for _, line := range sheet.Lines {
			brief.Lines = append(brief.Lines, line[:len(line)-1]) // settings are long
		}
		r.Held = append(r.Held, brief)
		sayTuned(r, list, target)
	}
}

// budget describes the search that every method was given.
func budget(o *study.Order) string {
	s := fmt.Sprintf("Every method had %d trials, its usual settings among them, drawn at random; fewer where there are fewer settings to draw.", o.Trials)
	switch o.Search {
	case study.GridSearch:
		s = "Every method had the combinations of the values that were listed for it, beside its usual settings."
	case study.Halving:
		s = fmt.Sprintf("Every method had %d trials, its usual settings among them, drawn at random: all trained for a ninth of their length, a third of them for a "+
			"third, and of these a third in full. What does not train in epochs was trained in full.", o.Trials)
	}
	if o.Width > 0 {
		s += fmt.Sprintf(" Every embedding that has a size has %d columns; a combiner reads those of all layers.", o.Width)
	}
	return s
}

// sayTuned says what choosing came to.
func sayTuned(r *study.Report, list []*chosen, target string) {
	if len(list) == 0 {
		return
	}
	order := func(of func(*chosen) []float64) string {
		sorted := slices.Clone(list)
		slices.SortStableFunc(sorted, func(a, b *chosen) int {
			x, y := *study.Average(of(a)), *study.Average(of(b))
			switch {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		var names []string
		for _, c := range sorted {
			names = append(names, fmt.Sprintf("%s %.3f", c.t.m.Label, *study.Average(of(c))))
		}
		return strings.Join(names, ", ")
	}
	most, least := list[0], list[0]
	gain := func(c *chosen) float64 { return *study.Average(c.after) - *study.Average(c.before) }
	for _, c := range list {
		if gain(c) > gain(most) {
			most = c
		}
		if gain(c) < gain(least) {
			least = c
		}
	}
	r.Find("Macro-F1 on %s by the well-fitted reader, with the usual settings: %s. With the settings that inner folds chose: %s.", target,
		order(func(c *chosen) []float64 { return c.before }), order(func(c *chosen) []float64 { return c.after }))
	r.Find("Choosing moved %s most, by %s, and %s least, by %s. What inner folds promised is too high for what was chosen by it; only the outer folds count.",
		most.t.m.Label, study.Signed(gain(most)), least.t.m.Label, study.Signed(gain(least)))
	own := list[0]
	for _, c := range list[1:] {
		same := own.folds[:min(len(own.folds), len(c.folds))]
		r.Compare(study.PairFolds(same, c.folds, own.share), "Macro-F1 on "+target+" of what was chosen", own.t.m.Label, c.t.m.Label)
	}
}
