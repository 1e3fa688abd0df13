package experiments

import (
	"fmt"
	"maps"
	"math"

	"cadem.example/core/base/figure"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

var trainingLength = study.Study{
	Name: "length", Title: "How long to train", Seeds: 10, DataSeeds: 1, Trains: true, Needs: study.NeedGraph, AnyExample: true,
	Shows: "What becomes of the embeddings of the open data when training goes on far beyond the usual number of epochs, without early stopping.",
	Learn: "What the usual length of a training is good for, and what a longer one takes away.",
	Text: "The number of epochs is a choice like any other. Each choice of losses trains for 2,000 outer epochs with early stopping off, or for as many as an " +
		"order says. The charts show what probes read from pooled and single common embeddings, what S holds of each layer's own communities, and what a " +
		"probe names from S and all P together; 0 is the untrained model. Look first where the usual length lies. Matching ends when C and S meet, and what " +
		"is read at the usual length may come from before that. Whether a longer training disentangles more shows when you hold what P and S hold at the " +
		"end against what they held untrained.",
	Yields: []string{"weight_selfsupervised", "weight_causal", "epochs", "early_stop"},
	BySet:  true, Assemble: assembleLength,
	Plan: func(o *study.Order) []study.Task { return lengths(o).all() },
}

// lengths are the trainings on the data of an order: with matching alone, with all losses, and of refined.
func lengths(o *study.Order) *armed {
	all := lossArms()
	d := armed{"length", dataName(o), []arm{all[0], all[len(all)-1], {name: refinedPreset, preset: refinedPreset}}, func(a arm) []study.Task {
		options := map[string]any{"epochs": 2000, "early_stop": "off"}
		maps.DeleteFunc(options, func(name string, _ any) bool { return o.Options[name] != nil })
		maps.Copy(options, a.options)
		return a.tasks(o, func(part *study.Order, model, data int) study.Task {
			return part.TaskOn(options, model, data, measure.Spec{Kind: measure.Trace})
		})
	}, []int{1, 8, 3, 9, 5}}
	if o.Preset == refinedPreset {
		d.arms = d.arms[:2]
	}
	return &d
}

// assembleLength holds the end of each training against its usual length and against the untrained model.
func assembleLength(o *study.Order, results study.Results, r *study.Report) {
	d := lengths(o)
	r.Differs = nil // the paper has no figures of these trainings
	d.draw(0, results, r)
	sheet := study.Sheet{Title: d.name + ": a longer training beside the usual length", Lines: [][]string{{"losses", "reading", "untrained", "usual length",
		"end", "end less usual", "95 % interval", "fell"}}}
	for _, a := range d.arms {
		tasks := d.tasks(a)
		list := results.Of(tasks)
		if len(list) == 0 {
			continue
		}
		usual := d.usualLook(&tasks[0], list[0])
		for k := range traced {
			if k == 0 || k == 4 {
				continue
			}
			p, before := pairedLooks([]int{k}, list, -1, list, usual)[0], pairedLooks([]int{k}, list, 0, list, usual)[0]
			fell := 0
			for _, t := range list {
				if at(t, -1, k) < at(t, usual, k) {
					fell++
				}
			}
			sheet.Lines = append(sheet.Lines, []string{a.name, traced[k].short, fixed(before.A), fixed(p.B), fixed(p.A),
				study.Signed(p.Mean), p.Interval(), fmt.Sprintf("%d of %d", fell, len(list))})
			r.Test(p, a.name+": "+traced[k].short, "end", "usual length")
			if traced[k].id == "target" && p.A > 0 {
				r.Find("%s, %s: after %s epochs, the usual length, a linear probe names the classes from S and all P in %s of the cases, untrained in %s. After %s it "+
					"is %s: %s, lower in %d of %s.", d.name, a.name, epochs(list[0], usual), fixed(p.B), fixed(before.A), epochs(list[0], -1),
					fixed(p.A), p.Beside("the usual length"), fell, study.Plural(len(list), "training"))
			}
		}
	}
	r.Table(sheet)
}

// usualLook is the look that is nearest to the number of epochs that the preset has for the data.
func (d *armed) usualLook(t *study.Task, seen *measure.Result) int {
	usual := *t
	usual.Options = maps.Clone(t.Options)
	delete(usual.Options, "epochs")
	s, err := usual.Usual()
	if err != nil {
		panic(err) // the plan was checked
	}
	best := 0
	for look := range seen.Array("trace").Shape[0] {
		away := func(k int) float64 { return math.Abs(at(seen, k, 0) - float64(s.CaDeM().Epochs)) }
		if away(look) < away(best) {
			best = look
		}
	}
	return best
}

func epochs(t *measure.Result, look int) string { return figure.AtMost(at(t, look, 0), 0) }
