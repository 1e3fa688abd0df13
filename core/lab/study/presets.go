package study

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
)

// Closed stands beside the presets of CaDeM for the closed form, which trains nothing.
const Closed = "closed"

// Presets lists the names allowed in an order, alone or separated by commas; "all" means all of them.
func Presets() []string { return append(slices.Clone(cadem.Presets), Closed) }

// presets reads those of an order. All are those that any data fit, so without evidence; a study that is about training leaves the closed
// form out, too.
func (o *Order) presets(s *Study) ([]string, error) {
	if o.Preset == "all" {
		return slices.DeleteFunc(Presets(), func(name string) bool { return name == "evidence" || name == Closed && s.Trains }), nil
	}
	var list []string
	for _, name := range strings.Split(o.Preset, ",") {
		switch {
		case !slices.Contains(Presets(), name):
			return nil, property.Unknown("preset", fmt.Sprintf("%q", name), name, append(Presets(), "all"))
		case slices.Contains(list, name):
			return nil, diag.Option("preset", name+" is listed twice", "")
		case name == Closed && s.Trains && o.Study != "all":
			return nil, diag.Option("preset", fmt.Sprintf("%s for %s, which is about training", name, s.Name), "one of "+strings.Join(cadem.Presets, ", "))
		case name == Closed && s.Trains:
			continue // the other studies have it
		}
		list = append(list, name)
	}
	if len(list) == 0 {
		list = cadem.Presets[:1]
	}
	return list, nil
}

// byPreset returns an order that was checked taken apart: one for each preset, unless the study takes all of them at once.
func (s *Study) byPreset(o *Order) []*Order {
	if s.Together {
		return []*Order{o}
	}
	var parts []*Order
	for _, name := range strings.Split(o.Preset, ",") {
		part := *o
		part.Preset = name
		parts = append(parts, &part)
	}
	return parts
}

// plan returns the tasks of a study, preset by preset.
func (s *Study) plan(o *Order) []Task {
	return sorting.Flat(s.byPreset(o), s.Tasks)
}

// beside makes one report of those of several presets: their rows, findings and charts under the
// name of the preset, and a sheet of what the presets get, held against the first one.
func (r *Report) beside(parts []*Report, presets []string) {
	r.Differs = parts[0].Differs
	r.gather(parts, presets)
	for k, part := range parts {
		for _, row := range part.Rows {
			if (row.cell == nil && row.Paper != nil || row.Level != "") && k > 0 {
				continue // of another method: it stands there already
			}
			if row.cell != nil && row.Level == "" {
				row.Preset = presets[k]
				row.ofPreset(presets[k])
			}
			r.Rows = append(r.Rows, row)
		}
		r.take(&Report{Charts: part.Charts, Sheets: part.Sheets}, presets[k])
	}
	for k := range presets[1:] {
		r.hold(parts[0], parts[k+1], presets[0], presets[k+1])
	}
}

// ofPreset names the closed form in a row that was computed by it; the paper has no figures for it.
func (row *Row) ofPreset(preset string) {
	if preset == Closed && row.Level == "" {
		row.Method, row.Paper, row.PaperStd, row.Status = "closed form", nil, nil, ""
	}
}

// hold compares the rows of a preset with those of the first one, figure by figure.
func (r *Report) hold(first, other *Report, a, b string) {
	sheet := Sheet{Title: b + " beside " + a, Lines: [][]string{{"data", "embedding", "target", "metric", "variant", "gamma", a, b, "difference",
		"95 % interval", "p", ""}}}
	var higher, lower, open int
	for i := range first.Rows {
		x := &first.Rows[i]
		k := slices.IndexFunc(other.Rows, func(y Row) bool { return x.same(&y) })
		if x.cell == nil || x.Level != "" || k < 0 || other.Rows[k].cell == nil {
			continue
		}
		p := pairCells(other.Rows[k].cell, x.cell)
		if p == nil {
			continue
		}
		verdict := "not decided"
		switch {
		case !p.Decided:
			open++
		case p.Mean > 0:
			verdict = b + " higher"
			higher++
		default:
			verdict = b + " lower"
			lower++
		}
		gamma := ""
		if x.Gamma != nil {
			gamma = property.Text(*x.Gamma)
		}
		chance := ""
		if p.Pairs > 1 {
			chance = figure.Chance(p.P)
		}
		sheet.Lines = append(sheet.Lines, []string{x.Dataset, x.Embedding, x.Target, x.Metric, x.Variant, gamma, Number(&p.B), Number(&p.A), Signed(p.Mean),
			p.Interval(), chance, verdict})
	}
	if n := higher + lower + open; n > 0 {
		r.Table(sheet)
		r.Find("Of %s, %s is higher than %s at %d and lower at %d; %d are not decided (paired over the same folds and seeds, each by itself).",
			Plural(n, "figure"), b, a, higher, lower, open)
	}
}

// same reports whether rows are of the same figure.
func (row *Row) same(other *Row) bool {
	gamma := row.Gamma == other.Gamma || row.Gamma != nil && other.Gamma != nil && *row.Gamma == *other.Gamma
	return gamma && row.Table == other.Table && row.Dataset == other.Dataset && row.Method == other.Method && row.Embedding == other.Embedding &&
		row.Target == other.Target && row.Metric == other.Metric && row.Variant == other.Variant
}

// closedSettings are the settings of the closed form in place of a preset. Options of training that it has not are
// of no consequence for it.
func closedSettings(d *run.Dataset, options map[string]any) (*run.Settings, error) {
	s, err := run.MethodSettings("closed", "", d)
	if err != nil {
		return nil, err
	}
	return s, property.SetAll(options, s.Options, &s.Evaluation, &s.Beside)
}
