package studies

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/measures"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/lab/study/measure"
)

var numberTargets = study.Study{
	Name: "targets", Title: "A number from the brain", Seeds: 1, DataSeeds: 1,
	Shows: "How well a number of every subject, such as age, is predicted from scans.",
	Learn: "Whether plain connectivity predicts it, and whether embeddings do better.",
	Text: "A column of participants.tsv is predicted for subjects that were held out, by ridge regressions whose penalty is chosen in folds inside the " +
		"training subjects. Folds hold out whole subjects, or whole families if a column says who belongs together. Covariates are fitted to the training " +
		"subjects of a fold and taken out of the number and of the scans. Look at r of functional connectivity first, the correlation of what is " +
		"predicted with what is true, and at its p: the share of shuffled numbers that are predicted as well. R2 below 0 is worse than telling everybody " +
		"the mean. Then look at embeddings, summed over the regions, beside the same ones before training and the sums of the features. Without files of " +
		"your own the ages are drawn, and the scans know nothing of them.",
	Counts: "subjects",
	Needs:  study.NeedCohort, Offers: []string{"subjects", "tr", "confounds", "fd", "frames_left", "keep", "crop"},
	Own:        func() any { return &measure.NumberOptions{} },
	CheckScans: checkSeries,
	Plan: func(o *study.Order) []study.Task {
		var tasks []study.Task
		for seed := range o.DataSeeds {
			p := planTargets(o, seed)
			tasks = append(tasks, append(p.Tasks(), p.weights)...)
		}
		return tasks
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		for seed := range o.DataSeeds {
			p := planTargets(o, seed)
			s := experiments.OverScans(r, results)
			s.Plans, s.Classes = []*experiments.ScanPlan{p.ScanPlan}, []string{"all"}
			used := []kept(nil)
			if seed == 0 {
				used = describe(s)
			}
			p.report(o, results, r, used)
		}
	},
}

var ofNumbers = experiments.ScanKind{Name: "scans", Prepare: measures.Scans, Known: measure.Numbers, Scores: measure.Numbers, Example: run.CohortData}

// A targetPlan predicts a number.
type targetPlan struct {
	*experiments.ScanPlan
	options measure.NumberOptions
	selection
	condition string
	weights   study.Task // of connections
}

func planTargets(o *study.Order, seed int) *targetPlan {
	p := &targetPlan{}
	ownOptions(o, &p.options)
	list := conditions(o)
	if p.condition = p.options.First; p.condition == "" {
		p.condition = list[max(0, slices.Index(list, "rest"))]
	}
	if o.OfFiles() {
		// words have their columns as names
		if columns := p.ofFiles(o); len(columns) > len(p.options.CovariateNames()) {
			own := *o
			own.Options = maps.Clone(o.Options)
			own.Options["covariates"], o = strings.Join(columns, ","), &own
		}
	} else if len(measure.Asked(p.options.CovariateNames()...)) > 0 || p.options.Target != "age" ||
		!slices.Contains(list, p.condition) { // one scan is enough to say so
		p.scans = []run.Scan{{Name: "synthetic subject 1"}}
		if p.options.Target == "age" {
			p.scans[0].Covariates = []float64{0}
		}
	} else {
		for subject := range subjectsOf(o, usualPeople) {
			age, _ := cohort.Person(uint64(seed), subject)
			p.scans = append(p.scans, run.Scan{Name: fmt.Sprintf("synthetic subject %d", subject+1), Group: subject, Subject: subject,
				Condition: slices.Index(list, p.condition), Covariates: []float64{float64(age)}})
		}
	}
	p.ScanPlan = experiments.PlanScans(o, ofNumbers, p.scans, nil, seed)
	p.weights = p.Prepare[0]
	p.weights.Name, p.weights.Options = "weights of connections", nil
	p.weights.Data.Scans, p.weights.EvalSeed = p.scans, p.Baselines.EvalSeed
	numbers := p.Baselines.Measure[0].Options
	p.weights.Measure = []measure.Spec{{Kind: measures.Weights, Options: numbers}}
	if o.OfFiles() {
		p.weights.Data.Files = experiments.FileList(o).Of(p.scans)
	}
	return p
}

