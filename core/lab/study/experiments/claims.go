package experiments

import (
	"maps"
	"slices"

	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

var threeSentences = study.Study{
	Name: "claims", Title: "Three sentences of the paper on the open data", Seeds: 1, DataSeeds: 1, Classifies: true, Trains: true,
	Needs: study.NeedGraph, AnyExample: true, Methods: study.Nodes,
	Shows: "What becomes of three sentences of the paper on the open data set, with the settings that an order asks for.",
	Learn: "Whether the losses take the layer out of C, beside untrained encoders and matching alone, and what needs no training.",
	Text: "The paper says that the losses take the layer out of the common embeddings, that these hold only what the layers share where the matching loss " +
		"is zero, and that CaDeM outperforms other methods. Each verdict here is computed from trainings on these data, and other settings may give another. " +
		"Look first at what a probe names from C: hold each choice of losses against matching alone. A layer's own communities are asked for where a label " +
		"set has the name of the layer, or is called private_1 or layer_1. " +
		"Then look at the share of S that linear encoders miss: at 0 the matching loss lets that S stand, whatever it holds. " +
		"Methods that need no training are always held against CaDeM, others where they are asked for. " +
		"Seeds are counted from 0 on, whatever seed the run on screen has.",
	Yields: []string{"weight_selfsupervised", "weight_causal"},
	BySet:  true, Assemble: assembleClaims,
	Plan: func(o *study.Order) []study.Task { return planClaims(o).all() },
}

// A claimsPlan is the tasks on one data set.
type claimsPlan struct {
	zero   study.Task
	arms   armed
	scored []study.Task // CaDeM, by pair of seeds
	others []study.Task
}

func (p *claimsPlan) all() []study.Task {
	return slices.Concat([]study.Task{p.zero}, p.arms.all(), p.scored, p.others)
}

func planClaims(o *study.Order) *claimsPlan {
	p := &claimsPlan{zero: o.TaskOn(nil, 0, 0, measure.Spec{Kind: measure.ZeroLoss})}
	p.zero.Name += ", zero loss"
	maps.DeleteFunc(p.zero.Options, func(name string, _ any) bool { return name != "dim" && name != "propagation" }) // all that it looks at
	p.arms = armed{"own", dataName(o), lossArms(), func(a arm) []study.Task {
		return a.tasks(o, func(part *study.Order, model, data int) study.Task {
			return part.TaskOn(a.options, model, data, measure.Spec{Kind: measure.Trace}, measure.Spec{Kind: measure.Posterior})
		})
	}, []int{1, 8, 3, 5, 9}}
	if o.Preset != refinedPreset {
		p.arms.arms = append(p.arms.arms, arm{name: refinedPreset, preset: refinedPreset})
	}
	p.scored = o.Tasks(func(model, data int) study.Task {
		t := o.TaskOn(nil, model, data, measure.Spec{Kind: measure.Classes, Embeddings: []string{"combined", "common"}})
		t.Lenient = true
		return t
	})
	p.others = sorting.Flat(besideCaDeM(o), func(m *train.Method) []study.Task { return claimsMethod(o, m) })
	return p
}

const refinedPreset = "refined"

// seesRefined reports whether the common encoders of an order see what refined gives them in place of Z; known is false if they see something else.
func seesRefined(o *study.Order) (refined, known bool) {
	split := property.Text(o.Options["split"])
	switch {
	case o.Options["split"] == nil && o.Preset == refinedPreset:
		return true, true
	case o.Options["split"] == nil && o.Preset != "evidence", split == "off":
		return false, true
	}
	return false, false
}

// claimsMethod trains another method on the data.
func claimsMethod(o *study.Order, m *train.Method) []study.Task {
	return methodTasks(inexpensive(o, m), m, func(model, data int) study.Task {
		t := o.TaskOn(nil, model, data, measure.Spec{Kind: measure.Combined})
		t.Lenient = true
		return t
	})
}

func assembleClaims(o *study.Order, results study.Results, r *study.Report) {
	p := planClaims(o)
	r.Differs = nil // the paper has no figures of these trainings
	traced := results.Of(p.arms.all())
	if len(traced) > 0 {
		if s := traced[0].Summary; s != nil {
			p.arms.name = s.Name
		}
		compareArms([]armed{p.arms}, 1/float64(traced[0].Array("posterior:C").Shape[0]), results, r)
	}
	if refined, known := seesRefined(o); known {
		assembleZero([]zeroed{{p.arms.name, results[p.zero.Key()], refined}}, r)
	} else {
		r.Find("Which S the matching loss lets stand is not known with a split of one's own, or by evidence.")
	}
	scored := results.Of(p.scored)
	unlabelled(r, scored)
	if len(scored) == 0 || len(scored[0].Targets()) == 0 {
		return
	}
	target := scored[0].Targets()[0]
	c := &contest{dataset: p.arms.name, target: target, scored: target, scope: study.Nodes, methods: besideCaDeM, cadem: p.scored, trained: p.scored,
		claimed: true, tasks: func(m *train.Method) []study.Task { return claimsMethod(o, m) }}
	const metric = "macro_f1"
	entrants := c.rows(o, results, r, metric)
	for _, embedding := range []string{"common", "combined"} {
		r.Score(study.Row{Dataset: c.dataset, Method: "CaDeM", Embedding: embedding, Target: target, Metric: metric}, scored)
	}
	c.hold(results, r, entrants, r.RowOf("CaDeM", target, metric, ""))
	r.Bars("claims", "Macro-F1 on "+target+" by method", metric, func(row *study.Row) string {
		if row.Embedding == "common" {
			return "S alone"
		}
		return row.Named()
	})
}
