package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"cadem/core/figure"
	"cadem/core/study/chart"
)

const ceilingText = " A final label copies the node's community in the first layer, or at random in another one. Which nodes copy another one is drawn by itself, so that no embedding can tell them but by luck: the ceiling below is what the first layer's communities score when they are known without error."

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

var table2 = Study{
	Name: "table2", Title: "Table II: final labels of Syn1 by method", Seeds: 5, DataSeeds: 1, Classifies: true,
	Text: "Only the row of CaDeM is computed here; those of the other methods stand as printed, each of one training. Hold the distances between methods against the spreads before you rank them. What untrained encoders get stands beside." + ceilingText,
	plan: planSyn1,
	assemble: func(o *Order, results Results, r *Report) {
		list := results.of(planSyn1(o))
		r.Rows = paperRows("II", "Syn1", r.differs, func(string) []*TaskResult { return list })
		r.ceiling(list)
		r.ranks("macro_f1")
		f := entry{"combined", "final", "macro_f1"}
		r.compare(pair(list, list, f.trained(), f.untrained()), "Final labels by all embeddings, macro-F1", "trained", "untrained")
		r.place("macro_f1")
		r.bars("table2", "Macro-F1 of the final labels", "macro_f1", func(row *Row) string { return row.Method })
	},
}

// syn1Layers are the label sets of Syn1 that the tables score beside the final labels.
var syn1Layers = []string{"layer_1", "layer_2", "layer_3"}

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

// ranks says how the methods of the paper's table stand to each other by their spreads, and
// where our figure would stand among them.
func (r *Report) ranks(metric string) {
	var cadem *Row
	var others []Row
	for i := range r.Rows {
		switch row := &r.Rows[i]; {
		case row.Metric != metric:
		case row.Method == "CaDeM":
			cadem = row
		default:
			others = append(others, *row)
		}
	}
	if cadem == nil || len(others) == 0 {
		return
	}
	near, above := 0, 0
	for _, row := range others {
		if math.Abs(*row.Paper-*cadem.Paper) <= max(*row.PaperStd, *cadem.PaperStd) {
			near++
		}
		if cadem.Ours != nil && *row.Paper > *cadem.Ours {
			above++
		}
	}
	r.find("As printed, %d of the %d other methods lie within one spread, theirs or CaDeM's, of CaDeM (%s).", near, len(others), metric)
	if cadem.Reach != nil {
		r.find("Ours, %.3f in the mean over %s, would be number %d of the %d methods as printed.", *cadem.Ours, plural(cadem.Trainings, "training"), above+1, len(others)+1)
	}
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

// planSyn1 trains Syn1 as published and scores everything.
func planSyn1(o *Order) []Task {
	var tasks []Task
	o.each(func(model, data int) {
		tasks = append(tasks, o.task("syn1", nil, nil, model, data, syn1Measures...))
	})
	return tasks
}

var syn1Measures = []Measure{{Kind: "scores"}, {Kind: "ceiling"}, {Kind: "losses"}}

// ceiling says what the data allow.
func (r *Report) ceiling(list []*TaskResult) {
	var values [4][]float64 // as in the array
	for _, t := range list {
		if a := t.array("ceiling"); a != nil {
			for k := range values {
				values[k] = append(values[k], a.Data[k])
			}
		}
	}
	if len(values[0]) > 0 {
		r.find("%.4g of %.4g final labels are the node's community in the first layer. That alone scores macro-F1 %.3f and micro-F1 %.3f, the ceiling on these data.", *average(values[2]), *average(values[3]), *average(values[0]), *average(values[1]))
	}
}

// array looks an array up, nil if there is none.
func (t *TaskResult) array(name string) *NamedArray {
	for i := range t.Arrays {
		if t.Arrays[i].Name == name {
			return &t.Arrays[i]
		}
	}
	return nil
}

// find adds a sentence to the findings.
func (r *Report) find(format string, values ...any) {
	if s := fmt.Sprintf(format, values...); s != "" {
		r.Findings = append(r.Findings, figure.Signs(s))
	}
}

// draw adds a chart that has something to show.
func (r *Report) draw(c chart.Chart) {
	if len(c.Series) > 0 {
		r.Charts = append(r.Charts, c)
	}
}