// ofFiles lists the scans of subjects with all numbers, and returns the columns of the covariates.
func (p *targetPlan) ofFiles(o *study.Order) []string {
	numbers, columns := factsOf(o, p.options.Target, p.options.CovariateNames())
	if numbers == nil || !slices.ContainsFunc(o.Cohort, func(s collection.Scan) bool { return s.Condition == p.condition }) { // one is enough to say so
		s := &o.Cohort[0]
		numbers, _ = factsOf(o, p.options.Target, nil)
		p.scans = []run.Scan{run.Scan{Name: s.Title(), Covariates: numbers[s.Subject]}.OfCohort(s)}
		return nil
	}
	for i := range o.Cohort {
		s := &o.Cohort[i]
		if s.Condition != p.condition {
			continue
		}
		who, why := s.Subject, ""
		if p.options.Family != "" {
			who = s.Facts[p.options.Family]
		}
		if _, ok := numbers[s.Subject]; !ok {
			why = lacks(p.options.Target, p.options.CovariateNames())
		} else if who == "" {
			why = "without " + p.options.Family
		}
		p.take(o, s, run.Scan{Covariates: numbers[s.Subject]}, who, why)
	}
	return columns
}

// report writes what was predicted.
func (p *targetPlan) report(o *study.Order, results study.Results, r *study.Report, used []kept) {
	dataset, target := whose(o, "cohort"), p.options.Target
	if results[p.Baselines.Key()] == nil && len(results.Of(p.Tasks())) == 0 {
		return
	}
	r.Find("%s of %s in %s; %d folds, penalties chosen inside them, %d permutations.", target, study.Plural(len(p.Scans), "scan"), cmp.Or(p.condition, "all"),
		p.options.Folds, p.options.Permutations)
	if names := p.options.CovariateNames(); names != nil {
		r.Find("Taken out inside the folds: %s.", strings.Join(names, ", "))
	}
	held := study.Sheet{File: "predicted", Title: "Predictions of scans that were held out, less the " +
		"mean and the covariates of the training scans",
		Lines: [][]string{{"scan", "from", "encoders", "true", "predicted"}}}
	sheet := study.Sheet{Title: "Predicted " + target, Open: true, Table: true,
		Lines: [][]string{{"from", "encoders", "r", "R2", "mean absolute error", "p", "r untrained", "r of sums of features"}}}
	add := func(found *measure.Result, names []string, variant string) {
		if found == nil {
			return
		}
		x, predicted := found.Array(measure.ArrayRegressed), found.Array(measure.ArrayPredicted)
		if names == nil {
			names = found.Words
		}
		of := map[string][]float64{}
		for k, name := range names {
			of[name] = x.Data[4*k : 4*k+4]
		}
		for k, name := range names {
			if strings.Contains(name, ":") {
				continue
			}
			v := of[name]
			row := study.Row{Dataset: dataset, Method: "CaDeM", Embedding: name, Target: target, Metric: "r", Variant: variant, Ours: &v[0], Trainings: 1}
			line := []string{knownName[name], variant, twoDigits(v[0]), twoDigits(v[1]), upTo(3, v[2]), "", "", ""}
			if p.options.Permutations > 0 {
				row.P, line[5] = &v[3], upTo(3, v[3])
			}
			if line[0] == "" {
				line[0] = name
			} else {
				row.Method = knownName[name]
			}
			if u := of["untrained:"+name]; u != nil {
				row.Untrained, line[6] = &u[0], twoDigits(u[0])
			}
			if u := of["trivial:"+name]; u != nil {
				row.Trivial, line[7] = &u[0], twoDigits(u[0])
			}
			r.Rows = append(r.Rows, row)
			sheet.Lines = append(sheet.Lines, line)
			for i := range p.Scans {
				v := predicted.Data[2*(k*len(p.Scans)+i):]
				held.Lines = append(held.Lines,
					[]string{p.Scans[i].Name, line[0], variant, exact(v[1]), exact(v[0])})
			}
			if name == measure.ByFC || name == "combined" {
				p.scatter(r, found, k, line[0]+strings.TrimRight(", "+variant, ", "))
			}
		}
	}
	add(results[p.Baselines.Key()], nil, "")
	weighed := results[p.weights.Key()]
	add(weighed, []string{measures.ByConnections}, "")
	for i, one := range p.Runs {
		suffix := ""
		if len(p.Runs) > 1 {
			suffix = fmt.Sprintf(", seed %d", i)
		}
		add(results[one.SharedScores.Key()], nil, experiments.EncoderVariants[0]+suffix)
		add(results[one.AloneScores.Key()], nil, experiments.EncoderVariants[1]+suffix)
	}
	r.Sheets, r.Held = append(r.Sheets, sheet, held), append(r.Held, sheet)
	c := &contrastReport{Report: r, found: weighed}
	if weighed != nil {
		used = keptOf(p.Scans, weighed.Array(measures.ArrayScans))
		c.weights(target)
	}
	included(r, o, used, c.m, p.without)
	best := -1
	for i := range r.Rows {
		if r.Rows[i].Dataset == dataset && (best < 0 || *r.Rows[i].Ours > *r.Rows[best].Ours) {
			best = i
		}
	}
	if best >= 0 {
		b := &r.Rows[best]
		with, chance := "", ""
		if b.Variant != "" {
			with = " with " + b.Variant
		}
		if b.P != nil {
			chance = fmt.Sprintf("; p %.3g is of that one alone", *b.P)
		}
		r.Find("The largest of %d correlations is %.2f, of %s%s%s.", len(r.Rows), *b.Ours, cmp.Or(knownName[b.Embedding], b.Embedding), with, chance)
	}
}

