package study

import (
	"fmt"
	"slices"
	"strings"
)

// LaTeX returns the figures of reports as tables in the layout of the paper's: a row for each method and embedding, a column for each
// target and metric, with the mean and the spread over the folds. A level of settings other than a method's own is marked.
func LaTeX(reports []*Report) string {
	var b strings.Builder
	for _, r := range reports {
		r.latex(&b)
	}
	return b.String()
}

// escapes are what has a meaning of its own in LaTeX.
var escapes = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "−", "$-$", "γ", `$\gamma$`)

func (r *Report) latex(b *strings.Builder) {
	of := func(row *Row) (name, column string) {
		name = row.Method
		if row.Embedding != "" && row.Embedding != "combined" {
			name += ", " + row.Embedding
		}
		for _, part := range []string{row.Variant, row.Preset} {
			if part != "" {
				name += ", " + part
			}
		}
		if row.Gamma != nil {
			name += fmt.Sprintf(", γ = %g", *row.Gamma)
		}
		column = row.Dataset + ", " + row.Target + ", " + row.Metric
		if row.Target == "" {
			column = row.Dataset + ", " + row.Metric
		}
		return name, column
	}
	var names, columns []string
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
			columns = append(columns, column)
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
	fmt.Fprintf(b, "\\begin{table}\n\\caption{%s. %s", escapes.Replace(r.Title), escapes.Replace(r.Setting))
	if len(levels) > 0 {
		b.WriteString(" $^*$: lite settings, smaller than those of the method's paper, not to be held against printed figures.")
	}
	fmt.Fprintf(b, "}\n\\begin{tabular}{l%s}\n\\hline\nMethod", strings.Repeat("c", len(columns)))
	for _, column := range columns {
		b.WriteString(" & " + escapes.Replace(column))
	}
	b.WriteString(" \\\\\n\\hline\n")
	for _, name := range names {
		b.WriteString(escapes.Replace(name))
		if levels[name] != "" {
			b.WriteString("$^*$")
		}
		for _, column := range columns {
			b.WriteString(" & ")
			row := cells[[2]string{name, column}]
			if row == nil {
				b.WriteString("--")
				continue
			}
			fmt.Fprintf(b, "%.4f", *row.Ours)
			if row.FoldStd != nil {
				fmt.Fprintf(b, " $\\pm$ %.4f", *row.FoldStd)
			}
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("\\hline\n\\end{tabular}\n\\end{table}\n")
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
