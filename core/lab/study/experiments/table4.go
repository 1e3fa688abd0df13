package experiments

import (
	"fmt"
	"math"

	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth"
)

var table4 = study.Study{
	Name: "table4", Title: "Table IV: which dynamics a graph of Syn4 has", Seeds: 1, DataSeeds: 1, Classifies: true,
	Shows: "90 graphs of Syn4, told apart by their embeddings.",
	Learn: "What dynamics leave in an embedding, and what the signals tell without one.",
	Text: "90 graphs, each trained by itself from the same first weights, are told apart by the means of their embeddings. Look at the trivial " +
		"column first: the mean of the features, one number a graph and layer, in which the private means are linear. " +
		"The consensus is centred. So its mean over the nodes is zero by construction in the directions that the data determine, and a common " +
		"embedding near chance is no sign of disentanglement. Completion none leaves rounding there, completion arbitrary noise in the other " +
		"directions, as the published program has it. The fairer probe is common_uncentred, the means of the common embeddings before centring. " +
		"States of dynamics that differ in their mean are told apart by their mean alone: the table shows nothing about what common and private embeddings share.",
	Plan: func(o *study.Order) []study.Task { return append(planTable4(o, "none"), planTable4(o, "arbitrary")...) },
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		found := map[string][]*measure.Result{}
		for _, completion := range []string{"none", "arbitrary"} {
			tasks := planTable4(o, completion)
			var steps []float64
			early, rank, size := 0, []float64{}, 0.0
			for i := range tasks {
				t := results[tasks[i].Key()]
				switch {
				case t == nil:
				case tasks[i].Kind() == study.Compare:
					found[completion] = append(found[completion], t)
				default:
					steps, rank = append(steps, float64(t.Steps)), append(rank, float64(t.RankS))
					if t.EarlyStopped {
						early++
					}
					for _, v := range t.Array(measure.ArrayCommon).Data {
						size = max(size, math.Abs(v))
					}
				}
			}
			if len(steps) > 0 {
				r.Find("Completion %s: %s, %.0f steps in the mean, %d of them stopped early; rank of S %.3g in the mean; the largest mean of S over the "+
					"nodes of a graph is %.2g.", completion, study.Plural(len(steps), "training"), mean(steps), early, mean(rank), size)
			}
		}
		for _, t := range planTable4(o, "none") {
			if results[t.Key()] != nil && t.Kind() == study.Compare {
				rate(r, &t)
				break
			}
		}
		variants := []string{"none", "arbitrary"}
		add := func(row study.Row, completion string) {
			if row.Embedding != "private_all" && row.Embedding != "private_1" && row.Embedding != "private_2" {
				row.Variant = "completion " + completion
			}
			row.Fill(study.Collect(found[completion], row.Embedding, row.Target, row.Metric), r.Differs)
			r.Rows = append(r.Rows, row)
		}
		for _, p := range paper() {
			if p.Table != "IV" {
				continue
			}
			add(p, variants[0])
			if p.Embedding == "combined" || p.Embedding == "common" {
				add(p, variants[1])
			}
		}
		for _, metric := range f1s {
			for _, completion := range variants {
				if len(found[completion]) > 0 {
					add(study.Row{Table: "IV", Dataset: "Syn4", Method: "CaDeM", Embedding: "common_uncentred", Target: "dynamics_3class", Metric: metric}, completion)
				}
			}
		}
		dynamics(r, found)
		r.Place("macro_f1")
		r.Bars("table4", "Macro-F1 of the dynamics, Syn4", "macro_f1", func(row *study.Row) string {
			short := map[string]string{"combined": "all", "common": "S", "private_1": "P1", "private_2": "P2", "private_all": "six",
				"common_uncentred": "C"}[row.Embedding]
			if row.Variant == "completion arbitrary" {
				short += "*"
			}
			return short
		})
	},
}

// rate is the learning rate of a task's classifier.
func rate(r *study.Report, t *study.Task) {
	s, err := t.Settings(run.DefaultsOf(t.Data.Example))
	if err != nil || s.Evaluation.NestedSelect == "on" { // each fold has a rate of its own
		return
	}
	r.Find("Every embedding is classified at a learning rate of %g. The paper prints %v for all; its program takes 0.01 for the combined one.",
		s.Evaluation.Rate, run.DefaultsOf(t.Data.Example)["eval_lr"])
}

// dynamics reports the scores of each embedding on the dynamics beside those of the mean of the
// features and of chance.
func dynamics(r *study.Report, found map[string][]*measure.Result) {
	const metric, target, classes = "macro_f1", "dynamics_3class", 3
	list := found["none"]
	for _, f := range []study.Entry{{Embedding: "private_1", Target: target, Metric: metric}, {Embedding: "private_2", Target: target, Metric: metric},
		{Embedding: "private_all", Target: "dynamics_6subclass", Metric: metric}, {Embedding: "combined", Target: target, Metric: metric}} {
		r.Compare(study.Pair(list, list, f.Trained(), f.Trivial()), f.Embedding+" on "+f.Target+", macro-F1", "trained", "mean feature")
	}
	by := 1.0 / classes
	band := 2 * math.Sqrt(by*(1-by)/synth.Syn4Samples)
	for _, completion := range []string{"none", "arbitrary"} {
		for _, embedding := range []string{"common", "common_uncentred"} {
			c := study.Collect(found[completion], embedding, target, "micro_f1")
			if c == nil {
				continue
			}
			ours := mean(c.Value)
			of := "which chance gives too"
			if ours > by+band {
				of = "more than chance gives"
			} else if ours < by-band {
				of = "less than chance gives"
			}
			r.Find("%s, completion %s, scores micro-F1 %.3f, %s: %.3f, give or take %.3f, two standard errors over %d graphs.", embedding, completion, ours, of, by,
				band, synth.Syn4Samples)
		}
	}
}

// planTable4 trains all graphs and scores them together, for every seed.
func planTable4(o *study.Order, completion string) []study.Task {
	var tasks []study.Task
	o.Each(func(model, data int) {
		graphs := planGraphs(o, completion, model, data)
		tasks = append(tasks, graphs...)
		tasks = append(tasks, together(o, fmt.Sprintf("scores of all graphs, seed %d, completion %s", model, completion), graphs, measure.Spec{Kind: measure.Graphs}))
	})
	return tasks
}

// planGraphs trains all graphs, each by itself from the same seed.
func planGraphs(o *study.Order, completion string, model, data int) []study.Task {
	var tasks []study.Task
	for sample := range synth.Syn4Samples {
		t := o.Task("syn4", map[string]any{"sample": sample}, map[string]any{"completion": completion}, model, data, measure.Spec{Kind: measure.Pool})
		t.Name += fmt.Sprintf(", graph %d, completion %s", sample, completion)
		tasks = append(tasks, t)
	}
	return tasks
}

// together is a task that measures the results of others.
func together(o *study.Order, name string, of []study.Task, m measure.Spec) study.Task {
	t := o.Task("syn4", nil, nil, 0, 0, m)
	t.Name, t.EvalSeed = name, o.SeedOf(study.Syn4Eval, m)
	t.Needs = study.Keys(of)
	return t
}
