package experiments

import (
	"maps"
	"slices"
	"strings"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

var table1 = study.Study{
	Name: "table1", Title: "Table I: what each embedding of Syn1 tells", Seeds: 5, DataSeeds: 1, Classifies: true,
	Shows: "How well each embedding of Syn1 tells each set of communities.",
	Learn: "Whether a private embedding knows its own layer best, and how much of that it knew before training.",
	Text: "Look down the private rows: what each embedding tells of the communities of its own layer, and what of the others'. Then look at the " +
		"column beside, untrained encoders, which have only passed the features along the edges: the difference to them is what training adds. " +
		"The rows of the common embedding, which the paper does not print, show what of single layers is left in it. The paper's figures are of " +
		"one training on one graph; trainings differ from each other by the spread between seeds. On the published data, and with the paper's settings, the report " +
		"also says where the seed of that training stands among 200, drawn as the authors' program draws." + ceilingText,
	Yields: []string{"streams", "epochs", "inner_steps", "instance", "seeds"},
	Plan: func(o *study.Order) []study.Task {
		untrained, trained := seedTasks(o)
		return slices.Concat(planTable1(o), untrained, trained)
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		list := results.Of(planTable1(o))
		r.Rows = paperRows("I", "Syn1", r.Differs, func(string) []*measure.Result { return list })
		for _, target := range append([]string{"final"}, syn1Layers...) {
			for _, metric := range f1s {
				r.Score(study.Row{Table: "I", Dataset: "Syn1", Method: "CaDeM", Embedding: "common", Target: target, Metric: metric}, list)
			}
		}
		for l, target := range syn1Layers {
			own := train.Private(l)
			r.Score(study.Row{Table: "I", Dataset: "Syn1", Method: "CaDeM", Embedding: own, Target: target, Metric: "ari"}, list)
		}
		ceiling(r, list)
		ownAndOthers(r, list)
		leak(r, list)
		r.Place("macro_f1")
		r.Ordering("macro_f1", "cells")
		r.Bars("table1", "Macro-F1 on Syn1", "macro_f1", func(row *study.Row) string {
			if row.Embedding == "combined" || strings.TrimPrefix(row.Embedding, "private_") == strings.TrimPrefix(row.Target, "layer_") {
				return strings.Replace(row.Embedding, "private_", "P", 1) + " → " + strings.Replace(row.Target, "layer_", "L", 1)
			}
			return ""
		})
		placeOfSeed(o, results, r)
	},
}

// planTable1 asks for the clusters of each private embedding, too, beside the communities of its own layer.
func planTable1(o *study.Order) []study.Task {
	specs := slices.Clone(syn1Measures)
	for l, target := range syn1Layers {
		specs = append(specs, measure.Spec{Kind: measure.Clusters, Embeddings: []string{train.Private(l)}, Targets: []string{target}})
	}
	return measureSyn1(o, specs...)
}

// ownAndOthers says how well private embeddings predict their own layer's labels and others', and what training adds.
func ownAndOthers(r *study.Report, list []*measure.Result) {
	const metric = "macro_f1"
	own, other := map[string]float64{}, map[string][]float64{}
	for _, row := range r.Rows {
		layer, ok := strings.CutPrefix(row.Embedding, "private_")
		target, of := strings.CutPrefix(row.Target, "layer_")
		switch {
		case !ok || !of || row.Ours == nil || row.Metric != metric:
		case layer == target:
			own[row.Embedding] = *row.Ours
		default:
			other[row.Embedding] = append(other[row.Embedding], *row.Ours)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if len(other[name]) == 0 {
			continue
		}
		highest, holds := slices.Max(other[name]), "more than on any other's"
		if own[name] <= highest {
			holds = "no more than on some other's"
		}
		r.Find("%s scores macro-F1 %.3f on the communities of its own layer, %s, where it scores %.3f at most.", name, own[name], holds, highest)
	}
	for l, target := range syn1Layers {
		f := study.Entry{Embedding: train.Private(l), Target: target, Metric: metric}
		r.CompareTraining(list, f, f.Embedding+" on "+target+", macro-F1")
	}
	f := study.Entry{Embedding: "combined", Target: "final", Metric: metric}
	r.CompareTraining(list, f, "combined on final, macro-F1")
}

// leak says what the common embedding says about communities that no two layers share.
func leak(r *study.Report, list []*measure.Result) {
	const metric, much = "macro_f1", 0.1
	var common, own, other []float64
	for _, target := range syn1Layers {
		for l, its := range syn1Layers {
			c := study.Collect(list, train.Private(l), target, metric)
			switch {
			case c == nil:
			case its == target:
				own = append(own, c.Probe...)
			default:
				other = append(other, c.Probe...)
			}
		}
		if c := study.Collect(list, "common", target, metric); c != nil {
			common = append(common, c.Probe...)
		}
	}
	if len(common) == 0 || len(own) == 0 || len(other) == 0 {
		return
	}
	s, p, q := mean(common), mean(own), mean(other)
	holds := "S keeps what single layers hold"
	if s-q <= much {
		holds = "S keeps little of what single layers hold"
	}
	r.Find("The communities of each layer are drawn by themselves: none is common. A linear probe reads them from S with macro-F1 %.3f in the "+
		"mean. From the private embedding of the same layer it reads them with %.3f, and from those of other layers with %.3f. %s (counted as much when more "+
		"than %.1f above the last).", s, p, q, holds, much)
}
