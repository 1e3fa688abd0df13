package study

import (
	"fmt"
	"math"

	"cadem/core/study/chart"
)

var gammaSweep = Study{
	Name: "gamma", Title: "Shared and private communities of Syn2 as gamma grows", Seeds: 3, DataSeeds: 1,
	Text: "At gamma 0 every layer follows communities of its own, at 1 all follow the shared ones. Look at the common embedding first: its clusters agree with the shared communities little below gamma 0.4 and fully above 0.7, while untrained it agrees nowhere: that is learned. " +
		"The private curves fall because the edges show less and less of the private communities; but untrained private embeddings, dashed, lie on the same curves, so that these show the data, not the training. " +
		"A partition that is half shared agrees with the shared one to ARI 0.25 by itself, and two layers' private communities with each other to 0.06: the level lines. Bands are one standard deviation between trainings.",
	plan: func(o *Order) []Task {
		var tasks []Task
		for _, g := range gammas {
			tasks = append(tasks, planGamma(o, g)...)
		}
		return tasks
	},
	assemble: assembleGamma,
}

var gammas = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

// What the authors' program gets on the published data, measured over K-means runs on one
// training: ARI of S with the shared communities, and the mean over the layers of ARI of P_l
// with the layer's own.
var (
	authorsCommon  = []float64{0.265, 0.248, 0.242, 0.274, 0.435, 0.779, 0.895, 0.988, 0.991, 0.981, 1}
	authorsPrivate = []float64{0.478, 0.396, 0.328, 0.275, 0.201, 0.148, 0.116, 0.102, 0.099, 0.101, 0.106}
)

const gammaLayers = 3

func planGamma(o *Order, gamma float64) []Task {
	measures := []Measure{{Kind: "scores", Embeddings: []string{"common"}}}
	for l := 1; l <= gammaLayers; l++ {
		p := []string{fmt.Sprintf("private_%d", l)}
		measures = append(measures, Measure{Kind: "scores", Embeddings: p, Targets: p})
	}
	var tasks []Task
	o.each(func(model, data int) {
		t := o.task("syn2", map[string]any{"gamma": gamma}, nil, model, data, measures...)
		t.Name += fmt.Sprintf(", gamma %g", gamma)
		tasks = append(tasks, t)
	})
	return tasks
}

func assembleGamma(o *Order, results Results, r *Report) {
	for _, metric := range []string{"ari", "nmi"} {
		common, private := newCurve("common S, shared communities"), newCurve("private P, own communities")
		commonBefore, privateBefore := newCurve("S untrained"), newCurve("P untrained")
		for _, g := range gammas {
			list := results.of(planGamma(o, g))
			row := Row{Dataset: "Syn2", Method: "CaDeM", Embedding: "common", Target: "shared", Metric: metric, Gamma: &g}
			c := collect(list, "common", "shared", metric)
			if c == nil {
				continue
			}
			row.fill(c)
			r.Rows = append(r.Rows, row)
			common.add(g, c.value)
			commonBefore.add(g, c.untrained)
			sum, before := make([]float64, len(c.value)), make([]float64, len(c.value))
			for l := 1; l <= gammaLayers; l++ {
				name := fmt.Sprintf("private_%d", l)
				c := collect(list, name, name, metric)
				row := Row{Dataset: "Syn2", Method: "CaDeM", Embedding: name, Target: name, Metric: metric, Gamma: &g}
				row.fill(c)
				r.Rows = append(r.Rows, row)
				for i := range sum {
					sum[i] += c.value[i] / gammaLayers
					before[i] += c.untrained[i] / gammaLayers
				}
			}
			private.add(g, sum)
			privateBefore.add(g, before)
		}
		if len(common.X) == 0 {
			continue
		}
		commonBefore.Kind, privateBefore.Kind = "dashed", "dashed"
		name := map[string]string{"ari": "ARI", "nmi": "NMI"}[metric]
		c := chart.Chart{Name: "gamma-" + metric, Title: name + " of clusters and communities, Syn2", XLabel: "gamma", YLabel: name, YRange: &[2]float64{0, 1},
			Text:   "Two lines with bands over gamma from 0 to 1: the common embedding against the shared communities, and the mean of the private ones against their layers' own; dashed the same untrained.",
			Series: []chart.Series{common.Series, private.Series, commonBefore.Series, privateBefore.Series}}
		if metric == "ari" {
			c.Series = append(c.Series, chart.Series{Name: "S, authors' program, published data", Kind: "dashed", X: gammas, Y: authorsCommon},
				chart.Series{Name: "chance overlap 0.25", Kind: "dashed", X: []float64{0, 1}, Y: []float64{0.25, 0.25}},
				chart.Series{Name: "between layers 0.06", Kind: "dashed", X: []float64{0, 1}, Y: []float64{0.0625, 0.0625}})
			r.shape(common, private, privateBefore)
			if o.Data == "published" {
				r.agreement(common, private)
			}
		}
		r.draw(c)
	}
}

// A curve is a line with a band of one standard deviation.
type curve struct{ chart.Series }

func newCurve(name string) *curve { return &curve{chart.Series{Name: name}} }

func (c *curve) add(x float64, values []float64) {
	m, std := *average(values), 0.0
	if len(values) > 1 {
		std = deviation(values)
	}
	c.X, c.Y, c.Low, c.High = append(c.X, x), append(c.Y, m), append(c.Low, m-std), append(c.High, m+std)
}

// shape says whether the curves have the expected shape.
func (r *Report) shape(common, private, before *curve) {
	last := len(gammas) - 1
	if len(common.X) <= last {
		return
	}
	fall := 0.0
	for i, v := range common.Y {
		for _, earlier := range common.Y[:i] {
			fall = max(fall, earlier-v)
		}
	}
	rises := "rises"
	if fall > 0.1 {
		rises = fmt.Sprintf("goes, not without falls of up to %.2f,", fall)
	}
	r.find("ARI of S with the shared communities %s from %.3f at gamma 0 to %.3f at gamma 1 (expected: no fall beyond 0.1, at least 0.9 at the end).", rises, common.Y[0], common.Y[last])
	r.find("ARI of P with the layers' own communities goes from %.3f to %.3f (expected: a fall of 0.3 or more); untrained from %.3f to %.3f.", private.Y[0], private.Y[last], before.Y[0], before.Y[last])
	largest := 0.0
	for i := range private.Y {
		largest = max(largest, math.Abs(private.Y[i]-before.Y[i]))
	}
	r.find("Trained and untrained P differ by %.3f at most.", largest)
}

// agreement says how far the curves are from those of the authors' program.
func (r *Report) agreement(common, private *curve) {
	s, p := 0.0, 0.0
	for i, x := range common.X {
		for k, g := range gammas {
			if g == x {
				s, p = max(s, math.Abs(common.Y[i]-authorsCommon[k])), max(p, math.Abs(private.Y[i]-authorsPrivate[k]))
			}
		}
	}
	r.find("Largest distance to what the authors' program gets on these data: %.3f for S, %.3f for the mean of P.", s, p)
}
