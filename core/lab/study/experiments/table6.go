package experiments

import (
	"slices"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

var table6 = study.Study{
	Name: "table6", Title: "Table VI: classes of the nodes of real multiplex graphs", Seeds: 1, DataSeeds: 1, Classifies: true,
	Needs: study.NeedGraph, AnyExample: true, Linked: true,
	Shows:   "CaDeM and other methods, classifying the nodes of the open data set.",
	Learn:   "Whether private embeddings add anything to the common one, and training to either.",
	Methods: study.Nodes,
	Text: "Before you trust the first row, compare it with the controls below. In two of them zeros stand for the private embeddings, or they " +
		"are dealt to the wrong nodes. The combiner has the same weights to train there, but nothing to learn from them. " +
		"What training adds shows beside untrained encoders. What the other losses add shows beside the training with " +
		"matching alone, whose private embeddings stay as they were drawn." + MethodsText + standingText + linksText +
		"Embeddings are learned on all nodes, so nothing here says how new nodes would do. The tests are over folds of this graph. They say " +
		"nothing about other data, and with one training nothing about other trainings.",
	BySet: true, Plan: planTable6,
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		unlabelled(r, results.Of(planTable6(o)))
		assembleTable6(o, results, r)
		assembleLinks(o, results, r)
	},
}

// The trainings of table VI.
func realVariants() (full, match variant) {
	return variant{}, variant{"match", map[string]any{"weight_selfsupervised": 0, "weight_causal": 0}}
}

// planTable6 trains on the data with the full loss and with matching alone.
func planTable6(o *study.Order) []study.Task {
	full, match := realVariants()
	return slices.Concat(planReal(o, full), planReal(o, match), realMethods(o), planAllLinks(o))
}

// realMethods trains other methods on the data.
func realMethods(o *study.Order) []study.Task {
	return sorting.Flat(besideCaDeM(o), func(m *train.Method) []study.Task { return realMethod(o, m) })
}

func realMethod(o *study.Order, m *train.Method) []study.Task {
	spec := measure.Spec{Kind: measure.Combined, Fitted: true}
	return methodTasks(inexpensive(o, m), m, func(model, data int) study.Task { return o.TaskOn(nil, model, data, spec) })
}

func planReal(o *study.Order, v variant) []study.Task {
	return planOn(o, v, func(model int) []measure.Spec {
		if v.name == "" {
			return []measure.Spec{{Kind: measure.Classes, Fitted: true}}
		}
		measures := []measure.Spec{{Kind: measure.Classes, Embeddings: []string{"combined", "common"}, Fitted: true}}
		if model == 0 {
			measures = append(measures, measure.Spec{Kind: measure.Features, Fitted: true}) // beside the training with less to score
		}
		return measures
	})
}

func assembleTable6(o *study.Order, results study.Results, r *study.Report) {
	full, match := realVariants()
	fullTasks, matchTasks := planReal(o, full), planReal(o, match)
	t := realTable{full: results.Of(fullTasks), match: results.Of(matchTasks)}
	t.both[0], t.both[1] = results.Pairs(fullTasks, matchTasks)
	all := slices.Concat(t.full, t.match, results.Of(realMethods(o)))
	all = slices.DeleteFunc(all, func(of *measure.Result) bool { return of.Refused != "" })
	if len(all) == 0 {
		return
	}
	var targets []string
	t.name, targets, t.printed = aboutData(r, o, "VI", all[0])
	t.differs = r.Differs
	for _, target := range targets {
		c := &contest{table: "VI", dataset: t.name, target: target, scored: target, scope: study.Nodes,
			methods: besideCaDeM, differs: t.differs, cadem: fullTasks, trained: fullTasks,
			tasks: func(m *train.Method) []study.Task { return realMethod(o, m) }}
		if t.printed {
			c.paper = t.name
		}
		var entrants []study.Entrant
		for _, metric := range f1s {
			r.Rows = append(r.Rows, t.rows(target, metric)...)
			if found := c.rows(o, results, r, metric); metric == "macro_f1" {
				entrants = found
			}
		}
		t.compare(r, target)
		c.hold(results, r, entrants, r.RowOf("CaDeM", target, "macro_f1", ""))
	}
	r.Place("macro_f1")
	r.Readers("macro_f1")
	for _, target := range targets {
		of := t.name
		if len(targets) > 1 {
			of += ", " + target
		}
		r.Bars("table6-"+target, "Macro-F1 on "+of+", with controls", "macro_f1", func(row *study.Row) string {
			if row.Ours == nil || row.Target != target || row.Level != "" {
				return ""
			}
			text := strings.NewReplacer("combined", "S, P", "common", "S", "private_", "P", "private", "all P", "+", ", ").Replace(row.Embedding)
			if row.Variant != "" {
				text += ", " + row.Variant
			}
			return text
		})
	}
	if len(targets) > 0 && (t.printed || len(o.Compared()) > 0) {
		r.Bars("table6", "Macro-F1 on "+t.name+" by method", "macro_f1", func(row *study.Row) string {
			if row.Embedding != "combined" || row.Variant != "" || row.Target != targets[0] {
				return ""
			}
			return row.Named()
		})
	}
}

