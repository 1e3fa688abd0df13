package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

// An arm is a training that differs in its losses.
type arm struct {
	name    string
	preset  string // "": that of the order
	options map[string]any
}

// The names of the two arms whose difference is the effect of the further losses.
const matchingAlone, allLosses = "matching alone", "all losses"

// lossArms are trainings with and without each of the further losses.
func lossArms() []arm {
	return []arm{
		{name: matchingAlone, options: map[string]any{"weight_selfsupervised": 0, "weight_causal": 0}},
		{name: "with self-supervised, beta 0", options: map[string]any{"weight_causal": 0}},
		{name: "with causal", options: map[string]any{"weight_selfsupervised": 0}},
		{name: allLosses},
	}
}

// arms of an order; none if it sets weights itself.
func arms(o *study.Order) []arm {
	if o.Options["weight_selfsupervised"] != nil || o.Options["weight_causal"] != nil {
		return nil
	}
	list := lossArms()
	for _, beta := range []float64{0.5, 5, 50} {
		list = append(list, arm{name: fmt.Sprintf("all, beta %g", beta), options: map[string]any{"weight_causal": beta}})
	}
	return append(list, arm{name: "refined", preset: "refined"})
}

// tasks are the tasks of an arm, which task makes of its order: the order's, except for what the arm sets itself.
func (a arm) tasks(o *study.Order, task func(of *study.Order, model, data int) study.Task) []study.Task {
	of := *o
	of.Options = maps.Clone(o.Options)
	for name := range a.options {
		delete(of.Options, name)
	}
	of.Preset = cmp.Or(a.preset, o.Preset)
	return of.Tasks(func(model, data int) study.Task {
		t := task(&of, model, data)
		t.Name += ", " + a.name
		return t
	})
}

// An armed is a data set with trainings that differ in their losses.
type armed struct {
	id, name string // of charts, and in words
	arms     []arm
	tasks    func(a arm) []study.Task
	charts   []int // columns of [measure.TraceColumns] that are drawn
}

// armData are the data of the arms, with the names of the communities of each layer.
var armData = []struct{ example, name, own string }{{"syn2", "Syn2", "private_%d"}, {"syn1", "Syn1", "layer_%d"}}

// armedData are the data of an order.
func armedData(o *study.Order) []armed {
	var list []armed
	for _, of := range armData {
		var own []string
		for l := range gammaLayers {
			own = append(own, fmt.Sprintf(of.own, l+1))
		}
		list = append(list, armed{of.example, of.name, arms(o), func(a arm) []study.Task {
			return a.tasks(o, func(part *study.Order, model, data int) study.Task {
				return part.Task(of.example, nil, a.options, model, data, measure.Spec{Kind: measure.Trace, Targets: own})
			})
		}, []int{1, 5}})
	}
	return list
}

// all are the tasks of all arms.
func (d *armed) all() []study.Task {
	return sorting.Flat(d.arms, d.tasks)
}

// traced are the columns of [measure.TraceColumns] in words, after the epoch.
var traced = []struct{ id, title, short, label string }{
	{},
	{"arms", "layers that a probe names from pooled C", "layer from pooled C, by a linear probe", "accuracy"},
	{"own-C", "own communities that a probe names from C", "own communities from C", "accuracy"},
	{"own-S", "own communities that a probe names from S", "own communities from S", "accuracy"},
	{"kept", "answers that psi keeps when C is exchanged", "psi keeps its answer", "share"},
	{"distance", "distance of C from S", "distance of C from S", "distance"},
	{"products", "layers that a quadratic probe names from pooled C", "layer from pooled C, by a quadratic probe", "accuracy"},
	{"rows", "layers that a probe names from rows of C", "layer from rows of C, by a linear probe", "accuracy"},
	{"row-products", "layers that a quadratic probe names from rows of C", "layer from rows of C, by a quadratic probe", "accuracy"},
	{"target", "classes that a probe names from S and all P", "classes from S and all P, by a linear probe", "accuracy"},
}

// readers are the columns that name the layer of C.
var readers = []int{1, 6, 7, 8}

// at is a column of a trace after a look, counted from 0; below 0 it is counted from the end.
func at(t *measure.Result, look, column int) float64 {
	a := t.Array("trace")
	if look < 0 {
		look += a.Shape[0]
	}
	return a.Row(look)[column]
}

