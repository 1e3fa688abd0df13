package study

import "math"

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
