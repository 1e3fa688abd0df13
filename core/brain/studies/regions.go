package studies

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/brain/measures"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/lab/study/measure"
)

// topShare of the regions are drawn, as in the figure of the paper.
const topShare = 0.1

// usualSubjects of the synthetic cohort are drawn, unless the order says how many.
const usualSubjects = 5

// The conditions of the paper's figure, of the scans of one's own or of the synthetic cohort.
var topRegions = study.Study{
	Name: "regions", Title: "The regions that private embeddings mark, by condition", Seeds: 1, DataSeeds: 1,
	Shows: "The regions with the largest private embeddings, for every condition.",
	Learn: "Which networks are marked beyond chance, and how many are without any training.",
	Text: "This is the paper's figure of brains. For every condition it marks the tenth of the regions with the largest private embeddings, by the mean of " +
		"their length over the subjects. Co-activation stands beside anti-activation. Colours are networks. A network's count stands beside what as many " +
		"regions drawn by chance would give. p is the chance of as many or more (hypergeometric, one-sided). It is corrected for the number of " +
		"networks in the panel (Holm), not for the number of panels. It takes regions as independent, which neighbours are not. " +
		"Every scan is trained by itself from the same weights. Without files of your own nothing here comes from a brain: subjects, regions and " +
		"effects are invented. Scans of your own need a table of regions beside them, with networks and places. " +
		"Look at the untrained count before you believe a trained one: features of neighbours are averaged before anything is learned. \"Trivial\" counts " +
		"the regions with the largest averaged features.",
	Counts: "subjects",
	Needs:  study.NeedCohort, Offers: []string{"subjects", "effect", "tr", "keep"},
	CheckScans: checkSeries, // one condition will do
	Plan: func(o *study.Order) []study.Task {
		return sorting.Flat(conditions(o), func(condition string) []study.Task { return planRegions(o, condition) })
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		var used []kept
		regions := 0
		for _, condition := range conditions(o) {
			found := results.Of(planRegions(o, condition))
			if len(found) == 0 {
				continue
			}
			title := condition
			switch {
			case !o.OfFiles():
				title += " (synthetic)"
			case title == "":
				title = "all scans"
			}
			drawRegions(r, title, found)
			tasks := planRegions(o, condition)
			for _, s := range o.Cohort {
				if s.Condition != condition {
					continue
				}
				if one := results[tasks[0].Key()]; one != nil {
					u := kept{&run.Scan{Name: s.Title(), File: s.File}, -1, -1, -1}
					if a := one.Array(measures.ArrayScans); a != nil {
						u.frames, u.of, u.motion = a.Data[2], a.Data[3], a.Data[4]
					}
					used, regions = append(used, u), len(one.Array("network").Data)
				}
				tasks = tasks[o.Seeds:]
			}
		}
		if o.OfFiles() {
			included(r, o, used, regions, nil)
		}
		if without := lackedByOthers(o); without != "" {
			r.Find("Not in every scan, and left out of all: %s.", strings.ReplaceAll(without,
				"\t", ", "))
		}
	},
}

// conditions returns the conditions of the scans of an order, in order of first appearance.
func conditions(o *study.Order) []string {
	if !o.OfFiles() {
		return cohort.Conditions
	}
	var list []string
	for _, s := range o.Cohort {
		list = sorting.Add(list, s.Condition)
	}
	return list
}

// planRegions trains every scan of a condition by itself.
func planRegions(o *study.Order, condition string) []study.Task {
	var tasks []study.Task
	lengths := measure.Spec{Kind: measure.Regions}
	if !o.OfFiles() {
		o.Each(func(model, data int) {
			for subject := range subjectsOf(o, usualSubjects) {
				t := o.Task("cohort", map[string]any{"condition": condition, "subject": subject + 1}, nil, model, data, lengths)
				t.Name = fmt.Sprintf("subject %d, %s, seed %d, data %d", subject+1, condition, model, data)
				tasks = append(tasks, t)
			}
		})
		return tasks
	}
	ofData, ofTraining := map[string]any{}, map[string]any{}
	for name, v := range o.Options {
		if connectome.HasSetting(name) {
			ofData[name] = v
		} else {
			ofTraining[name] = v
		}
	}
	files, described := experiments.FileList(o), areDescribed(o.Cohort)
	of := func(s *collection.Scan, group int) run.Scan {
		return run.Scan{Name: s.Subject, Group: group, Without: lackedByOthers(o)}.OfCohort(s)
	}
	for k, s := range o.Cohort {
		if s.Condition != condition {
			continue
		}
		scans := []run.Scan{of(&s, 1)}
		if described && k > 0 {
			scans = []run.Scan{of(&o.Cohort[0], 0), scans[0]}
		}
		spec := run.DataSpec{Files: files.Of(scans), Options: ofData}
		if described {
			spec.Scans = scans
		}
		for model := range o.Seeds {
			tasks = append(tasks,
				study.Task{Name: fmt.Sprintf("%s, %s, seed %d", s.Subject, condition, model), Data: spec, Preset: o.Preset, Options: ofTraining,
					ModelSeed: uint64(model), EvalSeed: run.UsualSeeds.Eval, Measure: []measure.Spec{lengths}})
		}
	}
	return tasks
}

