package study

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/property"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

// A Report is the result of a study.
type Report struct {
	Study    string        `json:"study"`
	Title    string        `json:"title"`
	Setting  string        `json:"setting"`  // data, preset and seeds, in a sentence
	Text     string        `json:"text"`     // what is done and what to look at, whatever the result
	Findings []string      `json:"findings"` // what came of it, each computed from the results
	Claims   []Claim       `json:"claims,omitempty"`
	Rows     []Row         `json:"rows"`
	Charts   []chart.Chart `json:"charts"`
	Sheets   []Sheet       `json:"sheets,omitempty"`
	Tests    []Test        `json:"tests,omitempty"`
	Held     []Sheet       `json:"-"`       // of the sheets, those that are printed with the figures
	Tasks    int           `json:"tasks"`   // that belong to the study
	Missing  int           `json:"missing"` // of them, not run

	Planned []Task   `json:"-"`
	Differs []string `json:"-"` // from the paper's settings: see [Order.Differs]

	leads   int      // of the findings, those that come first
	caveats []string // that come after all other findings, each once
}

// A Sheet is a table beside the figures: of the scans of a cohort, say. Lines begin with one of titles.
type Sheet struct {
	Title string     `json:"title"`
	Lines [][]string `json:"lines"`
	Open  bool       `json:"open,omitempty"` // the page shows it unfolded
	// Table says that it takes the place of rows of figures in tables of the report.
	Table bool `json:"table,omitempty"`
	// File says that it has a file of its own beside the table of the report, FILE-connections.csv for "connections".
	File string `json:"file,omitempty"`
}

// A Claim is a sentence of the paper, put to the test.
type Claim struct {
	Says    string `json:"says"`
	Verdict string `json:"verdict"`
	Because string `json:"because"` // what was measured
}

// Claim notes what became of a claim, in the findings, too.
func (r *Report) Claim(c Claim) {
	r.Claims = append(r.Claims, c)
	r.Find("The paper says: %s. This %s: %s.", c.Says, c.Verdict, c.Because)
}

