package experiments

import (
	"math"
	"slices"

	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

var table2 = study.Study{
	Name: "table2", Title: "Table II: final labels of Syn1 by method", Seeds: 5, DataSeeds: 1, Classifies: true, Methods: study.Nodes,
	Shows: "CaDeM and other methods, classifying the final labels of Syn1.",
	Learn: "Whether methods lie further apart than their scores vary.",
	Text: "Hold the distances between methods against the spreads before you rank them." + MethodsText + standingText +
		"What untrained encoders get stands beside CaDeM's." + ceilingText,
	Plan: func(o *study.Order) []study.Task {
		return append(planTable2(o), sorting.Flat(besideCaDeM(o), syn1Contest(o).tasks)...)
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		c, list := syn1Contest(o), results.Of(planTable2(o))
		c.differs = r.Differs
		var entrants []study.Entrant
		var own []study.Row
		for _, p := range paperRows("II", "Syn1", r.Differs, func(string) []*measure.Result { return list }) {
			if p.Method == "CaDeM" {
				own = append(own, p)
			}
		}
		for _, row := range own {
			found := c.rows(o, results, r, row.Metric)
			r.Score(study.Row{Table: "II", Dataset: row.Dataset, Method: "CaDeM", Embedding: "common", Target: row.Target, Metric: row.Metric}, list)
			if r.Rows = append(r.Rows, row); row.Metric == "macro_f1" {
				entrants = found
			}
		}
		ceiling(r, list)
		ranks(r, "macro_f1")
		c.hold(results, r, entrants, r.RowOf("CaDeM", "final", "macro_f1", ""))
		f := study.Entry{Embedding: "combined", Target: "final", Metric: "macro_f1"}
		r.Readers("macro_f1")
		r.CompareTraining(list, f, "Final labels by all embeddings of CaDeM, macro-F1")
		alone := study.Entry{Embedding: "common", Target: f.Target, Metric: f.Metric}
		r.Compare(study.Pair(list, list, f.Trained(), alone.Trained()), "Final labels, macro-F1", "S and P", "S alone")
		r.Place("macro_f1")
		r.Bars("table2", "Macro-F1 of the final labels", "macro_f1", func(row *study.Row) string {
			if row.Embedding == "common" {
				return "S alone"
			}
			return row.Named()
		})
	},
}

// planTable2 trains Syn1 as published, and reads it by both readers.
func planTable2(o *study.Order) []study.Task {
	return measureSyn1(o, measure.Spec{Kind: measure.Scores, Fitted: true}, measure.Spec{Kind: measure.Ceiling}, measure.Spec{Kind: measure.Losses})
}

// syn1Contest is the contest of table II.
func syn1Contest(o *study.Order) *contest {
	spec := measure.Spec{Kind: measure.Combined, Targets: []string{"final"}, Fitted: true}
	return &contest{table: "II", dataset: "Syn1", paper: "Syn1", target: "final", scored: "final", scope: study.Nodes, methods: besideCaDeM,
		cadem: planTable2(o), trained: planTable2(o),
		tasks: func(m *train.Method) []study.Task {
			return methodTasks(inexpensive(o, m), m, func(model, data int) study.Task { return o.Task("syn1", nil, nil, model, data, spec) })
		}}
}

// ranks says how the methods of the paper's table stand to each other by their spreads, and
// where our figure would stand among them.
func ranks(r *study.Report, metric string) {
	i := slices.IndexFunc(r.Rows, func(row study.Row) bool { return row.Metric == metric && row.Method == "CaDeM" && row.Paper != nil })
	if i < 0 {
		return
	}
	cadem := &r.Rows[i]
	others, near, above := 0, 0, 0
	for _, row := range r.Rows {
		if row.Metric != metric || row.Method == "CaDeM" || row.Paper == nil {
			continue
		}
		others++
		if math.Abs(*row.Paper-*cadem.Paper) <= max(*row.PaperStd, *cadem.PaperStd) {
			near++
		}
		if cadem.Ours != nil && *row.Paper > *cadem.Ours {
			above++
		}
	}
	if others == 0 {
		return
	}
	r.Find("As printed, %d of the %d other methods lie within one spread, theirs or CaDeM's, of CaDeM (%s).", near, others, metric)
	if cadem.Reach != nil {
		r.Find("CaDeM's %.3f here, in the mean over %s, would be number %d of the %d methods as printed.", *cadem.Ours, study.Plural(cadem.Trainings, "training"),
			above+1, others+1)
	}
}
