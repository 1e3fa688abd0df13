package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"cadem.example/core/base/figure"
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

// The names of the two arms that tell whether the further losses take the layer out of C.
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

// task is the task of an arm, which task makes of its order: the order's, except for what the arm sets itself.
func (a *arm) task(o *study.Order, task func(of *study.Order) study.Task) study.Task {
	of := *o
	of.Options = maps.Clone(o.Options)
	for name := range a.options {
		delete(of.Options, name)
	}
	of.Preset = cmp.Or(a.preset, o.Preset)
	t := task(&of)
	t.Name += ", " + a.name
	return t
}

// An armed is a data set with trainings that differ in their losses.
type armed struct {
	id, name string // of charts, and in words
	arms     []arm
	tasks    func(a *arm) []study.Task
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
		list = append(list, armed{of.example, of.name, arms(o), func(a *arm) []study.Task {
			var tasks []study.Task
			o.Each(func(model, data int) {
				tasks = append(tasks, a.task(o, func(part *study.Order) study.Task {
					return part.Task(of.example, nil, a.options, model, data, measure.Spec{Kind: measure.Trace, Targets: own})
				}))
			})
			return tasks
		}, []int{1, 5}})
	}
	return list
}

// all are the tasks of all arms.
func (d *armed) all() []study.Task {
	var tasks []study.Task
	for i := range d.arms {
		tasks = append(tasks, d.tasks(&d.arms[i])...)
	}
	return tasks
}

func planArms(o *study.Order) []study.Task {
	var tasks []study.Task
	for _, d := range armedData(o) {
		tasks = append(tasks, d.all()...)
	}
	return tasks
}

// traced are the columns of [measure.TraceColumns] in words, after the epoch.
var traced = []struct{ id, title, short, label string }{
	{},
	{"arms", "layers that a probe names from C", "layer from C, by a probe", "accuracy"},
	{"own-C", "own communities that a probe names from C", "own communities from C", "accuracy"},
	{"own-S", "own communities that a probe names from S", "own communities from S", "accuracy"},
	{"kept", "answers that psi keeps when C is exchanged", "psi keeps its answer", "share"},
	{"distance", "distance of C from S", "distance of C from S", "distance"},
}

// traces are the curves of an arm, one for each of [measure.TraceColumns].
func traces(name string, list []*measure.Result) []*study.Curve {
	curves := make([]*study.Curve, len(measure.TraceColumns))
	for k := range curves {
		curves[k] = study.NewCurve(name)
	}
	looks := list[0].Array("trace").Shape[0]
	for _, t := range list {
		looks = min(looks, t.Array("trace").Shape[0]) // an early end leaves fewer
	}
	for look := range looks {
		at := func(t *measure.Result, k int) float64 { return t.Array("trace").Data[look*len(curves)+k] }
		for k, c := range curves {
			var values []float64
			for _, t := range list {
				values = append(values, at(t, k))
			}
			c.Add(at(list[0], 0), values)
		}
	}
	return curves
}

// compareArms says and draws what each arm does to the common embeddings. Chance is how often guessing names the layer.
func compareArms(sets []armed, chance float64, results study.Results, r *study.Report) {
	const much = 0.05 // counts as a difference
	var parts []string
	more, less, of := 0, 0, 0
	for _, data := range sets {
		end := data.draw(chance, results, r)
		alone, there := end[matchingAlone]
		all, both := end[allLosses]
		if !there || !both {
			continue
		}
		of++
		switch {
		case all > alone+much:
			more++
		case all < alone-much:
			less++
		}
		parts = append(parts, fmt.Sprintf("of %s in %s of the cases with matching alone and in %s with all losses", data.name,
			figure.Fixed(alone, 3), figure.Fixed(all, 3)))
	}
	if of == 0 {
		return
	}
	c := study.Claim{Says: "the losses take the layer out of the common embeddings", Verdict: "is not borne out here"}
	switch {
	case more > 0:
		c.Verdict = "does not hold here"
	case less == of:
		c.Verdict = "holds here"
	}
	c.Because = "a probe names the layer from C"
	for i, part := range parts {
		if i > 0 {
			c.Because += ","
		}
		c.Because += " " + part
	}
	c.Because += fmt.Sprintf("; guessing gives %s", figure.Fixed(chance, 3))
	r.Claim(c)
}

// draw adds a table, charts and rows of the arms, and returns how often a probe names the layer from C at the end of each.
func (d *armed) draw(chance float64, results study.Results, r *study.Report) map[string]float64 {
	end, curves := map[string]float64{}, map[string][]*study.Curve{}
	for i := range d.arms {
		a := &d.arms[i]
		list := results.Of(d.tasks(a))
		if len(list) == 0 {
			continue
		}
		c := traces(a.name, list)
		x := c[1]
		curves[a.name], end[a.name] = c, x.Y[len(x.Y)-1]
		r.Rows = append(r.Rows, study.Row{Dataset: d.name, Method: "CaDeM", Embedding: "C", Target: "layer", Metric: "probe_accuracy", Variant: a.name,
			Ours: &x.Y[len(x.Y)-1], Untrained: &x.Y[0], Trainings: len(list)})
	}
	if len(end) == 0 {
		return end
	}
	there := func(column int) bool { // data without communities of a layer's own have none in C and S
		for _, c := range curves {
			if slices.Max(c[column].Y) > 0 {
				return true
			}
		}
		return false
	}
	sheet := study.Sheet{Title: d.name + ": where the layer is, by the losses, at the end (after the first step)", Lines: [][]string{{"losses"}}}
	for _, a := range d.arms {
		if curves[a.name] != nil {
			sheet.Lines = append(sheet.Lines, []string{a.name})
		}
	}
	for k, column := range traced {
		if k == 0 || !there(k) {
			continue
		}
		drawn := chart.Chart{Name: column.id + "-" + d.id, Title: d.name + ": " + column.title, XLabel: "outer epoch", YLabel: column.label,
			YRange: &[2]float64{0, 1}, Text: "Lines over the training, one for each choice of losses."}
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
			sheet.Lines[line] = append(sheet.Lines[line], fmt.Sprintf("%s (%s)", figure.Fixed(c.Y[len(c.Y)-1], 3), figure.Fixed(c.Y[0], 3)))
			drawn.Series = append(drawn.Series, c.Series)
		}
		if k == 1 {
			x := drawn.Series[0].X
			drawn.Series = append(drawn.Series, chart.Series{Name: "chance", Kind: chart.Dashed, X: []float64{x[0], x[len(x)-1]}, Y: []float64{chance, chance}})
		}
		if slices.Contains(d.charts, k) {
			r.Draw(drawn)
		}
	}
	r.Sheets, r.Held = append(r.Sheets, sheet), append(r.Held, sheet)
	return end
}
