package study

import (
	"fmt"
	"strings"

	"cadem/core/figure"
	"cadem/core/study/chart"
)

const ceilingText = " On the published data 85 of the 100 final labels equal the node's community in the first layer: who knows that community perfectly scores macro-F1 0.849, and nothing can do reliably better."

var table1 = Study{
	Name: "table1", Title: "Table I: what each embedding of Syn1 tells", Seeds: 5, DataSeeds: 1, Classifies: true,
	Text: "Look down the private rows: each embedding tells the communities of its own layer and little of the others'. Then look at the column beside: untrained encoders, which have only passed the features along the edges, get nearly the same there, because each layer's communities are plain to see in its edges. " +
		"So the table shows that private embeddings keep their layers apart; it does not show that training is what separates them. The paper's figures are of one training on one graph; others differ from it by the spread between seeds." + ceilingText,
	plan: planSyn1,
	assemble: func(o *Order, results Results, r *Report) {
		list := results.of(planSyn1(o))
		r.Rows = paperRows("I", "Syn1", func(string) []*TaskResult { return list })
		for _, target := range []string{"final", "layer_1", "layer_2", "layer_3"} {
			for _, metric := range []string{"macro_f1", "micro_f1"} {
				row := Row{Table: "I", Dataset: "Syn1", Method: "CaDeM", Embedding: "common", Target: target, Metric: metric}
				row.fill(collect(list, row.Embedding, target, metric))
				if row.Ours != nil {
					r.Rows = append(r.Rows, row)
				}
			}
		}
		ceiling(list, r)
		var own, other []float64
		for _, row := range r.Rows {
			if p, ok := strings.CutPrefix(row.Embedding, "private_"); ok && row.Ours != nil && row.Metric == "macro_f1" {
				if l, ok := strings.CutPrefix(row.Target, "layer_"); ok && l == p {
					own = append(own, *row.Ours)
				} else if ok {
					other = append(other, *row.Ours)
				}
			}
		}
		if len(own) > 0 && len(other) > 0 {
			highest := other[0]
			for _, v := range other {
				highest = max(highest, v)
			}
			r.find("A private embedding scores %s on its own layer's communities in the mean, and %.3f at most on another layer's (macro-F1).", number(average(own)), highest)
		}
		r.leak(list)
		r.find("%s", ordering(r.Rows, "macro_f1", "cells"))
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
	Text: "Only the row of CaDeM is computed here; those of the other methods stand as printed. Seven of the ten others lie within one spread, theirs or CaDeM's, of CaDeM's figure, so the table cannot rank the methods. What untrained encoders get stands beside." + ceilingText,
	plan: planSyn1,
	assemble: func(o *Order, results Results, r *Report) {
		list := results.of(planSyn1(o))
		r.Rows = paperRows("II", "Syn1", func(string) []*TaskResult { return list })
		ceiling(list, r)
		r.bars("table2", "Macro-F1 of the final labels", "macro_f1", func(row *Row) string { return row.Method })
	},
}

// leak says what the common embedding tells of communities that no two layers share.
func (r *Report) leak(list []*TaskResult) {
	var probe []float64
	for _, target := range []string{"layer_1", "layer_2", "layer_3"} {
		if c := collect(list, "common", target, "macro_f1"); c != nil {
			probe = append(probe, c.probe...)
		}
	}
	if len(probe) > 0 {
		r.find("The layers of Syn1 share nothing, yet a linear probe reads their communities from the common embedding with macro-F1 %s in the mean: S keeps what single layers hold.", number(average(probe)))
	}
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
func ceiling(list []*TaskResult, r *Report) {
	var macro, micro []float64
	for _, t := range list {
		if a := t.array("ceiling"); a != nil {
			macro, micro = append(macro, a.Data[0]), append(micro, a.Data[1])
		}
	}
	if len(macro) > 0 {
		r.find("The ceiling on these data, final labels told by the first layer's communities alone: macro-F1 %s, micro-F1 %s.", number(average(macro)), number(average(micro)))
	}
}

var ablation = Study{
	Name: "ablation", Title: "Table VII: losses on and off, Syn1", Seeds: 5, DataSeeds: 1, Classifies: true,
	Text: "Compare the variants with the spread between trainings, not with each other's third digit: differences below it mean nothing. With matching alone the private encoders get no gradient at all and stay what they were drawn as; that this variant still scores shows how much the data give without training. " +
		"The chart shows what the terms do to each other: without the causal term matching is optimised freely and falls; with it the common embeddings are held back, and it stays high." + ceilingText,
	plan: func(o *Order) []Task {
		var tasks []Task
		for _, v := range ablationVariants {
			tasks = append(tasks, planVariant(o, v)...)
		}
		return tasks
	},
	assemble: func(o *Order, results Results, r *Report) {
		assembleVariants(o, results, r, "VII", ablationVariants)
		c := chart.Chart{Name: "ablation-matching", Title: "Matching loss, before its weight", XLabel: "outer epoch", YLabel: "matching loss", YRange: &[2]float64{0, 0},
			Text: "Mean over trainings of the matching loss at the end of every epoch, one line a variant."}
		for _, v := range ablationVariants {
			list := results.of(planVariant(o, v))
			if s := lossCurve(v.name, list, 0); s.X != nil {
				c.Series = append(c.Series, s)
				r.find("%s: the matching loss goes from %.2f to %.2f.", v.name, s.Y[0], s.Y[len(s.Y)-1])
			}
		}
		r.draw(c)
	},
}

var augmentation = Study{
	Name: "augmentation", Title: "Table XI: with and without augmented graphs, Syn1", Seeds: 5, DataSeeds: 1, Classifies: true,
	Text: "Without augmentation the two predictors see the complete layers only, still with noise. Read the difference between the two rows against the spread between trainings: the paper's is within its own spread. It says nothing about larger or sparser graphs." + ceilingText,
	plan: func(o *Order) []Task {
		return append(planVariant(o, augmentationVariants[0]), planVariant(o, augmentationVariants[1])...)
	},
	assemble: func(o *Order, results Results, r *Report) {
		assembleVariants(o, results, r, "XI", augmentationVariants)
	},
}

// A variant of Syn1's training, as the paper's tables name it.
type variant struct {
	name    string
	options map[string]any
}

var ablationVariants = []variant{
	{"match", map[string]any{"weight_selfsupervised": 0, "weight_causal": 0}},
	{"match+selfsup", map[string]any{"weight_causal": 0}},
	{"match+causal", map[string]any{"weight_selfsupervised": 0}},
	{"all", nil},
}

var augmentationVariants = []variant{{"augmentation_off", map[string]any{"augmented": 0}}, {"augmentation_on", nil}}

// planVariant trains a variant. The full method is the training of table I.
func planVariant(o *Order, v variant) []Task {
	if v.options == nil {
		return planSyn1(o)
	}
	var tasks []Task
	o.each(func(model, data int) {
		t := o.task("syn1", nil, v.options, model, data, Measure{Kind: "scores", Embeddings: []string{"combined", "common"}, Targets: []string{"final"}}, Measure{Kind: "losses"})
		t.Name += ", " + v.name
		tasks = append(tasks, t)
	})
	return tasks
}

func assembleVariants(o *Order, results Results, r *Report, table string, variants []variant) {
	r.Rows = paperRows(table, "Syn1", func(name string) []*TaskResult {
		for _, v := range variants {
			if v.name == name {
				return results.of(planVariant(o, v))
			}
		}
		panic("study: no variant " + name) // of the paper's table
	})
	ceiling(results.of(planSyn1(o)), r)
	if len(variants) > 2 {
		r.find("%s", ordering(r.Rows, "macro_f1", "variants"))
	}
	r.bars(r.Study, "Macro-F1 of the final labels, combined embedding", "macro_f1", func(row *Row) string { return row.Variant })
}

// lossCurve averages a loss term over trainings, as far as all of them went.
func lossCurve(name string, list []*TaskResult, term int) chart.Series {
	s := chart.Series{Name: name}
	for epoch := 0; ; epoch++ {
		var values []float64
		for _, t := range list {
			if a := t.array("losses"); a != nil && epoch < a.Shape[0] {
				values = append(values, a.Data[epoch*a.Shape[1]+term])
			}
		}
		if len(values) == 0 || len(values) < len(list) {
			return s
		}
		s.X, s.Y = append(s.X, float64(epoch+1)), append(s.Y, *average(values))
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
