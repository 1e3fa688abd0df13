package experiments

import (
	"math"

	"cadem/core/study"
	"cadem/core/study/measure"
)

var table2 = study.Study{
	Name: "table2", Title: "Table II: final labels of Syn1 by method", Seeds: 5, DataSeeds: 1, Classifies: true,
	Text: "Only the row of CaDeM is computed here; those of the other methods stand as printed, each of one training. Hold the distances " +
		"between methods against the spreads before you rank them. What untrained encoders get stands beside." + ceilingText,
	Plan: planSyn1,
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		list := results.Of(planSyn1(o))
		r.Rows = paperRows("II", "Syn1", r.Differs, func(string) []*measure.Result { return list })
		ceiling(r, list)
		ranks(r, "macro_f1")
		f := study.Entry{Embedding: "combined", Target: "final", Metric: "macro_f1"}
		r.Compare(study.Pair(list, list, f.Trained(), f.Untrained()), "Final labels by all embeddings, macro-F1", "trained", "untrained")
		r.Place("macro_f1")
		r.Bars("table2", "Macro-F1 of the final labels", "macro_f1", func(row *study.Row) string { return row.Method })
	},
}

// ranks says how the methods of the paper's table stand to each other by their spreads, and
// where our figure would stand among them.
func ranks(r *study.Report, metric string) {
	var cadem *study.Row
	var others []study.Row
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
	r.Find("As printed, %d of the %d other methods lie within one spread, theirs or CaDeM's, of CaDeM (%s).", near, len(others), metric)
	if cadem.Reach != nil {
		r.Find("Ours, %.3f in the mean over %s, would be number %d of the %d methods as printed.", *cadem.Ours, study.Plural(cadem.Trainings, "training"),
			above+1, len(others)+1)
	}
}
