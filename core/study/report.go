package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"cadem/core/evaluate"
	"cadem/core/figure"
	"cadem/core/property"
	"cadem/core/study/chart"
)

// A Row is one figure of a report beside what the paper printed and what an untrained
// model gets. Names are those of the paper's tables. Numbers that there are not, are nil.
type Row struct {
	Table     string   `json:"table,omitempty"`
	Dataset   string   `json:"dataset"`
	Method    string   `json:"method"`
	Embedding string   `json:"embedding"`
	Target    string   `json:"target"`
	Metric    string   `json:"metric"`
	Variant   string   `json:"variant,omitempty"`
	Gamma     *float64 `json:"gamma,omitempty"`
	// Ours is the mean over the trainings of the mean over folds or K-means runs. FoldStd
	// is the mean of the spreads within a training, SeedStd the sample deviation between
	// trainings.
	Ours *float64 `json:"ours,omitempty"`
	// Counts says that Ours, Untrained and Trivial count something.
	Counts  bool     `json:"counts,omitempty"`
	FoldStd *float64 `json:"fold_std,omitempty"`
	SeedStd *float64 `json:"seed_std,omitempty"`
	// Untrained is what the same encoders get before any step, Trivial what a method
	// without a graph model gets.
	Untrained *float64 `json:"untrained,omitempty"`
	Trivial   *float64 `json:"trivial,omitempty"`
	Paper     *float64 `json:"paper,omitempty"`
	PaperStd  *float64 `json:"paper_std,omitempty"`
	// Status, where the paper has a figure, is match, above, below, not run, or other settings
	// where ours was found with others than the paper's.
	Status string `json:"status,omitempty"`
	// Reach is how many of the trainings are at the paper's figure, to its four digits, or above;
	// nil with other settings.
	Reach *int `json:"reach,omitempty"`

	// With columns of mean 0 and deviation 1.
	Standardised          *float64 `json:"standardised,omitempty"`
	UntrainedStandardised *float64 `json:"untrained_standardised,omitempty"`
	Probe                 *float64 `json:"probe,omitempty"`   // a linear probe on the same embedding
	ProbeS                *float64 `json:"probe_S,omitempty"` // a linear probe on S: what the common embedding tells of the target
	RankS                 *float64 `json:"rank_S,omitempty"`
	Chance                *float64 `json:"chance,omitempty"` // what would be found by chance
	P                     *float64 `json:"p,omitempty"`      // chance of as much or more, corrected for the networks of a panel
	Trainings             int      `json:"trainings,omitempty"`
}

// A Report is what a study found.
type Report struct {
	Study    string        `json:"study"`
	Title    string        `json:"title"`
	Setting  string        `json:"setting"`  // data, preset and seeds, in a sentence
	Text     string        `json:"text"`     // what is done and what to look at, whatever comes of it
	Findings []string      `json:"findings"` // what came of it, each computed from the results
	Rows     []Row         `json:"rows"`
	Charts   []chart.Chart `json:"charts"`
	Sheets   []Sheet       `json:"sheets,omitempty"`
	Tasks    int           `json:"tasks"`   // that belong to the study
	Missing  int           `json:"missing"` // of them, not run

	tasks   []Task
	differs []string // from the paper's settings: see [Order.differs]
}

// A Sheet is a table beside the figures: of the scans of a cohort, say. Lines begin with one of titles.
type Sheet struct {
	Title string     `json:"title"`
	Lines [][]string `json:"lines"`
}

