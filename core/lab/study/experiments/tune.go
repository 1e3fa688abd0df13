package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// Tune trains every method with as many settings as every other one, and scores what inner folds choose among them. It is not an experiment of
// the paper, and so not among [All].
var Tune = study.Study{
	Name: "tune", Title: "Every method with the same number of trials", Seeds: 1, DataSeeds: 1, Classifies: true, Takes: study.NeedGraph, AnyExample: true,
	Methods: study.Nodes, Searches: []study.Search{study.Random, study.Halving, study.GridSearch},
	Text: "The first trial of every method has its usual settings. The others have settings that are drawn: each number among its options within a factor " +
		"of four of the usual one, but for those that say how long it trains; or the values that -set lists. What is chosen, is chosen for each outer " +
		"fold by what a well-fitted reader tells in inner folds of what that trains on, or of the validation nodes of a split, so that no node " +
		"that is scored has a part in it. \"fitted\" is the score of the choice by that reader, \"here\" by the paper's combiner.",
	BySet: true, More: planTune, Assemble: assembleTune,
	Plan: func(o *study.Order) []study.Task { return planTune(o, nil) },
}

// A tuned is a method whose settings are tried.
type tuned struct {
	*space
	trials []trial // the first are the usual settings
	budget string  // the option for the length of training; "" if there is none
	full   float64 // its usual value
}

// tunedMethods are the methods of an order with their trials, CaDeM first.
func tunedMethods(o *study.Order) []*tuned {
	var list []*tuned
	spaces, asked := spacesOf(o), o.Compared()
	for _, m := range withoutTraining(o, asked)[len(asked):] {
		spaces = append(spaces, spaceOf(o, m)) // they stand there without being asked for, with their usual settings
	}
	for k, s := range spaces {
		s.axes = slices.DeleteFunc(s.axes, func(a axis) bool { return shared(o, a.name) }) // scores of other data, or other folds, choose nothing
		t := &tuned{space: s, trials: []trial{{}}}
		for _, name := range []string{"epochs", "outer"} {
			if n, ok := s.usual[name].(int); ok && t.budget == "" {
				t.budget, t.full = name, float64(n)
			}
		}
		if k > len(asked) {
			list = append(list, t)
			continue
		}
		if o.Search != study.GridSearch {
			t.trials = s.draws(t.trials, o.Trials, rng.New(0, "study/tune/"+s.m.Name))
		} else if len(s.axes) > 0 {
			t.trials = append(t.trials, s.grid()...)
		}
		list = append(list, t)
	}
	return list
}

// measured specifies the measurements of a trial.
func (t *tuned) measured() measure.Spec {
	if t.prefix == "" {
		return measure.Spec{Kind: measure.Classes, Embeddings: []string{run.Combined}, Fitted: true}
	}
	return measure.Spec{Kind: measure.Combined, Fitted: true}
}

// tasks returns the tasks of a trial for all pairs of seeds, trained for a part of the usual length.
func (t *tuned) tasks(trial int, part float64) []study.Task {
	options := maps.Clone(t.trials[trial])
	if part < 1 {
		options[t.prefix+t.budget] = max(1, int(float64(t.full*part)))
	}
	return t.o.Tasks(func(model, data int) study.Task {
		task := t.task(options, model, data, t.measured())
		if task.Name += fmt.Sprintf(", trial %d", trial+1); part < 1 {
			task.Name += fmt.Sprintf(" for 1/%.0f of its length", 1/part)
		}
		return task
	})
}

// rungs are the fractions of the full length for which trials are trained: a third of them goes on to three times as much.
func (t *tuned) rungs() []float64 {
	if t.o.Search == study.Halving && t.budget != "" {
		return []float64{1. / 9, 1. / 3, 1}
	}
	return []float64{1}
}

