package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

var table3 = study.Study{
	Name: "table3", Title: "Table III: foregrounds of Syn3 found by clustering", Seeds: 3, DataSeeds: 1,
	Shows: "Clusters of the embeddings of Syn3 beside the foregrounds that were drawn.",
	Learn: "Whether a method that looks at the signals alone does as well.",
	Text: "Look at the private rows first, and at their trivial baseline: K-means on the signal, passed along the edges " +
		"and nothing else. With one number a node a linear encoder can only stretch that number. So training can hardly move the private rows. " +
		"The common row depends on directions that the data do not determine: they are left out (completion none), or filled at random " +
		"(arbitrary), as rounding noise fills them in the published program. " +
		"The maps draw the clusters on the spiral; rings mark the centres. Where nothing else is asked for, the recipe as the paper prints it is there, " +
		"too: 15 neighbours, labels within 3 hops, nothing scaled, drawn by the data seed.",
	Yields: []string{"variant"},
	Plan: func(o *study.Order) []study.Task {
		return slices.Concat(planSyn3(o, "none"), planSyn3(o, "arbitrary"), planPrintedSyn3(o))
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		none, arbitrary := results.Of(planSyn3(o, "none")), results.Of(planSyn3(o, "arbitrary"))
		for _, p := range paper() {
			if p.Table != "III" {
				continue
			}
			add := func(variant string, list []*measure.Result) {
				row := p
				row.Variant = variant
				row.Fill(study.Collect(list, p.Embedding, foreground(p.Target), p.Metric), r.Differs)
				r.Rows = append(r.Rows, row)
			}
			if p.Embedding == "common" {
				add("completion none", none)
				add("completion arbitrary", arbitrary)
			} else {
				add("", none)
			}
		}
		printed := none
		if tasks := planPrintedSyn3(o); len(tasks) > 0 {
			printed = results.Of(tasks)
			for _, p := range paper() {
				if c := study.Collect(printed, p.Embedding, foreground(p.Target), p.Metric); p.Table == "III" && c != nil {
					p.Variant = "recipe as printed"
					p.Fill(c, []string{p.Variant})
					r.Rows = append(r.Rows, p)
				}
			}
		}
		foregrounds(r)
		beside(r, "private")
		overlap(r, none)
		r.Place("ari")
		if printedSyn3(o, r.Differs) {
			recipe(r, printed, o.DataSeeds)
		}
		if len(none) > 0 {
			drawMaps(r, none[0], "", []string{"foreground_1", "foreground_2", "private_1", "private_2", "common"})
		}
		if len(arbitrary) > 0 {
			drawMaps(r, arbitrary[0], ", arbitrary completion", []string{"common"})
		}
	},
}

// foreground names the label set of the data that a target of the paper's table is.
func foreground(target string) string { return strings.Replace(target, "layer_", "foreground_", 1) }

// foundARI is the agreement from which on a foreground counts as found.
const foundARI = 0.3

// foregrounds says which foregrounds each embedding finds.
func foregrounds(r *study.Report) {
	var parts []string
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Metric != "ari" || row.Ours == nil {
			continue
		}
		name := row.Embedding
		if row.Variant != "" {
			name += " (" + row.Variant + ")"
		}
		part := fixed(*row.Ours) + " with that of " + strings.Replace(row.Target, "_", " ", 1)
		if *row.Ours >= foundARI {
			part += ", found"
		}
		if i := slices.IndexFunc(parts, func(s string) bool { return strings.HasPrefix(s, name+":") }); i >= 0 {
			parts[i] += "; " + part
		} else {
			parts = append(parts, name+": "+part)
		}
	}
	for _, part := range parts {
		r.Find("%s (ARI of its two clusters and a foreground; %.1f or more counts as found).", part, foundARI)
	}
}

// overlap says how many nodes two foregrounds share: the cells off the diagonal follow from it.
func overlap(r *study.Report, list []*measure.Result) {
	if len(list) == 0 {
		return
	}
	a, b := list[0].Array(measure.ArrayMap.Of(syn3Targets[0])), list[0].Array(measure.ArrayMap.Of(syn3Targets[1]))
	if a == nil || b == nil {
		return
	}
	var n [3]int // of the one, the other and both
	for i := range a.Data {
		n[0], n[1], n[2] = n[0]+int(a.Data[i]), n[1]+int(b.Data[i]), n[2]+int(a.Data[i]*b.Data[i])
	}
	r.Find("The foregrounds of layers 1 and 2 have %d and %d of %d nodes, %d of them in both.", n[0], n[1], len(a.Data), n[2])
}