// A realTable is the data of table VI.
type realTable struct {
	name        string // of the data, the paper's if it has them
	printed     bool   // the paper has them
	differs     []string
	full, match []*measure.Result
	both        [2][]*measure.Result // those of the same seeds
}

// rows returns the rows of CaDeM of one target and metric, beside what the paper prints for the same data.
func (t *realTable) rows(target, metric string) []study.Row {
	var rows []study.Row
	printed := func(table, variant string) []study.Row {
		var list []study.Row
		for _, p := range paper() {
			if t.printed && p.Table == table && p.Dataset == t.name && p.Metric == metric && p.Variant == variant && p.Method == "CaDeM" {
				p.Target = target
				list = append(list, p)
			}
		}
		return list
	}
	add := func(list []*measure.Result, row study.Row) {
		row.Dataset, row.Target, row.Metric = t.name, target, metric
		if c := study.Collect(list, row.Embedding, target, metric); c != nil || row.Paper != nil {
			if row.Fill(c, t.differs); row.Method != "CaDeM" {
				row.Alone() // it has no encoder, and scores once
			}
			rows = append(rows, row)
		}
	}
	ours := study.Row{Table: "VI", Method: "CaDeM", Embedding: "combined"}
	add(t.full, append(printed("VI", ""), ours)[0])
	if len(t.full) > 0 {
		for _, s := range t.full[0].Scores {
			if s.Target == target && s.Metric == metric && s.Embedding != "combined" {
				ours.Embedding = s.Embedding
				add(t.full, ours)
			}
		}
	}
	ours.Variant, ours.Embedding = "match", "combined"
	add(t.match, append(printed("VII", "match"), ours)[0])
	ours.Embedding = "common"
	add(t.match, ours)
	add(t.match, study.Row{Table: "VI", Method: "propagated features", Embedding: measure.NoEncoder})
	return rows
}

// compare tests the effect of training and of the private embeddings, and compares the figures with
// the paper's.
func (t *realTable) compare(r *study.Report, target string) {
	const metric = "macro_f1"
	at := func(embedding string) study.Entry {
		return study.Entry{Embedding: embedding, Target: target, Metric: metric}
	}
	full := at("combined")
	what := "Macro-F1 on " + target
	r.CompareTraining(t.full, full, what)
	r.Compare(study.Pair(t.full, t.full, full.Trained(), at("common").Trained()), what, "S and P", "S alone")
	r.Compare(study.Pair(t.full, t.full, full.Trained(), at(measure.ZeroTokens).Trained()), what, "S and P", "S and zeros")
	r.Compare(study.Pair(t.full, t.full, full.Trained(), at(measure.ShuffledRows).Trained()), what, "S and P", "S and the P of other nodes")
	r.Compare(study.Pair(t.both[0], t.both[1], full.Trained(), full.Trained()), what, "all losses", "matching alone")
	if c, probe := study.Collect(t.match, measure.NoEncoder, target, metric), study.Collect(t.full, "combined", target, metric); c != nil && probe != nil {
		r.Find("A linear probe on the %d leading directions a layer of the propagated features, without any encoder, reads macro-F1 %.3f; on the "+
			"trained embeddings it reads %.3f.", measure.LeadingWidth, mean(c.Probe), mean(probe.Probe))
	}
	for _, row := range r.Rows {
		if row.Method != "CaDeM" || row.Target != target || row.Metric != metric || row.Paper == nil || row.Ours == nil {
			continue // the figures of other methods have their own comparison
		}
		with := "all losses"
		if row.Variant != "" {
			with = "matching alone"
		}
		r.Find("With %s the paper prints %.3f ± %.3f, here it is %.3f: %s.", with, *row.Paper, *row.PaperStd, *row.Ours,
			map[study.Status]string{study.Match: "a match", study.Above: "above it", study.Below: "below it",
				study.OtherSettings: "not to be compared, as the settings are others"}[row.Status])
	}
}