// Assemble makes the reports of an order from what its tasks found: one, or one for each
// study when all are ordered. Results may be incomplete; their order and number of
// workers leave no trace.
func (all Studies) Assemble(o Order, results Results) ([]*Report, error) {
	list, err := all.ordered(&o)
	if err != nil {
		return nil, err
	}
	var reports []*Report
	for i := range list {
		s := &list[i]
		full, err := o.Check(s)
		if err != nil {
			return nil, err
		}
		var r *Report
		if parts := s.byPreset(full); len(parts) == 1 {
			r = s.Report(full, results)
			for i := range r.Rows {
				if r.Rows[i].cell != nil {
					r.Rows[i].ofPreset(full.Preset)
				}
			}
		} else {
			r = s.report(full, results)
			var of []*Report
			for _, part := range parts {
				of = append(of, s.Report(part, results))
			}
			r.beside(of, strings.Split(full.Preset, ","))
		}
		r.of(results)
		r.Findings = append(r.Findings, r.caveats...)
		if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Paper != nil && row.Ours != nil }) {
			r.Setting += against(r.Differs)
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// Report returns the results of a study for a checked order, with one preset.
func (s *Study) Report(o *Order, results Results) *Report {
	r := s.report(o, results)
	s.assemble(o, results, r)
	return r
}

// report returns an empty report of an order.
func (s *Study) report(o *Order, results Results) *Report {
	tasks := s.plan(o)
	for _, part := range s.byPreset(o) {
		tasks = append(tasks, s.more(part, results)...)
	}
	tasks = Distinct(tasks)
	protocol := protocols(results.Of(tasks))
	r := &Report{Study: s.Name, Title: s.Title, Text: s.Text, Setting: o.setting(s, protocol), Tasks: len(tasks), Planned: tasks, Rows: []Row{},
		Findings: []string{}, Charts: []chart.Chart{}, Sheets: []Sheet{}}
	r.Missing = r.Tasks - len(results.Of(tasks))
	if r.Differs = o.Differs(s.Needs, examplesOf(tasks), nil); protocol != "" {
		r.Differs = append(r.Differs, OwnSplits)
	}
	return r
}

// protocols describes the splits of the data of results, with the names of the data if these differ.
func protocols(list []*measure.Result) string {
	var all, named []string
	for _, t := range list {
		if p := t.Protocol(); p != "" && !slices.Contains(all, p) {
			if all = append(all, p); t.Summary != nil {
				p = cmp.Or(t.Summary.Paper, t.Summary.Name) + ", " + p
			}
			named = append(named, p)
		}
	}
	if len(all) > 1 {
		return strings.Join(named, "; ")
	}
	return strings.Join(all, "")
}

// OwnSplits is an entry of [Report.Differs].
const OwnSplits = "the data's own splits"

// setting describes the run in sentences. Protocol describes the splits that come with the data.
func (o *Order) setting(of *Study, protocol string) string {
	preset := "Preset " + o.Preset
	if strings.Contains(o.Preset, ",") {
		preset = "Presets " + strings.ReplaceAll(o.Preset, ",", ", ")
	}
	s := fmt.Sprintf("%s, %s", preset, Plural(o.Seeds, "model seed"))
	if of.Looks {
		s = Plural(o.Seeds, "seed") + ", beside trainings with the " + strings.ToLower(preset[:1]) + preset[1:]
	}
	if list := o.Compared(); len(list) > 0 {
		s += fmt.Sprintf(", beside %s, with %s settings where there are such (options of training that are named here are CaDeM's)",
			Plural(len(list), "other method"), o.Level)
	}
	if o.Data == Published {
		s += ", on the published data."
		if property.Text(o.Options["streams"]) != "authors" {
			s += " Random streams of training are our own: the authors' model seeds mean nothing here."
		}
	} else if !o.OfFiles() {
		if o.Example != "" {
			s += ", of " + o.Example
		}
		s += fmt.Sprintf(", %s.", Plural(o.DataSeeds, "data seed"))
	} else {
		s += ". " + o.filesText()
	}
	if o.EvalSeed != nil {
		s += fmt.Sprintf(" Evaluation seed %d.", *o.EvalSeed)
	}
	switch {
	case of.Looks:
	case protocol != "":
		s += " Scores are of the test nodes of " + protocol + "; the paper's are means over five folds of all labelled nodes."
		if o.Options["nested_select"] == "on" {
			s += " Validation nodes choose learning rate and epochs."
		}
	case o.Options["nested_select"] == "on":
		s += " Where something is classified, inner folds choose learning rate and epochs."
	default:
		s += " Where something is classified, outer folds alone are run, as the inner ones of the published program select nothing."
	}
	if o.Width > 0 {
		s += fmt.Sprintf(" All embeddings of a method together have %d columns, or as near as their number and the heads of the combiner allow.", o.Width)
	}
	if o.Links > 0 {
		s += fmt.Sprintf(" For held-out links every training was made again %s, each time without another %.0f %% of the links of every layer.",
			Plural(o.Links, "time"), 100*links.Share)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		s += fmt.Sprintf(" %s = %s.", name, property.Text(o.Options[name]))
	}
	return s
}

// RowOf returns the row of a method's combined embedding, nil if there is none.
func (r *Report) RowOf(method, target, metric, variant string) *Row {
	i := slices.IndexFunc(r.Rows, func(row Row) bool {
		return row.Method == method && row.Embedding == "combined" && row.Variant == variant && row.Target == target && row.Metric == metric
	})
	if i < 0 {
		return nil
	}
	return &r.Rows[i]
}

// Ordering says how far our order of the figures of one metric agrees with the paper's.
func (r *Report) Ordering(metric, of string) {
	var a, b []float64
	for _, row := range r.Rows {
		if row.Metric == metric && row.Ours != nil && row.Paper != nil && row.Status != OtherSettings {
			a, b = append(a, *row.Ours), append(b, *row.Paper)
		}
	}
	if len(a) < 3 {
		return
	}
	r.Find("Kendall's tau between our order of the %d %s and the paper's (%s): %.2f, %s among random orders.",
		len(a), of, metric, kendall(a, b), chance(kendallChance(a, b)))
}

// Place says how many of our trainings reach the figures that the paper prints for a metric.
func (r *Report) Place(metric string) {
	var counts []string // in order of the rows
	of := map[string][]string{}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Metric != metric || row.Reach == nil {
			continue
		}
		name := row.Embedding + " on " + row.Target
		if row.Level != "" {
			name = row.Method + ", " + name
		}
		if row.Variant != "" {
			name += " (" + row.Variant + ")"
		}
		count := fmt.Sprintf("%d of %d", *row.Reach, row.Trainings)
		if of[count] == nil {
			counts = append(counts, count)
		}
		of[count] = append(of[count], name)
	}
	var parts []string
	for _, count := range counts {
		parts = append(parts, count+" for "+strings.Join(of[count], ", "))
	}
	if len(parts) > 0 {
		r.Find("Trainings that reach the paper's %s or more: %s.", metric, strings.Join(parts, "; "))
	}
}

// Find adds a sentence to the findings.
func (r *Report) Find(format string, values ...any) {
	if s := fmt.Sprintf(format, values...); s != "" {
		r.Findings = append(r.Findings, figure.Signs(s))
	}
}

// Lead adds a sentence to the findings before all others but those that lead, too: the result.
func (r *Report) Lead(format string, values ...any) {
	r.Findings = slices.Insert(r.Findings, r.leads, figure.Signs(fmt.Sprintf(format, values...)))
	r.leads++
}

// Caveat adds a sentence behind all findings, unless it is there.
func (r *Report) Caveat(format string, values ...any) {
	if s := figure.Signs(fmt.Sprintf(format, values...)); !slices.Contains(r.caveats, s) {
		r.caveats = append(r.caveats, s)
	}
}

// gather adds the leading findings and the caveats of parts of a report, each under the names of the parts that have it.
func (r *Report) gather(parts []*Report, names []string) {
	for k, part := range parts {
		for i, s := range part.Findings {
			if s = names[k] + ": " + s; i < part.leads {
				r.Lead("%s", s)
			} else {
				r.Find("%s", s)
			}
		}
		for _, s := range part.caveats {
			var of []string
			for i, other := range parts {
				if slices.Contains(other.caveats, s) {
					of = append(of, names[i])
				}
			}
			if len(of) < len(parts) {
				s = strings.Join(of, ", ") + ": " + s
			}
			r.Caveat("%s", s)
		}
	}
}

// Table adds a table that is printed with the figures, unless there is nothing below its titles.
func (r *Report) Table(s Sheet) {
	if len(s.Lines) > 1 {
		r.Sheets, r.Held = append(r.Sheets, s), append(r.Held, s)
	}
}

// Draw adds a chart that has something to show.
func (r *Report) Draw(c chart.Chart) {
	if len(c.Series) > 0 || c.Cells != nil || c.Sets != nil {
		r.Charts = append(r.Charts, c)
	}
}
