package experiments

import (
	"math"
	"slices"

	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

const variantsText = " Without files the data are Syn1's; with files they are each data set of them, with its label sets. Embeddings are " +
	"learned on all nodes, so that nothing here says how new nodes would do."

// A variant of a training, as the paper's tables name it.
type variant struct {
	name    string
	options map[string]any
}

// planVariants trains all variants.
func planVariants(o *study.Order, variants []variant) []study.Task {
	return sorting.Flat(variants, func(v variant) []study.Task { return planVariant(o, v) })
}

// planVariant trains a variant on the files of the order, or on Syn1, where the full method is the
// training of table I.
func planVariant(o *study.Order, v variant) []study.Task {
	embeddings := []string{"combined", "common"}
	if o.OfFiles() {
		return planOn(o, v, func(int) []measure.Spec {
			return []measure.Spec{{Kind: measure.Classes, Embeddings: embeddings}, {Kind: measure.Losses}}
		})
	}
	if v.options == nil {
		return planSyn1(o)
	}
	return o.Trainings("syn1", nil, v.options, v.name,
		measure.Spec{Kind: measure.Scores, Embeddings: embeddings, Targets: []string{"final"}}, measure.Spec{Kind: measure.Losses})
}

// planOn trains a variant on the data of the order; measures says what to find out about the training
// of a model seed.
func planOn(o *study.Order, v variant, measures func(model int) []measure.Spec) []study.Task {
	return o.Tasks(func(model, data int) study.Task {
		t := o.TaskOn(v.options, model, data, measures(model)...)
		if v.name != "" {
			t.Name += ", " + v.name
		}
		return t
	})
}

// assembleVariants adds the rows of variants, the last of them the full method, and compares each
// with that.
func assembleVariants(o *study.Order, results study.Results, r *study.Report, table string, variants []variant) {
	name, targets, printed := "Syn1", []string{"final"}, true
	if o.OfFiles() {
		all := results.Of(planVariants(o, variants))
		if len(all) == 0 {
			return
		}
		name, targets, printed = aboutData(r, o, table, all[0])
	}
	for _, target := range targets {
		for _, v := range variants {
			for _, metric := range f1s {
				row := study.Row{Table: table, Dataset: name, Method: "CaDeM", Embedding: "combined", Target: target, Metric: metric, Variant: v.name}
				if printed {
					printRow(&row)
				}
				r.Score(row, results.Of(planVariant(o, v)))
			}
		}
	}
	if !o.OfFiles() {
		ceiling(r, results.Of(planSyn1(o)))
	}
	full := variants[len(variants)-1]
	for _, target := range targets {
		f := study.Entry{Embedding: "combined", Target: target, Metric: "macro_f1"}
		for _, v := range variants[:len(variants)-1] {
			a, b := results.Pairs(planVariant(o, full), planVariant(o, v))
			r.Compare(study.Pair(a, b, f.Trained(), f.Trained()), "Macro-F1 on "+target, full.name, v.name)
		}
	}
	spreads(r, full.name)
	r.Place("macro_f1")
	r.Ordering("macro_f1", "variants")
	r.Bars(r.Study, "Macro-F1 on "+name+", combined embedding", "macro_f1", func(row *study.Row) string {
		if len(targets) > 1 {
			return row.Target + ", " + row.Variant
		}
		return row.Variant
	})
}

// spreads says how the paper's figures of the variants differ from that of the full method.
func spreads(r *study.Report, full string) {
	i := slices.IndexFunc(r.Rows, func(row study.Row) bool { return row.Variant == full && row.Paper != nil })
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
		r.Find("As printed, %s and %s differ by %s (macro-F1), %s the larger of their spreads.", full, row.Variant, study.Signed(*all.Paper-*row.Paper), within)
	}
}

// aboutData says what a training on the data of an order is about: their name, the paper's if it has
// files of such; the label sets; and whether a table of the paper has figures of them.
func aboutData(r *study.Report, o *study.Order, table string, of *measure.Result) (name string, targets []string, printed bool) {
	if !o.OfFiles() {
		return o.Example, of.Targets(), false
	}
	data := of.Summary
	if r.Differs = o.Differs(study.NeedGraph, []string{""}, data); of.Protocol() != "" {
		r.Differs = append(r.Differs, study.OwnSplits)
	}
	name, targets = data.Name, of.Targets()
	if data.Paper == "" {
		r.Caveat("The paper prints nothing for these data: no data set of its Table %s has these numbers of nodes, features and edges.", table)
		return name, targets, false
	}
	name = data.Paper
	if !slices.ContainsFunc(paper(), func(p study.Row) bool { return p.Table == table && p.Dataset == name }) {
		r.Caveat("The paper's Table %s has no figures of %s.", table, name)
		return name, targets, false
	}
	if len(targets) > 1 {
		r.Caveat("There are several label sets: which of them the paper's classes are is not known, so its figures are left out.")
	}
	return name, targets, len(targets) == 1
}
