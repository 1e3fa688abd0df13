package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/baseline"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// A scanReport writes what was found on many scans.
type scanReport struct {
	*study.Report
	plans   []*scanPlan
	results study.Results
	classes []string
	dataset string
	target  string
	printed map[string]study.Row // of the paper, by metric
	known   study.Entry          // what trained embeddings are held against that needs no embeddings
	knownAs string

	notes    []string
	variants [2][]*measure.Result // scores with shared encoders and with own ones
	without  []*measure.Result
}

var encoderVariants = [2]string{"shared encoders", "own encoders"}

// overScans returns the report of plans on scans.
func overScans(r *study.Report, results study.Results) *scanReport {
	return &scanReport{Report: r, results: results, known: study.Entry{Embedding: measure.ByFC, Target: "class", Metric: "macro_f1"}, knownAs: "connectivity"}
}

// cohort says what the scans are like, and lists what is known of each.
func (s *scanReport) cohort() {
	sheet := study.Sheet{Title: "Scans", Lines: [][]string{append([]string{"scan"}, measure.Qualities...)}}
	frames := make([][]float64, len(s.classes))
	quality := make([][]float64, len(measure.Qualities))
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
			a := t.Array(measure.ArrayQuality)
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
	s.folds("scan", prepared, len(groups))
	mean := func(name string) *float64 { return study.Average(quality[slices.Index(measure.Qualities, name)]) }
	s.Find("In the mean %.1f %% of all pairs are negative; %.1f regions are isolated in the co-activation layer and %.1f in the anti-activation "+
		"layer before they are linked.", 100**mean("negative"), *mean("co_isolates"), *mean("anti_isolates"))
	if m := mean("motion"); m != nil {
		s.Find("Mean framewise displacement: %.2f mm.", *m)
	}
	all := slices.Concat(frames...)
	shortest, longest := slices.Min(all), slices.Max(all)
	if shortest == longest {
		s.Find("All scans have %.0f frames: their length tells nothing.", shortest)
	} else {
		of := ""
		for k, name := range s.classes {
			if len(frames[k]) > 0 && len(s.classes) <= 10 {
				of += fmt.Sprintf(" %s %.0f,", name, *study.Average(frames[k]))
			}
		}
		s.Find("Scans differ in length, from %.0f to %.0f frames (means:%s all %.0f). Moments depend on it, so that the length of a run can tell "+
			"its condition without the brain; the row length shows how far. The option crop=%.0f makes them equal.", shortest, longest, of, *study.Average(all),
			shortest)
	}
	for _, note := range []string{measure.NoBandPass, measure.Filtered} {
		if k := slices.Index(s.notes, note); k >= 0 {
			s.Find("%s", note)
			s.notes = slices.Delete(s.notes, k, k+1)
		}
	}
	if len(s.notes) > 0 {
		sheet := study.Sheet{Title: "Notes", Lines: [][]string{{"note"}}}
		for _, note := range s.notes {
			sheet.Lines = append(sheet.Lines, []string{note})
		}
		s.Sheets = append(s.Sheets, sheet)
	}
}

// folds says how many there are to classify, and the score of chance.
func (s *scanReport) folds(what string, n, groups int) {
	if len(s.classes) == 1 {
		s.Find("%s; folds hold out whole ones of %d groups.", study.Plural(n, what), groups)
		return
	}
	chance := 1 / float64(len(s.classes))
	s.Find("%s of %d classes; folds hold out whole ones of %d groups. Chance is %.3f, and a micro-F1 within %.3f of it, two standard errors, says nothing.",
		study.Plural(n, what), len(s.classes), groups, chance, 2*math.Sqrt(chance*(1-chance)/float64(n)))
}

// layers returns the number of layers of the scored embeddings.
func (s *scanReport) layers() int {
	n := 0
	for _, t := range slices.Concat(s.variants[0], s.variants[1]) {
		for t.Score(fmt.Sprintf("private_%d", n+1), "class", "macro_f1") != nil {
			n++
		}
	}
	return n
}

