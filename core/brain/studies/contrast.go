package studies

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/brain/measures"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/lab/study/measure"
)

var regionContrast = study.Study{
	Name: "contrast", Title: "Which regions differ", Seeds: 1, DataSeeds: 1,
	Shows: "Which regions, connections and networks of connections differ between two conditions or two groups of your scans, or go along with a number.",
	Learn: "Which differences are beyond chance after correction for all regions, how large they are, and whether motion explains them.",
	Text: "Every scan gives each region a value, its plain connectivity or a moment of its signal, without any training. Two conditions of the same " +
		"subjects are compared pair by pair, two groups of subjects by their means. Look at the column corrected first: " +
		"it is the chance of so large a t in any region of the table, from permutations that flip signs or shuffle subjects. p is that of one region alone, and q " +
		"the least rate of false discoveries at which it counts. d is Cohen's, with an interval of about 95 %; along a number, as age, the partial " +
		"correlation stands in its place. Connections are tested one by one in the same way, and together: those " +
		"beyond a t hang together in components, and p of a component is that of one of as many connections in any " +
		"permutation. It says nothing about a single connection " +
		"of it. Then look at motion: where connections follow it, take it out as a covariate.",
	Counts: "subjects",
	Needs:  study.NeedCohort, Offers: offered,
	Own:        func() any { return &measures.ContrastOptions{} },
	CheckScans: checkSeries, // with a number, one condition will do
	Plan:       func(o *study.Order) []study.Task { return []study.Task{planContrast(o).task} },
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		p := planContrast(o)
		if found := results.Of([]study.Task{p.task}); len(found) > 0 {
			(&contrastReport{Report: r, plan: p, found: found[0]}).write(o)
		}
	},
}

// A contrastPlan holds the two sides of a comparison.
type contrastPlan struct {
	options    measures.ContrastOptions
	conditions [2]string
	task       study.Task
	selection
	columns []string // covariates, those of words by their columns; nil without them
}

func planContrast(o *study.Order) *contrastPlan {
	return planPair(o, measures.Contrast, &measures.ContrastOptions{})
}

// planPair plans a measurement of two conditions, which has options of its own.
func planPair(o *study.Order, kind measure.Kind, own any) *contrastPlan {
	p := &contrastPlan{}
	ownOptions(o, &p.options)
	spec := measure.Spec{Kind: kind, Options: map[string]string{}}
	maps.Copy(spec.Options, ownOptions(o, own))
	data := run.DataSpec{Options: map[string]any{}, Reader: run.Reader}
	for name, v := range o.Options {
		if !property.Has(own, name) && measure.OfScans.Has(name) && name != "subjects" {
			data.Options[name] = v
		}
	}
	list := conditions(o)
	p.conditions = [2]string{p.options.First, p.options.Second}
	for k := range p.conditions {
		for _, c := range list {
			if p.conditions[k] == "" && c != p.conditions[1-k] {
				p.conditions[k] = c
			}
		}
	}
	known := slices.Contains(list, p.conditions[0]) && (p.options.Number != "" || slices.Contains(list, p.conditions[1]))
	if o.OfFiles() {
		p.ofFiles(o, known)
		data.Scans = p.scans
		if len(p.columns) > len(p.options.CovariateNames()) { // words have their columns as names
			spec.Options["covariates"] = strings.Join(p.columns, ",")
		}
		data.Files = experiments.FileList(o).Of(data.Scans)
	} else {
		data.Example, data.DataSeed = run.CohortData, 0
		for subject := range subjectsOf(o, usualSubjects) {
			for k, name := range p.sides() {
				class := k
				if !known {
					class = unknownClass
				}
				scan := run.Scan{Name: fmt.Sprintf("synthetic subject %d, %s", subject+1, name), Class: class, Group: subject, Subject: subject,
					Condition: max(slices.Index(cohort.Conditions, name), 0)}
				if p.options.Number == "age" { // all that is known of invented people
					age, _ := cohort.Person(data.DataSeed, subject)
					scan.Covariates = []float64{float64(age)}
				}
				data.Scans = append(data.Scans, scan)
			}
		}
	}
	p.task = study.Task{Name: strings.Join(p.sides(), " against "), Data: data, Preset: o.Preset, EvalSeed: o.SeedOf(run.UsualSeeds.Eval, spec),
		Measure: []measure.Spec{spec}}
	return p
}

