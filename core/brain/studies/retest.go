package studies

import (
	"fmt"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/brain/measures"
	"cadem.example/core/lab/study"
)

var testRetest = study.Study{
	Name: "retest", Title: "Is a brain found again", Seeds: 1, DataSeeds: 1,
	Shows: "Whether connections at one time find the same person at another time, and how well every region is measured.",
	Learn: "How much of what you compare is of the person, before you compare it.",
	Text: "Each subject has two recordings: two sessions, two runs or two tasks. Connections of the first are correlated with those of everybody's second, " +
		"and the most similar one is taken; then the other way round. Nothing is trained. Look at the share that is right beside chance, which is one in as many " +
		"as there are subjects; p is that of subjects that are shuffled. Then look at the intraclass correlation of a region, ICC(3,1): 1 where both times " +
		"order subjects alike, 0 where the second time says nothing. A difference between groups in a region with little of it is hard to find. " +
		"Mind motion: people move alike each time, so it helps to find them.",
	Counts: "subjects",
	Needs:  study.NeedCohort, Offers: offered,
	Own:        func() any { return &measures.RetestOptions{} },
	CheckScans: checkConditions,
	Plan:       func(o *study.Order) []study.Task { return []study.Task{planRetest(o).task} },
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		p := planRetest(o)
		if found := results.Of([]study.Task{p.task}); len(found) > 0 {
			c := &contrastReport{Report: r, plan: p, found: found[0]}
			c.again(o)
		}
	},
}

func planRetest(o *study.Order) *contrastPlan {
	return planPair(o, measures.Retest, &measures.RetestOptions{})
}

// again writes who was found, and how well regions are measured.
func (c *contrastReport) again(o *study.Order) {
	v := c.found.Array(measures.ArrayFound).Data
	n := v[6]
	c.read(int(v[7]))
	dataset := whose(o, "cohort")
	chance := 1 / n
	for k, name := range c.plan.conditions {
		share, p := v[k]/n, v[2+k]
		c.Rows = append(c.Rows, study.Row{Dataset: dataset, Method: "functional connectivity", Embedding: "", Target: "subject",
			Metric: "accuracy", Variant: name + " in " + c.plan.conditions[1-k], Ours: &share, Chance: &chance, P: &p, Trainings: 1})
	}
	a, b := c.plan.conditions[0], c.plan.conditions[1]
	c.Find("Found again, of %.0f subjects: %.0f from %s in %s, %.0f from %s in %s; by chance 1 (p %.3g and %.3g of shuffled subjects).", n, v[0], a, b,
		v[1], b, a, v[2], v[3])
	c.Find("Connections of both times correlate by %.2f within a subject and by %.2f between subjects.", v[4], v[5])
	q := c.found.Array(measures.ArrayPair).Data
	c.Find("ICC of a single connection: %.2f in the median, %.2f to %.2f in the middle half.", q[1], q[0], q[2])
	layers := measures.ContrastLayers(c.plan.options.Value)
	x := c.found.Array(measures.ArrayAgain)
	value := func(i, k int) float64 { return x.Row(i)[k] }
	order := sorting.Descending(x.Shape[0], func(i int) float64 { return value(i, 0) })
	sheet := study.Sheet{Title: "Regions by how well they are measured, the best first", Table: true, File: "regions",
		Lines: [][]string{{"region", "hemisphere", "network", "layer", "ICC", "low", "high", a, b}}}
	for _, i := range order {
		region := i % c.m
		line := []string{c.names[region], c.hemisphere(region), c.networkOf(region), layers[i/c.m]}
		for k := range 3 {
			line = append(line, figure.Fixed(value(i, k), 2))
		}
		sheet.Lines = append(sheet.Lines, append(line, figure.Short(value(i, 3)), figure.Short(value(i, 4))))
	}
	c.rank(sheet, "The regions that are measured best", nil)
	for l, layer := range layers {
		icc, above := make([]float64, c.m), 0
		for region := range icc {
			icc[region] = value(l*c.m+region, 0)
			if value(l*c.m+region, 1) > 0 {
				above++
			}
		}
		best := connectome.Top(icc, topShare)
		name := strings.TrimSpace(layer + " " + c.plan.options.Value)
		c.Find("ICC of %s of a region: %.2f in the mean; the interval of %d of %s is above 0.", name, *study.Average(icc), above,
			study.Plural(c.m, "region"))
		if c.places != nil {
			of, networks := c.marked()
			c.brain(of, networks, best, "Measured best", layer, fmt.Sprintf("The tenth of the regions with the largest ICC of %s", c.plan.options.Value))
		}
	}
	c.scans(o)
	c.noted()
}
