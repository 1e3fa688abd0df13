package experiments

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/baseline"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

var reproduce = study.Study{
	Name: "reproduce", Title: "Every printed figure of the paper, and what comes out here", Trains: true, Seeds: boardSeeds, DataSeeds: 1,
	Apart: true, Classifies: true,
	Data: study.Published, Takes: study.NeedGraph,
	Shows: "The 228 figures that the paper prints, each beside what comes out here.",
	Learn: "Which figures come out again, which of them without any training, and why the others do not.",
	Text: "Look at the status first, then at the column beside: where untrained encoders score the same, the figure says nothing about training. " +
		"Reach says how many of the trainings here are at the printed figure or above: where it is none or all, the paper's training is not one of these. " +
		"A cause counts only where its check brings both metrics of a figure as near to the printed ones as the status asks for, and at least " +
		"halves the distance. In part means that it halves the distance alone. Everything else that was tried stands behind the word unknown. " +
		"The board is made of the tasks of the other experiments and shares their results. Figures about real graphs need their files: " +
		"name them as data. Those about brains need series that nobody may pass on. Rows of the common and of the combined embedding in tables III and IV " +
		"have the missing directions filled, as in the authors' program.",
	Plan: planBoard, Assemble: assembleBoard,
}

// boardSeeds are the model seeds of a board. Methods that CaDeM is compared with have one for as many.
const boardSeeds = 5

// A boardPart is an experiment that a board is made of.
type boardPart struct {
	study *study.Study
	order *study.Order
	data  string // of the command that runs it
	tasks []study.Task
}

// board takes an order apart into those of other experiments.
func board(o *study.Order) []boardPart {
	var parts []boardPart
	add := func(s study.Study, of study.Order, data string, tasks func(o *study.Order) []study.Task) {
		usual := s.Seeds
		if of.OfFiles() && s.FileSeeds > 0 {
			usual = s.FileSeeds
		}
		of.Study, of.Seeds = s.Name, max(1, usual*o.Seeds/boardSeeds)
		full, err := of.Check(&s)
		if err != nil {
			panic(err) // the board's own order was checked
		}
		p := boardPart{study: &s, order: full, data: data}
		if tasks != nil {
			p.tasks = tasks(full)
		} else {
			p.tasks = s.Plan(full)
		}
		parts = append(parts, p)
	}
	drawn := *o
	drawn.Files, drawn.Choice, drawn.Sets, drawn.Methods, drawn.Level = nil, nil, nil, "", ""
	if o.OfFiles() {
		drawn.Data = study.Published
	}
	for _, s := range []study.Study{table1, table3, table4, table7, table11} {
		add(s, drawn, string(drawn.Data), nil)
	}
	compared := drawn
	compared.Methods = strings.Join(printedMethods(), ",")
	add(table2, compared, string(drawn.Data), func(full *study.Order) []study.Task {
		every, once := *full, *full
		every.Methods = "cadem"
		once.Seeds = max(1, full.Seeds/boardSeeds)
		return append(table2.Plan(&every), table2.Plan(&once)...)
	})
	// These test the paper's sentences.
	add(layerPosterior, drawn, string(drawn.Data), planArms)
	add(counterexample, drawn, string(drawn.Data), nil)
	if o.OfFiles() {
		files := *o
		files.Data, files.Methods, files.Level = "", "", ""
		for _, s := range []study.Study{table6, table7, table11} {
			add(s, files, "FILES", nil)
		}
	}
	return parts
}

// printedMethods are the methods that table II prints, by name.
func printedMethods() []string {
	var names []string
	for _, m := range baseline.Methods() {
		if m.Label != "CaDeM" && slices.ContainsFunc(paper(), func(p study.Row) bool {
			return p.Table == "II" && p.Metric == "macro_f1" && strings.EqualFold(p.Method, printedName(&m, study.Nodes))
		}) {
			names = append(names, m.Name)
		}
	}
	return names
}

