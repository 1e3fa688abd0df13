package experiments

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// Table I is of one training with model seed 15, which the authors' program uses for no other data. The tasks here draw as that program
// does, so that seeds are theirs: untrained encoders of many seeds say how rare that one is.
const (
	printedSeed = 15
	triedSeeds  = 200
	seedsATask  = 20
)

// seedTasks returns the untrained encoders of all seeds, and two trainings of the printed one: scored as published, and in other folds. They
// are of the paper's data and settings, and so belong to orders with these alone.
func seedTasks(o *study.Order) (untrained, trained []study.Task) {
	if o.Data != study.Published || len(o.Differs(study.NeedNothing, []string{"syn1"}, nil)) > 0 {
		return nil, nil
	}
	plain := *o // what an order says beside is of its own tasks
	plain.Options, plain.EvalSeed = nil, nil
	task := func(what string, options map[string]any, seed int, specs ...measure.Spec) study.Task {
		options["streams"] = "authors"
		t := plain.Task("syn1", nil, options, seed, 0, specs...)
		t.Name += ", authors' streams" + what
		return t
	}
	for first := 0; first < triedSeeds; first += seedsATask {
		shortest := map[string]any{"epochs": 1, "inner_steps": 1} // nothing of its training is looked at
		untrained = append(untrained, task(fmt.Sprintf(" to %d, untrained", first+seedsATask-1), shortest, first,
			measure.Spec{Kind: measure.Untrained, Targets: syn1Layers, Options: map[string]string{"seeds": fmt.Sprint(seedsATask)}}))
	}
	other := task(", folds of seed 10", map[string]any{}, printedSeed,
		measure.Spec{Kind: measure.Scores, Embeddings: []string{"private_3"}, Targets: syn1Layers[2:]})
	other.EvalSeed = study.Syn4Eval
	return untrained, []study.Task{task("", map[string]any{}, printedSeed, measure.Spec{Kind: measure.Scores}), other}
}