// sides are the conditions whose scans are used: along a number, one.
func (p *contrastPlan) sides() []string {
	if p.options.Number != "" {
		return p.conditions[:1]
	}
	return p.conditions[:]
}

// directions say what a positive t means, and what a negative one.
func (p *contrastPlan) directions() [2]string {
	if n := p.options.Number; n != "" {
		return [2]string{"rises with " + n, "falls with " + n}
	}
	return [2]string{p.conditions[0] + " above " + p.conditions[1], p.conditions[1] + " above " + p.conditions[0]}
}

// unknownClass marks scans for which the task says that no condition has the requested name.
const unknownClass = 2

// ofFiles lists the scans of both conditions. Where subjects have both, those with one are left out; so are those without a covariate.
func (p *contrastPlan) ofFiles(o *study.Order, known bool) {
	var numbers map[string][]float64
	numbers, p.columns = factsOf(o, p.options.Number, p.options.CovariateNames())
	has, counts := map[string]int{}, map[[2]string]float64{}
	for _, s := range o.Cohort {
		if k := slices.Index(p.sides(), s.Condition); k >= 0 {
			has[s.Subject] |= 1 << k
			counts[[2]string{s.Subject, s.Condition}]++
		}
	}
	paired := false
	for _, s := range o.Cohort {
		paired = paired || has[s.Subject] == 3
	}
	for i := range o.Cohort {
		s := &o.Cohort[i]
		class := slices.Index(p.sides(), s.Condition)
		if !known {
			class = unknownClass
		}
		values, complete := numbers[s.Subject]
		why := ""
		switch {
		case class < 0:
			continue
		case paired && known && has[s.Subject] != 3:
			why = "one of the conditions alone"
		case numbers != nil && !complete:
			why = lacks(p.options.Number, p.options.CovariateNames())
		}
		scan := run.Scan{Class: class, Covariates: values}
		if n := counts[[2]string{s.Subject, s.Condition}]; n > 1 {
			scan.Weight = 1 / n
		}
		p.take(o, s, scan, s.Subject, why)
	}
}

// A contrastReport writes what was found.
type contrastReport struct {
	*study.Report
	plan   *contrastPlan
	found  *measure.Result
	m      int
	names  []string // of regions
	places [][3]float64
	of     []int // networks, of each region
	known  []string
}

// read takes up the regions, m of them.
func (c *contrastReport) read(m int) {
	c.m, c.names, c.known = m, c.found.Words[:m], c.found.Words[m:]
	c.places, c.of = placesOf(c.found)
}

// networkOf names the network of a region; "" where none is known.
func (c *contrastReport) networkOf(region int) string {
	if c.of == nil || c.of[region] < 0 {
		return ""
	}
	return c.known[c.of[region]]
}

// marked are the networks of all regions as pictures take them.
func (c *contrastReport) marked() (of []int, networks []string) {
	if c.of == nil {
		return slices.Repeat([]int{-1}, c.m), nil
	}
	return c.of, c.known
}

func (c *contrastReport) write(o *study.Order) {
	tested := c.found.Array(measures.ArrayTested).Data
	c.read(int(tested[5]))
	how := fmt.Sprintf("%.0f subjects in both conditions, pair by pair", tested[1])
	switch {
	case c.plan.options.Number != "":
		how = fmt.Sprintf("%.0f subjects, by regression on %s", tested[1], c.plan.options.Number)
	case tested[2] > 0:
		how = fmt.Sprintf("%.0f subjects against %.0f", tested[1], tested[2])
	}
	kind := "drawn with seed " + fmt.Sprint(c.plan.task.EvalSeed)
	if tested[4] == 1 {
		kind = "all that there are, so that p is exact"
	}
	c.Find("%s: %s, %s of every region, t with %.0f degrees of freedom, %.0f permutations, %s.", c.plan.task.Name, how,
		c.plan.options.Value, tested[0], tested[3], kind)
	if names := c.plan.options.CovariateNames(); names != nil {
		said := "."
		if a := c.found.Array(measures.ArrayExplained); a != nil {
			said = fmt.Sprintf(". R2 of %s on them: %.2f; what both explain counts for neither.",
				cmp.Or(c.plan.options.Number, "the groups"), a.Data[0])
		}
		c.Find("Taken out (Freedman and Lane): %s%s", strings.Join(names, ", "), said)
	}
	c.regions()
	c.components()
	c.scans(o)
	c.noted()
}