// Assemble makes the reports of an order from what its tasks found: one, or one for each
// study when all are ordered. Results may be incomplete; their order and number of
// workers leave no trace.
func Assemble(o Order, results Results) ([]*Report, error) {
	list, err := o.lookup()
	if err != nil {
		return nil, err
	}
	var reports []*Report
	for i := range list {
		s := &list[i]
		full, err := o.check(s)
		if err != nil {
			return nil, err
		}
		tasks := s.plan(full)
		r := &Report{Study: s.Name, Title: s.Title, Text: s.Text, Setting: full.setting(), Tasks: len(tasks), tasks: tasks, Rows: []Row{}, Findings: []string{}, Charts: []chart.Chart{}, Sheets: []Sheet{}}
		r.Missing = r.Tasks - len(results.of(tasks))
		r.differs = full.differs(s.Needs, examplesOf(tasks), nil)
		s.assemble(full, results, r)
		if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Paper != nil && row.Ours != nil }) {
			r.Setting += against(r.differs)
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// setting says what was run, in sentences.
func (o *Order) setting() string {
	s := fmt.Sprintf("Preset %s, %s", o.Preset, plural(o.Seeds, "model seed"))
	if o.Data == "published" {
		s += ", on the published data. Random streams of training are our own: the authors' model seeds mean nothing here."
	} else if !o.own() {
		s += fmt.Sprintf(", %s.", plural(o.DataSeeds, "data seed"))
	} else {
		s += ". " + o.filesText()
	}
	if o.EvalSeed != nil {
		s += fmt.Sprintf(" Evaluation seed %d.", *o.EvalSeed)
	}
	if o.Options["nested_select"] == "on" {
		s += " Where something is classified, inner folds choose learning rate and epochs."
	} else {
		s += " Where something is classified, outer folds alone are run, as the inner ones of the published program select nothing."
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		s += fmt.Sprintf(" %s = %s.", name, property.Text(o.Options[name]))
	}
	return s
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// A cell collects one figure over trainings.
type cell struct {
	value, fold, standardised, untrained, untrainedStandardised, trivial, probe, probeS, rank []float64
}

// score looks a row of a training's table up.
func (t *TaskResult) score(embedding, target, metric string) *evaluate.Score {
	for i := range t.Scores {
		if s := &t.Scores[i]; s.Embedding == embedding && s.Target == target && s.Metric == metric {
			return s
		}
	}
	return nil
}

// collect gathers a figure over trainings; nil when none has it.
func collect(results []*TaskResult, embedding, target, metric string) *cell {
	c := &cell{}
	for _, r := range results {
		s := r.score(embedding, target, metric)
		if s == nil {
			continue
		}
		c.value, c.fold = append(c.value, s.Value), append(c.fold, s.FoldStd)
		c.standardised = append(c.standardised, s.Standardised)
		c.untrained, c.untrainedStandardised = append(c.untrained, s.Untrained), append(c.untrainedStandardised, s.UntrainedStandardised)
		if s.Trivial != nil {
			c.trivial = append(c.trivial, *s.Trivial)
		}
		c.probe = append(c.probe, s.Probe)
		if len(r.Hash) > 0 { // a training
			c.rank = append(c.rank, float64(r.RankS))
		}
		if s := r.score("common", target, metric); s != nil {
			c.probeS = append(c.probeS, s.Probe)
		}
	}
	if len(c.value) == 0 {
		return nil
	}
	return c
}

// fill puts what was collected into a row, and how it compares with the paper's figure;
// differs is what [Order.differs] found.
func (row *Row) fill(c *cell, differs []string) {
	if c == nil {
		if row.Paper != nil {
			row.Status = "not run"
		}
		return
	}
	row.Ours, row.FoldStd, row.Standardised = average(c.value), average(c.fold), average(c.standardised)
	row.Untrained, row.UntrainedStandardised, row.Trivial = average(c.untrained), average(c.untrainedStandardised), average(c.trivial)
	row.Probe, row.ProbeS, row.RankS, row.Trainings = average(c.probe), average(c.probeS), average(c.rank), len(c.value)
	seeds := 0.0
	if len(c.value) > 1 {
		seeds = deviation(c.value)
		row.SeedStd = &seeds
	}
	switch {
	case row.Paper == nil:
	case len(differs) > 0:
		row.Status = otherSettings
	default:
		row.Status = status(*row.Ours, seeds, *row.Paper, *row.PaperStd)
		const digit = 0.0001 // the last one that is printed
		reach := 0
		for _, v := range c.value {
			if v >= *row.Paper-digit/2 {
				reach++
			}
		}
		row.Reach = &reach
	}
}

// status compares a figure with the paper's: a match within 0.02, the paper's spread or
// that between our trainings.
func status(ours, seedStd, paper, paperStd float64) string {
	switch difference := ours - paper; {
	case math.Abs(difference) <= max(0.02, paperStd, seedStd):
		return "match"
	case difference > 0:
		return "above"
	}
	return "below"
}

// average returns the mean, nil for no values.
func average(x []float64) *float64 {
	if len(x) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	sum /= float64(len(x))
	return &sum
}

// deviation returns the sample standard deviation of two values or more.
func deviation(x []float64) float64 {
	m, sum := *average(x), 0.0
	for _, v := range x {
		sum += float64((v - m) * (v - m))
	}
	return math.Sqrt(sum / float64(len(x)-1))
}

// paperRows returns a row for every figure of a table of the paper on a data set, filled by
// find, which gives the trainings of a variant of CaDeM.
func paperRows(table, dataset string, differs []string, find func(variant string) []*TaskResult) []Row {
	var rows []Row
	for _, p := range paper() {
		if p.Table != table || p.Dataset != dataset {
			continue
		}
		var c *cell
		if p.Method == "CaDeM" {
			c = collect(find(p.Variant), p.Embedding, p.Target, p.Metric)
		}
		p.fill(c, differs)
		rows = append(rows, p)
	}
	return rows
}

// ordering says how far our order of the figures of one metric agrees with the paper's.
func (r *Report) ordering(metric, of string) {
	var a, b []float64
	for _, row := range r.Rows {
		if row.Metric == metric && row.Ours != nil && row.Paper != nil && row.Status != otherSettings {
			a, b = append(a, *row.Ours), append(b, *row.Paper)
		}
	}
	if len(a) < 3 {
		return
	}
	r.find("Kendall's tau between our order of the %d %s and the paper's (%s): %.2f.", len(a), of, metric, kendall(a, b))
}

// place says how many of our trainings reach the figures that the paper prints for a metric.
func (r *Report) place(metric string) {
	var counts []string // in order of the rows
	of := map[string][]string{}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Metric != metric || row.Reach == nil {
			continue
		}
		name := row.Embedding + " on " + row.Target
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
		r.find("Trainings that reach the paper's %s or more: %s.", metric, strings.Join(parts, "; "))
	}
}

// kendall returns the rank correlation tau-b of two lists, 0 when one of them is constant.
func kendall(a, b []float64) float64 {
	sign := func(x float64) int {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return 0
	}
	sum, na, nb := 0, 0, 0
	for i := range a {
		for j := range i {
			x, y := sign(a[i]-a[j]), sign(b[i]-b[j])
			sum += x * y
			na += x * x
			nb += y * y
		}
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return float64(sum) / math.Sqrt(float64(na*nb))
}

// number writes a figure for a sentence.
func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return figure.Fixed(*v, 3)
}