func planBoard(o *study.Order) []study.Task {
	var tasks []study.Task
	for _, p := range board(o) {
		tasks = append(tasks, p.tasks...)
	}
	for _, h := range hypotheses(o) {
		tasks = append(tasks, h.tasks...)
	}
	return tasks
}

func assembleBoard(o *study.Order, results study.Results, r *study.Report) {
	var found []study.Row
	for _, p := range board(o) {
		sub := p.study.Report(p.order, results)
		for _, row := range sub.Rows {
			if row.Paper != nil || row.Table != "" {
				row.Command = p.command(&row)
				found = append(found, row)
			}
		}
		for _, c := range sub.Claims {
			r.Claim(c)
		}
	}
	tried := hypotheses(o)
	for _, p := range paper() {
		row := onBoard(found, p)
		row.OfBoard()
		r.Rows = append(r.Rows, row)
	}
	for i := 0; i < len(r.Rows); i += 2 { // both metrics of a figure
		explain(r.Rows[i:i+2], tried, results)
	}
	counts(r)
}

// command is the command that computes a row of the part.
func (p *boardPart) command(row *study.Row) string {
	s, seeds := fmt.Sprintf("bin/cadem study %s -data %s", p.study.Name, p.data), p.order.Seeds
	if row.Method != "CaDeM" {
		s, seeds = s+" -methods "+strings.ToLower(row.Method), max(1, seeds/boardSeeds)
	}
	return fmt.Sprintf("%s -seeds %d", s, seeds)
}

// onBoard returns the row that stands beside a printed figure.
func onBoard(found []study.Row, p study.Row) study.Row {
	best := -1
	for i := range found {
		f := &found[i]
		real := strings.HasPrefix(p.Dataset, "Syn")
		if f.Table != p.Table || f.Dataset != p.Dataset || !strings.EqualFold(f.Method, p.Method) || f.Embedding != p.Embedding || f.Metric != p.Metric ||
			real && f.Target != p.Target || f.Paper == nil {
			continue
		}
		if f.Variant == p.Variant || f.Variant == "completion arbitrary" {
			best = i
		}
	}
	if best >= 0 && found[best].Status != study.NotRun {
		return found[best]
	}
	p.Status = study.NotRun
	switch {
	case !strings.HasPrefix(p.Dataset, "Syn"):
		p.Status = study.NeedsData
	case best >= 0:
		p.Command = found[best].Command
	}
	return p
}

// counts says how the figures of a board stand.
func counts(r *study.Report) {
	of := map[study.Status]int{}
	untrained, explained, part, unknown := 0, 0, 0, 0
	for i := range r.Rows {
		row := &r.Rows[i]
		of[row.Status]++
		if row.Status == study.Match && row.Untrained != nil && study.StatusOf(*row.Untrained, 0, *row.Paper, *row.PaperStd) == study.Match {
			untrained++
		}
		switch {
		case row.Cause == "":
		case strings.HasPrefix(row.Cause, unknownCause):
			unknown++
		case strings.HasPrefix(row.Cause, partCause):
			part++
		default:
			explained++
		}
	}
	if of[study.NotRun]+of[study.NeedsData] == len(r.Rows) {
		return
	}
	r.Lead("Of %d printed figures %d match, %d are above and %d below what is printed; %d were found with other settings, %d were not run, and %d need data.",
		len(r.Rows), of[study.Match], of[study.Above], of[study.Below], of[study.OtherSettings], of[study.NotRun], of[study.NeedsData])
	if of[study.Match] > 0 {
		r.Lead("Of the %d that match, %d are matched by untrained encoders, too.", of[study.Match], untrained)
	}
	if n := explained + part + unknown; n > 0 {
		r.Lead("Of the %d that differ, a cause is known of %d, one in part of %d, and none of %d.", n, explained, part, unknown)
	}
}

// A hypothesis says why figures may be other than the printed ones. It predicts that the printed one comes out when it is done otherwise.
type hypothesis struct {
	name  string
	check string // the command that does it
	of    func(row *study.Row) bool
	tasks []study.Task
	score func(row *study.Row) study.Entry // where the figure is found; nil: it is the untrained one of the row
}