// printedRecipe is the value of variant that draws Syn3 as the paper prints it.
const printedRecipe = "printed"

// planPrintedSyn3 trains Syn3 as the paper prints it, which the published data are not; nothing
// when the order asks for a recipe itself.
func planPrintedSyn3(o *study.Order) []study.Task {
	if o.Options["variant"] != nil {
		return nil
	}
	drawn := *o
	drawn.Data = study.Drawn
	return drawn.Trainings("syn3", map[string]any{"variant": printedRecipe}, map[string]any{"completion": "none"}, "recipe as printed",
		measure.Spec{Kind: measure.Scores, Embeddings: []string{"private_1", "private_2"}, Targets: syn3Targets, Trivial: "propagated"})
}

// printedSyn3 reports whether there are trainings on the recipe as printed with nothing else changed.
func printedSyn3(o *study.Order, differs []string) bool {
	recipe := o.Options["variant"]
	return (recipe == nil || recipe == printedRecipe) &&
		!slices.ContainsFunc(differs, func(d string) bool { return d != study.DrawnHere && d != "variant = "+printedRecipe })
}

// recipe compares the results of the printed recipe, on the drawn graphs, with the paper's table.
func recipe(r *study.Report, list []*measure.Result, drawn int) {
	var parts []string
	missed := 0
	for _, p := range paper() {
		if p.Table != "III" || p.Metric != "ari" || strings.TrimPrefix(p.Embedding, "private_") != strings.TrimPrefix(p.Target, "layer_") {
			continue
		}
		c := study.Collect(list, p.Embedding, foreground(p.Target), p.Metric)
		if c == nil {
			return
		}
		spread, best := 0.0, slices.Max(c.Value)
		if len(c.Value) > 1 {
			spread = study.Deviation(c.Value)
		}
		if study.StatusOf(mean(c.Value), spread, *p.Paper, *p.PaperStd) != study.Match {
			missed++
		}
		parts = append(parts, fmt.Sprintf("%s agrees with the foreground of its layer to ARI %s (K-means on the signal %s; at best %s of %s; the paper prints %.3f)",
			p.Embedding, fixed(mean(c.Value)), fixed(mean(c.Trivial)), fixed(best),
			study.Plural(len(c.Value), "training"), *p.Paper))
	}
	verdict := "this recipe gives those figures"
	switch missed {
	case 0:
	case len(parts):
		verdict = "this recipe does not give table III"
	default:
		verdict = "this recipe gives table III in part"
	}
	r.Find("Drawn as the paper prints it (%s), %s: %s, by the rule of the status.", study.Plural(drawn, "graph"), strings.Join(parts, ", "), verdict)
}

// beside says how far the rows of embeddings whose names begin so are from the trivial
// baseline.
func beside(r *study.Report, prefix string) {
	largest, n := 0.0, 0
	for _, row := range r.Rows {
		if strings.HasPrefix(row.Embedding, prefix) && row.Ours != nil && row.Trivial != nil {
			largest = max(largest, math.Abs(*row.Ours-*row.Trivial))
			n++
		}
	}
	if n > 0 {
		r.Find("The %d %s rows and the trivial baseline differ by %.4f at most.", n, prefix, largest)
	}
}

func planSyn3(o *study.Order, completion string) []study.Task {
	return o.Tasks(func(model, data int) study.Task {
		measures := []measure.Spec{{Kind: measure.Scores, Embeddings: []string{"common"}, Targets: syn3Targets}}
		if completion == "none" {
			measures = []measure.Spec{{Kind: measure.Scores, Embeddings: []string{"common", "private_1", "private_2"}, Targets: syn3Targets, Trivial: "propagated"}}
		}
		if model == 0 && data == 0 {
			measures = append(measures, measure.Spec{Kind: measure.Maps, Embeddings: []string{"common", "private_1", "private_2"}, Targets: syn3Targets})
		}
		t := o.Task("syn3", nil, map[string]any{"completion": completion}, model, data, measures...)
		t.Name += ", completion " + completion
		return t
	})
}

var syn3Targets = []string{"foreground_1", "foreground_2"}
