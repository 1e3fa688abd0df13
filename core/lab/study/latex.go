package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
)

// LaTeX returns the figures of reports as tables in the layout of the paper's: a row for each method and embedding, a column for each
// target and metric, with the mean and the spread over the folds, for the package booktabs. The best figure of a column is bold, the second
// underlined; a dagger marks a method that differs from CaDeM by more than chance, a double dagger a
// figure that a well-fitted reader has elsewhere, and a star settings other than a method's own.
func LaTeX(reports []*Report) string {
	var b strings.Builder
	for _, r := range reports {
		r.latex(&b)
	}
	return b.String()
}

// escapes are the special characters of LaTeX.
var escapes = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "−", "$-$", "γ", `$\gamma$`)

func (r *Report) latex(b *strings.Builder) {
	of := func(row *Row) (name, column string) {
		name = row.of(row.Method)
		column = row.Dataset + ", " + row.Target + ", " + row.Metric
		if row.Target == "" {
			column = row.Dataset + ", " + row.Metric
		}
		return name, column
	}
	var names, columns, metrics []string
	cells := map[[2]string]*Row{}
	levels := map[string]string{}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Ours == nil {
			continue
		}
		name, column := of(row)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if !slices.Contains(columns, column) {
			columns, metrics = append(columns, column), append(metrics, row.Metric)
		}
		cells[[2]string{name, column}] = row
		if row.Level != "" && row.Level != "official" {
			levels[name] = row.Level
		}
	}
	if len(names) == 0 {
		r.latexSheet(b)
		return
	}
	spread, marks := "", ""
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.FoldStd != nil }) {
		spread = " $\\pm$ the spread over folds or splits"
	}
	if slices.ContainsFunc(r.Tests, func(t Test) bool { return t.Corrected != nil }) {
		marks = " $^\\dagger$: differs from CaDeM, $p < 0.05$ corrected (Holm)."
	}
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Ours != nil && row.Word != "" }) {
		marks += fmt.Sprintf(" $^\\ddagger$: a well-fitted reader differs by more than %.1f.", readersApart)
	}
	if len(levels) > 0 {
		marks += " $^*$: lite settings."
	}
	fmt.Fprintf(b, "%% %s\n\\begin{table}\n\\caption{%s: means%s.\nBold: best, underlined: second.%s}\n\\begin{tabular}{l%s}\n\\toprule\nMethod",
		strings.ReplaceAll(r.Setting, "\n", " "), escapes.Replace(r.Title), spread, marks, strings.Repeat("c", len(columns)))
	for _, column := range columns {
		b.WriteString(" & " + escapes.Replace(column))
	}
	b.WriteString(" \\\\\n\\midrule\n")
	places := make([][]string, len(columns))
	for k, column := range columns {
		places[k] = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return cells[[2]string{name, column}] == nil })
		sorting.Stable(places[k], func(x, y string) int {
			p, q := *cells[[2]string{x, column}].Ours, *cells[[2]string{y, column}].Ours
			if m := evaluate.MetricOf(metrics[k]); m != nil && m.Lower {
				p, q = q, p
			}
			return cmp.Compare(q, p)
		})
	}
	for _, name := range names {
		b.WriteString(escapes.Replace(name))
		if levels[name] != "" {
			b.WriteString("$^*$")
		}
		for k, column := range columns {
			b.WriteString(" & ")
			row := cells[[2]string{name, column}]
			if row == nil {
				b.WriteString("--")
				continue
			}
			figure := fmt.Sprintf("%.4f", *row.Ours)
			switch place := slices.Index(places[k], name); {
			case len(places[k]) > 1 && place == 0:
				figure = "\\textbf{" + figure + "}"
			case len(places[k]) > 1 && place == 1:
				figure = "\\underline{" + figure + "}"
			}
			if r.differsFromCaDeM(row) {
				figure += "$^\\dagger$"
			}
			if row.Word != "" {
				figure += "$^\\ddagger$"
			}
			if b.WriteString(figure); row.FoldStd != nil {
				fmt.Fprintf(b, " $\\pm$ %.4f", *row.FoldStd)
			}
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
}

// differsFromCaDeM reports whether a test of the report finds a row's method another than CaDeM, corrected for the number of methods.
func (r *Report) differsFromCaDeM(row *Row) bool {
	m := evaluate.MetricOf(row.Metric)
	return m != nil && slices.ContainsFunc(r.Tests, func(t Test) bool {
		return t.A == "CaDeM" && t.B == row.Named() && t.What == m.Label+" on "+row.Target && t.Corrected != nil && *t.Corrected < evaluate.Level
	})
}

// latexSheet writes the table that a report without rows has.
func (r *Report) latexSheet(b *strings.Builder) {
	s := tableOf([]*Report{r})
	if s == nil {
		return
	}
	fmt.Fprintf(b, "\\begin{table}\n\\caption{%s. %s}\n\\begin{tabular}{%s}\n\\hline\n", escapes.Replace(r.Title), escapes.Replace(r.Setting),
		strings.Repeat("l", len(s.Lines[0])))
	for i, line := range s.Lines {
		for k, cell := range line {
			if k > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(escapes.Replace(cell))
		}
		b.WriteString(" \\\\\n")
		if i == 0 {
			b.WriteString("\\hline\n")
		}
	}
	b.WriteString("\\hline\n\\end{tabular}\n\\end{table}\n")
}