// same finds the figure where the row has it.
func same(row *study.Row) study.Entry {
	return study.Entry{Embedding: row.Embedding, Target: row.Target, Metric: row.Metric}
}

// value is the figure that a hypothesis gives; nil if it was not run.
func (h *hypothesis) value(row *study.Row, results study.Results) *float64 {
	if h.score == nil {
		return row.Untrained
	}
	f := h.score(row)
	c := study.Collect(results.Of(study.Distinct(h.tasks)), f.Embedding, f.Target, f.Metric)
	if c == nil {
		return nil
	}
	return study.Average(c.Value)
}

// hypotheses returns the hypotheses that are put to the test, with the tasks that do it.
func hypotheses(o *study.Order) []hypothesis {
	drawn := *o
	drawn.Files, drawn.Choice, drawn.Sets, drawn.Methods, drawn.Level = nil, nil, nil, "", baseline.Official
	if o.OfFiles() {
		drawn.Data = study.Published
	}
	syn1 := func(variant string) func(row *study.Row) bool {
		return func(row *study.Row) bool {
			return row.Dataset == "Syn1" && row.Method == "CaDeM" && row.Variant == variant
		}
	}
	var list []hypothesis
	_, printed := seedTasks(&drawn)
	if printed != nil {
		const train = "bin/cadem train -data syn1:published -seed 15 -set streams=authors"
		sameTraining := func(h hypothesis) {
			list = append(list, h)
			alone, of := h, h.of
			alone.name, alone.of = "S alone of "+h.name, func(row *study.Row) bool { return of(row) && row.Embedding == "combined" && row.Target == "final" }
			alone.score = func(row *study.Row) study.Entry {
				return study.Entry{Embedding: "common", Target: row.Target, Metric: row.Metric}
			}
			list = append(list, alone)
		}
		const name = "seed 15 of the authors' random streams"
		full := func(row *study.Row) bool {
			return slices.ContainsFunc([]string{"", "all", "augmentation_on"}, func(v string) bool { return syn1(v)(row) })
		}
		sameTraining(hypothesis{name, train, full, printed[:1], same})
		for _, v := range append(lossVariants(), augmentationVariants()...) {
			if v.options == nil {
				continue
			}
			settings := ""
			for _, name := range []string{"weight_selfsupervised", "weight_causal", "augmented"} {
				if v.options[name] != nil {
					settings += fmt.Sprintf(" -set %s=%v", name, v.options[name])
				}
			}
			sameTraining(hypothesis{name, train + settings, syn1(v.name), []study.Task{seedVariant(&drawn, v)}, same})
		}
		list = append(list, hypothesis{name + ", in folds of evaluation seed 10", train + " -cv-seed 10",
			func(row *study.Row) bool {
				return row.Table == "I" && row.Embedding == "private_3" && row.Target == "layer_3"
			}, printed[1:], same})
	}
	list = append(list, hypothesis{name: "without training", of: func(row *study.Row) bool { return row.Untrained != nil }})
	list = append(list, completions(&drawn)...)
	return append(list, lite(&drawn)...)
}

// seedVariant is a variant of the training with the paper's seed.
func seedVariant(o *study.Order, v variant) study.Task {
	options := map[string]any{"streams": "authors"}
	for name, value := range v.options {
		options[name] = value
	}
	t := o.Task("syn1", nil, options, printedSeed, 0, measure.Spec{Kind: measure.Scores, Embeddings: []string{"combined", "common"}, Targets: []string{"final"}})
	t.Name += ", authors' streams, " + v.name
	return t
}

