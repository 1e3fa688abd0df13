package experiments

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/property"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study"
	"cadem.example/core/train"
)

const (
	sameFolds = " Methods that were asked for are trained here on the same data, and scored in the same folds by the same combiner and metrics"
	// MethodsText says in a report how rows of other methods came about.
	MethodsText  = sameFolds + "; the rows of others stand as printed, each of one training. "
	standingText = "Rows that need no training, or no method, stand there whatever is asked for, since they decide what the others mean: " +
		"S alone, the closed form, untrained encoders with CaDeM's propagation and the squared one, " +
		"principal components, and the features themselves where there are some. On files, components of unit columns, all layers together and their links " +
		"added up stand there, too. "
	// OneWeights says it of encoders trained on several graphs.
	OneWeights = "They have one set of weights for all graphs."
)

// cheapSeeds are the model seeds of untrained encoders where a training takes a tenth of a second: on examples, and on files of at most as many bytes.
const cheapSeeds, cheapFiles = 24, 100_000

// inexpensive is the order for a method: with more model seeds if the order has several, and the method only draws random numbers.
func inexpensive(o *study.Order, m *train.Method) *study.Order {
	size := int64(0)
	for _, f := range o.Files {
		size += f.Size
	}
	if m.Family != train.Untrained || m.Fixed || size > cheapFiles || o.DataSeeds > 1 || o.Seeds < boardSeeds {
		return o
	}
	more := *o
	more.Seeds = max(o.Seeds, cheapSeeds)
	return &more
}

// methodTasks returns the tasks of a method, one for each pair of seeds; task describes what CaDeM does for a pair. A
// method that draws nothing has the same one for all seeds of the model.
func methodTasks(o *study.Order, m *train.Method, task func(model, data int) study.Task) []study.Task {
	return o.Tasks(func(model, data int) study.Task {
		if m.Fixed {
			model = 0
		}
		return o.With(m, task(model, data))
	})
}

// standing are methods that decide what the figures of the others mean: tables of nodes have them whatever an order asks for, beside S alone.
var standing = []string{"closed", "untrained", "random", "pca", "features"}

// besideCaDeM are the methods of an order and those that stand there anyway.
func besideCaDeM(o *study.Order) []*train.Method {
	return withoutTraining(o, besides(o.Compared(), standing))
}

// withoutTraining adds the methods that stand beside trained scores on files of one's own, whatever is asked for.
func withoutTraining(o *study.Order, list []*train.Method) []*train.Method {
	if !o.OfFiles() {
		return list
	}
	return besides(list, train.Without)
}

// besides are the methods of a list and those of these names.
func besides(list []*train.Method, names []string) []*train.Method {
	for _, name := range names {
		if slices.ContainsFunc(list, func(m *train.Method) bool { return m.Name == name }) {
			continue
		}
		m, err := train.Lookup(name)
		if err != nil {
			panic(err) // a name of the table
		}
		list = append(list, m)
	}
	return list
}

// printedName is the name of a method in a table of the paper. The table of whole graphs has the version of MVGRL that
// embeds these.
func printedName(m *train.Method, scope study.Scope) string {
	switch {
	case scope == study.Graphs && m.Name == "mvgrl":
		return ""
	case scope == study.Graphs && m.Name == "mvgrl-graph":
		return "MVGRL"
	}
	return m.Label
}

// A contest is a comparison of methods on the classes of one label set.
type contest struct {
	table, dataset string
	paper          string // its name of data; "" if it has no figures of these
	target, scored string // the label set by its name in the rows, and in the scores
	scope          study.Scope
	differs        []string
	cadem          []study.Task // for each pair of seeds
	trained        []study.Task // those of cadem that train
	tasks          func(m *train.Method) []study.Task
	methods        func(o *study.Order) []*train.Method // nil: those that the order asks for
	first          string                               // the metric for naming methods that were not run; "" for macro-F1
	claimed        bool                                 // the paper's sentence is put to the test although it has no figures of these data
}

// decides is the metric for comparing methods.
func (c *contest) decides() string { return cmp.Or(c.first, "macro_f1") }

