package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

var table1 = Study{
	Name: "table1", Title: "Table I: what each embedding of Syn1 tells", Seeds: 5, DataSeeds: 1, Classifies: true,
	Text: "Look down the private rows: what each embedding tells of the communities of its own layer, and what of the others'. Then look at the column beside, untrained encoders, which have only passed the features along the edges: the difference to them is what training adds. " +
		"The rows of the common embedding, which the paper does not print, show what of single layers is left in it. The paper's figures are of one training on one graph; trainings differ from each other by the spread between seeds." + ceilingText,
	plan: planSyn1,
	assemble: func(o *Order, results Results, r *Report) {
		list := results.of(planSyn1(o))
		r.Rows = paperRows("I", "Syn1", r.differs, func(string) []*TaskResult { return list })
		for _, target := range append([]string{"final"}, syn1Layers...) {
			for _, metric := range []string{"macro_f1", "micro_f1"} {
				row := Row{Table: "I", Dataset: "Syn1", Method: "CaDeM", Embedding: "common", Target: target, Metric: metric}
				row.fill(collect(list, row.Embedding, target, metric), r.differs)
				if row.Ours != nil {
					r.Rows = append(r.Rows, row)
				}
			}
		}
		r.ceiling(list)
		r.own(list)
		r.leak(list)
		r.place("macro_f1")
		r.ordering("macro_f1", "cells")
		r.bars("table1", "Macro-F1 on Syn1", "macro_f1", func(row *Row) string {
			if row.Embedding == "combined" || strings.TrimPrefix(row.Embedding, "private_") == strings.TrimPrefix(row.Target, "layer_") {
				return strings.Replace(row.Embedding, "private_", "P", 1) + " → " + strings.Replace(row.Target, "layer_", "L", 1)
			}
			return ""
		})
	},
}

// own says what private embeddings tell of their own layer and of others, and what training adds.
func (r *Report) own(list []*TaskResult) {
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
		r.find("%s scores macro-F1 %.3f on the communities of its own layer, %s, where it scores %.3f at most.", name, own[name], holds, highest)
	}
	for l, target := range syn1Layers {
		f := entry{fmt.Sprintf("private_%d", l+1), target, metric}
		r.compare(pair(list, list, f.trained(), f.untrained()), f.embedding+" on "+target+", macro-F1", "trained", "untrained")
	}
	f := entry{"combined", "final", metric}
	r.compare(pair(list, list, f.trained(), f.untrained()), "combined on final, macro-F1", "trained", "untrained")
}

// leak says what the common embedding tells of communities that no two layers share.
func (r *Report) leak(list []*TaskResult) {
	const metric, much = "macro_f1", 0.1
	var common, own, other []float64
	for _, target := range syn1Layers {
		for l, its := range syn1Layers {
			c := collect(list, fmt.Sprintf("private_%d", l+1), target, metric)
			switch {
			case c == nil:
			case its == target:
				own = append(own, c.probe...)
			default:
				other = append(other, c.probe...)
			}
		}
		if c := collect(list, "common", target, metric); c != nil {
			common = append(common, c.probe...)
		}
	}
	if len(common) == 0 || len(own) == 0 || len(other) == 0 {
		return
	}
	s, p, q := *average(common), *average(own), *average(other)
	holds := "S keeps what single layers hold"
	if s-q <= much {
		holds = "S keeps little of what single layers hold"
	}
	r.find("The communities of each layer are drawn by themselves: none is common. A linear probe reads them from S with macro-F1 %.3f in the mean, from the private embedding of the same layer with %.3f, and from those of other layers with %.3f: %s (counted as much when more than %.1f above the last).", s, p, q, holds, much)
}