// noted lists what is to be known about the scans, with findings about all of them.
func (c *contrastReport) noted() {
	for _, note := range c.found.Notes {
		if note == measure.NoBandPass || note == measure.Filtered || strings.Contains(note, "left out of all") {
			c.Find("%s", note)
		}
	}
	listNotes(c.Report, c.found.Notes)
}

// columns of the array of a contrast.
const (
	ofDifference = iota
	ofT
	ofP
	ofPermuted
	ofCorrected
	ofQ
	ofEffect
	ofLow
	ofHigh
	ofFirst
	ofSecond
)

// significant is the corrected p below which a region is drawn.
const significant = 0.05

// regions makes the table of regions.
func (c *contrastReport) regions() {
	layers := measures.ContrastLayers(c.plan.options.Value)
	x := c.found.Array(measures.ArrayContrast)
	value := func(i, k int) float64 { return x.Row(i)[k] }
	order := sorting.Descending(x.Shape[0], func(i int) float64 { return math.Abs(value(i, ofT)) })
	lines := [][]string{slices.Concat([]string{"region", "hemisphere", "network", "x", "y", "z", "layer"}, c.plan.sides(),
		[]string{"t", "p", "permuted", "corrected", "q", c.effect(), "low", "high"})}
	found := 0
	for _, i := range order {
		region := i % c.m
		line := []string{c.names[region], c.hemisphere(region), c.networkOf(region), "", "", "", layers[i/c.m]}
		if c.places != nil {
			for d, v := range c.places[region] {
				line[3+d] = figure.Fixed(v, 1)
			}
		}
		for _, k := range append([]int{ofFirst, ofSecond}[:len(c.plan.sides())], ofT) {
			line = append(line, figure.Short(value(i, k)))
		}
		for _, k := range []int{ofP, ofPermuted, ofCorrected, ofQ} {
			line = append(line, upTo(3, value(i, k)))
		}
		for _, k := range []int{ofEffect, ofLow, ofHigh} {
			line = append(line, figure.Fixed(value(i, k), 2))
		}
		lines = append(lines, line)
		if value(i, ofCorrected) < significant {
			found++
		}
	}
	c.rank(study.Sheet{Title: "Regions, the largest t first", Lines: lines, Table: true}, "The regions with the largest t",
		func(line []string) []string { return append(slices.Clone(line[:3]), line[6:]...) })
	c.Find("%d of %d values of regions %s after correction for all of them (corrected p below %v).", found, len(order), c.verb(), significant)
	if c.places == nil {
		if text := connectome.WherePlacesAre(c.names); text != "" {
			c.Find("%s", text)
		}
		return
	}
	of, networks := c.marked()
	for l, layer := range layers {
		var beyond [2][]int
		means, difference := [2][]float64{make([]float64, c.m), make([]float64, c.m)}, make([]float64, c.m)
		for region := range c.m {
			i := l*c.m + region
			means[0][region], means[1][region] = value(i, ofFirst), value(i, ofSecond)
			difference[region] = math.Abs(value(i, ofDifference))
			if value(i, ofCorrected) < significant {
				k := 0
				if value(i, ofT) < 0 {
					k = 1
				}
				beyond[k] = append(beyond[k], region)
			}
		}
		for k, name := range c.plan.sides() {
			c.brain(of, networks, connectome.Top(means[k], topShare), name, layer, "The tenth of the regions with the largest "+c.plan.options.Value)
		}
		if c.plan.options.Number == "" {
			c.brain(of, networks, connectome.Top(difference, topShare), strings.Join(c.plan.sides(), " - "), layer,
				"The tenth of the regions with the largest difference of "+c.plan.options.Value+", in either direction")
		}
		if beyond[0] == nil && beyond[1] == nil {
			c.brain(of, networks, nil, "t of "+c.plan.task.Name, layer, fmt.Sprintf("No region has a corrected p below %v", significant))
		}
		for k, name := range c.plan.directions() {
			if beyond[k] != nil {
				c.brain(of, networks, beyond[k], name, layer, fmt.Sprintf("The %d regions with a corrected p below %v", len(beyond[k]), significant))
			}
		}
	}
}

