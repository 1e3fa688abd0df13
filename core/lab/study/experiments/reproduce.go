package experiments

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study"
	"cadem.example/core/train"
)

var reproduce = study.Study{
	Name: "reproduce", Title: "Every printed figure of the paper, and what comes out here", Trains: true, Seeds: boardSeeds, DataSeeds: 1,
	Apart: true, Classifies: true,
	Data: study.Published, Takes: study.NeedGraph, Methods: study.Nodes,
	Shows: "The 228 figures that the paper prints, each beside what comes out here.",
	Learn: "Which figures come out again, which of them without any training, and why the others do not.",
	Text: "Look at the status first, then at the column beside: where untrained encoders score the same, the figure says nothing about training. " +
		"Reach says how many of the trainings here are at the printed figure or above: where it is none or all, the paper's training is not one of these. " +
		"A hypothesis is stated once, and is held against whole tables: the sheet says how many figures it fits and how many that match without it " +
		"it breaks. A figure that differs names a hypothesis only if that fits it and more of its table than what stands here. Many were tried, so that some " +
		"fit a few figures by luck; unknown is the honest word for the others. Figures are at chance where neither the printed one nor the one here is more " +
		"than 0.1 above guessing. " +
		"The board is made of the tasks of the other experiments and shares their results. Figures about real graphs need their files: " +
		"name them as data. Of DBLP and of the brains there are no data to be had. Methods that take longer than all the rest, graphmae and dmg, " +
		"are trained if the order names them.",
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
			p.tasks = s.Tasks(full)
		}
		parts = append(parts, p)
	}
	drawn := drawnPart(o)
	for _, s := range []study.Study{table1, table3, table4, table7, table11} {
		add(s, drawn, string(drawn.Data), nil)
	}
	compared := drawn
	compared.Methods, compared.Level = strings.Join(boardMethods(o), ","), o.Level
	add(table2, compared, string(drawn.Data), func(full *study.Order) []study.Task {
		every, once := *full, *full
		every.Methods = "cadem"
		once.Seeds = max(1, full.Seeds/boardSeeds)
		return append(table2.Plan(&every), table2.Plan(&once)...)
	})
	add(counterexample, drawn, string(drawn.Data), nil)
	if o.OfFiles() {
		files := *o
		files.Data = ""
		add(table6, files, "FILES", nil)
		files.Methods, files.Level = "", ""
		for _, s := range []study.Study{table7, table11} {
			add(s, files, "FILES", nil)
		}
	}
	return parts
}

// drawnPart is the order for the data that are drawn.
func drawnPart(o *study.Order) study.Order {
	drawn := *o
	drawn.Files, drawn.Choice, drawn.Sets, drawn.Methods, drawn.Level = nil, nil, nil, "", ""
	if o.OfFiles() {
		drawn.Data = study.Published
	}
	return drawn
}

// slow are methods whose training takes longer than everything else on the board.
var slow = []string{"graphmae", "dmg"}

// boardMethods are the methods that a board trains, by name: those that table II prints, the slow ones if the order names them.
func boardMethods(o *study.Order) []string {
	asked := strings.Split(o.Methods, ",")
	return slices.DeleteFunc(printedMethods(), func(name string) bool { return slices.Contains(slow, name) && !slices.Contains(asked, name) })
}

// printedMethods are the methods that table II prints, by name.
func printedMethods() []string {
	var names []string
	for _, m := range train.Methods() {
		if m.Label != "CaDeM" && slices.ContainsFunc(paper(), func(p study.Row) bool {
			return p.Table == "II" && p.Metric == "macro_f1" && strings.EqualFold(p.Method, printedName(&m, study.Nodes))
		}) {
			names = append(names, m.Name)
		}
	}
	return names
}

func planBoard(o *study.Order) []study.Task {
	tasks := sorting.Flat(board(o), func(p boardPart) []study.Task { return p.tasks })
	for _, h := range hypotheses(o) {
		tasks = append(tasks, sorting.Flat(paper(), func(p study.Row) []study.Task { return h.trained(&p) })...)
	}
	return study.Distinct(tasks)
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
	for _, p := range paper() {
		row := onBoard(found, p)
		row.OfBoard()
		r.Rows = append(r.Rows, row)
	}
	counts(r, hold(r, hypotheses(o), results))
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
		if f.Variant == p.Variant || f.Variant == "completion none" {
			best = i
		}
	}
	if best >= 0 && found[best].Status != study.NotRun {
		return found[best]
	}
	p.Status = study.NotRun
	switch {
	case p.Dataset == "DBLP" || p.Dataset == "HCP":
		p.Status = study.NoData
	case best >= 0:
		p.Command, p.Cause = found[best].Command, found[best].Cause
	}
	return p
}

// counts says how the figures of a board stand, by how many hypotheses.
func counts(r *study.Report, tried int) {
	of := map[study.Status]int{}
	chance, untrained, explained, unknown := 0, 0, 0, 0
	for i := range r.Rows {
		row := &r.Rows[i]
		of[row.Status]++
		switch {
		case row.Status != study.Match:
		case atChance(row):
			chance++
		case row.Untrained != nil && study.StatusOf(*row.Untrained, 0, *row.Paper, *row.PaperStd) == study.Match:
			untrained++
		}
		switch {
		case row.Cause == "" || row.Status == study.NotRun: // a cause of the latter is why the method refused the data
		case strings.HasPrefix(row.Cause, unknownCause):
			unknown++
		default:
			explained++
		}
	}
	if of[study.NotRun]+of[study.NoData] == len(r.Rows) {
		return
	}
	r.Lead("Of %d printed figures %d match, %d are above and %d below what is printed; %d were found with other settings, %d were not run, and of "+
		"%d there are no data.", len(r.Rows), of[study.Match], of[study.Above], of[study.Below], of[study.OtherSettings], of[study.NotRun], of[study.NoData])
	if n := of[study.Match]; n > 0 {
		r.Lead("Of the %d that match, %d are at chance, here and as printed. Of the other %d, %d are matched by untrained encoders, too.", n, chance, n-chance,
			untrained)
	}
	if n := explained + unknown; n > 0 {
		r.Lead("Of the %d that differ, %d fit with a hypothesis that fits more of their table than what stands here does, and %d are unknown. "+
			"%d hypotheses were tried.", n, explained, unknown, tried)
	}
}
