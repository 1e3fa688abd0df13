package study

import (
	"math"
	"slices"
	"strings"
)

var table6 = Study{
	Name: "table6", Title: "Table VI: classes of the nodes of a real multiplex graph", Seeds: 1, DataSeeds: 1, Classifies: true, Needs: NeedGraph,
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
		measures := []Measure{{Kind: "classes"}}
		if v.name != "" {
			measures[0].Embeddings = []string{"combined", "common"}
		}
		if v.name != "" && model == 0 {
			measures = append(measures, Measure{Kind: "features"}) // beside the training with less to score
		}
		t := o.fileTask(v.options, model, measures...)
		if v.name != "" {
			t.Name += ", " + v.name
		}
		tasks = append(tasks, t)
	})
	return tasks
}

func assembleTable6(o *Order, results Results, r *Report) {
	t := realTable{full: results.of(planReal(o, realVariants[0])), match: results.of(planReal(o, realVariants[1]))}
	all := slices.Concat(t.full, t.match)
	if len(all) == 0 {
		return
	}
	data := all[0].Summary
	t.name, t.printed = data.Name, data.Paper != ""
	if t.printed {
		t.name = data.Paper
	} else {
		r.find("The paper prints nothing for these data: no data set of its table VI has these numbers of nodes, features and edges.")
	}
	targets := all[0].targets()
	if t.printed && len(targets) > 1 {
		t.printed = false
		r.find("There are several label sets: which of them the paper's classes are is not known, so its figures are left out.")
	}
	for _, target := range targets {
		for _, metric := range []string{"macro_f1", "micro_f1"} {
			r.Rows = append(r.Rows, t.rows(target, metric)...)
		}
		t.compare(r, target)
	}
	for _, target := range targets {
		of := t.name
		if len(targets) > 1 {
			of += ", " + target
		}
		r.bars("table6-"+target, "Macro-F1 on "+of+", with controls", "macro_f1", func(row *Row) string {
			if row.Ours == nil || row.Target != target {
				return ""
			}
			text := strings.NewReplacer("combined", "S, P", "common", "S", "private_", "P", "private", "all P", "+", ", ").Replace(row.Embedding)
			if row.Variant != "" {
				text += ", " + row.Variant
			}
			return text
		})
	}
	if t.printed {
		r.bars("table6", "Macro-F1 on "+t.name+" beside the methods of the paper", "macro_f1", func(row *Row) string {
			if row.Paper == nil || row.Variant != "" {
				return ""
			}
			return row.Method
		})
	}
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

// A realTable is what there is for table VI.
type realTable struct {
	name        string // of the data, the paper's if it has them
	printed     bool   // the paper has them
	full, match []*TaskResult
}

// rows returns the rows of one target and metric: those of the trainings, and what the paper
// prints for the same data.
func (t *realTable) rows(target, metric string) []Row {
	var rows []Row
	printed := func(table, method, variant string) []Row {
		var list []Row
		for _, p := range paper() {
			if t.printed && p.Table == table && p.Dataset == t.name && p.Metric == metric && p.Variant == variant && (p.Method == "CaDeM") == (method == "CaDeM") {
				p.Target = target
				list = append(list, p)
			}
		}
		return list
	}
	add := func(list []*TaskResult, row Row) {
		row.Dataset, row.Target, row.Metric = t.name, target, metric
		if c := collect(list, row.Embedding, target, metric); c != nil || row.Paper != nil {
			if row.fill(c); row.Method != "CaDeM" {
				row.Standardised, row.Untrained, row.UntrainedStandardised, row.ProbeS, row.RankS = nil, nil, nil, nil, nil // it has no encoder, and scores once
			}
			rows = append(rows, row)
		}
	}
	first := func(list []Row, row Row) Row {
		if len(list) > 0 {
			return list[0]
		}
		return row
	}
	ours := Row{Table: "VI", Method: "CaDeM", Embedding: "combined"}
	add(t.full, first(printed("VI", "CaDeM", ""), ours))
	for _, p := range printed("VI", "others", "") {
		p.fill(nil)
		rows = append(rows, p)
	}
	if len(t.full) > 0 {
		for _, s := range t.full[0].Scores {
			if s.Target == target && s.Metric == metric && s.Embedding != "combined" {
				ours.Embedding = s.Embedding
				add(t.full, ours)
			}
		}
	}
	ours.Variant, ours.Embedding = "match", "combined"
	add(t.match, first(printed("VII", "CaDeM", "match"), ours))
	ours.Embedding = "common"
	add(t.match, ours)
	add(t.match, Row{Table: "VI", Method: "linear probe", Embedding: noEncoder})
	return rows
}

// compare says in words what training adds, what the private embeddings add, and how the
// figures stand to the paper's.
func (t *realTable) compare(r *Report, target string) {
	const metric = "macro_f1"
	at := func(list []*TaskResult, embedding string) *cell { return collect(list, embedding, target, metric) }
	full := at(t.full, "combined")
	if full == nil {
		return
	}
	value := *average(full.value)
	spread := func(c *cell) float64 { return max(*average(full.fold), *average(c.fold)) }
	against := func(c *cell, what string) {
		if c == nil {
			return
		}
		difference := value - *average(c.value)
		size := "more than"
		if math.Abs(difference) <= spread(c) {
			size = "no more than"
		}
		r.find("%s, macro-F1: %.3f against %.3f, a difference of %+.3f, which is %s the spread over the folds (%.3f).", what, value, *average(c.value), difference, size, spread(c))
	}
	r.find("Training adds %+.3f macro-F1 on %s: %.3f against %.3f of untrained encoders. With standardised columns it is %.3f against %.3f.",
		value-*average(full.untrained), target, value, *average(full.untrained), *average(full.standardised), *average(full.untrainedStandardised))
	against(at(t.full, zeroTokens), "S and the private embeddings beside S and zeros in their place")
	against(at(t.full, shuffledRows), "S and the private embeddings beside S and the same embeddings dealt to other nodes")
	against(at(t.match, "combined"), "The full loss beside matching alone")
	if c := at(t.match, noEncoder); c != nil {
		r.find("A linear probe on the %d leading directions a layer of the propagated features, without any encoder, reads macro-F1 %.3f; on the trained embeddings it reads %.3f.", leadingWidth, *average(c.value), *average(full.probe))
	}
	for _, row := range r.Rows {
		if row.Target == target && row.Metric == metric && row.Status != "" && row.Ours != nil {
			what := "all losses"
			if row.Variant != "" {
				what = "matching alone"
			}
			r.find("With %s the paper prints %.3f ± %.3f, here it is %.3f: %s.", what, *row.Paper, *row.PaperStd, *row.Ours, map[string]string{"match": "a match", "above": "above it", "below": "below it"}[row.Status])
		}
	}
}