// rank adds a table, of which the first lines are printed under a title of their own: as brief makes them, if it is not nil.
func (c *contrastReport) rank(all study.Sheet, title string, brief func(line []string) []string) {
	const printed = 12
	first := all.Lines[:min(len(all.Lines), 1+printed)]
	if brief != nil {
		first = sorting.Map(first, brief)
	}
	c.Sheets, c.Held = append(c.Sheets, all), append(c.Held, study.Sheet{Title: title, Lines: first})
}

// brain draws some regions.
func (c *contrastReport) brain(of []int, networks []string, top []int, title, layer, text string) {
	if layer != "" {
		title += ", " + layer
	}
	if top == nil {
		text += ": all of them are dots, from above, behind and the right."
	} else {
		text += ", from above, behind and the right; the others as dots."
	}
	c.draw(chart.Brain(c.places, of, networks, connectome.Marks(networks), top), title, text)
}

// draw adds a picture with its title.
func (c *contrastReport) draw(b chart.Chart, title, text string) {
	b.Title = title
	b.Name = strings.NewReplacer(" - ", "-minus-", " ", "-", ",", "", "/", "-").Replace(title)
	b.Text = text
	c.Draw(b)
}

// hemisphere returns L or R, by the name of a region or else by its place; "" for neither.
func (c *contrastReport) hemisphere(i int) string {
	for _, word := range strings.FieldsFunc(c.names[i], func(r rune) bool { return strings.ContainsRune("_- .", r) }) {
		switch strings.ToUpper(word) {
		case "L", "LH", "LEFT":
			return "L"
		case "R", "RH", "RIGHT":
			return "R"
		}
	}
	switch {
	case c.places == nil || c.places[i][0] == 0:
		return ""
	case c.places[i][0] < 0:
		return "L"
	}
	return "R"
}

// verb is what values do.
func (c *contrastReport) verb() string {
	if c.plan.options.Number != "" {
		return "go along with " + c.plan.options.Number
	}
	return "differ"
}

// effect names the column of effects.
func (c *contrastReport) effect() string {
	if c.plan.options.Number != "" {
		return "partial r"
	}
	return "d"
}

// edges makes the table of connections, tested one by one.
func (c *contrastReport) edges() {
	counts, x := c.found.Array(measures.ArrayCounts), c.found.Array(measures.ArrayEdges)
	if counts == nil {
		return
	}
	lines := [][]string{slices.Concat([]string{"region", "with"}, c.plan.sides(), []string{"t", "p", "permuted", "corrected", "q", c.effect(), "component"})}
	for k := range x.Shape[0] {
		v := x.Row(k)
		line := []string{c.names[int(v[0])], c.names[int(v[1])]}
		for _, mean := range v[8 : 8+len(c.plan.sides())] {
			line = append(line, figure.Fixed(mean, 3))
		}
		line = append(line, figure.Short(v[2]))
		for _, p := range v[3:7] {
			line = append(line, upTo(3, p))
		}
		if line = append(line, figure.Fixed(v[7], 2), ""); v[10] > 0 {
			line[len(line)-1] = figure.Short(v[10])
		}
		lines = append(lines, line)
	}
	all := study.Sheet{Title: "Connections, the largest t first: Fisher's z, " + study.Plural(x.Shape[0], "connection") + " of " + figure.Short(counts.Data[0]),
		Lines: lines, File: "connections"}
	c.rank(all, "The connections with the largest t", nil)
	c.Find("Connections one by one, %.0f of them: %.0f %s with q below %v, and %.0f with a p below %v after correction for the largest |t| of all.",
		counts.Data[0], counts.Data[1], c.verb(), significant, counts.Data[2], significant)
	var ends [][2]int
	var t []float64
	for k := range x.Shape[0] {
		if v := x.Row(k); v[6] < significant {
			ends, t = append(ends, [2]int{int(v[0]), int(v[1])}), append(t, v[2])
		}
	}
	if of, networks := c.marked(); c.places != nil && ends != nil {
		b := chart.Connections(c.places, of, networks, connectome.Marks(networks), ends, t)
		text := study.Plural(len(ends), "connection") + fmt.Sprintf(" with q below %v", significant)
		c.draw(b, "Connections, "+c.plan.task.Name, text+", from above, behind and the right: the larger |t|, the thicker. Other regions are dots.")
	}
}