// weights makes the tables of what a regression on all connections weighs, by connection and by region.
func (c *contrastReport) weights(target string) {
	const most, named = 20000, 5
	x := c.found.Array(measures.ArrayWeights)
	m := 2
	for m*(m-1)/2 < x.Shape[0] {
		m++
	}
	c.read(m)
	of := make([][2]float64, m)
	var pairs [][]string
	var patterns []float64
	for i := range m {
		for j := i + 1; j < m; j++ {
			v := x.Data[2*len(pairs):]
			for _, k := range []int{i, j} {
				of[k][0], of[k][1] = of[k][0]+v[0], of[k][1]+v[1]/float64(m-1)
			}
			pairs = append(pairs, []string{c.names[i], c.names[j], exact(v[0]), exact(v[1])})
			patterns = append(patterns, math.Abs(v[1]))
		}
	}
	edges := study.Sheet{File: "weights", Lines: [][]string{{"region", "with", "weight", "pattern"}},
		Title: "Weights and patterns of connections, the largest pattern first"}
	var largest []string
	order := sorting.Descending(len(pairs), func(i int) float64 { return patterns[i] })
	for _, e := range order[:min(len(pairs), most)] {
		if edges.Lines = append(edges.Lines, pairs[e]); len(largest) < named {
			largest = append(largest, pairs[e][0]+" with "+pairs[e][1])
		}
	}
	regions := study.Sheet{File: "regions",
		Title: "Weights of regions, the sum over their connections, and patterns, the mean",
		Lines: [][]string{{"region", "hemisphere", "network", "weight", "pattern"}}}
	for i, name := range c.names {
		regions.Lines = append(regions.Lines,
			[]string{name, c.hemisphere(i), c.networkOf(i), exact(of[i][0]), exact(of[i][1])})
	}
	c.Sheets = append(c.Sheets, edges, regions)
	c.Find("Connections whose pattern is largest: %s. A pattern is how much a connection (Fisher's z) "+
		"changes where one more of %s is predicted (Haufe and others 2014); a weight, what the "+
		"regression multiplies it by, may be large where nothing is.", strings.Join(largest, ", "), target)
}

