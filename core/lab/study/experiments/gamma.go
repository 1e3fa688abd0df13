package experiments

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

var gammaSweep = study.Study{
	Name: "gamma", Title: "Shared and private communities of Syn2 as gamma grows", Seeds: 3, DataSeeds: 1,
	Shows: "Syn2, from layers with nothing in common to layers with everything in common.",
	Learn: "What S and the private embeddings hold as the layers come to share more.",
	Text: "At gamma 0 every layer follows communities of its own, at 1 all follow the shared ones. Look at the common embedding first: from " +
		"which gamma on do its clusters agree with the shared communities? The dashed curve is the untrained one. " +
		"The edges show less and less of the private communities as gamma grows, trained or not. So look whether the private curves leave those of " +
		"the untrained private embeddings. " +
		"Clusters miss what a linear probe may still read, so the probes of S and P stand in the table. Two level lines help to read the curves. At ARI " +
		"0.25 half of the nodes agree with the shared communities and the others are dealt at random; at 0.06 a quarter agrees. " +
		"Bands are one standard deviation between trainings.",
	Plan: func(o *study.Order) []study.Task {
		return sorting.Flat(gammas, func(g float64) []study.Task { return planGamma(o, g) })
	},
	Assemble: assembleGamma,
}

var gammas = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

// Results of the authors' program on the published data, over K-means runs on one training: ARI of
// S with the shared communities, and the mean over the layers of ARI of P_l with the layer's own.
var (
	authorsCommon  = []float64{0.265, 0.248, 0.242, 0.274, 0.435, 0.779, 0.895, 0.988, 0.991, 0.981, 1}
	authorsPrivate = []float64{0.478, 0.396, 0.328, 0.275, 0.201, 0.148, 0.116, 0.102, 0.099, 0.101, 0.106}
)

const gammaLayers = 3

func planGamma(o *study.Order, gamma float64) []study.Task {
	measures := []measure.Spec{{Kind: measure.Scores, Embeddings: []string{"common"}}}
	for l := 1; l <= gammaLayers; l++ {
		p := []string{fmt.Sprintf("private_%d", l)}
		measures = append(measures, measure.Spec{Kind: measure.Scores, Embeddings: p, Targets: p})
	}
	return o.Trainings("syn2", map[string]any{"gamma": gamma}, nil, fmt.Sprintf("gamma %g", gamma), measures...)
}

func assembleGamma(o *study.Order, results study.Results, r *study.Report) {
	for _, metric := range []string{"ari", "nmi"} {
		common, private := study.NewCurve("common S, shared communities"), study.NewCurve("private P, own communities")
		commonBefore, privateBefore := study.NewCurve("S untrained"), study.NewCurve("P untrained")
		for _, g := range gammas {
			list := results.Of(planGamma(o, g))
			c := r.Score(study.Row{Dataset: "Syn2", Method: "CaDeM", Embedding: "common", Target: "shared", Metric: metric, Gamma: &g}, list)
			if c == nil {
				continue
			}
			common.Add(g, c.Value)
			commonBefore.Add(g, c.Untrained)
			sum, before := make([]float64, len(c.Value)), make([]float64, len(c.Value))
			for l := 1; l <= gammaLayers; l++ {
				name := fmt.Sprintf("private_%d", l)
				c := r.Score(study.Row{Dataset: "Syn2", Method: "CaDeM", Embedding: name, Target: name, Metric: metric, Gamma: &g}, list)
				for i := range sum {
					sum[i] += c.Value[i] / gammaLayers
					before[i] += c.Untrained[i] / gammaLayers
				}
			}
			private.Add(g, sum)
			privateBefore.Add(g, before)
		}
		if len(common.X) == 0 {
			continue
		}
		commonBefore.Kind, privateBefore.Kind = chart.Dashed, chart.Dashed
		name := evaluate.MetricOf(metric).Label
		c := chart.Chart{Name: "gamma-" + metric, Title: name + " of clusters and communities, Syn2", XLabel: "gamma", YLabel: name, YRange: &[2]float64{0, 1},
			Text: "Two lines with bands over gamma from 0 to 1: the common embedding against the shared communities, and the mean of the private " +
				"ones against their layers' own; dashed the same untrained.",
			Series: []chart.Series{common.Series, private.Series, commonBefore.Series, privateBefore.Series}}
		if metric == "ari" {
			c.Series = append(c.Series, chart.Series{Name: "S, authors' program, published data", Kind: chart.Dashed, X: gammas, Y: authorsCommon},
				chart.Straight("half of the nodes agree, 0.25", 0, 0.25, 1, 0.25),
				chart.Straight("a quarter agrees, 0.06", 0, 0.0625, 1, 0.0625))
			curves(r, common, commonBefore, private, privateBefore)
			sweep(r, o, results)
			if len(r.Differs) == 0 {
				agreement(r, common, private)
			}
		}
		r.Draw(c)
	}
}

