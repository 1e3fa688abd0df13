package experiments

import (
	"fmt"

	"cadem.example/core/base/figure"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
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
		"Encoders see all columns of Z: the preset released drops a tenth of them before a training, and misses a little of any S then. " +
		"Syn1 has as many features as nodes. In latent there are fewer, and far less can be matched. Beside it stands what the preset refined lets the common " +
		"encoders see. " +
		"That zero loss can be had does not say that training finds it.",
	Plan: planCounterexample,
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		var list []zeroed
		for i, t := range planCounterexample(o) {
			list = append(list, zeroed{name: counterData[i].name, found: results[t.Key()]})
		}
		assembleZero(list, r)
		r.Bars("counterexample", "Share of S that encoders miss", "share missed", func(row *study.Row) string {
			return row.Dataset + ", " + row.Target + ", " + row.Method
		})
	},
}

// A zeroed is the freedom that the matching loss leaves on data of a name; nil: not examined.
type zeroed struct {
	name    string
	found   *measure.Result
	refined bool // the common encoders see what refined gives them in place of Z
}

// assembleZero says what share of an S encoders miss, and puts the sentence to the test that a matching loss of zero means that only what is shared is held.
func assembleZero(list []zeroed, r *study.Report) {
	const zero = 1e-6
	const communities, noise = "communities of layer 1", "noise"
	var parts []string
	refuted := false
	sheet := study.Sheet{Title: "Ranks, and shares of S that are missed, by layer", Lines: [][]string{{
		"data", "layer", "rank of Z", communities, noise, "rank, refined", communities + ", refined", noise + ", refined"}}}
	for _, of := range list {
		if of.found == nil {
			continue
		}
		if of.found.Refused != "" {
			r.Find("%s: which S the matching loss lets stand was not looked at: %s.", of.name, of.found.Refused)
			continue
		}
		a := of.found.Array(measure.ArrayZero)
		own := len(of.found.Words) > 0 // layer 1 has communities of its own
		most := make([]float64, a.Shape[1])
		for l := range a.Shape[0] {
			line := []string{of.name, fmt.Sprint(l + 1)}
			for k, v := range a.Row(l) {
				most[k] = max(most[k], v)
				text := figure.AtMost(v, 6)
				switch {
				case k%3 == 0:
					text = figure.AtMost(v, 0)
				case k%3 == 1 && !own:
					text = "–"
				}
				line = append(line, text)
			}
			sheet.Lines = append(sheet.Lines, line)
		}
		for k, method := range []string{"any linear encoder", "refined"} {
			for j, target := range []string{communities, noise} {
				if own || target == noise {
					r.Rows = append(r.Rows, study.Row{Dataset: of.name, Method: method, Embedding: "S", Target: target, Metric: "share missed", Ours: &most[3*k+1+j]})
				}
			}
		}
		seen, other, beside := most[1:3], most[4:6], "with refined they miss"
		if of.refined {
			seen, other, beside = other, seen, "of Z itself they would miss"
		}
		refuted = refuted || seen[0] < zero
		here, there := figure.AtMost(seen[1], 6)+" of an S of noise", figure.AtMost(other[1], 3)
		if own {
			here = figure.AtMost(seen[0], 6) + " of an S of the communities of layer 1 alone, and " + figure.AtMost(seen[1], 6) + " of one of noise"
			there = figure.AtMost(other[0], 3) + " and " + there
		}
		parts = append(parts, fmt.Sprintf("on %s encoders of all columns of Z miss %s; %s %s", of.name, here, beside, there))
	}
	if parts == nil {
		return
	}
	r.Table(sheet)
	c := study.Claim{Says: "where the matching loss is zero, the common embeddings hold only what the layers share",
		Verdict: undecided, Because: parts[0]}
	if refuted {
		c.Verdict = fails
	}
	for _, part := range parts[1:] {
		c.Because += "; " + part
	}
	r.Claim(c)
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
