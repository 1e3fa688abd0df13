package experiments

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"cadem/core/evaluate"
	"cadem/core/property"
	"cadem/core/study"
	"cadem/core/study/chart"
	"cadem/core/study/measure"
)

// Sweep trains over a grid of options: each of an order that has several values, between commas, is an
// axis. It is not an experiment of the paper, and so not among [All].
var Sweep = study.Study{
	Name: "sweep", Title: "Sweep over options", Seeds: 1, DataSeeds: 1, Classifies: true, Takes: study.NeedGraph, AnyExample: true, Linked: true,
	Text: "Every combination of the values was trained with every seed. Look at the second map first: what the same encoders get " +
		"untrained, in the same folds. The best of many figures is too high an estimate of itself. Where inner folds select, the row " +
		"\"selected\" is free of that: of each outer fold it scores the combination that the inner folds chose. " + linksText,
	Plan: func(o *study.Order) []study.Task {
		return study.PlanSets(o, func(o *study.Order) []study.Task {
			var tasks []study.Task
			for _, point := range gridOf(o) {
				tasks = append(append(tasks, planPoint(o, point)...), planPointLinks(o, point)...)
			}
			return tasks
		})
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		study.AssembleSets(o, results, r, assembleSweep)
	},
}

// An axis is an option with several values.
type axis struct {
	name   string
	values []string
}

// axesOf returns the options of an order that have several values, by name.
func axesOf(o *study.Order) []axis {
	var list []axis
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if values := strings.Split(property.Text(o.Options[name]), ","); len(values) > 1 {
			list = append(list, axis{name, values})
		}
	}
	return list
}

// gridOf returns every combination of the values, the last axis fastest.
func gridOf(o *study.Order) [][]string {
	return gridOver(axesOf(o))
}

// sweepMeasures are scored of every training.
func sweepMeasures(o *study.Order) measure.Spec {
	kind := measure.Scores
	if o.OfFiles() {
		kind = measure.Classes
	}
	return measure.Spec{Kind: kind, Embeddings: []string{"combined", "common"}}
}

// planPoint trains one combination with all seeds.
func planPoint(o *study.Order, point []string) []study.Task {
	return planOn(at(o, point), variant{name: pointName(o, point)}, func(int) []measure.Spec { return []measure.Spec{sweepMeasures(o)} })
}

// planPointLinks does so without some of the links.
func planPointLinks(o *study.Order, point []string) []study.Task {
	return planLinks(at(o, point), variant{name: pointName(o, point)})
}

// at returns the order with the values of one combination.
func at(o *study.Order, point []string) *study.Order {
	part := *o
	part.Options = maps.Clone(o.Options)
	for k, a := range axesOf(o) {
		part.Options[a.name] = point[k]
	}
	return &part
}

// pointName writes a combination.
func pointName(o *study.Order, point []string) string {
	var words []string
	axes := axesOf(o)
	for k, v := range point {
		words = append(words, axes[k].name+"="+v)
	}
	return strings.Join(words, " ")
}

// A sweptFigure is what is scored: an embedding, a target, a metric.
type sweptFigure struct{ embedding, target, metric string }

// assembleSweep adds the rows of every combination, a heat map of each figure, and what inner folds chose.
func assembleSweep(o *study.Order, results study.Results, r *study.Report) {
	unlabelled(r, results.Of(planPoint(o, gridOf(o)[0])))
	assembleSwept(o, results, r, planPoint)
	assembleSwept(o, results, r, planPointLinks)
	chooseByLinks(o, results, r)
}

