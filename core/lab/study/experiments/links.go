package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// Where an order asks for it, methods are compared by links that were held out, on data without labels, too.

const linksText = "Where links are held out, every method trains again without some of them, and is asked to tell them from pairs of nodes that are not " +
	"linked, the same ones for all. Look at what degrees alone tell, and what untrained encoders do, before you trust a figure. "

// choosing is the metric for choosing a method, or a combination of options, without labels.
func choosing() *evaluate.Metric { return &evaluate.LinkMetrics[links.FittedAUC] }

func ofLinks(o *study.Order) measure.Spec {
	return measure.Spec{Kind: measure.Links, Splits: o.Links}
}

// planLinks trains CaDeM without some of the links of the data; no task where none are held out.
func planLinks(o *study.Order, v variant) []study.Task {
	if o.Links == 0 {
		return nil
	}
	v.name = strings.TrimPrefix(v.name+", "+run.OfLinks, ", ")
	return planOn(o, v, func(int) []measure.Spec { return []measure.Spec{ofLinks(o)} })
}

// methodLinks trains another method so.
func methodLinks(o *study.Order, m *train.Method) []study.Task {
	if o.Links == 0 {
		return nil
	}
	return methodTasks(o, m, func(model, data int) study.Task {
		t := o.TaskOn(nil, model, data, ofLinks(o))
		t.Name += ", " + run.OfLinks
		return t
	})
}

// planAllLinks is [planLinks] of CaDeM, and [methodLinks] of all methods of the order.
func planAllLinks(o *study.Order) []study.Task {
	others := sorting.Flat(o.Compared(), func(m *train.Method) []study.Task { return methodLinks(o, m) })
	return append(planLinks(o, variant{}), others...)
}

// assembleLinks adds the rows of all methods, compares them, and ranks them.
func assembleLinks(o *study.Order, results study.Results, r *study.Report) {
	tasks := planLinks(o, variant{})
	cadem, all := results.Of(tasks), results.Of(planAllLinks(o))
	if len(all) == 0 {
		return
	}
	dataset := dataOf(o, all[0])
	if s := all[0].Summary; s != nil && s.Paper != "" {
		dataset = s.Paper
	}
	c := &contest{dataset: dataset, target: run.OfLinks, scored: run.OfLinks, scope: study.Nodes, cadem: tasks, trained: tasks, first: choosing().Name,
		tasks: func(m *train.Method) []study.Task { return methodLinks(o, m) }}
	var entrants []study.Entrant
	for i := range evaluate.LinkMetrics {
		metric := evaluate.LinkMetrics[i].Name
		for _, embedding := range append([]string{run.Combined, train.Common, run.Probability}, links.NearWays...) {
			if cell := study.Collect(cadem, embedding, run.OfLinks, metric); cell != nil {
				row := study.Row{Dataset: dataset, Method: "CaDeM", Embedding: embedding, Target: run.OfLinks, Metric: metric}
				if slices.Contains(links.NearWays, embedding) {
					row.Method, row.Embedding = embedding, ""
				}
				row.Fill(cell, nil)
				r.Rows = append(r.Rows, row)
			}
		}
		if found := c.rows(o, results, r, metric); metric == choosing().Name {
			entrants = found
		}
	}
	for _, note := range all[0].Notes {
		if strings.Contains(note, run.OfLinks) {
			r.Find("%s", note)
		}
	}
	of := study.Entry{Embedding: run.Combined, Target: run.OfLinks, Metric: choosing().Name}
	what := choosing().Label + " of " + run.OfLinks
	if p := study.PairLinks(cadem, cadem, of.Trained(), of.Untrained()); p != nil && p.A != p.B { // the closed form trains nothing
		r.Compare(p, what, "CaDeM", "untrained")
	}
	r.Compare(study.PairLinks(cadem, cadem, of.Trained(), of.Trivial()), what, "CaDeM", "degrees alone")
	leaderboard(r, tasks, entrants, results)
	c.hold(results, r, entrants, r.RowOf("CaDeM", run.OfLinks, choosing().Name, ""))
	r.Bars("links", choosing().Label+" of "+run.OfLinks+", by method", choosing().Name, func(row *study.Row) string {
		if row.Embedding != run.Combined || row.Ours == nil {
			return ""
		}
		return row.Named()
	})
}

// unlabelled says that no label has a part in a report, where data have none.
func unlabelled(r *study.Report, list []*measure.Result) {
	if slices.ContainsFunc(list, func(t *measure.Result) bool { return t.Refused == measure.NoLabels.Error() }) {
		r.Caveat("The data have no labels: %s alone tell what methods know.", run.OfLinks)
	}
}