// printed is where the row of a method stands that the paper prints, or -1.
func (c *contest) printed(rows []study.Row, m *train.Method) int {
	return slices.IndexFunc(rows, func(p study.Row) bool { return strings.EqualFold(p.Method, printedName(m, c.scope)) })
}

// rows adds those of all methods but CaDeM, computed or as printed, and returns which were computed.
func (c *contest) rows(o *study.Order, results study.Results, r *study.Report, metric string) []study.Entrant {
	var list []study.Row
	var entrants []study.Entrant
	for _, p := range paper() {
		if p.Table == c.table && p.Dataset == c.paper && p.Metric == metric && p.Variant == "" && p.Method != "CaDeM" {
			if c.paper == c.dataset {
				p.Target = c.target
			}
			p.Fill(nil, c.differs)
			list = append(list, p)
		}
	}
	printed := len(list)
	methods := (*study.Order).Compared
	if c.methods != nil {
		methods = c.methods
	}
	for _, m := range methods(o) {
		tasks := c.tasks(m)
		found := results.Of(study.Distinct(tasks))
		if len(found) > 0 && found[0].Refused != "" {
			if metric == c.decides() {
				r.Caveat("%s was not run: %s.", m.Label, strings.TrimSuffix(found[0].Refused, "."))
			}
			if k := c.printed(list[:printed], m); k >= 0 {
				list[k].Cause = found[0].Refused
			}
			continue
		}
		cell := study.Collect(found, "combined", c.scored, metric)
		if cell == nil {
			continue
		}
		level := m.Nearest(o.Level).Name
		differs := slices.Clone(c.differs)
		if level != train.Official {
			differs = append(differs, "level "+level)
		}
		for _, name := range slices.Sorted(maps.Keys(o.OwnOptions(m.Name))) {
			differs = append(differs, m.Name+"."+name+" = "+property.Text(o.OwnOptions(m.Name)[name]))
		}
		k := c.printed(list[:printed], m)
		if k < 0 {
			k = len(list)
			list = append(list, study.Row{Table: c.table, Dataset: c.dataset, Method: m.Label, Embedding: "combined", Target: c.target, Metric: metric})
		}
		row := &list[k]
		if !strings.EqualFold(row.Method, m.Label) {
			row.Method = m.Label // the other version of MVGRL may have a row, too
		}
		row.Dataset, row.Target, row.Level = c.dataset, c.target, level
		row.Fill(cell, differs)
		row.Alone()
		row.Cost(found)
		entrants = append(entrants, study.Entrant{Label: row.Method, Tasks: tasks})
	}
	r.Rows = append(r.Rows, list...)
	return entrants
}

// hold compares the methods that were computed with CaDeM, by its row, and says where that stands.
func (c *contest) hold(results study.Results, r *study.Report, entrants []study.Entrant, cadem *study.Row) {
	if cadem == nil || len(entrants) == 0 {
		return
	}
	trained := results.Of(c.trained)
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Method == cadem.Method && row.Embedding == cadem.Embedding && row.Target == cadem.Target && row.Variant == cadem.Variant {
			row.Cost(trained)
		}
	}
	for i := range entrants {
		e := &entrants[i]
		e.Row = r.RowOf(e.Label, c.target, cadem.Metric, "")
		e.Label = e.Row.Named()
	}
	all := append([]study.Entrant{{Label: "CaDeM", Tasks: c.cadem, Row: cadem, Claimed: c.claimed || cadem.Paper != nil}}, entrants...)
	r.Ranking(all, evaluate.MetricOf(cadem.Metric).Label+" on "+c.target)
	r.Contest(results, all, study.Entry{Embedding: "combined", Target: c.scored, Metric: cadem.Metric}, evaluate.MetricOf(cadem.Metric).Label+" on "+c.target)
	if cadem.Fitted != nil {
		r.Contest(results, all, study.Entry{Embedding: "combined", Target: c.scored, Metric: cadem.Metric, Fitted: true},
			evaluate.MetricOf(cadem.Metric).Label+" on "+c.target+study.WellFitted)
	}
	r.Ordering(cadem.Metric, "methods")
}