// placeOfSeed says where the printed seed stands among all that were tried, and draws it.
func placeOfSeed(o *study.Order, results study.Results, r *study.Report) {
	const metric = "macro_f1"
	untrained, training := seedTasks(o)
	n := len(syn1Layers)
	of := make([][]float64, n+1) // of each layer, and their mean: a value for every seed
	seed := -1                   // its place among them
	for _, t := range results.Of(untrained) {
		a := t.Array(measure.ArraySeeds)
		for k := range a.Shape[0] {
			row := a.Row(k)
			if int(row[0]) == printedSeed {
				seed = len(of[n])
			}
			for l, v := range row[1:] {
				of[l] = append(of[l], v)
			}
			of[n] = append(of[n], mean(row[1:]))
		}
	}
	if seed < 0 {
		return
	}
	trained := results.Of(training[:1])
	after := func(embedding, target, metric string) float64 {
		return trained[0].Score(embedding, target, metric).Value
	}
	seeds := study.Plural(len(of[n]), "seed")
	sheet := study.Sheet{Title: "Table I among " + seeds + ": macro-F1 on the own layer, in the authors' random streams, untrained but for the last two columns",
		Lines: [][]string{{"embedding", "mean", "lowest", "highest", fmt.Sprintf("seed %d", printedSeed), "rank", "trained", "printed"}}}
	columns := make([][]string, len(sheet.Lines[0])) // of the single layers
	var later, paper []float64                       // of each layer, then their mean
	for l, values := range of {
		name, rank := "mean of these", 1
		for _, v := range values {
			if v > values[seed] {
				rank++
			}
		}
		if l < n {
			name = train.Private(l)
			if paper = append(paper, *printedOn(name, syn1Layers[l], metric).Paper); len(trained) > 0 {
				later = append(later, after(name, syn1Layers[l], metric))
			}
		} else if paper = append(paper, mean(paper)); len(trained) > 0 {
			later = append(later, mean(later))
		}
		line := []string{name, fixed(mean(values)), fixed(slices.Min(values)), fixed(slices.Max(values)), fixed(values[seed]), fmt.Sprint(rank), "",
			fixed(paper[l])}
		if len(trained) > 0 {
			line[6] = fixed(later[l])
		}
		for i := 0; i < len(line) && l < n; i++ {
			columns[i] = append(columns[i], line[i])
		}
		sheet.Lines = append(sheet.Lines, line)
	}
	r.Sheets = append(r.Sheets, sheet)
	three := func(column int) string { return strings.Join(columns[column], ", ") }
	middle, its := mean(of[n]), of[n][seed]
	rare := "not a rare one"
	if its > middle+2*study.Deviation(of[n]) {
		rare = "a rare one, more than two standard deviations above the mean"
	}
	r.Find("Table I is of one model seed, %d; in the authors' random streams that is %s. Before any training, private embeddings score macro-F1 %s on their "+
		"own layers in the mean over %s; seed %d scores %s: number %s of %d by the mean of the three (%s singly).",
		printedSeed, rare, three(1), seeds, printedSeed, three(4), sheet.Lines[n+1][5], len(of[n]), three(5))
	marks := []mark{{fmt.Sprintf("seed %d, untrained", printedSeed), its}, {"printed", paper[n]}}
	if len(trained) > 0 {
		marks = slices.Insert(marks, 1, mark{fmt.Sprintf("seed %d, trained", printedSeed), later[n]})
		r.Find("Trained, seed %d scores %s; printed are %s. Of the distance from the mean seed to the printed mean, %.0f %% is there before training.",
			printedSeed, three(6), three(7), 100*(its-middle)/(paper[n]-middle))
		macro, micro := printedOn("combined", "final", metric), printedOn("combined", "final", "micro_f1")
		r.Find("S alone tells the final labels of that training with macro-F1 %.4f and micro-F1 %.4f, all embeddings combined with %.4f and %.4f; "+
			"printed as combined are %.4f and %.4f.", after("common", "final", metric), after("common", "final", "micro_f1"), after("combined", "final", metric),
			after("combined", "final", "micro_f1"), *macro.Paper, *micro.Paper)
	}
	if found := results.Of(training[1:]); len(found) > 0 {
		s, row := found[0].Score("private_3", "layer_3", metric), printedOn("private_3", "layer_3", metric)
		r.Find("In folds of evaluation seed %d, private_3 scores %.4f ± %.4f on its own layer; printed are %.4f ± %.4f.", study.Syn4Eval, s.Value, s.FoldStd,
			*row.Paper, *row.PaperStd)
	}
	c := chart.Chart{Name: "table1-seeds", Title: "Table I among " + seeds, XLabel: "mean macro-F1 of P1, P2 and P3 on their own layers", YLabel: "seeds",
		Text: "How many model seeds of the authors' random streams give untrained private embeddings of that score, and where the seed of Table I " +
			"stands, untrained, trained and as printed."}
	histogram(&c, "untrained, "+seeds, of[n], marks)
	r.Draw(c)
}

// printedOn returns the figures of table I.
func printedOn(embedding, target, metric string) *study.Row {
	for _, row := range paper() {
		if row.Table == "I" && row.Embedding == embedding && row.Target == target && row.Metric == metric {
			return &row
		}
	}
	panic("study: paper.txt: no " + embedding + " on " + target)
}

// A mark is a value that stands out in a histogram.
type mark struct {
	name string
	at   float64
}

// histogram adds bars of how many values fall in each piece of 0.02, and of each mark in its own.
func histogram(c *chart.Chart, name string, values []float64, marks []mark) {
	const width = 0.02
	piece := func(v float64) int { return int(v / width) }
	low, high := piece(slices.Min(values)), piece(slices.Max(values))
	for _, m := range marks {
		low, high = min(low, piece(m.at)), max(high, piece(m.at))
	}
	all := chart.Series{Name: name, Kind: chart.Bars}
	for k := low; k <= high; k++ {
		n := 0
		for _, v := range values {
			if piece(v) == k {
				n++
			}
		}
		all.X, all.Y = append(all.X, float64(k-low)), append(all.Y, float64(n))
		c.Categories = append(c.Categories, figure.Fixed(width*float64(k), 2))
	}
	c.Series = append(c.Series, all)
	for _, m := range marks {
		c.Series = append(c.Series, chart.Series{Name: m.name, Kind: chart.Bars, X: []float64{float64(piece(m.at) - low)}, Y: []float64{1}})
	}
}
