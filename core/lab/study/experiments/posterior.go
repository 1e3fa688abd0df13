package experiments

import (
	"fmt"
	"maps"
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

var layerPosterior = study.Study{
	Name: "posterior", Title: "What the common embeddings tell of their layer", Trains: true, Seeds: 1, DataSeeds: 1,
	Shows: "Whether the layer can be told from the common embeddings, over the training and with each loss on and off.",
	Learn: "With which losses the layer can be read from C after as many epochs, and when a classifier only stops using it.",
	Text: "Proposition 2a says that matching takes the layer out of the common embeddings, 2b that psi does not heed them once the causal loss is small. " +
		"There are two views of it: what the causal predictor psi makes of a pooled common embedding, and what a fresh linear probe " +
		"reads from it. If the proposition held to the " +
		"letter, psi's posterior would have the full entropy log N, drawn as 1. The probe would be right in one of N cases. " +
		"Look at both. Training only asks psi to rely on the private part, so one may fall short without the other. The private embeddings are shown " +
		"for contrast. " +
		"The bars are means over the copies of a layer. They may be even although psi decides for every single copy, in one way here and in " +
		"another there; the entropy shows that. A psi that always answers the same has a low entropy and tells nothing. So look at what its answers " +
		"have in common with the layer. In the table, untrained is after the first step. " +
		"The arms are trainings with some of the losses, with other weights beta of the causal one, and with the preset refined. They " +
		"tell which loss does what to C: " +
		"hold the layers that a probe names, and how far C is from S, against those of matching alone. " +
		"The last picture of a data set is the bound of proposition 1: the information on the layer in the private embeddings is at least log N minus the cross " +
		"entropy. A sentence has the same bound for copies that nothing was fitted to, and by a richer classifier. Another says what becomes of proposition 2b " +
		"where psi sees the parts side by side. " +
		"All of it is measured on pooled graphs, cut from those that were trained on. It says nothing about single nodes.",
	Yields: []string{"weight_selfsupervised", "weight_causal", "combine"},
	Plan: func(o *study.Order) []study.Task {
		tasks := sorting.Flat([]string{"syn2", "syn1"}, func(example string) []study.Task {
			return append(planPosterior(o, example), otherwiseCombined(o, example)...)
		})
		return append(tasks, sorting.Flat(armedData(o), func(d armed) []study.Task { return d.all() })...)
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		for _, example := range []string{"syn2", "syn1"} {
			list := results.Of(planPosterior(o, example))
			if len(list) > 0 {
				drawPosterior(r, example, "Syn"+example[3:], list)
				pairedOtherwise(r, "Syn"+example[3:], o, list, results.Of(otherwiseCombined(o, example)))
			}
		}
		compareArms(armedData(o), 1.0/gammaLayers, results, r)
	},
}

func planPosterior(o *study.Order, example string) []study.Task {
	return o.Trainings(example, nil, nil, "layer posterior", measure.Spec{Kind: measure.Posterior},
		measure.Spec{Kind: measure.Exchange}, measure.Spec{Kind: measure.Unseen})
}

// combined is the way psi gets both parts in a task.
func combined(t *study.Task) string {
	s, err := t.Usual()
	if err != nil {
		panic(err) // the plan was checked
	}
	return s.CaDeM().Combine
}

// otherwiseCombined are the same trainings with the parts that psi sees put together the other way; none if the order says which.
func otherwiseCombined(o *study.Order, example string) []study.Task {
	if o.Options["combine"] != nil {
		return nil
	}
	var tasks []study.Task
	for _, base := range planPosterior(o, example) {
		how := map[string]string{"add": "concat", "concat": "add"}[combined(&base)]
		base.Options = maps.Clone(base.Options)
		base.Options["combine"] = how
		base.Name, base.Measure = base.Name+", "+how, []measure.Spec{{Kind: measure.Exchange}}
		tasks = append(tasks, base)
	}
	return tasks
}

// pairedOtherwise says whether psi keeps its answer with the parts added and with them side by side.
func pairedOtherwise(r *study.Report, dataset string, o *study.Order, list, other []*measure.Result) {
	if len(other) == 0 {
		return
	}
	added, beside := mean(read(list, "invariance", 0)), mean(read(other, "invariance", 0))
	if combined(&planPosterior(o, "syn"+dataset[3:])[0]) == "concat" {
		added, beside = beside, added
	}
	r.Find("%s: the proof of proposition 2b needs a pairing that gives both parts away, which a sum does not. With the parts added psi keeps its answer in "+
		"%.3f of all pairs, with them side by side in %.3f.", dataset, added, beside)
}

// drawPosterior adds rows (untrained: after the first step), charts and a sentence on one data set.
func drawPosterior(r *study.Report, example, dataset string, list []*measure.Result) {
	last := list[0].Array("posterior:C")
	n := last.Shape[0]
	chance := 1 / float64(n)
	names := []string{"", "C, by psi", "", "C, by a probe", "P, by psi", "", "P, by a probe", "bound from P", "C, by psi", "P, by psi"}
	curves := overTraining(list, "posterior", func(k int) string { return names[k] })
	looks := len(curves[0].X)
	for _, c := range []struct {
		column            int
		embedding, metric string
	}{{1, "common", "entropy"}, {2, "common", "kl"}, {3, "common", "probe_accuracy"}, {4, "private", "entropy"}, {5, "private", "kl"},
		{6, "private", "probe_accuracy"}, {7, "private", "bound"}, {8, "common", "information"}, {9, "private", "information"}} {
		x := curves[c.column]
		row := study.Row{Dataset: dataset, Method: "CaDeM", Embedding: c.embedding, Target: "layer", Metric: c.metric, Ours: &x.Y[looks-1], Untrained: &x.Y[0],
			Trainings: len(list)}
		if len(list) > 1 {
			spread := x.High[looks-1] - x.Y[looks-1]
			row.SeedStd = &spread
		}
		r.Rows = append(r.Rows, row)
	}
	end := func(k int) float64 { return curves[k].Y[looks-1] }
	const close = 0.05
	most := kernel.Log(float64(n))
	r.Find("%s: at the end psi's posterior of common embeddings has %.3f of the full entropy, and a probe names their layer in %.2f of the "+
		"cases (chance %.2f); after the first step %.3f and %.2f. Private: %.3f and %.2f.",
		dataset, end(1), end(3), chance, curves[1].Y[0], curves[3].Y[0], end(4), end(6))
	even, blind, guessed := end(1) >= 1-close, end(8) <= float64(close*most), end(3) <= chance+close
	r.Find("%s: psi's posterior of common embeddings is %s, psi's answers %s tell their layer, and the probe %s (within %.2f of the full "+
		"entropy, of nothing of log N, and of chance).",
		dataset, map[bool]string{true: "even", false: "not even"}[even], canOrNot(!blind), canOrNot(!guessed), close)
	r.Find("%s: psi's answers have %.3f nats in common with the layer for common and %.3f for private embeddings, of at most log N = %.3f; "+
		"after the first step %.3f and %.3f.",
		dataset, end(8), end(9), most, curves[8].Y[0], curves[9].Y[0])
	r.Find("%s: private embeddings hold at least %.3f of log N = %.3f nats on their layer (proposition 1).", dataset, end(7), most)
	unseen := func(k int) float64 { return max(0, mean(read(list, measure.ArrayUnseen, k))) }
	r.Find("%s: on copies that nothing was fitted to, private embeddings hold at least %.3f nats on their layer by phi and %.3f by a richer phi, which sees "+
		"squares and products, too. By such a one common embeddings hold at least %.3f of log N = %.3f.",
		dataset, unseen(0), unseen(1), unseen(2), most)
	largest := 0.0
	for _, t := range list {
		do := t.Array("do").Data
		for k, p := range t.Array("observed").Data {
			largest = max(largest, math.Abs(p-do[k]))
		}
	}
	r.Find("%s: psi keeps its answer in %.3f of all pairs when the common part of a graph is exchanged for that of another (proposition 2b). "+
		"p(k | do(P)) of a layer's copies, the mean over all common parts, differs from p(k | P) by %.3f at most.",
		dataset, mean(read(list, "invariance", 0)), largest)
	bars := chart.Chart{Name: "posterior-" + example, Title: dataset + ": layer as psi tells it from C", YLabel: "posterior", YRange: &[2]float64{0, 1},
		Text: "For pooled common embeddings of each layer, the mean posterior of every layer at the end of the first training."}
	for l := range n {
		s := chart.Series{Name: fmt.Sprintf("from layer %d", l+1), Kind: chart.Bars}
		for j := range n {
			s.X, s.Y = append(s.X, float64(j)), append(s.Y, last.Data[l*n+j])
		}
		bars.Series = append(bars.Series, s)
		bars.Categories = append(bars.Categories, fmt.Sprintf("layer %d", l+1))
	}
	r.Draw(bars)
	lines := func(name, title, y string, high float64, most string, level float64, of ...int) {
		c := chart.Chart{Name: name + "-" + example, Title: dataset + ": " + title, XLabel: "outer epoch", YLabel: y, YRange: &[2]float64{0, high},
			Text: "Lines over the training, with bands of one standard deviation when there are several trainings."}
		c.Series = sorting.Map(of, func(k int) chart.Series { return curves[k].Series })
		x := curves[of[0]].X
		c.Series = append(c.Series, chart.Straight(most, x[0], level, x[len(x)-1], level))
		r.Draw(c)
	}
	lines("entropy", "entropy of the layer posterior over log N", "entropy", 1, "nothing told", 1, 1, 4)
	lines("information", "what psi's answers have in common with the layer", "nats", most, "log N", most, 8, 9)
	lines("probe", "layers that a probe names", "accuracy", 1, "chance", chance, 3, 6)
	lines("bound", "information on the layer in P, at least", "nats", most, "log N", most, 7)
}

func canOrNot(can bool) string {
	if can {
		return "can"
	}
	return "cannot"
}
