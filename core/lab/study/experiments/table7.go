package experiments

import (
	"cadem.example/core/cadem"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
)

var table7 = study.Study{
	Name: "table7", Also: []string{"ablation"}, Title: "Table VII: losses on and off", Trains: true, Seeds: 5, FileSeeds: 1, DataSeeds: 1, Classifies: true,
	Shows: "The same training with each loss switched on and off.",
	Learn: "Which loss changes a score by more than the scores vary.",
	Takes: study.NeedGraph,
	Text: "Compare the variants with all losses by the tests below, not by the third digit: they are paired, the same folds and seeds on both " +
		"sides. With matching alone the private encoders get no gradient: the private part of this variant is what untrained encoders give. " +
		"The chart shows what the terms do to each other: the matching loss with and without the causal term." + variantsText,
	BySet: true, Assemble: assembleTable7,
	Plan: func(o *study.Order) []study.Task { return planVariants(o, lossVariants()) },
}

func assembleTable7(o *study.Order, results study.Results, r *study.Report) {
	assembleVariants(o, results, r, "VII", lossVariants())
	c := chart.Chart{Name: "matching", Title: "Matching loss, before its weight", XLabel: "outer epoch", YLabel: "matching loss", YRange: &[2]float64{0, 0},
		Text: "Mean over trainings of the matching loss at the end of every epoch, one line a variant."}
	for _, v := range lossVariants() {
		list := results.Of(planVariant(o, v))
		if s := study.LossCurve(v.name, list, cadem.TermColumn("matching")); s.X != nil {
			c.Series = append(c.Series, s)
			r.Find("%s: the matching loss goes from %.2f to %.2f.", v.name, s.Y[0], s.Y[len(s.Y)-1])
		}
	}
	r.Draw(c)
}

// The variants of a table; the last is the full method. They are functions, since maps would be made when any program starts.
func lossVariants() []variant {
	return []variant{
		{"match", map[string]any{"weight_selfsupervised": 0, "weight_causal": 0}},
		{"match+selfsup", map[string]any{"weight_causal": 0}},
		{"match+causal", map[string]any{"weight_selfsupervised": 0}},
		{"all", nil},
	}
}

func augmentationVariants() []variant {
	return []variant{{"augmentation_off", map[string]any{"augmented": 0}}, {"augmentation_on", nil}}
}