// areDescribed reports whether more is known of scans than their files and confounds, or whether
// some of these are of another kind: then each is opened after the first one, which it has to be
// like.
func areDescribed(scans []collection.Scan) bool {
	return slices.ContainsFunc(scans, func(s collection.Scan) bool {
		return len(s.More) > 0 || s.Without != scans[0].Without ||
			s.Runs()[0] != (collection.Run{File: s.File, Confounds: s.Confounds}) ||
			path.Ext(s.File) != path.Ext(scans[0].File)
	})
}

// lackedByOthers names the regions that some scans of an order have and others do not, with tabs
// between them.
func lackedByOthers(o *study.Order) string {
	for _, s := range o.Cohort {
		if s.Without != o.Cohort[0].Without {
			return (&collection.Cohort{Scans: o.Cohort}).Without()
		}
	}
	return ""
}

// drawRegions draws and counts the regions of one condition.
func drawRegions(r *study.Report, condition string, found []*measure.Result) {
	first := found[0]
	m := len(first.Array("network").Data)
	for _, t := range found {
		if len(t.Array("network").Data) != m {
			r.Find("%s: not drawn, for %s has %d regions and %s %d.", condition, t.Name, len(t.Array("network").Data), first.Name, m)
			return
		}
	}
	places, of := placesOf(first)
	layers := 0
	for first.Array(measure.ArrayLength.Layer(layers)) != nil {
		layers++
	}
	names, networks := first.Words[:layers], first.Words[layers:]
	top := func(array measure.ArrayName) []int {
		mean := make([]float64, m)
		for _, t := range found {
			for i, v := range t.Array(array).Data {
				mean[i] += v
			}
		}
		return connectome.Top(mean, topShare)
	}
	for l, layer := range names {
		array := measure.ArrayLength.Layer(l)
		trained, untrained, trivial := top(array), top("untrained:"+array), top("trivial:"+array)
		counts, before, beside := connectome.CountNetworks(of, len(networks), trained), connectome.CountNetworks(of, len(networks), untrained),
			connectome.CountNetworks(of, len(networks), trivial)
		var more []string
		for k, network := range networks {
			value := func(n int) *float64 { return new(float64(n)) }
			c := counts[k]
			r.Rows = append(r.Rows,
				study.Row{Dataset: condition, Method: "CaDeM", Embedding: fmt.Sprintf("private_%d", l+1), Target: network,
					Metric: fmt.Sprintf("regions of %d", len(trained)), Variant: layer,
					Ours: value(c.Count), Counts: true, Untrained: value(before[k].Count), Trivial: value(beside[k].Count), Chance: &c.Expected, P: &c.Corrected,
					Trainings: len(found)})
			if c.Beyond {
				more = append(more, fmt.Sprintf("%s %d of %d (by chance %.1f; untrained %d)", network, c.Count, len(trained), c.Expected, before[k].Count))
			}
		}
		if more == nil {
			more = []string{"no network"}
		}
		r.Find("%s, %s, beyond chance, corrected over the networks: %s. Of the %d regions, %d are marked without any training, %d by averaged features alone.",
			condition, layer, strings.Join(more, ", "), len(trained), common(trained, untrained), common(trained, trivial))
		c := chart.Brain(places, of, networks, connectome.Marks(networks), trained)
		c.Name = strings.ReplaceAll(strings.NewReplacer("(", "", ")", "", "/", "-").Replace(condition), " ", "-") + "-" + layer
		c.Title = condition + ", " + layer
		c.Text = fmt.Sprintf("The %d of %d regions with the largest private embeddings, in the mean over %s, "+
			"from above, behind and the right; the others as dots.", len(trained), m, study.Plural(len(found), "training"))
		r.Draw(c)
	}
}

// common counts what two lists share.
func common(a, b []int) int {
	n := 0
	for _, v := range a {
		if slices.Contains(b, v) {
			n++
		}
	}
	return n
}
