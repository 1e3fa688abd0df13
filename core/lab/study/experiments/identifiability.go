package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

var identifiability = study.Study{
	Name: "identifiability", Title: "What is found of known latent directions", Seeds: 1, DataSeeds: 3,
	Shows: "How much of directions that are known S and the private embeddings hold.",
	Learn: "How the strength of the signal and the number of nodes decide whether they are found.",
	Text: "The features of three layers are mixed from directions U that all layers share and V that only one has, with noise. Theorem 3 of the " +
		"paper says that common embeddings find U alone and private ones V alone. Look how much of each a linear regression reads from S and from " +
		"P, as R2 in folds held out. S should have U and not V, P the other way round. By part (ii) of the theorem U explains nothing of P, either. " +
		"The dashed curve is what the leading directions of one layer by itself have, in the limit of many nodes and features (Benaych-Georges and " +
		"Nadakuditi 2012). One upright line is where they rise above the noise, the other where those of two layers agree by a half. HSIC says how much " +
		"S and P depend on each other, 0 for not at all. There are three sweeps: over the strength of the signal, over the number of " +
		"nodes, and over the correlation of the private directions of two layers. An order that gives " +
		"the number of nodes has the first and the last alone, with that number.",
	Yields: []string{"nodes"},
	Plan: func(o *study.Order) []study.Task {
		return sorting.Flat(sweepsOf(o), func(s latentSweep) []study.Task {
			return sorting.Flat(s.values, func(x float64) []study.Task { return planLatent(o, s, x) })
		})
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		for _, s := range sweepsOf(o) {
			assembleLatent(o, results, r, s)
		}
	},
}

// A latentSweep changes one option of the data and leaves the others.
type latentSweep struct {
	option, label string
	values        []float64
	fixed         map[string]any
}

func latentSweeps() []latentSweep {
	return []latentSweep{
		{"signal", "signal", []float64{0.25, 0.5, 0.75, 1, 1.5, 2, 3}, map[string]any{"nodes": 400}},
		{"nodes", "nodes", []float64{100, 200, 400, 800}, map[string]any{"signal": 1.0}},
		{"overlap", "correlation", []float64{0, 0.25, 0.5, 0.75, 1}, map[string]any{"nodes": 400, "signal": 2.0}},
	}
}

const latentFeatures = 64

// sweepsOf returns the sweeps of an order. If the order sets the number of nodes, the sweep over nodes is dropped and
// the others use that number, so that options meant for all experiments apply here, too.
func sweepsOf(o *study.Order) []latentSweep {
	nodes, given := o.Options["nodes"]
	if !given {
		return latentSweeps()
	}
	var list []latentSweep
	for _, s := range latentSweeps() {
		if s.option != "nodes" {
			s.fixed["nodes"] = nodes
			list = append(list, s)
		}
	}
	return list
}

func planLatent(o *study.Order, s latentSweep, x float64) []study.Task {
	data := map[string]any{s.option: x, "observed": latentFeatures}
	for name, v := range s.fixed {
		data[name] = v
	}
	return o.Trainings("latent", data, nil, fmt.Sprintf("%s %g", s.label, x), measure.Spec{Kind: measure.Latents})
}

// overlapOf returns, for a direction of that signal in M x F noise of unit variance, the squared cosine
// between it and the leading left singular vector in the limit of many nodes and features: 0 up to a signal
// of (F / M)^(1/4).
func overlapOf(signal, nodes float64) float64 {
	c := float64(nodes / latentFeatures) // a product with its inverse, to the compiler
	t := float64(signal * signal * c)    // the square of the spike, noise having the variance 1 / F
	if t*t <= c {
		return 0
	}
	return 1 - float64(c*(1+t))/float64(t*(t+c))
}