// components says which networks of connections differ.
func (c *contrastReport) components() {
	if c.plan.options.Beyond == 0 {
		return
	}
	c.edges()
	a := c.found.Array(measures.ArrayComponent)
	if a == nil {
		c.Find("No connection is beyond t = %v.", c.plan.options.Beyond)
		return
	}
	pairs := c.found.Array(measures.ArrayPairs)
	sheet := study.Sheet{Title: fmt.Sprintf("Components of connections beyond t = %v", c.plan.options.Beyond),
		Lines: [][]string{{"component", "direction", "connections", "regions", "p"}}}
	const shown = 10
	found := 0
	for k := range a.Shape[0] {
		v := a.Row(k)
		direction := c.plan.directions()[0]
		if v[0] < 0 {
			direction = c.plan.directions()[1]
		}
		if k < shown {
			sheet.Lines = append(sheet.Lines, []string{fmt.Sprint(k + 1), direction, figure.Short(v[1]), figure.Short(v[2]), upTo(3, v[3])})
		}
		if v[3] >= significant {
			continue
		}
		found++
		var in []int
		for e := range pairs.Shape[0] {
			if p := pairs.Row(e); int(p[0]) == k {
				for _, i := range p[1:] {
					in = sorting.Add(in, int(i))
				}
			}
		}
		if c.places != nil && c.of != nil {
			c.brain(c.of, c.known, in, fmt.Sprintf("Component %d, %s", k+1, direction), "", fmt.Sprintf("The %d regions of %.0f connections", len(in), v[1]))
		}
	}
	c.Table(sheet)
	c.Find("Connections (Fisher's z) beyond t = %v make %s; %d with p below %v by the network-based statistic.", c.plan.options.Beyond,
		study.Plural(a.Shape[0], "component"), found, significant)
}

// scans says what is used of the scans, and how they are.
func (c *contrastReport) scans(o *study.Order) {
	used := keptOf(c.plan.task.Data.Scans, c.found.Array(measures.ArrayScans))
	included(c.Report, o, used, c.m, c.plan.without)
	short(c.Report, used)
	left, all := 0.0, 0.0
	var motion []float64
	for _, u := range used {
		if left, all = left+u.frames, all+u.of; u.motion >= 0 {
			motion = append(motion, u.motion)
		}
	}
	if left < all {
		c.Find("%.1f %% of all frames were left out for motion.", 100*(1-left/all))
	}
	if motion != nil {
		c.Find("Mean framewise displacement: %.2f mm.", *study.Average(motion))
	}
	if m := c.found.Array(measures.ArrayMotion); m != nil {
		of := "connectivity"
		if c.plan.options.Number == "" && c.found.Array(measures.ArrayTested).Data[2] == 0 {
			of = "the change of connectivity"
		}
		c.Find("Over subjects, motion and %s correlate by %.2f in the median of all connections; %.1f %% of them beyond p = 0.05, of which 5 %% are due to chance.",
			of, m.Data[0], 100*m.Data[1])
	}
}
