package study

import (
	"fmt"
	"math"
	"slices"

	"cadem/core/connectome"
	"cadem/core/figure"
	"cadem/core/synth"
)

var table5 = Study{
	Name: "table5", Title: "Table V: what a person was doing, from the brain", Seeds: 1, DataSeeds: 1, Classifies: true,
	Text: "Every scan becomes a graph of two layers, regions that rise and fall together and regions that go opposite ways. Embeddings are added up over the regions, and folds that hold out whole subjects tell the condition from these sums. " +
		"Look at the rows without embeddings first: what a ridge regression reads from functional connectivity itself, and linear probes from skewness and kurtosis of all regions and from the length of a run, which should tell nothing. Then look at the columns beside: untrained encoders, and trivial, the sums of the propagated features. The encoders are linear, so that a pooled private embedding of shared encoders is a linear function of two such sums whatever training does; and the pooled consensus is zero by construction in the directions that the data determine. " +
		"The paper does not say whether encoders are shared by all graphs or each graph has its own; both are here. Its figures are of the HCP's subjects, whose series may not be passed on: figures of other subjects cannot be held against them.",
	Needs: NeedCohort, Offers: []string{"subjects", "effect", "tr", "keep", "crop"},
	check: checkConditions,
	plan: func(o *Order) []Task {
		var tasks []Task
		for seed := range o.DataSeeds {
			tasks = append(tasks, o.planTable5(seed).tasks()...)
		}
		return tasks
	},
	assemble: func(o *Order, results Results, r *Report) {
		var plans []*scanPlan
		for seed := range o.DataSeeds {
			plans = append(plans, o.planTable5(seed))
		}
		names := synth.Conditions
		if o.own() {
			names = o.cohort().Conditions
		}
		printed := map[string]Row{}
		for _, p := range paper() {
			if p.Table == "V" && p.Method == "CaDeM" {
				printed[p.Metric] = p
			}
		}
		s := &scanReport{Report: r, plans: plans, results: results, classes: names, dataset: "synthetic cohort", target: "condition", printed: printed}
		if o.own() {
			s.dataset = "own cohort"
		}
		s.cohort()
		s.scores()
		for _, p := range paper() {
			if p.Table == "V" && p.Method != "CaDeM" {
				p.fill(nil, r.differs)
				r.Rows = append(r.Rows, p)
			}
		}
		s.chart("table5", "Macro-F1 of the condition, "+s.dataset)
	},
}

// checkConditions refuses scans whose conditions cannot be told apart.
func checkConditions(scans []connectome.Scan) error {
	if !slices.ContainsFunc(scans, func(s connectome.Scan) bool { return s.Condition != "" }) {
		return &connectome.Error{Where: "files", Found: fmt.Sprintf("%d series", len(scans)) + " without conditions", Expected: "a table with the columns subject, condition and file beside them, or names such as sub-01_task-rest_bold.csv"}
	}
	_, err := connectome.NewCohort("", scans)
	return err
}

// planTable5 plans one data seed.
func (o *Order) planTable5(seed int) *scanPlan {
	var scans []Scan
	if o.own() {
		c := o.cohort()
		classes, subjects := c.Groups()
		for i, s := range c.Scans {
			scans = append(scans, Scan{Name: s.Subject + ", " + s.Condition, Class: classes[i], Group: subjects[i], File: s.File, Confounds: s.Confounds})
		}
	} else {
		for subject := range o.subjects().Subjects {
			for k, condition := range synth.Conditions {
				scans = append(scans, Scan{Name: fmt.Sprintf("synthetic subject %d, %s", subject+1, condition), Class: k, Group: subject, Subject: subject, Condition: k})
			}
		}
	}
	return o.planScans(scans, nil, seed)
}

// cohort returns the scans of an order, which has been checked.
func (o *Order) cohort() *connectome.Cohort {
	c, err := connectome.NewCohort("", o.Cohort)
	if err != nil {
		panic(err) // checkConditions has been there before
	}
	return c
}

