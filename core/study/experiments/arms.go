package experiments

import (
	"fmt"

	"cadem/core/figure"
	"cadem/core/study"
	"cadem/core/study/chart"
	"cadem/core/study/measure"
)

// An arm is a training that differs in its losses.
type arm struct {
	name    string
	preset  string // "": that of the order
	options map[string]any
}

// The names of the two arms that tell whether the further losses take the layer out of C.
const matchingAlone, allLosses = "matching alone", "all losses"

// arms of an order; none where it sets weights itself.
func arms(o *study.Order) []arm {
	if o.Options["weight_selfsupervised"] != nil || o.Options["weight_causal"] != nil {
		return nil
	}
	list := []arm{
		{name: matchingAlone, options: map[string]any{"weight_selfsupervised": 0, "weight_causal": 0}},
		{name: "with self-supervised, beta 0", options: map[string]any{"weight_causal": 0}},
		{name: "with causal", options: map[string]any{"weight_selfsupervised": 0}},
		{name: allLosses},
	}
	for _, beta := range []float64{0.5, 5, 50} {
		list = append(list, arm{name: fmt.Sprintf("all, beta %g", beta), options: map[string]any{"weight_causal": beta}})
	}
	return append(list, arm{name: "refined", preset: "refined"})
}

// armData are the data of the arms, with the names of the communities of each layer.
var armData = []struct{ example, name, own string }{{"syn2", "Syn2", "private_%d"}, {"syn1", "Syn1", "layer_%d"}}

func planArms(o *study.Order) []study.Task {
	var tasks []study.Task
	for i := range armData {
		for _, a := range arms(o) {
			tasks = append(tasks, planArm(o, i, a)...)
		}
	}
	return tasks
}

func planArm(o *study.Order, data int, a arm) []study.Task {
	of := armData[data]
	var own []string
	for l := range gammaLayers {
		own = append(own, fmt.Sprintf(of.own, l+1))
	}
	var tasks []study.Task
	o.Each(func(model, data int) {
		t := o.Task(of.example, nil, a.options, model, data, measure.Spec{Kind: measure.Trace, Targets: own})
		t.Name += ", " + a.name
		if a.preset != "" {
			t.Preset = a.preset
		}
		tasks = append(tasks, t)
	})
	return tasks
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

// compareArms says and draws what each arm does to the common embeddings.
func compareArms(o *study.Order, results study.Results, r *study.Report) {
	const much = 0.05 // counts as a difference
	var parts []string
	more, less, of := 0, 0, 0
	for i, data := range armData {
		sheet := study.Sheet{Title: data.name + ": where the layer is, by the losses, at the end (after the first step)", Lines: [][]string{{"losses",
			"layer from C, by a probe", "own communities from C", "own communities from S", "psi keeps its answer", "distance of C from S"}}}
		probe := chart.Chart{Name: "arms-" + data.example, Title: data.name + ": layers that a probe names from C", XLabel: "outer epoch", YLabel: "accuracy",
			YRange: &[2]float64{0, 1}, Text: "Lines over the training, one for each choice of losses."}
		away := chart.Chart{Name: "distance-" + data.example, Title: data.name + ": distance of C from S", XLabel: "outer epoch", YLabel: "distance",
			YRange: &[2]float64{0, 0}, Text: "The root of the mean square over nodes and layers, one line for each choice of losses."}
		end := map[string]float64{}
		for _, a := range arms(o) {
			list := results.Of(planArm(o, i, a))
			if len(list) == 0 {
				continue
			}
			curves := traces(a.name, list)
			line := []string{a.name}
			for _, c := range curves[1:] {
				line = append(line, fmt.Sprintf("%s (%s)", figure.Fixed(c.Y[len(c.Y)-1], 3), figure.Fixed(c.Y[0], 3)))
			}
			sheet.Lines = append(sheet.Lines, line)
			x := curves[1]
			end[a.name] = x.Y[len(x.Y)-1]
			r.Rows = append(r.Rows, study.Row{Dataset: data.name, Method: "CaDeM", Embedding: "common", Target: "layer", Metric: "probe_accuracy", Variant: a.name,
				Ours: &x.Y[len(x.Y)-1], Untrained: &x.Y[0], Trainings: len(list)})
			probe.Series, away.Series = append(probe.Series, x.Series), append(away.Series, curves[5].Series)
		}
		r.Draw(probe)
		r.Draw(away)
		if len(sheet.Lines) > 1 {
			r.Sheets, r.Held = append(r.Sheets, sheet), append(r.Held, sheet)
		}
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
	c.Because += fmt.Sprintf("; guessing gives %s", figure.Fixed(1.0/gammaLayers, 3))
	r.Claim(c)
}
