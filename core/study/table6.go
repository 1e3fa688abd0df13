package study

import (
	"slices"
	"strings"
)

var table6 = Study{
	Name: "table6", Title: "Table VI: classes of the nodes of real multiplex graphs", Seeds: 1, DataSeeds: 1, Classifies: true, Needs: NeedGraph,
	Text: "Compare the rows below the first with it before believing the first. What the private embeddings add shows in the rows where they are replaced by zeros, or dealt to the wrong nodes: the combiner has the same weights to train there, but nothing to learn from them. " +
		"What training adds shows beside untrained encoders. What the loss adds to mere agreement between layers shows beside the training with matching alone, whose private embeddings stay as they were drawn. " +
		"Embeddings are learned on all nodes, so that nothing here says how new nodes would do. The tests are over folds of this graph: they say nothing about other data, and with one training nothing about other trainings.",
	plan:     func(o *Order) []Task { return planSets(o, planTable6) },
	assemble: func(o *Order, results Results, r *Report) { assembleSets(o, results, r, assembleTable6) },
}

// The trainings of table VI.
var realVariants = []variant{{"", nil}, {"match", map[string]any{"weight_selfsupervised": 0, "weight_causal": 0}}}

// planTable6 trains on the graph of the files with the full loss and with matching alone.
func planTable6(o *Order) []Task {
	return append(planReal(o, realVariants[0]), planReal(o, realVariants[1])...)
}

func planReal(o *Order, v variant) []Task {
	return o.planFiles(v, func(model int) []Measure {
		if v.name == "" {
			return []Measure{{Kind: "classes"}}
		}
		measures := []Measure{{Kind: "classes", Embeddings: []string{"combined", "common"}}}
		if model == 0 {
			measures = append(measures, Measure{Kind: "features"}) // beside the training with less to score
		}
		return measures
	})
}

func assembleTable6(o *Order, results Results, r *Report) {
	fullTasks, matchTasks := planReal(o, realVariants[0]), planReal(o, realVariants[1])
	t := realTable{full: results.of(fullTasks), match: results.of(matchTasks)}
	t.both[0], t.both[1] = results.pairs(fullTasks, matchTasks)
	all := slices.Concat(t.full, t.match)
	if len(all) == 0 {
		return
	}
	var targets []string
	t.name, targets, t.printed = r.files(o, "VI", all[0])
	t.differs = r.differs
	for _, target := range targets {
		for _, metric := range []string{"macro_f1", "micro_f1"} {
			r.Rows = append(r.Rows, t.rows(target, metric)...)
		}
		t.compare(r, target)
	}
	r.place("macro_f1")
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
	differs     []string
	full, match []*TaskResult
	both        [2][]*TaskResult // those of the same seeds
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
			if row.fill(c, t.differs); row.Method != "CaDeM" {
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
		p.fill(nil, t.differs)
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

// compare tests what training adds and what the private embeddings add, and says how the figures
// stand to the paper's.
func (t *realTable) compare(r *Report, target string) {
	const metric = "macro_f1"
	at := func(embedding string) entry { return entry{embedding, target, metric} }
	full := at("combined")
	what := "Macro-F1 on " + target
	r.compare(pair(t.full, t.full, full.trained(), full.untrained()), what, "trained", "untrained")
	r.compare(pair(t.full, t.full, full.trained(), at("common").trained()), what, "S and P", "S alone")
	r.compare(pair(t.full, t.full, full.trained(), at(zeroTokens).trained()), what, "S and P", "S and zeros")
	r.compare(pair(t.full, t.full, full.trained(), at(shuffledRows).trained()), what, "S and P", "S and the P of other nodes")
	r.compare(pair(t.both[0], t.both[1], full.trained(), full.trained()), what, "all losses", "matching alone")
	if c, probe := collect(t.match, noEncoder, target, metric), collect(t.full, "combined", target, metric); c != nil && probe != nil {
		r.find("A linear probe on the %d leading directions a layer of the propagated features, without any encoder, reads macro-F1 %.3f; on the trained embeddings it reads %.3f.", leadingWidth, *average(c.value), *average(probe.probe))
	}
	for _, row := range r.Rows {
		if row.Target != target || row.Metric != metric || row.Paper == nil || row.Ours == nil {
			continue
		}
		with := "all losses"
		if row.Variant != "" {
			with = "matching alone"
		}
		r.find("With %s the paper prints %.3f ± %.3f, here it is %.3f: %s.", with, *row.Paper, *row.PaperStd, *row.Ours,
			map[string]string{"match": "a match", "above": "above it", "below": "below it", otherSettings: "not to be compared, as the settings are others"}[row.Status])
	}
}