// alive returns, for every pair of seeds and outer fold, the trials that survive that number of rungs, best first; nil if results of an
// earlier rung are missing. Each fold uses its own inner folds: those of others have seen its test items.
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
				sorting.Stable(order, func(a, b int) int {
					return cmp.Compare(scores[b][pair].Fitted.Inner[fold], scores[a][pair].Fitted.Inner[fold])
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

// A chosen is the outcome of the trials of a method on a target.
type chosen struct {
	t                 *tuned
	before, after     []float64 // by the well-fitted reader, of every pair of seeds and fold
	inner             []float64
	combiner          []float64    // of what was chosen, by the paper's
	usual             []float64    // of the usual settings, by the paper's
	folds, first      [][]float64  // what after and before have, by pair of seeds
	tasks, usualTasks []study.Task // of what was chosen, and of the usual settings
	picks             [][]string   // of every pair of seeds and fold, as lines of a sheet
	share             float64
	trials, trainings int
	seconds           float64
	settings          string
}

// usualWords describe a trial without settings of its own.
const usualWords = "the usual ones"

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
		c.folds, c.first, c.usualTasks = append(c.folds, nil), append(c.first, nil), append(c.usualTasks, usual[pair])
		for fold, order := range folds {
			if len(order) == 0 || before == nil {
				continue
			}
			task := t.tasks(order[0], 1)[pair]
			best := results[task.Key()].Score("combined", target, "macro_f1")
			counts[order[0]]++
			c.tasks = append(c.tasks, task)
			c.picks = append(c.picks, []string{t.m.Label, usual[pair].Name, strconv.Itoa(fold + 1), strconv.Itoa(order[0] + 1),
				cmp.Or(t.trials[order[0]].words(), usualWords), fixed(best.Fitted.Inner[fold]), fixed(best.Fitted.Folds[fold])})
			c.before, c.after = append(c.before, before.Fitted.Folds[fold]), append(c.after, best.Fitted.Folds[fold])
			c.folds[pair], c.first[pair] = append(c.folds[pair], best.Fitted.Folds[fold]), append(c.first[pair], before.Fitted.Folds[fold])
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
	c.settings = cmp.Or(t.trials[best].words(), usualWords)
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
				r.Caveat("%s was not run: %s.", t.m.Label, strings.TrimSuffix(of.Refused, "."))
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
				tasks := c.usualTasks
				if row.Folds = c.first; k == 1 {
					row.Seconds, row.Folds, tasks = &c.seconds, c.folds, study.Distinct(c.tasks)
				}
				row.Share = c.share
				for i := range tasks {
					row.Names, row.Keys = append(row.Names, tasks[i].Name), append(row.Keys, tasks[i].Key())
				}
				r.Rows = append(r.Rows, row)
			}
			before, after := mean(c.before), mean(c.after)
			sheet.Lines = append(sheet.Lines, []string{t.m.Label, strconv.Itoa(c.trials), strconv.Itoa(c.trainings), figure.AtMost(c.seconds, 1),
				fixed(before), fixed(after), study.Signed(after - before), study.Number(study.Average(c.inner)), c.settings})
		}
		r.Sheets = append(r.Sheets, sheet)
		brief := study.Sheet{Title: sheet.Title}
		for _, line := range sheet.Lines {
			brief.Lines = append(brief.Lines, line[:len(line)-1]) // settings are long
		}
		r.Held = append(r.Held, brief)
		picks := study.Sheet{Title: "What inner folds chose, by outer fold, on " + target,
			Lines: [][]string{{"method", "training", "fold", "trial", "settings", "inner", "outer"}}}
		for _, c := range list {
			picks.Lines = append(picks.Lines, c.picks...)
		}
		r.Sheets = append(r.Sheets, picks)
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
	return s
}

// sayTuned describes the effect of choosing.
func sayTuned(r *study.Report, list []*chosen, target string) {
	if len(list) == 0 {
		return
	}
	order := func(of func(*chosen) []float64) string {
		sorted := slices.Clone(list)
		sorting.Stable(sorted, func(a, b *chosen) int { return cmp.Compare(mean(of(b)), mean(of(a))) })
		var names []string
		for _, c := range sorted {
			names = append(names, fmt.Sprintf("%s %.3f", c.t.m.Label, mean(of(c))))
		}
		return strings.Join(names, ", ")
	}
	most, least := list[0], list[0]
	gain := func(c *chosen) float64 { return mean(c.after) - mean(c.before) }
	for _, c := range list {
		if gain(c) > gain(most) {
			most = c
		}
		if gain(c) < gain(least) {
			least = c
		}
	}
	r.Lead("Macro-F1 on %s by the well-fitted reader, with the usual settings: %s. With the settings that inner folds chose: %s.", target,
		order(func(c *chosen) []float64 { return c.before }), order(func(c *chosen) []float64 { return c.after }))
	r.Find("Choosing moved %s most, by %s, and %s least, by %s. What inner folds promised is too high for what was chosen by it; only the outer folds count.",
		most.t.m.Label, study.Signed(gain(most)), least.t.m.Label, study.Signed(gain(least)))
	own, what := list[0], "Macro-F1 on "+target+" of what was chosen"
	var bars []study.Bar
	for _, c := range list[1:] {
		same := own.folds[:min(len(own.folds), len(c.folds))]
		bars = append(bars, study.Bar{Label: c.t.m.Label, Method: c.t.m.Name, Pairing: study.PairFolds(same, c.folds, own.share)})
		r.Compare(bars[len(bars)-1].Pairing, what, own.t.m.Label, c.t.m.Label)
	}
	r.WithoutTraining(own.t.m.Label, what, bars)
}