// A scanReport writes what was found on many scans.
type scanReport struct {
	*Report
	plans   []*scanPlan
	results Results
	classes []string
	dataset string
	target  string
	printed map[string]Row // of the paper, by metric

	notes    []string
	chance   float64
	variants [2][]*TaskResult // scores with shared encoders and with own ones
	without  []*TaskResult
}

var encoderVariants = [2]string{"shared encoders", "own encoders"}

// cohort says what the scans are like, and lists what is known of each.
func (s *scanReport) cohort() {
	sheet := Sheet{Title: "Scans", Lines: [][]string{append([]string{"scan"}, qualities...)}}
	frames := make([][]float64, len(s.classes))
	quality := make([][]float64, len(qualities))
	groups, prepared := map[int]bool{}, 0
	for at, p := range s.plans {
		i := 0
		for k := range p.prepare {
			t := s.results[p.prepare[k].Key()]
			n := len(p.prepare[k].Data.Scans)
			if t == nil {
				i += n
				continue
			}
			a := t.array("quality")
			for row := range n {
				scan, values := &p.scans[i+row], a.Data[row*a.Shape[1]:(row+1)*a.Shape[1]]
				prepared++
				groups[scan.Group] = true
				frames[scan.Class] = append(frames[scan.Class], values[0])
				line := []string{scan.Name}
				for q, v := range values {
					if v >= 0 {
						quality[q] = append(quality[q], v)
						line = append(line, figure.Short(v))
					} else {
						line = append(line, "")
					}
				}
				if at == 0 {
					sheet.Lines = append(sheet.Lines, line)
				}
			}
			i += n
			for _, note := range t.Notes {
				if at == 0 && !slices.Contains(s.notes, note) {
					s.notes = append(s.notes, note)
				}
			}
		}
	}
	if prepared == 0 {
		return
	}
	s.Sheets = append(s.Sheets, sheet)
	s.chance = 1 / float64(len(s.classes))
	s.find("%s of %d classes; folds hold out whole ones of %d groups. Chance is %.3f, and a micro-F1 within %.3f of it, two standard errors, says nothing.", plural(prepared, "scan"), len(s.classes), len(groups), s.chance, 2*math.Sqrt(s.chance*(1-s.chance)/float64(prepared)))
	mean := func(name string) *float64 { return average(quality[slices.Index(qualities, name)]) }
	s.find("In the mean %.1f %% of all pairs are negative; %.1f regions are isolated in the co-activation layer and %.1f in the anti-activation layer before they are linked.", 100**mean("negative"), *mean("co_isolates"), *mean("anti_isolates"))
	if m := mean("motion"); m != nil {
		s.find("Mean framewise displacement: %.2f mm.", *m)
	}
	all := slices.Concat(frames...)
	shortest, longest := slices.Min(all), slices.Max(all)
	if shortest == longest {
		s.find("All scans have %.0f frames: their length tells nothing.", shortest)
	} else {
		of := ""
		for k, name := range s.classes {
			if len(frames[k]) > 0 && len(s.classes) <= 10 {
				of += fmt.Sprintf(" %s %.0f,", name, *average(frames[k]))
			}
		}
		s.find("Scans differ in length, from %.0f to %.0f frames (means:%s all %.0f). Moments depend on it, so that the length of a run can tell its condition without the brain; the row length shows how far. The option crop=%.0f makes them equal.", shortest, longest, of, *average(all), shortest)
	}
	if k := slices.Index(s.notes, noBandPass); k >= 0 {
		s.find("%s", noBandPass)
		s.notes = slices.Delete(s.notes, k, k+1)
	}
	if len(s.notes) > 0 {
		sheet := Sheet{Title: "Notes", Lines: [][]string{{"note"}}}
		for _, note := range s.notes {
			sheet.Lines = append(sheet.Lines, []string{note})
		}
		s.Sheets = append(s.Sheets, sheet)
	}
}