// leaderboard lists the score of every method with its interval over splits, and its gain over degrees alone.
func leaderboard(r *study.Report, cadem []study.Task, others []study.Entrant, results study.Results) {
	sheet := study.Sheet{Title: fmt.Sprintf("%s: %s, mean over the layers, with intervals over splits (Nadeau and Bengio)", run.OfLinks, choosing().Label),
		Lines: [][]string{{"method", "here", "95 % interval", "untrained", "degrees alone", "above degrees", "95 % interval", "p"}}}
	f := study.Entry{Target: run.OfLinks, Metric: choosing().Name}
	for _, way := range links.NearWays {
		others = append(others, study.Entrant{Label: way, Tasks: cadem})
	}
	for _, e := range append([]study.Entrant{{Label: "CaDeM", Tasks: cadem}}, others...) {
		f.Embedding = run.Combined
		if slices.Contains(links.NearWays, e.Label) {
			f.Embedding = e.Label
		}
		found := results.Of(study.Distinct(e.Tasks))
		zero := func(x *measure.Result) []float64 { return make([]float64, len(f.Trained()(x))) }
		own := study.PairLinks(found, found, f.Trained(), zero)
		before, above := study.PairLinks(found, found, f.Untrained(), zero), study.PairLinks(found, found, f.Trained(), f.Trivial())
		if own == nil {
			continue
		}
		untrained := ""
		if before.A != own.A { // there is such a thing
			untrained = study.Number(&before.A)
		}
		line := []string{e.Label, study.Number(&own.A), "", untrained, study.Number(&above.B), study.Signed(above.Mean), "", ""}
		if own.Pairs > 1 {
			line[2] = fixed(own.Low) + " to " + fixed(own.High)
			line[6], line[7] = above.Interval(), figure.Chance(above.P)
		}
		sheet.Lines = append(sheet.Lines, line)
	}
	r.Table(sheet)
}

// dataOf names the data of an order.
func dataOf(o *study.Order, of *measure.Result) string {
	if !o.OfFiles() {
		return o.Example
	}
	return of.Summary.Name
}

// chooseByLinks chooses one of the combinations of a sweep by what it says about held-out links, which needs no labels, and says what it scores:
// in each split the one that the other splits chose, and on labels the one that all of them chose.
func (w *swept) chooseByLinks(results study.Results, r *study.Report) {
	o := w.o
	if o.Options["nested_select"] != "on" || o.Links == 0 || len(w.trials) < 2 {
		return
	}
	splits := make([][]float64, len(w.trials)) // means over the seeds
	for i := range w.trials {
		tasks := w.links(i)
		found := slices.DeleteFunc(results.Of(tasks), func(t *measure.Result) bool { return t.Refused != "" })
		if len(found) < len(tasks) {
			return // an incomplete grid would choose from what happens to be there
		}
		splits[i] = make([]float64, o.Links)
		for _, t := range found {
			for k, v := range t.Score(run.Combined, run.OfLinks, choosing().Name).Folds {
				splits[i][k] += v / float64(len(found))
			}
		}
	}
	best := func(without int) int {
		of, most := 0, 0.0
		for i, values := range splits {
			sum := 0.0
			for k, v := range values {
				if k != without {
					sum += v
				}
			}
			if i == 0 || sum > most {
				of, most = i, sum
			}
		}
		return of
	}
	chosen := best(-1)
	const variant = "selected by " + run.OfLinks
	s := fmt.Sprintf("Selected by %s, without any label: %s", run.OfLinks, cmp.Or(w.trials[chosen].words(), "the usual options"))
	if w.prefix != "" {
		s = w.m.Label + ": " + s
	}
	if o.Links > 1 {
		sum := 0.0
		for k := range o.Links {
			sum += splits[best(k)][k] / float64(o.Links)
		}
		s += fmt.Sprintf("; chosen by the other splits, %s is %.3f in each split", choosing().Label, sum)
	}
	r.Find("%s.", s)
	for _, plan := range []func(int) []study.Task{w.links, w.tasks} {
		found := results.Of(plan(chosen))
		if len(found) == 0 {
			continue
		}
		for _, s := range found[0].Scores {
			r.Score(study.Row{Dataset: dataOf(o, found[0]), Method: w.m.Label, Embedding: s.Embedding, Target: s.Target, Metric: s.Metric, Variant: variant}, found)
		}
	}
}
