package experiments

import (
	"fmt"

	"cadem/core/figure"
	"cadem/core/study"
	"cadem/core/study/measure"
)

var counterexample = study.Study{
	Name: "counterexample", Title: "Zero matching loss, whatever S holds", Seeds: 1, DataSeeds: 1,
	Shows: "Which consensus S the matching loss lets stand, without any training.",
	Learn: "Whether zero loss means that S holds only what the layers share.",
	Text: "The theorem says that where all common embeddings agree they are functions of what the layers share. It speaks of one function for all layers. " +
		"Encoders differ by layer, and where there are as many features as nodes each of them can give any centred table of numbers. Here two such tables " +
		"are asked for: the communities of layer 1, which no other layer knows, and noise. " +
		"Look at the share of S that linear encoders of a layer miss, at the layer that misses most. At 0 the matching loss of that S " +
		"is 0 in all layers, to rounding. " +
		"Syn1 has as many features as nodes. In latent there are fewer, and far less can be matched. Beside it stands what the preset refined lets the common " +
		"encoders see. " +
		"That zero loss can be had does not say that training finds it.",
	Plan: planCounterexample,
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		const zero = 1e-6
		var parts []string
		refuted := false
		sheet := study.Sheet{Title: "Ranks, and shares of S that are missed, by layer", Lines: [][]string{{
			"data", "layer", "rank of Z", "communities of layer 1", "noise", "rank, refined", "communities of layer 1, refined", "noise, refined"}}}
		for i, t := range planCounterexample(o) {
			found := results[t.Key()]
			if found == nil {
				continue
			}
			a, name := found.Array(measure.ArrayZero), counterData[i].name
			most := make([]float64, a.Shape[1])
			for l := range a.Shape[0] {
				row := a.Data[l*a.Shape[1]:][:a.Shape[1]]
				line := []string{name, fmt.Sprint(l + 1)}
				for k, v := range row {
					most[k] = max(most[k], v)
					digits := 6
					if k%3 == 0 {
						digits = 0
					}
					line = append(line, figure.AtMost(v, digits))
				}
				sheet.Lines = append(sheet.Lines, line)
			}
			for k, method := range []string{"any linear encoder", "refined"} {
				for j, of := range []string{"communities of layer 1", "noise"} {
					r.Rows = append(r.Rows, study.Row{Dataset: name, Method: method, Embedding: "S", Target: of, Metric: "share missed", Ours: &most[3*k+1+j]})
				}
			}
			refuted = refuted || most[1] < zero
			parts = append(parts, fmt.Sprintf("on %s encoders miss %s of an S of the communities of layer 1 alone, and %s of one of noise; "+
				"with refined they miss %s and %s",
				name, figure.AtMost(most[1], 6), figure.AtMost(most[2], 6), figure.AtMost(most[4], 3), figure.AtMost(most[5], 3)))
		}
		if parts == nil {
			return
		}
		r.Sheets, r.Held = append(r.Sheets, sheet), append(r.Held, sheet)
		c := study.Claim{Says: "where the matching loss is zero, the common embeddings hold only what the layers share",
			Verdict: "is not refuted here", Because: parts[0]}
		if refuted {
			c.Verdict = "does not hold here"
		}
		for _, part := range parts[1:] {
			c.Because += "; " + part
		}
		r.Claim(c)
		r.Bars("counterexample", "Share of S that encoders miss", "share missed", func(row *study.Row) string {
			return row.Dataset + ", " + row.Target + ", " + row.Method
		})
	},
}

// counterData are the data, with the communities of their first layer.
var counterData = []struct{ example, name, own string }{{"syn1", "Syn1", "layer_1"}, {"latent", "latent", "private_1"}}

func planCounterexample(o *study.Order) []study.Task {
	var tasks []study.Task
	for _, d := range counterData {
		of := *o
		if d.example == "latent" {
			of.Data = study.Drawn // none are published
		}
		t := of.Task(d.example, nil, nil, 0, 0, measure.Spec{Kind: measure.ZeroLoss, Targets: []string{d.own}})
		t.Name += ", zero loss"
		tasks = append(tasks, t)
	}
	return tasks
}
