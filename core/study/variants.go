package study

import (
	"math"
	"slices"

	"cadem/core/cadem"
	"cadem/core/study/chart"
)

const variantsText = " Without files the data are Syn1's; with files they are each data set of them, with its label sets. Embeddings are learned on all nodes, so that nothing here says how new nodes would do."

var table7 = Study{
	Name: "table7", Also: []string{"ablation"}, Title: "Table VII: losses on and off", Seeds: 5, FileSeeds: 1, DataSeeds: 1, Classifies: true, Takes: NeedGraph,
	Text: "Compare the variants with all losses by the tests below, not by the third digit: they are paired, the same folds and seeds on both sides. With matching alone the private encoders get no gradient: the private part of this variant is what untrained encoders give. " +
		"The chart shows what the terms do to each other: the matching loss with and without the causal term." + variantsText,
	plan: func(o *Order) []Task {
		return planSets(o, func(o *Order) []Task { return planVariants(o, lossVariants) })
	},
	assemble: func(o *Order, results Results, r *Report) { assembleSets(o, results, r, assembleTable7) },
}

func assembleTable7(o *Order, results Results, r *Report) {
	assembleVariants(o, results, r, "VII", lossVariants)
	c := chart.Chart{Name: "matching", Title: "Matching loss, before its weight", XLabel: "outer epoch", YLabel: "matching loss", YRange: &[2]float64{0, 0},
		Text: "Mean over trainings of the matching loss at the end of every epoch, one line a variant."}
	for _, v := range lossVariants {
		list := results.of(planVariant(o, v))
		if s := lossCurve(v.name, list, cadem.TermColumn("matching")); s.X != nil {
			c.Series = append(c.Series, s)
			r.find("%s: the matching loss goes from %.2f to %.2f.", v.name, s.Y[0], s.Y[len(s.Y)-1])
		}
	}
	r.draw(c)
}

var table11 = Study{
	Name: "table11", Also: []string{"augmentation"}, Title: "Table XI: with and without augmented graphs", Seeds: 5, FileSeeds: 1, DataSeeds: 1, Classifies: true, Takes: NeedGraph,
	Text: "Without augmentation the two predictors see the complete layers only, still with noise. The test below compares the two rows in the same folds and with the same seeds. It says nothing about larger or sparser graphs." + variantsText,
	plan: func(o *Order) []Task {
		return planSets(o, func(o *Order) []Task { return planVariants(o, augmentationVariants) })
	},
	assemble: func(o *Order, results Results, r *Report) {
		assembleSets(o, results, r, func(o *Order, results Results, r *Report) {
			assembleVariants(o, results, r, "XI", augmentationVariants)
		})
	},
}

// A variant of a training, as the paper's tables name it.
type variant struct {
	name    string
	options map[string]any
}

// The variants of a table; the last is the full method.
var (
	lossVariants = []variant{
		{"match", map[string]any{"weight_selfsupervised": 0, "weight_causal": 0}},
		{"match+selfsup", map[string]any{"weight_causal": 0}},
		{"match+causal", map[string]any{"weight_selfsupervised": 0}},
		{"all", nil},
	}
	augmentationVariants = []variant{{"augmentation_off", map[string]any{"augmented": 0}}, {"augmentation_on", nil}}
)

// planVariants trains all variants.
func planVariants(o *Order, variants []variant) []Task {
	var tasks []Task
	for _, v := range variants {
		tasks = append(tasks, planVariant(o, v)...)
	}
	return tasks
}

// planVariant trains a variant on the files of the order, or on Syn1, where the full method is the
// training of table I.
func planVariant(o *Order, v variant) []Task {
	embeddings := []string{"combined", "common"}
	if o.own() {
		return o.planFiles(v, func(int) []Measure {
			return []Measure{{Kind: "classes", Embeddings: embeddings}, {Kind: "losses"}}
		})
	}
	if v.options == nil {
		return planSyn1(o)
	}
	var tasks []Task
	o.each(func(model, data int) {
		t := o.task("syn1", nil, v.options, model, data, Measure{Kind: "scores", Embeddings: embeddings, Targets: []string{"final"}}, Measure{Kind: "losses"})
		t.Name += ", " + v.name
		tasks = append(tasks, t)
	})
	return tasks
}

