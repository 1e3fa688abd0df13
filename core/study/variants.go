package study

import (
	"math"
	"slices"
)

const variantsText = " Without files the data are Syn1's; with files they are each data set of them, with its label sets. Embeddings are learned on all nodes, so that nothing here says how new nodes would do."

// A variant of a training, as the paper's tables name it.
type variant struct {
	name    string
	options map[string]any
}

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
