package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

// Sweep trains over a grid of options: each of an order that has several values, between commas, is an
// axis. It is not an experiment of the paper, and so not among [All].
var Sweep = study.Study{
	Name: "sweep", Title: "Sweep over options", Seeds: 1, DataSeeds: 1, Classifies: true, Takes: study.NeedGraph, AnyExample: true, Linked: true,
	Methods: study.Nodes, Searches: []study.Search{study.GridSearch, study.Random},
	Text: "Every combination of the values was trained with every seed. Look at the second map first: what the same encoders get " +
		"untrained, in the same folds. The best of many figures is too high an estimate of itself. Where inner folds select, the row " +
		"\"selected\" is free of that: of each outer fold it scores the combination that the inner folds chose. Where methods are compared, one of which no " +
		"values are listed has drawn ones: each number among its options within a factor of four of the usual one. " + linksText,
	BySet: true, Assemble: assembleSweep, Plan: func(o *study.Order) (tasks []study.Task) {
		for _, w := range sweptBy(o) {
			for i := range w.trials {
				tasks = append(append(tasks, w.tasks(i)...), w.links(i)...)
			}
		}
		return tasks
	},
}

// A swept is a method with the trials of a sweep.
type swept struct {
	*space
	trials []trial
	whole  bool // they are the grid of its axes
}

// sweptBy are the methods of an order, CaDeM first, all with the same number of trials: as many as the largest grid has, or as the order says.
// The trials of a method without listed values are drawn.
func sweptBy(o *study.Order) []*swept {
	var list []*swept
	budget := o.Trials
	for _, s := range spacesOf(o) {
		w := &swept{space: s, whole: o.Search != study.Random, trials: []trial{{}}}
		if w.whole {
			w.trials = s.grid()
		}
		if list = append(list, w); o.Trials == 0 {
			budget = max(budget, len(w.trials))
		}
	}
	for _, w := range list {
		src := rng.New(0, "study/sweep/"+w.m.Name)
		switch {
		case len(w.trials) > budget:
			kept := make([]int, len(w.trials))
			src.Perm(kept)
			kept = kept[:budget]
			slices.Sort(kept)
			var part []trial
			for _, i := range kept {
				part = append(part, w.trials[i])
			}
			w.trials, w.whole = part, false
		case len(w.trials) < budget && (!w.whole || w.own == 0):
			w.trials, w.whole = w.draws(w.trials, budget, src), false
		}
	}
	return list
}

// tasks train a trial with all seeds.
func (w *swept) tasks(i int) []study.Task {
	compared := len(w.o.Compared()) > 0
	spec := measure.Spec{Kind: measure.Combined, Fitted: true}
	if w.prefix == "" {
		spec = measure.Spec{Kind: measure.Scores, Embeddings: []string{run.Combined, "common"}, Fitted: compared}
		if w.o.OfFiles() {
			spec.Kind = measure.Classes
		}
	}
	return w.o.Tasks(func(model, data int) study.Task { return w.named(i, w.task(w.trials[i], model, data, spec)) })
}

// links train it without some of the links.
func (w *swept) links(i int) []study.Task {
	if w.o.Links == 0 {
		return nil
	}
	return w.o.Tasks(func(model, data int) study.Task {
		t := w.named(i, w.task(w.trials[i], model, data, ofLinks(w.o)))
		t.Name += ", " + run.OfLinks
		return t
	})
}

func (w *swept) named(i int, t study.Task) study.Task {
	if words := w.trials[i].words(); words != "" {
		t.Name += ", " + words
	}
	return t
}

// assembleSweep adds the rows of every combination, a heat map of each figure, and the choice of inner folds.
func assembleSweep(o *study.Order, results study.Results, r *study.Report) {
	r.Differs = nil // nothing of the paper stands beside
	list := sweptBy(o)
	unlabelled(r, results.Of(list[0].tasks(0)))
	var counts []string
	for _, w := range list {
		counts = append(counts, fmt.Sprintf("%s %d", w.m.Label, len(w.trials)))
		w.assemble(results, r, w.tasks)
		w.assemble(results, r, w.links)
		w.chooseByLinks(results, r)
	}
	if len(list) > 1 {
		r.Setting += fmt.Sprintf(" Trials: %s; all have as many, but for those with fewer settings to list or to draw.", strings.Join(counts, ", "))
		rankSelected(r)
	}
}