// planFiles trains a variant on the files of the order; measures tells what to find out about the
// training of a model seed.
func (o *Order) planFiles(v variant, measures func(model int) []Measure) []Task {
	var tasks []Task
	o.each(func(model, _ int) {
		t := o.fileTask(v.options, model, measures(model)...)
		if v.name != "" {
			t.Name += ", " + v.name
		}
		tasks = append(tasks, t)
	})
	return tasks
}

// assembleVariants adds the rows of variants, the last of which is the full method, and compares
// each with that.
func assembleVariants(o *Order, results Results, r *Report, table string, variants []variant) {
	name, targets, printed := "Syn1", []string{"final"}, true
	if o.own() {
		all := results.of(planVariants(o, variants))
		if len(all) == 0 {
			return
		}
		name, targets, printed = r.files(o, table, all[0])
	}
	for _, target := range targets {
		for _, v := range variants {
			for _, metric := range []string{"macro_f1", "micro_f1"} {
				row := Row{Table: table, Dataset: name, Method: "CaDeM", Embedding: "combined", Target: target, Metric: metric, Variant: v.name}
				if printed {
					row.print()
				}
				if row.fill(collect(results.of(planVariant(o, v)), row.Embedding, target, metric), r.differs); row.Ours != nil || row.Paper != nil {
					r.Rows = append(r.Rows, row)
				}
			}
		}
	}
	if !o.own() {
		r.ceiling(results.of(planSyn1(o)))
	}
	full := variants[len(variants)-1]
	for _, target := range targets {
		f := entry{"combined", target, "macro_f1"}
		for _, v := range variants[:len(variants)-1] {
			a, b := results.pairs(planVariant(o, full), planVariant(o, v))
			r.compare(pair(a, b, f.trained(), f.trained()), "Macro-F1 on "+target, full.name, v.name)
		}
	}
	r.spreads(full.name)
	r.place("macro_f1")
	r.ordering("macro_f1", "variants")
	r.bars(r.Study, "Macro-F1 on "+name+", combined embedding", "macro_f1", func(row *Row) string {
		if len(targets) > 1 {
			return row.Target + ", " + row.Variant
		}
		return row.Variant
	})
}

// spreads says how the paper's figures of the variants differ from that of the full method.
func (r *Report) spreads(full string) {
	i := slices.IndexFunc(r.Rows, func(row Row) bool { return row.Variant == full && row.Paper != nil })
	if i < 0 {
		return
	}
	all := &r.Rows[i]
	for _, row := range r.Rows {
		if row.Metric != all.Metric || row.Variant == full || row.Paper == nil {
			continue
		}
		within := "no more than"
		if math.Abs(*all.Paper-*row.Paper) > max(*all.PaperStd, *row.PaperStd) {
			within = "more than"
		}
		r.find("As printed, %s and %s differ by %s (macro-F1), %s the larger of their spreads.", full, row.Variant, signed(*all.Paper-*row.Paper), within)
	}
}

// print puts what the paper prints for the row into it, if it prints that.
func (row *Row) print() {
	for _, p := range paper() {
		if p.Table == row.Table && p.Dataset == row.Dataset && p.Method == row.Method && p.Embedding == row.Embedding && p.Metric == row.Metric && p.Variant == row.Variant {
			row.Paper, row.PaperStd = p.Paper, p.PaperStd
		}
	}
}

// files says what a training on the files of an order is about: the name of the data, the paper's
// if it has them; the label sets; and whether a table of the paper has figures of them.
func (r *Report) files(o *Order, table string, of *TaskResult) (name string, targets []string, printed bool) {
	data := of.Summary
	r.differs = o.differs(NeedGraph, []string{""}, data)
	name, targets = data.Name, of.targets()
	if data.Paper == "" {
		r.find("The paper prints nothing for these data: no data set of its Table %s has these numbers of nodes, features and edges.", table)
		return name, targets, false
	}
	name = data.Paper
	if !slices.ContainsFunc(paper(), func(p Row) bool { return p.Table == table && p.Dataset == name }) {
		r.find("The paper's Table %s has no figures of %s.", table, name)
		return name, targets, false
	}
	if len(targets) > 1 {
		r.find("There are several label sets: which of them the paper's classes are is not known, so its figures are left out.")
	}
	return name, targets, len(targets) == 1
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