// exact is a number for tables that others read.
func exact(v float64) string { return upTo(6, v) }

// upTo writes a number with so many significant digits.
func upTo(digits int, v float64) string { return strconv.FormatFloat(v, 'g', digits, 64) }

// twoDigits is a correlation, as texts have it.
func twoDigits(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 2, 64), "-", "−", 1)
}

// knownName says in words what is known of scans without embeddings; "" for an embedding.
var knownName = map[string]string{measure.ByFC: "functional connectivity",
	measure.ByMoments: "skewness, kurtosis", measure.ByLength: "length",
	measures.ByConnections: "all connections (Fisher's z)"}

// scatter draws predicted against true numbers.
func (p *targetPlan) scatter(r *study.Report, found *measure.Result, k int, title string) {
	a, n := found.Array(measure.ArrayPredicted), len(p.Scans)
	s, low, high := chart.Series{Name: "scans", Kind: chart.Points, Mark: 1}, math.Inf(1), math.Inf(-1)
	for i := k * n; i < (k+1)*n; i++ {
		predicted, true := a.Data[2*i], a.Data[2*i+1]
		s.X, s.Y = append(s.X, true), append(s.Y, predicted)
		low, high = min(low, true, predicted), max(high, true, predicted)
	}
	c := chart.Chart{Name: strings.NewReplacer(" ", "-", ",", "").Replace("predicted-" + title), Title: "Predicted " + p.options.Target + ": " + title,
		XLabel: "true, less the mean", YLabel: "predicted",
		Series: []chart.Series{s, chart.Straight("as it is", low, low, high, high)},
		Text:   "Each scan as predicted when it was held out, in units of " + p.options.Target + ", less the mean and the covariates of the training scans."}
	r.Draw(c)
}

// lacks says that a subject lacks a number, "" for none, or one of its covariates.
func lacks(number string, covariates []string) string {
	return "without " + strings.Join(measure.Asked(append([]string{number}, covariates...)...), ", ")
}

// factsOf are the numbers of every subject that has all of some columns of participants.tsv: a number, "" for none, and covariates. Of words there
// is a number for each but the first in the alphabet, 1 where it is said and 0 elsewhere. Columns are the covariates, motion among them, and those of
// words as column=word. All are nil where none are asked for, or where a column says neither, which the task refuses.
func factsOf(o *study.Order, number string, covariates []string) (
	all map[string][]float64, columns []string) {
	names := measure.Asked(append([]string{number}, covariates...)...)
	if len(names) == 0 {
		return nil, covariates
	}
	all = map[string][]float64{}
	for _, name := range names {
		of := map[string]string{}
		numeric := true
		for _, s := range o.Cohort {
			if v, ok := s.Facts[name]; ok {
				x, err := strconv.ParseFloat(v, 64)
				of[s.Subject], numeric = v, numeric && err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
			}
		}
		words := slices.Compact(slices.Sorted(maps.Values(of)))
		few := len(words) >= 2 && len(words) <= measures.MostWords
		if len(words) == 0 || !numeric && (name == number || !few) {
			return nil, nil
		}
		for subject, v := range of {
			if len(all[subject]) < len(columns) { // it lacks a column before
				continue
			}
			if numeric {
				x, _ := strconv.ParseFloat(v, 64)
				all[subject] = append(all[subject], x)
				continue
			}
			for _, word := range words[1:] {
				all[subject] = append(all[subject], map[bool]float64{true: 1}[v == word])
			}
		}
		if numeric {
			columns = append(columns, name)
			continue
		}
		for _, word := range words[1:] {
			columns = append(columns, name+"="+strings.ReplaceAll(word, ",", " "))
		}
	}
	maps.DeleteFunc(all, func(_ string, v []float64) bool { return len(v) < len(columns) })
	if number != "" {
		columns = columns[1:]
	}
	if slices.Contains(covariates, measure.MotionCovariate) {
		columns = append(columns, measure.MotionCovariate)
	}
	return all, columns
}