// scores adds the rows, and says what they come to.
func (s *scanReport) scores() {
	for _, p := range s.plans {
		s.without = append(s.without, s.results.of([]Task{p.baselines})...)
		for _, run := range p.runs {
			s.variants[0] = append(s.variants[0], s.results.of([]Task{run.sharedScores})...)
			s.variants[1] = append(s.variants[1], s.results.of([]Task{run.aloneScores})...)
		}
	}
	metrics := []string{"macro_f1", "micro_f1"}
	for v, list := range s.variants {
		for _, embedding := range []string{"combined", "common", "common_uncentred", "private_1", "private_2"} {
			for _, metric := range metrics {
				row := Row{Dataset: s.dataset, Method: "CaDeM", Embedding: embedding, Target: s.target, Metric: metric, Variant: encoderVariants[v]}
				c := collect(list, embedding, "class", metric)
				if c == nil {
					continue
				}
				if p, ok := s.printed[metric]; ok && embedding == p.Embedding {
					row.Table, row.Paper, row.PaperStd = p.Table, p.Paper, p.PaperStd
				}
				row.fill(c, s.differs)
				s.Rows = append(s.Rows, row)
			}
		}
	}
	for _, b := range []struct{ embedding, method string }{{byFC, "FC and ridge"}, {byMoments, "skewness, kurtosis"}, {byRegions, "propagated features"}, {byLength, "length"}} {
		for _, metric := range metrics {
			if c := collect(s.without, b.embedding, "class", metric); c != nil {
				row := Row{Dataset: s.dataset, Method: b.method, Embedding: b.embedding, Target: s.target, Metric: metric}
				row.Ours, row.FoldStd, row.Trainings = average(c.value), average(c.fold), len(c.value)
				s.Rows = append(s.Rows, row)
			}
		}
	}
	for v, list := range s.variants {
		c := collect(list, "combined", "class", "macro_f1")
		if c == nil {
			continue
		}
		s.find("With %s the combined embedding scores macro-F1 %s, %s before training and %s where a linear probe reads it; the sums of the propagated features alone %s.", encoderVariants[v], number(average(c.value)), number(average(c.untrained)), number(average(c.probe)), number(average(c.trivial)))
	}
	value := func(embedding string) *float64 {
		if c := collect(s.without, embedding, "class", "macro_f1"); c != nil {
			return average(c.value)
		}
		return nil
	}
	if len(s.without) > 0 {
		s.find("Without a graph: functional connectivity and a ridge regression score %s, skewness and kurtosis of all regions %s, the length of the run %s. Propagated features of all regions, not added up, score %s.", number(value(byFC)), number(value(byMoments)), number(value(byLength)), number(value(byRegions)))
	}
	s.compareScores()
}

// compareScores tests what the rows come to, in the same folds: training, the sums of features,
// connectivity, and the two ways to share encoders.
func (s *scanReport) compareScores() {
	f, fc := entry{"combined", "class", "macro_f1"}, entry{byFC, "class", "macro_f1"}
	var scores [2][]Task
	var baselines []Task
	for _, p := range s.plans {
		for _, run := range p.runs {
			scores[0], scores[1], baselines = append(scores[0], run.sharedScores), append(scores[1], run.aloneScores), append(baselines, p.baselines)
		}
	}
	for v, tasks := range scores {
		what, list := "Macro-F1 of the combined embedding, "+encoderVariants[v], s.results.of(tasks)
		s.compare(pair(list, list, f.trained(), f.untrained()), what, "trained", "untrained")
		s.compare(pair(list, list, f.trained(), f.trivial()), what, "trained", "sums of features")
		a, b := s.results.pairs(tasks, baselines)
		s.compare(pair(a, b, f.trained(), fc.trained()), what, "trained", "connectivity")
	}
	a, b := s.results.pairs(scores[0], scores[1])
	s.compare(pair(a, b, f.trained(), f.trained()), "Macro-F1 of the combined embedding", encoderVariants[0], encoderVariants[1])
}

// chart draws macro-F1 of all rows.
func (s *scanReport) chart(name, title string) {
	short := map[string]string{"combined": "all", "common": "S", "common_uncentred": "C", "private_1": "P1", "private_2": "P2", byFC: "FC", byMoments: "moments", byRegions: "regions", byLength: "length"}
	s.bars(name, title, "macro_f1", func(row *Row) string {
		if row.Ours == nil {
			return ""
		}
		if row.Variant == encoderVariants[1] {
			return short[row.Embedding] + "*"
		}
		return short[row.Embedding]
	})
}
