package study

import (
	"slices"
	"strings"
)

var table6 = Study{
	Name: "table6", Title: "Table VI: classes of the nodes of a real multiplex graph", Seeds: 1, DataSeeds: 1, Needs: NeedGraph,
	Text: "Compare the rows below the first with it before believing the first. What the private embeddings add shows in the rows where they are replaced by zeros, or dealt to the wrong nodes: the combiner has the same weights to train there, but nothing to learn from them. " +
		"What training adds shows beside untrained encoders. What the loss adds to mere agreement between layers shows beside the training with matching alone, whose private embeddings stay as they were drawn. " +
		"Embeddings are learned on all nodes, so nothing here says how new nodes would do, and the spread is over folds of one training: other trainings and other data differ by more.",
	plan:     planTable6,
	assemble: assembleTable6,
}

// The trainings of table VI.
var realVariants = []variant{{"", nil}, {"match", map[string]any{"weight_selfsupervised": 0, "weight_causal": 0}}}

// planTable6 trains on the graph of the files with the full loss and with matching alone.
func planTable6(o *Order) []Task {
	return append(planReal(o, realVariants[0]), planReal(o, realVariants[1])...)
}

func planReal(o *Order, v variant) []Task {
	var tasks []Task
	o.each(func(model, _ int) {
		names := []string{"combined", "common"}
		if v.name == "" {
			names = nil
		}
		t := o.fileTask(v.options, model, Measure{Kind: "classes", Embeddings: names})
		if v.name != "" {
			t.Name += ", " + v.name
		}
		tasks = append(tasks, t)
	})
	return tasks
}

func assembleTable6(o *Order, results Results, r *Report) {
	full, match := results.of(planReal(o, realVariants[0])), results.of(planReal(o, realVariants[1]))
	all := slices.Concat(full, match)
	if len(all) == 0 {
		return
	}
	data := all[0].Summary
	name := data.Paper
	if name == "" {
		name = data.Name
		r.find("The paper prints nothing for these data: no data set of its table VI has these numbers of nodes, features and edges.")
	}
	for _, target := range all[0].targets() {
		for _, metric := range []string{"macro_f1", "micro_f1"} {
			r.Rows = append(r.Rows, realRows(name, target, metric, data.Paper != "" && len(all[0].targets()) == 1, full, match)...)
		}
	}
	r.bars("table6", "Macro-F1 on "+name, "macro_f1", func(row *Row) string {
		if row.Variant != "" {
			return row.Embedding + ", " + row.Variant
		}
		return strings.TrimSuffix(row.Method+", "+row.Embedding, ", combined")
	})
}

// targets returns the names of the label sets that were scored.
func (t *TaskResult) targets() []string {
	var names []string
	for _, s := range t.Scores {
		if !slices.Contains(names, s.Target) {
			names = append(names, s.Target)
		}
	}
	return names
}

// realRows returns the rows of one target and metric: those of the trainings, and what the
// paper prints for the same data if that is known.
func realRows(name, target, metric string, printed bool, full, match []*TaskResult) []Row {
	var rows []Row
	add := func(list []*TaskResult, embedding, variant, table, as string) {
		row := Row{Table: "VI", Dataset: name, Method: "CaDeM", Embedding: embedding, Target: target, Metric: metric, Variant: variant}
		for _, p := range paper() {
			if printed && p.Table == table && p.Dataset == name && p.Method == "CaDeM" && p.Embedding == embedding && p.Metric == metric && p.Variant == as {
				row.Table, row.Paper, row.PaperStd = table, p.Paper, p.PaperStd
			}
		}
		if c := collect(list, embedding, target, metric); c != nil || row.Paper != nil {
			row.fill(c)
			rows = append(rows, row)
		}
	}
	add(full, "combined", "", "VI", "")
	for _, p := range paper() {
		if printed && p.Table == "VI" && p.Dataset == name && p.Method != "CaDeM" && p.Metric == metric {
			p.Target = target
			p.fill(nil)
			rows = append(rows, p)
		}
	}
	names := []string{"common"}
	if len(full) > 0 {
		for _, s := range full[0].Scores {
			if !slices.Contains(append(names, "combined"), s.Embedding) {
				names = append(names, s.Embedding)
			}
		}
	}
	for _, e := range names {
		add(full, e, "", "", "")
	}
	add(match, "combined", "match", "VII", "match")
	add(match, "common", "match", "", "")
	return rows
}