// overTraining are the columns of an array as curves, each under the name that it is given: the first says where in the training each row was taken.
func overTraining(list []*measure.Result, array measure.ArrayName, name func(column int) string) []*study.Curve {
	first := list[0].Array(array)
	curves := make([]*study.Curve, first.Shape[1])
	looks := first.Shape[0]
	for _, t := range list {
		looks = min(looks, t.Array(array).Shape[0]) // an early end leaves fewer
	}
	for k := range curves {
		curves[k] = study.NewCurve(name(k))
		for look := range looks {
			place := look * len(curves)
			curves[k].Add(first.Data[place], read(list, array, place+k))
		}
	}
	return curves
}

// read returns an element of an array of every result.
func read(list []*measure.Result, array measure.ArrayName, i int) []float64 {
	return sorting.Map(list, func(t *measure.Result) float64 { return t.Array(array).Data[i] })
}

// compareArms says and draws what each arm does to the common embeddings, and puts to the test on every data set that the losses take the layer
// out of them. Chance is how often guessing names the layer.
func compareArms(sets []armed, chance float64, results study.Results, r *study.Report) {
	for _, d := range sets {
		d.draw(chance, results, r)
		byName := func(name string) []*measure.Result {
			k := slices.IndexFunc(d.arms, func(a arm) bool { return a.name == name })
			if k < 0 {
				return nil
			}
			return results.Of(d.tasks(d.arms[k]))
		}
		all, alone := byName(allLosses), byName(matchingAlone)
		if len(all) == 0 {
			continue
		}
		on := fmt.Sprintf("%s after %s epochs", d.name, figure.AtMost(at(all[0], -1, 0), 0))
		layerClaim(r, "the losses take the layer out of the common embeddings", on, allLosses, "untrained", pairedLooks(readers, all, -1, all, 0))
		if len(alone) == len(all) {
			layerClaim(r, "the further losses take out more of the layer than matching alone", on, allLosses, matchingAlone,
				pairedLooks(readers, all, -1, alone, -1))
		}
	}
}

// draw adds a table, charts and rows of the arms.
func (d *armed) draw(chance float64, results study.Results, r *study.Report) {
	curves := map[string][]*study.Curve{}
	for _, a := range d.arms {
		list := results.Of(d.tasks(a))
		if len(list) == 0 {
			continue
		}
		c := overTraining(list, "trace", func(int) string { return a.name })
		x := c[1]
		curves[a.name] = c
		r.Rows = append(r.Rows, study.Row{Dataset: d.name, Method: "CaDeM", Embedding: "C", Target: "layer", Metric: "probe_accuracy", Variant: a.name,
			Ours: &x.Y[len(x.Y)-1], Untrained: &x.Y[0], Trainings: len(list)})
	}
	if len(curves) == 0 {
		return
	}
	there := func(column int) bool { // data without communities of a layer's own have none in C and S
		for _, c := range curves {
			if slices.Max(c[column].Y) > 0 {
				return true
			}
		}
		return false
	}
	sheet := study.Sheet{Title: d.name + ": where the layer is, by the losses, at the end (untrained)", Lines: [][]string{{"losses"}}}
	for _, a := range d.arms {
		if curves[a.name] != nil {
			sheet.Lines = append(sheet.Lines, []string{a.name})
		}
	}
	for k, column := range traced {
		if k == 0 || !there(k) {
			continue
		}
		drawn := chart.Chart{Name: column.id + "-" + d.id, Title: d.name + ": " + column.title, XLabel: "outer epochs, 0 untrained", YLabel: column.label,
			Logarithmic: true, YRange: &[2]float64{0, 1},
			Text: "Lines over the training, one for each choice of losses, with bands of one standard deviation between trainings."}
		if column.id == "distance" {
			drawn.YRange[1], drawn.Text = 0, "The root of the mean square over nodes and layers, one line for each choice of losses."
		}
		sheet.Lines[0] = append(sheet.Lines[0], column.short)
		line := 0
		for _, a := range d.arms {
			if curves[a.name] == nil {
				continue
			}
			c := curves[a.name][k]
			line++
			sheet.Lines[line] = append(sheet.Lines[line], fmt.Sprintf("%s (%s)", fixed(c.Y[len(c.Y)-1]), fixed(c.Y[0])))
			drawn.Series = append(drawn.Series, c.Series)
		}
		if slices.Contains(readers, k) {
			x := drawn.Series[0].X
			drawn.Series = append(drawn.Series, chart.Straight("chance", x[0], chance, x[len(x)-1], chance))
		}
		if slices.Contains(d.charts, k) {
			r.Draw(drawn)
		}
	}
	r.Table(sheet)
}