// least returns the smallest x from which on the overlap is above a level, for a sweep along which it
// rises; infinity if that is far beyond the sweep.
func (s *latentSweep) least(level float64) float64 {
	low, high := s.values[0]/16, s.values[len(s.values)-1]*16
	if s.overlap(high) <= level {
		return math.Inf(1)
	}
	for range 60 {
		if mid := math.Sqrt(low * high); s.overlap(mid) > level {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// overlap returns the theoretical overlap at a point of the sweep.
func (s *latentSweep) overlap(x float64) float64 {
	at := map[string]float64{s.option: x}
	for name, v := range s.fixed {
		at[name], _ = strconv.ParseFloat(property.Text(v), 64) // no task has results of a number that is none
	}
	return overlapOf(at["signal"], at["nodes"])
}

func assembleLatent(o *study.Order, results study.Results, r *study.Report, s latentSweep) {
	kinds := []struct{ embedding, target, name string }{
		{"common", measure.OfShared, "U from S"}, {"common", measure.OfOwn, "V from S"},
		{"private", measure.OfOwn, "V from P"}, {"private", measure.OfShared, "U from P"},
		{"private", measure.FromShared, "P from U"},
	}
	var curves []*study.Curve
	for _, kind := range kinds {
		curves = append(curves, study.NewCurve(kind.name))
	}
	depend := study.NewCurve("S and P")
	for _, x := range s.values {
		list := results.Of(planLatent(o, s, x))
		add := func(embedding, target, metric string, curve *study.Curve) {
			variant := fmt.Sprintf("%s %g", s.label, x)
			row := study.Row{Dataset: "latent", Method: "CaDeM", Embedding: embedding, Target: target, Metric: metric, Variant: variant}
			if c := r.Score(row, list); c != nil {
				curve.Add(x, c.Value)
			}
		}
		for k, kind := range kinds {
			add(kind.embedding, kind.target, measure.R2, curves[k])
		}
		add("common", measure.OfOther, measure.HSIC, depend)
	}
	if len(curves[0].X) == 0 {
		return
	}
	c := chart.Chart{Name: "identifiability-" + s.option, Title: "R2 of latent directions", XLabel: s.label, YLabel: "R2", YRange: &[2]float64{0, 1},
		Text: "Lines with bands of one standard deviation: how much of the shared directions U and of the private ones V a linear regression reads from S and P."}
	c.Series = sorting.Map(curves, func(curve *study.Curve) chart.Series { return curve.Series })
	if s.option != "overlap" {
		c.Series = append(c.Series,
			chart.Series{Name: "one layer, by theory", Kind: chart.Dashed, X: s.values, Y: sorting.Map(s.values, s.overlap)})
		for _, limit := range []struct {
			name  string
			level float64
		}{{"above noise", 0}, {"agreement of a half", 0.5}} {
			if x := s.least(limit.level); x >= s.values[0] && x <= s.values[len(s.values)-1] {
				c.Series = append(c.Series, chart.Straight(limit.name, x, 0, x, 1))
			}
		}
	}
	r.Draw(c)
	s.find(r, curves)
	r.Find("Along the %s, S and P depend on each other by HSIC %s to %s.", s.label, smallest(depend.Y), largest(depend.Y))
}

// find says where U is found, and how much of V leaks into S.
func (s *latentSweep) find(r *study.Report, curves []*study.Curve) {
	const half = 0.5
	from := func(c *study.Curve) string {
		for i, v := range c.Y {
			if v >= half {
				return fmt.Sprintf("from %s %g on", s.label, c.X[i])
			}
		}
		return "nowhere"
	}
	text := fmt.Sprintf("Along the %s, half of the variance of U is read from S %s and half of V from P %s; of V from S %s at most, of U from P %s at most.",
		s.label, from(curves[0]), from(curves[2]), largest(curves[1].Y), largest(curves[3].Y))
	if s.option != "overlap" {
		limit := func(level float64) string {
			if x := s.least(level); !math.IsInf(x, 1) {
				return fmt.Sprintf("from %s %s on", s.label, figure.AtMost(x, 2))
			}
			return "nowhere"
		}
		text += fmt.Sprintf(" By theory a direction of one layer stands above noise %s, and those of two layers agree by a half %s.", limit(0), limit(half))
	}
	r.Find("%s", text)
	if p := curves[4]; len(p.Y) > 0 {
		const little = 0.05
		verdict := "none of them shows more than that"
		var more []string
		for i, v := range p.Y {
			if v > little {
				more = append(more, figure.AtMost(p.X[i], 2))
			}
		}
		if more != nil {
			verdict = fmt.Sprintf("more than that is explained at %s", strings.Join(more, ", "))
		}
		r.Find("Theorem 3 (ii) says that private embeddings do not depend on U. Along the %s a linear regression on U explains %s to %s of the variance of P "+
			"(up to %.2f counts as none): %s.", s.label, smallest(p.Y), largest(p.Y), little, verdict)
	}
}

func smallest(x []float64) string {
	return fixed(slices.Min(slices.Concat(x, []float64{math.Inf(1)})))
}

func largest(x []float64) string {
	return fixed(slices.Max(slices.Concat(x, []float64{math.Inf(-1)})))
}
