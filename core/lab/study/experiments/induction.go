package experiments

import (
	"cmp"
	"fmt"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

var induction = study.Study{
	Name: "induction", Title: "Nodes that a model has not seen", Trains: true, Seeds: 1, DataSeeds: 1, Apart: true, Together: true,
	Classifies: true, Without: []string{"predictions"}, Takes: study.NeedGraph, Preset: "released,refined,evidence",
	Shows: "Where a model puts nodes that were held out with all their links, beside a training with them.",
	Learn: "Whether the model says more of new nodes than the mean of their neighbours.",
	Text: "A tenth of the nodes is held out. The model embeds them by their links to the others and by their features, and nothing is trained again. " +
		"A training with them, of the same seed, says where they belong. " +
		"The distance is taken after the rotation that brings the known nodes of both trainings together, in units of the length there. " +
		"Nearest is the share of the ten nearest known nodes that is the same in both. Macro-F1 is that of a classifier on S, which is trained on the known nodes. " +
		"Look at the mean of the neighbours' S first: where the model does not beat it, nothing is gained by its weights. " +
		"Without files the data are Syn1 and Syn2. Without features every node is a feature with weights of its own, drawn anew when the nodes are " +
		"others, so that two trainings may agree on groups and not on places.",
	Plan:     func(o *study.Order) []study.Task { return tasksOf(o, measure.Induction) },
	Assemble: assembleInduction,
}

// A dataAndPreset has the tasks of one data set with one preset.
type dataAndPreset struct {
	data, preset string // data: of an example
	tasks        []study.Task
}

// name is the name of data set and preset.
func (d *dataAndPreset) name(found []*measure.Result) string {
	data := d.data
	if s := found[0].Summary; s != nil {
		data = cmp.Or(s.Paper, s.Name)
	}
	return data + ", " + d.preset
}

// byDataAndPreset plans what makes trainings of its own, on the files of an order or on Syn1 and Syn2.
func byDataAndPreset(o *study.Order, kind measure.Kind) (list []dataAndPreset) {
	on := func(name string, task func(o *study.Order, model, data int) study.Task) {
		for _, preset := range strings.Split(o.Preset, ",") {
			part, of := *o, dataAndPreset{data: name, preset: preset}
			part.Preset = preset
			of.tasks = part.Tasks(func(model, data int) study.Task {
				t := task(&part, model, data)
				t.Name += ", " + preset
				t.EvalSeed += uint64(model) // which draws other nodes
				return t
			})
			list = append(list, of)
		}
	}
	spec := measure.Spec{Kind: kind}
	if !o.OfFiles() {
		for _, example := range []string{"syn1", "syn2"} {
			on(strings.ToUpper(example[:1])+example[1:], func(o *study.Order, model, data int) study.Task {
				return o.Task(example, nil, nil, model, data, spec)
			})
		}
		return list
	}
	o.ForSets(func(set *study.Order) []study.Task {
		on("", func(o *study.Order, model, _ int) study.Task {
			o.Files, o.Choice, o.Sets = set.Files, set.Choice, nil
			return o.FileTask(nil, model, spec)
		})
		return nil
	})
	return list
}

// tasksOf lists all of that.
func tasksOf(o *study.Order, kind measure.Kind) []study.Task {
	return sorting.Flat(byDataAndPreset(o, kind), func(of dataAndPreset) []study.Task { return of.tasks })
}

// eachFound calls do with what was found on each data set by each preset, and says what could not be done. Nothing of the paper stands beside.
func eachFound(o *study.Order, kind measure.Kind, results study.Results, r *study.Report, do func(name string, found []*measure.Result)) {
	r.Differs = nil
	for _, of := range byDataAndPreset(o, kind) {
		switch found := results.Of(of.tasks); {
		case len(found) == 0:
		case found[0].Refused != "":
			r.Find("%s: %s", of.name(found), found[0].Refused)
		default:
			do(of.name(found), found)
		}
	}
}

// A wayFound is the result of a way of embedding new nodes, as means over trainings.
type wayFound struct {
	name              string
	nearest, distance float64
	f1                []float64 // of every label set
}

// waysOf returns the means of results, and the label sets.
func waysOf(list []*measure.Result) (ways []wayFound, targets []string, held float64) {
	n := float64(len(list))
	targets = list[0].Targets()
	for k, name := range list[0].Words {
		w := wayFound{name: name, f1: make([]float64, len(targets))}
		for _, t := range list {
			row := t.Array(measure.ArrayWays).Data[2*k:]
			w.nearest, w.distance = w.nearest+row[0]/n, w.distance+row[1]/n
			for i, target := range targets {
				w.f1[i] += t.Score(name, target, "macro_f1").Value / n
			}
		}
		ways = append(ways, w)
	}
	for _, t := range list {
		held += t.Array(measure.ArrayHeld).Data[0] / n
	}
	return ways, targets, held
}

func assembleInduction(o *study.Order, results study.Results, r *study.Report) {
	sheet := study.Sheet{Title: "Nodes that were held out, by S", Open: true, Table: true,
		Lines: [][]string{{"data, preset", "new nodes", "way", "nearest", "distance", "macro-F1"}}}
	bars := chart.Chart{Name: "induction", Title: "Distance from where a training with the nodes puts them", YLabel: "distance",
		Text: "For each data set and preset the distance of the model's places, of the mean of the neighbours' and of random ones. Less is better."}
	compared := []string{run.ByModel, run.ByNeighbours, run.ByChance}
	for _, way := range compared {
		bars.Series = append(bars.Series, chart.Series{Name: way, Kind: chart.Bars})
	}
	eachFound(o, measure.Induction, results, r, func(name string, found []*measure.Result) {
		ways, targets, held := waysOf(found)
		at := map[string]*wayFound{}
		for i := range ways {
			w := &ways[i]
			at[w.name] = w
			var f1 []string
			for k, target := range targets {
				f1 = append(f1, target+" "+fixed(w.f1[k]))
			}
			sheet.Lines = append(sheet.Lines, []string{name, figure.Short(held), w.name, fixed(w.nearest), fixed(w.distance),
				strings.Join(f1, ", ")})
		}
		for _, other := range compared[1:] {
			r.Find("%s: %s.", name, at[run.ByModel].beside(at[other], targets))
		}
		bars.Categories = append(bars.Categories, name)
		for i, way := range compared {
			s := &bars.Series[i]
			s.X, s.Y = append(s.X, float64(len(bars.Categories)-1)), append(s.Y, at[way].distance)
		}
	})
	if bars.Categories == nil {
		bars.Series = nil
	}
	r.Table(sheet)
	r.Draw(bars)
}

// beside says in what a way beats another one, and in what it does not.
func (w *wayFound) beside(other *wayFound, targets []string) string {
	var better, not []string
	tell := func(what string, a, b float64, beats bool) {
		text := fmt.Sprintf("%s (%.3f beside %.3f)", what, a, b)
		if beats {
			better = append(better, text)
		} else {
			not = append(not, text)
		}
	}
	tell("distance", w.distance, other.distance, w.distance < other.distance)
	tell("nearest", w.nearest, other.nearest, w.nearest > other.nearest)
	for i, target := range targets {
		tell("macro-F1 of "+target, w.f1[i], other.f1[i], w.f1[i] > other.f1[i])
	}
	what := other.name
	if what == run.ByNeighbours {
		what = "the " + what
	}
	switch {
	case not == nil:
		return fmt.Sprintf("%s beats %s in %s", w.name, what, strings.Join(better, ", "))
	case better == nil:
		return fmt.Sprintf("%s does not beat %s: %s", w.name, what, strings.Join(not, ", "))
	}
	return fmt.Sprintf("%s does not beat %s in %s; it does in %s", w.name, what, strings.Join(not, ", "), strings.Join(better, ", "))
}