// rankSelected says what inner folds selected, method by method, and tests the differences.
func rankSelected(r *study.Report) {
	var list []study.Entrant
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Variant == selected && row.Embedding == run.Combined {
			list = append(list, study.Entrant{Label: row.Method, Row: row})
		}
	}
	for len(list) > 1 {
		first := list[0].Row
		same := slices.DeleteFunc(slices.Clone(list), func(e study.Entrant) bool { return e.Row.Target != first.Target })
		list = slices.DeleteFunc(list, func(e study.Entrant) bool { return e.Row.Target == first.Target })
		what := "Macro-F1 on " + first.Target + " of what inner folds selected"
		r.Ranking(same, what)
		for _, e := range same[1:] {
			r.Compare(study.PairFolds(first.Folds[:min(len(first.Folds), len(e.Row.Folds))], e.Row.Folds, first.Share), what, same[0].Label, e.Label)
		}
	}
}

// A sweptFigure is a score: an embedding, a target, a metric.
type sweptFigure struct{ embedding, target, metric string }

// assemble adds what one kind of task of all trials found.
func (w *swept) assemble(results study.Results, r *study.Report, plan func(i int) []study.Task) {
	var all [][]*measure.Result
	var first *measure.Result
	for i := range w.trials {
		list := slices.DeleteFunc(results.Of(plan(i)), func(t *measure.Result) bool {
			if t.Refused != "" && t.Refused != measure.NoLabels.Error() {
				r.Caveat("%s was not run: %s.", cmp.Or(strings.TrimSpace(w.m.Label+" "+w.trials[i].words()), w.m.Label), strings.TrimSuffix(t.Refused, "."))
			}
			return t.Refused != ""
		})
		if all = append(all, list); first == nil && len(list) > 0 {
			first = list[0]
		}
	}
	if first == nil {
		return
	}
	name := "" // of another method
	if w.prefix != "" {
		name = w.m.Label + ", "
	}
	dataset := dataOf(w.o, first)
	for _, s := range first.Scores {
		f := sweptFigure{s.Embedding, s.Target, s.Metric}
		row := study.Row{Dataset: dataset, Method: w.m.Label, Embedding: f.embedding, Target: f.target, Metric: f.metric}
		if w.prefix != "" {
			row.Level = w.m.Nearest(w.o.Level).Name
		}
		trained, untrained := make([]float64, len(w.trials)), make([]float64, len(w.trials))
		best := -1
		for i := range w.trials {
			trained[i], untrained[i] = math.NaN(), math.NaN()
			c := study.Collect(all[i], f.embedding, f.target, f.metric)
			if c == nil {
				continue
			}
			one := row
			one.Variant = cmp.Or(w.trials[i].words(), "usual options")
			one.Fill(c, nil)
			if w.prefix != "" {
				one.Alone()
			}
			one.Cost(all[i])
			r.Rows = append(r.Rows, one)
			trained[i], untrained[i] = *one.Ours, mean(c.Untrained)
			if best < 0 || better(f.metric, trained[i], trained[best]) {
				best = i
			}
		}
		if len(w.trials) > 1 && best >= 0 {
			before := ""
			if w.prefix == "" {
				before = fmt.Sprintf(", untrained there %.3f", untrained[best])
			}
			r.Find("%s%s, %s of %s: best at %s with %.3f%s.", name, f.embedding, evaluate.MetricOf(f.metric).Label, f.target,
				cmp.Or(w.trials[best].words(), "the usual options"), trained[best], before)
		}
		w.drawGrid(r, f, trained, "trained")
		if w.prefix == "" {
			w.drawGrid(r, f, untrained, "untrained")
		}
		w.selectInner(r, f, row, results)
	}
}

// better reports whether one value of a metric is better than another.
func better(metric string, a, b float64) bool {
	if evaluate.MetricOf(metric).Lower {
		return a < b
	}
	return a > b
}

