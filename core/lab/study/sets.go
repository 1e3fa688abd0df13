package study

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/base/sorting"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
)

// A FileSet is the files of one multiplex graph, with their sums, and the choice of their parts;
// nil: a guess.
type FileSet struct {
	Files  []run.FileSpec  `json:"files"`
	Choice *formats.Choice `json:"choice,omitempty"`
}

// OfGraphs reports whether the study may be about the files of multiplex graphs.
func (s *Study) OfGraphs() bool { return s.Needs == NeedGraph || s.Takes == NeedGraph }

// checkSets checks several sets of files, and makes of one set what the order is about.
func (o *Order) checkSets(s *Study) error {
	if len(o.Sets) == 0 {
		return nil
	}
	if !s.OfGraphs() || len(o.Files) > 0 || o.Choice != nil {
		return diag.Option("sets", fmt.Sprintf("%d sets of files", len(o.Sets)), "one, or none: "+s.Name+" is about other data")
	}
	seen := map[string]int{}
	for i := range o.Sets {
		if len(o.Sets[i].Files) == 0 {
			return diag.Option("sets", fmt.Sprintf("no file in set %d", i+1), "the files of one multiplex graph")
		}
		text, err := json.Marshal(&o.Sets[i])
		if err != nil {
			return err
		}
		if first, twice := seen[string(text)]; twice {
			return diag.Option("sets", fmt.Sprintf("sets %d and %d with the same files", first, i+1), "each data set once")
		}
		seen[string(text)] = i + 1
	}
	if len(o.Sets) == 1 {
		o.Files, o.Choice, o.Sets = o.Sets[0].Files, o.Sets[0].Choice, nil
	}
	return nil
}

// about returns the order taken apart: one for each data set of its files.
func (o *Order) about() []*Order {
	if len(o.Sets) == 0 {
		return []*Order{o}
	}
	var parts []*Order
	for _, s := range o.Sets {
		part := *o
		part.Files, part.Choice, part.Sets = s.Files, s.Choice, nil
		parts = append(parts, &part)
	}
	return parts
}

// ForSets returns what plan gives for each data set of the order.
func (o *Order) ForSets(plan func(*Order) []Task) []Task {
	return sorting.Flat(o.about(), plan)
}

// Tasks plans an order with one preset.
func (s *Study) Tasks(o *Order) []Task {
	if s.BySet {
		return o.ForSets(s.Plan)
	}
	return s.Plan(o)
}

// more returns the tasks that follow from results, for an order with one preset.
func (s *Study) more(o *Order, results Results) []Task {
	if s.More == nil {
		return nil
	}
	return o.ForSets(func(part *Order) []Task { return s.More(part, results) })
}

// assemble makes one report of the reports of each data set: rows in their order, findings and
// charts under the name of theirs.
func (s *Study) assemble(o *Order, results Results, r *Report) {
	parts := o.about()
	if len(parts) == 1 || !s.BySet {
		s.Assemble(o, results, r)
		return
	}
	var names []string
	var gathered []*Report
	r.Differs = nil
	for _, part := range parts {
		of := &Report{Study: r.Study}
		s.Assemble(part, results, of)
		if len(of.Rows) == 0 {
			continue // nothing of it was run
		}
		name := of.Rows[0].Dataset
		for n := 2; slices.Contains(names, name); n++ {
			name = fmt.Sprintf("%s (%d)", of.Rows[0].Dataset, n)
		}
		names, gathered = append(names, name), append(gathered, of)
		r.Differs = append(r.Differs, sorting.Map(of.Differs, func(d string) string { return d + " (" + name + ")" })...)
		for _, row := range of.Rows {
			row.Dataset = name
			r.Rows = append(r.Rows, row)
		}
		r.take(of, name)
	}
	r.gather(gathered, names)
}

// take adds charts and tables of a part of a report, its claims and tests, under the name of the part.
func (r *Report) take(part *Report, name string) {
	for _, c := range part.Claims {
		c.Because = name + ": " + c.Because
		r.Claims = append(r.Claims, c)
	}
	for _, c := range part.Charts {
		c.Name += "-" + strings.NewReplacer(" ", "-", "(", "", ")", "", "/", "-").Replace(name)
		c.Title = name + ": " + c.Title
		r.Charts = append(r.Charts, c)
	}
	for _, test := range part.Tests {
		test.What = name + ": " + test.What
		r.Tests = append(r.Tests, test)
	}
	named := func(s Sheet) Sheet {
		s.Title = name + ": " + s.Title
		return s
	}
	r.Sheets = append(r.Sheets, sorting.Map(part.Sheets, named)...)
	r.Held = append(r.Held, sorting.Map(part.Held, named)...)
}

// text names the files of a set and the choice.
func (s *FileSet) text() string {
	const most = 4
	var names []string
	for i, f := range s.Files {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(s.Files)-most))
			break
		}
		names = append(names, f.Name)
	}
	text := "Files: " + strings.Join(names, ", ") + "."
	if c := s.Choice; c != nil && len(c.Layers) > 0 {
		text += " Layers: " + strings.Join(c.Layers, ", ") + "."
	}
	return text
}

// filesText names the files of an order and the choice.
func (o *Order) filesText() string {
	texts := sorting.Map(o.about(), func(part *Order) string { return (&FileSet{part.Files, part.Choice}).text() })
	return strings.Join(texts, " ")
}