func assembleSwept(o *study.Order, results study.Results, r *study.Report, plan func(o *study.Order, point []string) []study.Task) {
	grid := gridOf(o)
	var all [][]*measure.Result
	var first *measure.Result
	for _, point := range grid {
		list := results.Of(plan(o, point))
		if all = append(all, list); first == nil && len(list) > 0 {
			first = list[0]
		}
	}
	if first == nil {
		return
	}
	dataset := dataOf(o, first)
	r.Differs = nil // nothing of the paper stands beside
	for _, s := range first.Scores {
		f := sweptFigure{s.Embedding, s.Target, s.Metric}
		row := study.Row{Dataset: dataset, Method: "CaDeM", Embedding: f.embedding, Target: f.target, Metric: f.metric}
		trained, untrained := make([]float64, len(grid)), make([]float64, len(grid))
		best := -1
		for i, point := range grid {
			trained[i], untrained[i] = math.NaN(), math.NaN()
			one := row
			if one.Variant = pointName(o, point); one.Variant == "" {
				one.Variant = "usual options"
			}
			c := study.Collect(all[i], f.embedding, f.target, f.metric)
			if c == nil {
				continue
			}
			one.Fill(c, nil)
			r.Rows = append(r.Rows, one)
			trained[i], untrained[i] = *one.Ours, *study.Average(c.Untrained)
			if best < 0 || better(f.metric, trained[i], trained[best]) {
				best = i
			}
		}
		if len(grid) > 1 && best >= 0 {
			r.Find("%s, %s of %s: best at %s with %.3f, untrained there %.3f.", f.embedding, evaluate.MetricOf(f.metric).Label, f.target,
				pointName(o, grid[best]), trained[best], untrained[best])
		}
		drawGrid(o, r, f, trained, "trained")
		drawGrid(o, r, f, untrained, "untrained")
		selectInner(o, r, f, row, grid, results)
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
// combination of the others.
func drawGrid(o *study.Order, r *study.Report, f sweptFigure, values []float64, how string) {
	axes := axesOf(o)
	if len(axes) == 0 {
		return
	}
	across, down := axes[len(axes)-1], axis{values: []string{""}}
	if len(axes) > 1 {
		down = axes[len(axes)-2]
	}
	label, size := evaluate.MetricOf(f.metric).Label, len(across.values)*len(down.values)
	grid := gridOf(o)
	for from := 0; from < len(values); from += size {
		part := values[from : from+size]
		if !slices.ContainsFunc(part, func(v float64) bool { return !math.IsNaN(v) }) {
			continue
		}
		c := chart.Chart{Name: strings.Join([]string{"sweep", f.embedding, f.target, f.metric, how}, "-"),
			Title:  fmt.Sprintf("%s of %s, %s, %s", label, f.target, f.embedding, how),
			Text:   fmt.Sprintf("A cell for each combination of values, the darker the higher %s is.", label),
			XLabel: across.name, YLabel: down.name, Cells: &chart.Cells{Columns: across.values, Rows: down.values, Values: part, Digits: 3}}
		if len(axes) > 2 {
			fixed := pointName(o, grid[from][:len(axes)-2])
			c.Name += fmt.Sprintf("-%d", from/size+1)
			c.Title += ", " + fixed
		}
		r.Draw(c)
	}
}

// selectInner scores every outer fold by the combination that inner folds chose there: those of what the
// fold trains on, so that nothing that it tests has a part in the choice. Folds depend on labels and
// seed alone, and so are the same for every combination.
func selectInner(o *study.Order, r *study.Report, f sweptFigure, row study.Row, grid [][]string, results study.Results) {
	if o.Options["nested_select"] != "on" || f.metric != "macro_f1" || len(grid) < 2 {
		return
	}
	var seeds, before []float64
	var folds int
	chosen := make([]int, len(grid))
	plans := make([][]study.Task, len(grid))
	for i, point := range grid {
		plans[i] = planPoint(o, point)
	}
	for k := range plans[0] { // a pair of seeds
		var scores []*evaluate.Score
		for i := range grid {
			t := results[plans[i][k].Key()]
			if t == nil {
				return // an incomplete grid would choose from what happens to be there
			}
			scores = append(scores, t.Score(f.embedding, f.target, f.metric))
		}
		sum, untrained := 0.0, 0.0
		for fold := range scores[0].Folds {
			best := 0
			for i, s := range scores {
				if s.Selected[fold].Inner > scores[best].Selected[fold].Inner {
					best = i
				}
			}
			chosen[best]++
			sum, untrained = sum+scores[best].Folds[fold], untrained+scores[best].UntrainedFolds[fold]
		}
		folds = len(scores[0].Folds)
		seeds, before = append(seeds, sum/float64(folds)), append(before, untrained/float64(folds))
	}
	row.Variant = "selected"
	row.Ours, row.Untrained, row.Trainings = study.Average(seeds), study.Average(before), len(seeds)
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
	r.Find("Selected by inner folds, %s of %s scores macro-F1 %.3f in the outer folds, untrained in the same folds %.3f. Chosen most often, %d of %d times: %s.",
		f.embedding, f.target, *row.Ours, *row.Untrained, chosen[most], folds*len(seeds), pointName(o, grid[most]))
}
