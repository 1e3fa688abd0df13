package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// A hypothesis says how the paper's figures may have come about: by which trainings, and what was read from them how. It is stated once, and is
// held against every figure of the tables that it is about.
type hypothesis struct {
	name    string
	check   string                            // the command that does it
	trained func(row *study.Row) []study.Task // what the figure of a row is read from; none: it is not about the row
	alone   bool                              // S stands for all embeddings together
	read    func(c *study.Cell) []float64
}

// Readers of a figure of several trainings.
func byCombiner(c *study.Cell) []float64  { return c.Value }
func byProbe(c *study.Cell) []float64     { return c.Probe }
func fitted(c *study.Cell) []float64      { return c.Fitted }
func ofUntrained(c *study.Cell) []float64 { return c.Untrained }

// gives reports whether the hypothesis gives the printed figure of a row; there is false if it is not about the row, or was not run. Folds that
// agree to the last digit do not fit a figure that is printed with a spread.
func (h *hypothesis) gives(row *study.Row, results study.Results) (fits, there bool) {
	f := study.Entry{Embedding: row.Embedding, Target: row.Target, Metric: row.Metric}
	if row.Table == "III" {
		f.Target = foreground(f.Target)
	}
	if h.alone && f.Embedding == "combined" {
		f.Embedding = "common"
	}
	c := study.Collect(results.Of(study.Distinct(h.trained(row))), f.Embedding, f.Target, f.Metric)
	if c == nil || len(h.read(c)) == 0 {
		return false, false
	}
	exact := mean(c.Fold) == 0 && h.alone && *row.PaperStd > 0
	return !exact && study.StatusOf(mean(h.read(c)), 0, *row.Paper, *row.PaperStd) == study.Match, true
}

// atChance reports whether neither the printed figure nor the one here is clearly above guessing.
func atChance(row *study.Row) bool {
	const clearly = 0.1
	chance := 1.0 / 3
	switch {
	case row.Metric == "ari" || row.Metric == "nmi":
		chance = 0
	case row.Target == "dynamics_6subclass":
		chance = 1.0 / 6
	}
	return strings.HasPrefix(row.Dataset, "Syn") && row.Ours != nil && max(*row.Ours, *row.Paper) <= chance+clearly
}

// How a cause begins that is none.
const unknownCause = "unknown"

// A tally is how many figures a hypothesis fits.
type tally struct {
	*hypothesis
	fits                                       map[int]bool // of the rows that it is about
	figures, chance, fit, above, usual, broken int
}

// of counts the figures of a table, "" for all.
func (t tally) of(r *study.Report, table string) tally {
	for i, fits := range t.fits {
		row := &r.Rows[i]
		if table != "" && row.Table != table {
			continue
		}
		t.figures++
		chance, usual := atChance(row), row.Status == study.Match
		count := func(n *int, is bool) {
			if is {
				*n++
			}
		}
		count(&t.chance, chance)
		count(&t.fit, fits)
		count(&t.above, fits && !chance)
		count(&t.usual, usual)
		count(&t.broken, usual && !fits)
	}
	return t
}

// hold holds hypotheses against the tables of a board, says in a sheet how many figures each fits and breaks, and names one beside each figure that
// differs if it fits that and more of the table than what stands here. It returns how many were tried.
func hold(r *study.Report, tried []hypothesis, results study.Results) int {
	var list []tally
	for k := range tried {
		t := tally{hypothesis: &tried[k], fits: map[int]bool{}}
		for i := range r.Rows {
			if row := &r.Rows[i]; row.Ours != nil {
				if fits, there := t.gives(row, results); there {
					t.fits[i] = fits
				}
			}
		}
		if len(t.fits) > 0 {
			list = append(list, t)
		}
	}
	sorting.Stable(list, func(a, b tally) int { return b.of(r, "").fit - a.of(r, "").fit })
	sheet := study.Sheet{Title: "Hypotheses, the one that fits most figures first, each held against all figures of a table that it is about", Lines: [][]string{{
		"hypothesis", "table", "figures", "at chance", "fit", "fit above chance", "fit as done here", "broken", "command"}}}
	best := make([]int, len(r.Rows)) // how many figures of its table the named hypothesis fits
	fitting := make([]int, len(r.Rows))
	for _, all := range list {
		for _, table := range []string{"", "I", "II", "III", "IV", "VII", "XI"} {
			t := all.of(r, table)
			if t.figures == 0 || table != "" && t.figures == len(all.fits) {
				continue
			}
			line := []string{t.name, cmp.Or(table, "all")}
			for _, n := range []int{t.figures, t.chance, t.fit, t.above, t.usual, t.broken} {
				line = append(line, fmt.Sprint(n))
			}
			sheet.Lines = append(sheet.Lines, append(line, t.check))
		}
		for i, fits := range all.fits {
			row := &r.Rows[i]
			if !fits || row.Status == study.Match {
				continue
			}
			fitting[i]++
			if t := all.of(r, row.Table); t.fit > max(t.usual, best[i]) {
				best[i] = t.fit
				row.Cause = fmt.Sprintf("fits with %s (%d of %d figures of this table, %d broken)", t.name, t.fit, t.figures, t.broken)
				row.Check = t.check
			}
		}
	}
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Cause == "" && (row.Status == study.Above || row.Status == study.Below) {
			row.Cause = fmt.Sprintf("%s: of %d hypotheses %d fit it, and none of these more of this table", unknownCause, len(list), fitting[i])
		}
	}
	r.Table(sheet)
	return len(list)
}