// scores adds the rows, and puts them into words.
func (s *scanReport) scores() {
	for _, p := range s.plans {
		s.without = append(s.without, s.results.Of([]study.Task{p.baselines})...)
		for _, run := range p.runs {
			s.variants[0] = append(s.variants[0], s.results.Of([]study.Task{run.sharedScores})...)
			s.variants[1] = append(s.variants[1], s.results.Of([]study.Task{run.aloneScores})...)
		}
	}
	metrics, embeddings := []string{"macro_f1", "micro_f1"}, []string{"combined", "common", "common_uncentred"}
	for l := range s.layers() {
		embeddings = append(embeddings, fmt.Sprintf("private_%d", l+1))
	}
	for v, list := range s.variants {
		for _, embedding := range embeddings {
			for _, metric := range metrics {
				row := study.Row{Dataset: s.dataset, Method: "CaDeM", Embedding: embedding, Target: s.target, Metric: metric, Variant: encoderVariants[v]}
				c := study.Collect(list, embedding, "class", metric)
				if c == nil {
					continue
				}
				if p, ok := s.printed[metric]; ok && embedding == p.Embedding {
					row.Table, row.Paper, row.PaperStd = p.Table, p.Paper, p.PaperStd
				}
				row.Fill(c, s.Differs)
				s.Rows = append(s.Rows, row)
			}
		}
	}
	how, probe := "ridge", "where a linear probe reads it"
	if len(s.classes) > evaluate.ManyClasses {
		how, probe = "nearest mean", "with columns standardised"
		if len(s.without) > 0 {
			s.Find("Of more than %d classes each item is given the one with the nearest mean, by correlation for connectivity, else by distance; "+
				"as probe, with columns standardised.", evaluate.ManyClasses)
		}
	}
	for _, b := range []struct{ embedding, method string }{{measure.ByFC, "FC and " + how}, {measure.ByMoments, "skewness, kurtosis"},
		{measure.ByRegions, "propagated features"}, {measure.ByLength, "length"}, {measure.BySize, "nodes and links"}} {
		for _, metric := range metrics {
			if c := study.Collect(s.without, b.embedding, "class", metric); c != nil {
				row := study.Row{Dataset: s.dataset, Method: b.method, Embedding: b.embedding, Target: s.target, Metric: metric}
				row.Ours, row.FoldStd, row.Trainings = study.Average(c.Value), study.Average(c.Fold), len(c.Value)
				s.Rows = append(s.Rows, row)
			}
		}
	}
	for v, list := range s.variants {
		c := study.Collect(list, "combined", "class", "macro_f1")
		if c == nil {
			continue
		}
		s.Find("With %s the combined embedding scores macro-F1 %s, %s before training and %s %s; the sums of the "+
			"propagated features alone %s.", encoderVariants[v], study.Number(study.Average(c.Value)), study.Number(study.Average(c.Untrained)),
			study.Number(study.Average(c.Probe)), probe, study.Number(study.Average(c.Trivial)))
	}
	value := func(embedding string) *float64 {
		if c := study.Collect(s.without, embedding, "class", "macro_f1"); c != nil {
			return study.Average(c.Value)
		}
		return nil
	}
	if size := value(measure.BySize); size != nil {
		s.Find("Without a graph model: the numbers of nodes and links alone score %s.", study.Number(size))
	} else if len(s.without) > 0 {
		s.Find("Without a graph: functional connectivity (%s) scores %s, skewness and kurtosis of all regions %s, the length of "+
			"the run %s. Propagated features of all regions, not added up, score %s.", how, study.Number(value(measure.ByFC)), study.Number(value(measure.ByMoments)),
			study.Number(value(measure.ByLength)), study.Number(value(measure.ByRegions)))
	}
	s.compareScores()
}

// compareScores tests the rows in the same folds: training, the sums of features, connectivity, and
// the two ways to share encoders.
func (s *scanReport) compareScores() {
	f := study.Entry{Embedding: "combined", Target: "class", Metric: "macro_f1"}
	var scores [2][]study.Task
	var baselines []study.Task
	for _, p := range s.plans {
		for _, run := range p.runs {
			scores[0], scores[1], baselines = append(scores[0], run.sharedScores), append(scores[1], run.aloneScores), append(baselines, p.baselines)
		}
	}
	for v, tasks := range scores {
		what, list := "Macro-F1 of the combined embedding, "+encoderVariants[v], s.results.Of(tasks)
		s.Compare(study.Pair(list, list, f.Trained(), f.Untrained()), what, "trained", "untrained")
		s.Compare(study.Pair(list, list, f.Trained(), f.Trivial()), what, "trained", "sums of features")
		a, b := s.results.Pairs(tasks, baselines)
		s.Compare(study.Pair(a, b, f.Trained(), s.known.Trained()), what, "trained", s.knownAs)
	}
	a, b := s.results.Pairs(scores[0], scores[1])
	s.Compare(study.Pair(a, b, f.Trained(), f.Trained()), "Macro-F1 of the combined embedding", encoderVariants[0], encoderVariants[1])
}

// contest compares CaDeM with shared encoders with other methods, and with a table of the paper and its name of the data, if
// there is one.
func (s *scanReport) contest(o *study.Order, table, paper string) {
	c := &contest{table: table, dataset: s.dataset, paper: paper, target: s.target, scored: s.known.Target, scope: study.Graphs, differs: s.Differs,
		tasks: func(m *baseline.Method) []study.Task { return scansMethod(o, m, s.plans) }}
	for _, p := range s.plans {
		for _, run := range p.runs {
			c.cadem, c.trained = append(c.cadem, run.sharedScores), append(c.trained, run.shared)
		}
	}
	var entrants []study.Entrant
	for _, metric := range []string{"macro_f1", "micro_f1"} {
		if found := c.rows(o, s.results, s.Report, metric); metric == "macro_f1" {
			entrants = found
		}
	}
	c.hold(s.results, s.Report, entrants, s.RowOf("CaDeM", s.target, "macro_f1", encoderVariants[0]))
}

// chart draws macro-F1 of all rows.
func (s *scanReport) chart(name, title string) {
	short := map[string]string{"combined": "all", "common": "S", "common_uncentred": "C", measure.ByFC: "FC", measure.BySize: "size",
		measure.ByMoments: "moments", measure.ByRegions: "regions", measure.ByLength: "length"}
	s.Bars(name, title, "macro_f1", func(row *study.Row) string {
		switch {
		case row.Ours == nil:
			return ""
		case row.Level != "":
			return row.Named()
		}
		text := short[row.Embedding]
		if layer, private := strings.CutPrefix(row.Embedding, "private_"); private {
			text = "P" + layer
		}
		if row.Variant == encoderVariants[1] {
			text += "*"
		}
		return text
	})
}
