package experiments

import (
	"math"
	"slices"
	"strings"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// A ScanReport writes what was found on many scans.
type ScanReport struct {
	*study.Report
	Plans   []*ScanPlan
	Results study.Results
	Classes []string
	Dataset string
	Target  string
	Table   string // of the paper, and its name of the data; "" if there is none
	Paper   string

	known     study.Entry // what trained embeddings are held against that needs no embeddings
	knownAs   string
	scored    [2][]study.Task // scores with shared encoders and with own ones
	baselines []study.Task    // without embeddings, beside them
	variants  [2][]*measure.Result
	without   []*measure.Result
}

// EncoderVariants are whose encoders embed.
var EncoderVariants = [2]string{"shared encoders", "own encoders"}

// OverScans returns the report of plans on scans.
func OverScans(r *study.Report, results study.Results) *ScanReport {
	return &ScanReport{Report: r, Results: results, known: study.Entry{Embedding: measure.ByFC, Target: "class", Metric: "macro_f1"}, knownAs: "connectivity"}
}

// Folds says how many there are to classify, and the score of chance.
func (s *ScanReport) Folds(what string, n, groups int) {
	if len(s.Classes) == 1 {
		s.Find("%s; folds hold out whole ones of %d groups.", study.Plural(n, what), groups)
		return
	}
	chance := 1 / float64(len(s.Classes))
	s.Find("%s of %d classes; folds hold out whole ones of %d groups. Chance is %.3f, and a micro-F1 within %.3f of it, two standard errors, says nothing.",
		study.Plural(n, what), len(s.Classes), groups, chance, 2*math.Sqrt(chance*(1-chance)/float64(n)))
}

// layers returns the number of layers of the scored embeddings.
func (s *ScanReport) layers() int {
	n := 0
	for _, t := range slices.Concat(s.variants[0], s.variants[1]) {
		for t.Score(train.Private(n), "class", "macro_f1") != nil {
			n++
		}
	}
	return n
}

// Scores adds the rows, and puts them into words.
func (s *ScanReport) Scores() {
	for _, p := range s.Plans {
		for _, run := range p.Runs {
			s.scored[0], s.scored[1] = append(s.scored[0], run.SharedScores), append(s.scored[1], run.AloneScores)
			s.baselines = append(s.baselines, p.Baselines)
		}
	}
	s.without = s.Results.Of(study.Distinct(s.baselines))
	for v, tasks := range s.scored {
		s.variants[v] = s.Results.Of(tasks)
	}
	metrics, embeddings := f1s, []string{"combined", "common", "common_uncentred"}
	for l := range s.layers() {
		embeddings = append(embeddings, train.Private(l))
	}
	for v, list := range s.variants {
		for _, embedding := range embeddings {
			for _, metric := range metrics {
				row := study.Row{Dataset: s.Dataset, Method: "CaDeM", Embedding: embedding, Target: s.Target, Metric: metric, Variant: EncoderVariants[v]}
				c := study.Collect(list, embedding, "class", metric)
				if c == nil {
					continue
				}
				for _, p := range paper() {
					if p.Table == s.Table && p.Method == row.Method && p.Metric == metric && p.Embedding == embedding {
						row.Table, row.Paper, row.PaperStd = p.Table, p.Paper, p.PaperStd
					}
				}
				row.Fill(c, s.Differs)
				s.Rows = append(s.Rows, row)
			}
		}
	}
	how, probe := "ridge", "where a linear probe reads it"
	if len(s.Classes) > evaluate.ManyClasses {
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
				row := study.Row{Dataset: s.Dataset, Method: b.method, Embedding: b.embedding, Target: s.Target, Metric: metric}
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
			"propagated features alone %s.", EncoderVariants[v], study.Number(study.Average(c.Value)), study.Number(study.Average(c.Untrained)),
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
func (s *ScanReport) compareScores() {
	f := study.Entry{Embedding: "combined", Target: "class", Metric: "macro_f1"}
	for v, tasks := range s.scored {
		what, list := "Macro-F1 of the combined embedding, "+EncoderVariants[v], s.variants[v]
		s.CompareTraining(list, f, what)
		s.Compare(study.Pair(list, list, f.Trained(), f.Trivial()), what, "trained", "sums of features")
		a, b := s.Results.Pairs(tasks, s.baselines)
		s.Compare(study.Pair(a, b, f.Trained(), s.known.Trained()), what, "trained", s.knownAs)
	}
	a, b := s.Results.Pairs(s.scored[0], s.scored[1])
	s.Compare(study.Pair(a, b, f.Trained(), f.Trained()), "Macro-F1 of the combined embedding", EncoderVariants[0], EncoderVariants[1])
}

// Contest compares CaDeM with shared encoders with other methods, and with the table of the paper.
func (s *ScanReport) Contest(o *study.Order) {
	c := &contest{table: s.Table, dataset: s.Dataset, paper: s.Paper, target: s.Target, scored: s.known.Target, scope: study.Graphs, differs: s.Differs,
		tasks: func(m *train.Method) []study.Task { return scansMethod(o, m, s.Plans) }}
	for _, p := range s.Plans {
		for _, run := range p.Runs {
			c.cadem, c.trained = append(c.cadem, run.SharedScores), append(c.trained, run.Shared)
		}
	}
	var entrants []study.Entrant
	for _, metric := range f1s {
		if found := c.rows(o, s.Results, s.Report, metric); metric == "macro_f1" {
			entrants = found
		}
	}
	c.hold(s.Results, s.Report, entrants, s.RowOf("CaDeM", s.Target, "macro_f1", EncoderVariants[0]))
}

// Chart draws macro-F1 of all rows.
func (s *ScanReport) Chart(name, title string) {
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
		if row.Variant == EncoderVariants[1] {
			text += "*"
		}
		return text
	})
}