// hypotheses returns those that are put to the test.
func hypotheses(o *study.Order) []hypothesis {
	drawn := drawnPart(o)
	drawn.Level, drawn.Methods = train.Official, "cadem"
	drawn.Seeds = max(1, o.Seeds)
	list := readings("seeds of our own streams", "bin/cadem study table1 -data published", func(v variant) []study.Task { return planVariant(&drawn, v) })[1:]
	if _, printed := seedTasks(&drawn); printed != nil {
		const train = "bin/cadem train -data syn1:published -seed 15 -set streams=authors"
		with := func(extra map[string]any, eval uint64) func(v variant) []study.Task {
			return func(v variant) []study.Task { return []study.Task{seedTask(&drawn, v, extra, eval)} }
		}
		const name = "seed 15 of the authors' random streams"
		list = append(list, readings(name, train, with(nil, 0))...)
		for _, seed := range []uint64{2, study.Syn4Eval} {
			list = append(list, readings(fmt.Sprintf("%s, evaluation seed %d", name, seed), fmt.Sprintf("%s -cv-seed %d", train, seed), with(nil, seed))[0])
		}
		long := map[string]any{"epochs": 1000, "early_stop": "off"}
		list = append(list, readings(name+", 1,000 epochs", train+" -set epochs=1000 -set early_stop=off", with(long, 0))[0])
	}
	list = append(list, completions(&drawn, o.Seeds)...)
	return append(list, otherMethods(&drawn, boardMethods(o))...)
}

// readings are hypotheses on CaDeM's figures of Syn1 that differ in what is read from the same trainings; the first reads what the paper says.
func readings(name, check string, tasks func(v variant) []study.Task) []hypothesis {
	trained := func(row *study.Row) []study.Task {
		if row.Dataset != "Syn1" || row.Method != "CaDeM" {
			return nil
		}
		for _, v := range append(lossVariants(), augmentationVariants()...) {
			if v.name == row.Variant && v.options != nil {
				return tasks(v)
			}
		}
		return tasks(variant{})
	}
	return []hypothesis{
		{name, check, trained, false, byCombiner},
		{name + ", by a linear probe", check, trained, false, byProbe},
		{name + ", S alone for all embeddings", check, trained, true, byCombiner},
		{name + ", S alone for all embeddings, by a linear probe", check, trained, true, byProbe},
		{name + ", untrained", check, trained, false, ofUntrained},
	}
}

// seedTask is a variant of the training with the paper's seed, scored with an evaluation seed, 0 for the usual one.
func seedTask(o *study.Order, v variant, extra map[string]any, eval uint64) study.Task {
	options := map[string]any{"streams": "authors"}
	maps.Copy(options, v.options)
	maps.Copy(options, extra)
	spec := measure.Spec{Kind: measure.Scores}
	if v.options != nil {
		spec.Embeddings, spec.Targets = []string{"combined", "common"}, []string{"final"}
	}
	t := o.Task("syn1", nil, options, printedSeed, 0, spec)
	t.Name += ", authors' streams, " + v.name
	if eval > 0 {
		t.EvalSeed = eval
	}
	return t
}

// completions fill the directions of S that the data do not determine, and classify at the rate of the authors' program.
func completions(o *study.Order, seeds int) []hypothesis {
	three, four := *o, *o
	three.Seeds, four.Seeds = max(1, table3.Seeds*seeds/boardSeeds), max(1, table4.Seeds*seeds/boardSeeds)
	fast := four
	fast.Options = map[string]any{"eval_lr": 0.01}
	maps.Copy(fast.Options, o.Options)
	of := func(third, fourth []study.Task) func(row *study.Row) []study.Task {
		fourth = slices.DeleteFunc(fourth, func(t study.Task) bool { return t.Kind() != study.Compare })
		return func(row *study.Row) []study.Task {
			switch row.Table {
			case "III":
				return third
			case "IV":
				return fourth
			}
			return nil
		}
	}
	const check = "bin/cadem study table4 -data published"
	return []hypothesis{
		{"missing directions filled at random", "bin/cadem study table3 -data published", of(planSyn3(&three, "arbitrary"), planTable4(&four, "arbitrary")), false,
			byCombiner},
		{"classified at the authors' rate of 0.01", check + " -set eval_lr=0.01", of(nil, planTable4(&fast, "none")), false, byCombiner},
		{"missing directions filled at random, classified at the authors' rate of 0.01", check + " -set eval_lr=0.01", of(nil, planTable4(&fast, "arbitrary")), false,
			byCombiner},
		{"untrained", check, of(planSyn3(&three, "none"), planTable4(&four, "none")), false, ofUntrained},
	}
}

// otherMethods read the methods of table II well fitted, and in smaller settings where they have such.
func otherMethods(o *study.Order, names []string) []hypothesis {
	of := func(level string) func(row *study.Row) []study.Task {
		part := *o
		part.Level, part.Seeds = level, max(1, o.Seeds/boardSeeds)
		return func(row *study.Row) []study.Task {
			for _, name := range names {
				m, err := train.Lookup(name)
				if err != nil {
					panic(err) // a name of the table
				}
				if row.Table == "II" && strings.EqualFold(row.Method, printedName(m, study.Nodes)) && m.Nearest(level).Name == level {
					return syn1Contest(&part).tasks(m)
				}
			}
			return nil
		}
	}
	const check = "bin/cadem study table2 -data published -seeds 1 -methods all"
	return []hypothesis{
		{"other methods by a well-fitted reader", check, of(train.Official), false, fitted},
		{"other methods in lite settings", check + " -level lite", of(train.Lite), false, byCombiner},
	}
}
