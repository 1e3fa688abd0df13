package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/train"
)

// A score is a row of the evaluation. Values that could not be computed are absent.
type score = evaluate.ScoreOf[*float64]

// label names a metric as tables do.
func label(metric string) string {
	if m := evaluate.MetricOf(metric); m != nil {
		return m.Label
	}
	return words(metric)
}

// words makes a name of the program readable.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// decimals writes a score as printed in papers.
func decimals(v *float64, digits int) string {
	if v == nil {
		return "–"
	}
	return figure.Fixed(*v, digits)
}

// distinct returns the values of a field in the order of their first appearance.
func distinct(rows []score, field func(*score) string) []string {
	var list []string
	for i := range rows {
		if v := field(&rows[i]); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// scoresTree lays the scores out as the paper's Table I does, one table a metric:
// embeddings in rows, targets in columns.
func scoresTree(rows []score) node {
	if len(rows) == 0 {
		return el("p", "class=soft", text("No scores yet. They come at the end of a run, or when you press Evaluate."))
	}
	out := el("div", "class=scores")
	for _, name := range distinct(rows, func(s *score) string { return s.Metric }) {
		var own []score
		for _, s := range rows {
			if s.Metric == name {
				own = append(own, s)
			}
		}
		out.children = append(out.children, scoreTable(name, own))
	}
	out.children = append(out.children, el("p", "class=soft small legend",
		text("Large: the trained model, ± its spread. Small, by the same procedure: the untrained model as it is, the untrained model with "+
			"standardised columns, and a linear probe of the trained model, which learns from the labels.")))
	return out
}

func scoreTable(name string, rows []score) node {
	caption := el("caption", "", el("strong", "", text(label(name))))
	if m := evaluate.MetricOf(name); m != nil {
		end := "; spread over " + m.From.Spread() + "."
		if own := rows[0].Protocol; own != "" {
			end = ", by " + own + "; spread over splits."
		}
		if n := rows[0].Sampled; n > 0 {
			end += " Learned from at most " + figure.Count(n, "node") + "; all are tested."
		}
		caption.children = append(caption.children, text(": "+m.Doc+end))
	}
	targets := distinct(rows, func(s *score) string { return s.Target })
	head := el("tr", "", el("th", "scope=col", text("Embedding")))
	for _, t := range targets {
		head.children = append(head.children, el("th", "scope=col", text(words(t))))
	}
	body := el("tbody", "")
	for _, e := range distinct(rows, func(s *score) string { return s.Embedding }) {
		name := words(e)
		if slices.Contains(train.Without, e) {
			name += ", no training"
		}
		line := el("tr", "", el("th", "scope=row", text(name)))
		for _, t := range targets {
			i := slices.IndexFunc(rows, func(s score) bool { return s.Embedding == e && s.Target == t })
			if i < 0 {
				line.children = append(line.children, el("td", "", text("–")))
				continue
			}
			line.children = append(line.children, scoreCell(&rows[i]))
		}
		body.children = append(body.children, line)
	}
	return el("table", "class=score", caption, el("thead", "", head), body)
}

func scoreCell(s *score) node {
	cell := el("td", "", el("span", "class=value", text(decimals(s.Value, 3))), el("span", "class=spread", text(" ± "+decimals(s.FoldStd, 3))))
	if slices.Contains(train.Without, s.Embedding) {
		return cell
	}
	beside := fmt.Sprintf("untrained %s · standardised %s · probe of labels %s",
		decimals(s.Untrained, 2), decimals(s.UntrainedStandardised, 2), decimals(s.Probe, 2))
	cell.children = append(cell.children, el("small", "", text(beside)))
	return cell
}

// A lossRow holds a step, its epoch and the losses by their names.
type lossRow map[string]float64

// lossesTree is the text twin of the loss chart, of the terms that the rows have.
func lossesTree(rows []lossRow) node {
	if len(rows) == 0 {
		return el("p", "class=soft", text("No steps yet."))
	}
	head := el("tr", "", el("th", "scope=col", text("Step")), el("th", "scope=col", text("Epoch")))
	var there []cadem.Term
	for _, t := range cadem.Terms {
		if _, ok := rows[0][t.Name]; ok {
			there = append(there, t)
			head.children = append(head.children, el("th", "scope=col", text(t.Label)))
		}
	}
	body := el("tbody", "")
	for _, r := range rows {
		line := el("tr", "", el("th", "scope=row", text(strconv.Itoa(int(r["step"])))), el("td", "", text(strconv.Itoa(int(r["epoch"])))))
		for _, t := range there {
			line.children = append(line.children, el("td", "", text(figure.Short(r[t.Name]))))
		}
		body.children = append(body.children, line)
	}
	return el("table", "class=figures", el("caption", "", text("The loss terms at some steps of the run")), el("thead", "", head), body)
}

// summaryTree is the card of the open data set.
func summaryTree(s *run.Summary) node {
	facts := fmt.Sprintf("%s, %s, %s each", figure.Count(s.Nodes, "node"), figure.Count(len(s.Layers), "layer"), figure.Count(s.Features, "feature"))
	out := el("div", "class=summary", el("p", "", el("strong", "", text(s.Name)), text(": "+facts)))

	head := el("tr", "")
	for _, h := range []string{"Layer", "Edges", "Isolated nodes", "Largest degree"} {
		head.children = append(head.children, el("th", "scope=col", text(h)))
	}
	body := el("tbody", "")
	for _, l := range s.Layers {
		name := el("th", "scope=row", text(words(l.Name)))
		var marks []string
		if l.Weighted {
			marks = append(marks, "weighted")
		}
		if l.SelfLoops > 0 {
			marks = append(marks, figure.Count(l.SelfLoops, "self loop"))
		}
		if len(marks) > 0 {
			name.children = append(name.children, el("small", "", text(" "+strings.Join(marks, ", "))))
		}
		line := el("tr", "", name)
		for _, n := range []int{l.Edges, l.Isolated, l.MaxDegree} {
			line.children = append(line.children, el("td", "", text(strconv.Itoa(n))))
		}
		body.children = append(body.children, line)
	}
	out.children = append(out.children, el("table", "class=figures", el("caption", "class=unseen", text("Layers")), el("thead", "", head), body))

	if len(s.Labels) > 0 {
		list := el("ul", "class=labels")
		for _, l := range s.Labels {
			what := strconv.Itoa(len(l.Classes)) + " " + figure.Plural(len(l.Classes), "class", "classes")
			if l.Missing > 0 {
				what += ", " + figure.Count(l.Missing, "node") + " without"
			}
			list.children = append(list.children, el("li", "", el("strong", "", text(words(l.Name))), text(": "+what)))
		}
		out.children = append(out.children, el("p", "class=soft small", text("Labels, which training never sees:")), list)
	}
	if s.Subject != nil {
		out.children = append(out.children, subjectTrees(s.Subject)...)
	}
	if len(s.Notes) > 0 {
		list := el("ul", "class=notes soft small")
		for _, n := range s.Notes {
			list.children = append(list.children, el("li", "", text(n)))
		}
		out.children = append(out.children, list)
	}
	return out
}

// A message says what is wrong with data or settings.
type message struct {
	Level   string `json:"level"`
	Message string `json:"message"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Field   string `json:"field"`
}

// messagesTree lists messages, each with its place unless the sentence names it.
func messagesTree(list []message) node {
	out := el("div", "")
	for _, m := range list {
		class := "class=notice info"
		switch m.Level {
		case "error", "warning":
			class = "class=notice " + m.Level
		}
		p := el("p", class)
		place := m.File
		if m.File != "" && m.Line > 0 {
			place = fmt.Sprintf("%s:%d", m.File, m.Line)
		}
		if place != "" && !strings.Contains(m.Message, m.File) {
			p.children = append(p.children, el("strong", "", text(place)), text(": "))
		}
		p.children = append(p.children, text(m.Message))
		out.children = append(out.children, p)
	}
	return out
}