// drawGrid draws heat maps of a figure: the last axis across, the one before down, and a map for each
// combination of the others. Trials that are not a whole grid have none.
func (w *swept) drawGrid(r *study.Report, f sweptFigure, values []float64, how string) {
	axes := w.axes
	if len(axes) == 0 || !w.whole {
		return
	}
	across, down := axes[len(axes)-1], axis{values: []string{""}}
	if len(axes) > 1 {
		down = axes[len(axes)-2]
	}
	label, size := evaluate.MetricOf(f.metric).Label, len(across.values)*len(down.values)
	for from := 0; from < len(values); from += size {
		part := values[from : from+size]
		if !slices.ContainsFunc(part, func(v float64) bool { return !math.IsNaN(v) }) {
			continue
		}
		c := chart.Chart{Name: strings.Join([]string{"sweep", f.embedding, f.target, f.metric, how}, "-"),
			Title:  fmt.Sprintf("%s of %s, %s, %s", label, f.target, f.embedding, how),
			Text:   fmt.Sprintf("A cell for each combination of values, the darker the higher %s is.", label),
			XLabel: across.name, YLabel: down.name, Cells: &chart.Cells{Columns: across.values, Rows: down.values, Values: part, Digits: 3}}
		if w.prefix != "" {
			c.Name, c.Title = c.Name+"-"+w.m.Name, w.m.Label+": "+c.Title
		}
		if len(axes) > 2 {
			fixed := trial{}
			for _, a := range axes[:len(axes)-2] {
				fixed[a.name] = w.trials[from][a.name]
			}
			c.Name += fmt.Sprintf("-%d", from/size+1)
			c.Title += ", " + fixed.words()
		}
		r.Draw(c)
	}
}

// selected is the variant of a row for the choice of inner folds.
const selected = "selected"

// selectInner scores every outer fold by the trial that inner folds chose there: those of what the
// fold trains on, so that nothing that it tests has a part in the choice. Folds depend on labels and
// seed alone, and so are the same for every trial.
func (w *swept) selectInner(r *study.Report, f sweptFigure, row study.Row, results study.Results) {
	if w.o.Options["nested_select"] != "on" || f.metric != "macro_f1" || len(w.trials) < 2 {
		return
	}
	var seeds, before []float64
	var folds int
	chosen := make([]int, len(w.trials))
	plans := make([][]study.Task, len(w.trials))
	for i := range w.trials {
		plans[i] = w.tasks(i)
	}
	for k := range plans[0] { // a pair of seeds
		var scores []*evaluate.Score
		for i := range w.trials {
			t := results[plans[i][k].Key()]
			if t == nil {
				return // an incomplete grid would choose from what happens to be there
			}
			scores = append(scores, t.Score(f.embedding, f.target, f.metric)) // nil of what was refused
		}
		first := scores[slices.IndexFunc(scores, func(s *evaluate.Score) bool { return s != nil })]
		sum, untrained, of := 0.0, 0.0, []float64(nil)
		for fold := range first.Folds {
			best := -1
			for i, s := range scores {
				if s != nil && (best < 0 || s.Selected[fold].Inner > scores[best].Selected[fold].Inner) {
					best = i
				}
			}
			chosen[best]++
			of = append(of, scores[best].Folds[fold])
			sum += scores[best].Folds[fold]
			if w.prefix == "" {
				untrained += scores[best].UntrainedFolds[fold]
			}
		}
		folds, row.Share = len(first.Folds), max(row.Share, first.TestShare)
		seeds, before, row.Folds = append(seeds, sum/float64(folds)), append(before, untrained/float64(folds)), append(row.Folds, of)
	}
	row.Variant = selected
	row.Ours, row.Trainings = study.Average(seeds), len(seeds)
	if w.prefix == "" {
		row.Untrained = study.Average(before)
	}
	if len(seeds) > 1 {
		d := study.Deviation(seeds)
		row.SeedStd = &d
	}
	r.Rows = append(r.Rows, row)
	most := 0
	for i, n := range chosen {
		if n > chosen[most] {
			most = i
		}
	}
	said, beside := "", ""
	if w.prefix != "" {
		said = w.m.Label + ": "
	} else {
		beside = fmt.Sprintf(", untrained in the same folds %.3f", *row.Untrained)
	}
	r.Find("%sSelected by inner folds, %s of %s scores macro-F1 %.3f in the outer folds%s. Chosen most often, %d of %d times: %s.", said,
		f.embedding, f.target, *row.Ours, beside, chosen[most], folds*len(seeds), cmp.Or(w.trials[most].words(), "the usual options"))
}