// completions leaves out the directions that the data do not determine, and classifies at the rate of the authors' program.
func completions(o *study.Order) []hypothesis {
	three, four := *o, *o
	three.Seeds = max(1, table3.Seeds*o.Seeds/boardSeeds)
	four.Seeds = max(1, table4.Seeds*o.Seeds/boardSeeds)
	last := func(tasks []study.Task) []study.Task {
		return slices.DeleteFunc(slices.Clone(tasks), func(t study.Task) bool { return t.Kind() != study.Compare })
	}
	of := func(table string) func(row *study.Row) bool {
		return func(row *study.Row) bool {
			return row.Table == table && (row.Embedding == "common" || row.Embedding == "combined")
		}
	}
	fast := four
	fast.Options = map[string]any{"eval_lr": 0.01}
	return []hypothesis{
		{"missing directions left empty", "bin/cadem study table3 -data published", of("III"), planSyn3(&three, "none"), func(row *study.Row) study.Entry {
			return study.Entry{Embedding: row.Embedding, Target: foreground(row.Target), Metric: row.Metric}
		}},
		{"missing directions left empty", "bin/cadem study table4 -data published", of("IV"), last(planTable4(&four, "none")), same},
		{"classified at the authors' rate of 0.01", "bin/cadem study table4 -data published -set eval_lr=0.01", of("IV"),
			last(planTable4(&fast, "arbitrary")), same},
	}
}

// lite trains the methods that CaDeM is compared with in smaller settings, where they have such.
func lite(o *study.Order) []hypothesis {
	var list []hypothesis
	for _, name := range printedMethods() {
		m, err := baseline.Lookup(name)
		if err != nil {
			panic(err) // a name of the table
		}
		small := *o
		small.Level, small.Seeds = baseline.Lite, max(1, o.Seeds/boardSeeds)
		if m.Nearest(baseline.Lite).Name != baseline.Lite {
			continue
		}
		list = append(list, hypothesis{"lite settings", "bin/cadem study table2 -data published -seeds 1 -level lite -methods " + name,
			func(row *study.Row) bool {
				return row.Table == "II" && strings.EqualFold(row.Method, printedName(m, study.Nodes))
			},
			syn1Contest(&small).tasks(m), same})
	}
	return list
}

// How a cause begins that is none, or explains part of a difference.
const unknownCause, partCause = "unknown", "in part: "

// explain looks for the cause why the two metrics of a figure differ from the printed ones: what brings both of them nearest.
func explain(rows []study.Row, tried []hypothesis, results study.Results) {
	off := func(row *study.Row) bool { return row.Status == study.Above || row.Status == study.Below }
	missing := slices.ContainsFunc(rows, func(row study.Row) bool { return row.Ours == nil })
	if missing || !slices.ContainsFunc(rows, func(row study.Row) bool { return off(&row) }) {
		return
	}
	distance := func(row *study.Row, v float64) float64 { return max(v-*row.Paper, *row.Paper-v) }
	here := 0.0
	for i := range rows {
		here += distance(&rows[i], *rows[i].Ours)
	}
	best, cause, whole := here/2, -1, false
	found := make([][]*float64, len(tried))
	for k := range tried {
		h := &tried[k]
		sum, there, match := 0.0, h.of(&rows[0]), true
		for i := range rows {
			var v *float64
			if there {
				v = h.value(&rows[i], results)
			}
			if found[k] = append(found[k], v); v == nil {
				there = false
				continue
			}
			sum += distance(&rows[i], *v)
			match = match && study.StatusOf(*v, 0, *rows[i].Paper, *rows[i].PaperStd) == study.Match
		}
		if there && sum < best {
			best, cause, whole = sum, k, match
		}
	}
	for i := range rows {
		if row := &rows[i]; off(row) {
			row.Cause = unknownCause
			if cause >= 0 {
				h := &tried[cause]
				row.Cause = fmt.Sprintf("%s: %s, %.0f %% of the distance", h.name, study.Number(found[cause][i]), 100*(1-best/here))
				if row.Check = h.check; h.check == "" {
					row.Check = row.Command
				}
				if !whole {
					row.Cause = partCause + row.Cause
				}
				continue
			}
			var values []string
			for k := range tried {
				if v := found[k][i]; v != nil {
					values = append(values, tried[k].name+" "+study.Number(v))
				}
			}
			if len(values) > 0 {
				row.Cause += "; tried: " + strings.Join(values, ", ")
			}
		}
	}
}