// curves says how the curves run.
func curves(r *study.Report, common, commonBefore, private, privateBefore *study.Curve) {
	n := len(common.X) - 1
	if n < 1 {
		return
	}
	const steady, half, nearly = 0.1, 0.5, 0.9
	fall := 0.0
	for i, v := range common.Y {
		for _, earlier := range common.Y[:i] {
			fall = max(fall, earlier-v)
		}
	}
	falls := fmt.Sprintf("without a fall of more than %.1f", steady)
	if fall > steady {
		falls = fmt.Sprintf("with falls of up to %.3f", fall)
	}
	from := func(level float64) string {
		for i, v := range common.Y {
			if v >= level {
				return fmt.Sprintf("from gamma %g on", common.X[i])
			}
		}
		return "nowhere"
	}
	r.Find("ARI of S with the shared communities goes from %s at gamma %g to %s at gamma %g, %s. It reaches %.1f %s and %.1f %s. Untrained it is %s at most.",
		fixed(common.Y[0]), common.X[0], fixed(common.Y[n]), common.X[n], falls, half, from(half), nearly, from(nearly),
		fixed(slices.Max(commonBefore.Y)))
	largest := 0.0
	for i := range private.Y {
		largest = max(largest, math.Abs(private.Y[i]-privateBefore.Y[i]))
	}
	r.Find("ARI of P with the layers' own communities goes from %s to %s, untrained from %s to %s; the two differ by %.3f at most.",
		fixed(private.Y[0]), fixed(private.Y[n]), fixed(privateBefore.Y[0]), fixed(privateBefore.Y[n]), largest)
}

// sweep compares trained with untrained embeddings at every gamma, and a linear probe of private
// communities on S with one on P.
func sweep(r *study.Report, o *study.Order, results study.Results) {
	const metric = "ari"
	var higher, lower, open int // gammas at which trained P is
	trainings := 0
	var s, p []float64 // by gamma
	var better int
	for _, g := range gammas {
		list := results.Of(planGamma(o, g))
		if len(list) == 0 {
			continue
		}
		trainings = max(trainings, len(list))
		own := func(pick func(study.Entry) study.Reading) study.Reading {
			return func(t *measure.Result) []float64 { // the mean over the layers
				sum := 0.0
				for l := 1; l <= gammaLayers; l++ {
					name := fmt.Sprintf("private_%d", l)
					v := pick(study.Entry{Embedding: name, Target: name, Metric: metric})(t)
					if v == nil {
						return nil
					}
					sum += v[0] / gammaLayers
				}
				return []float64{sum}
			}
		}
		switch c := study.Pair(list, list, own(study.Entry.Trained), own(study.Entry.Untrained)); {
		case c == nil:
		case !c.Decided:
			open++
		case c.Mean > 0:
			higher++
		default:
			lower++
		}
		ofS := own(func(f study.Entry) study.Reading {
			return study.Entry{Embedding: "common", Target: f.Target, Metric: metric}.Probe()
		})
		if c := study.Pair(list, list, ofS, own(study.Entry.Probe)); c != nil {
			s, p = append(s, c.A), append(p, c.B)
			if c.Mean > 0 {
				better++
			}
		}
	}
	if n := higher + lower + open; trainings > 1 {
		r.Find("Trained beside untrained P, by a paired t-test over %d trainings at each of %d gammas: higher at %d, lower at %d, not decided at %d.", trainings,
			n, higher, lower, open)
	} else if n > 0 {
		r.Find("One training at each gamma cannot decide whether trained and untrained P differ.")
	}
	if len(s) > 0 {
		r.Find("A linear probe reads the private communities of the layers from S with ARI %s to %s over the gammas. From the P of the same layer "+
			"it reads them with %s to %s. S is the better source at %d of %d gammas.",
			fixed(slices.Min(s)), fixed(slices.Max(s)), fixed(slices.Min(p)), fixed(slices.Max(p)), better, len(s))
	}
}

// agreement says how far the curves are from those of the authors' program.
func agreement(r *study.Report, common, private *study.Curve) {
	s, p := 0.0, 0.0
	for i, x := range common.X {
		for k, g := range gammas {
			if g == x {
				s, p = max(s, math.Abs(common.Y[i]-authorsCommon[k])), max(p, math.Abs(private.Y[i]-authorsPrivate[k]))
			}
		}
	}
	r.Find("Largest distance to what the authors' program gets on these data: %.3f for S, %.3f for the mean of P.", s, p)
}
