package experiments

import (
	_ "embed"
	"strconv"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// f1s are the metrics of most tables.
var f1s = []string{"macro_f1", "micro_f1"}

// fixed writes a figure with the three digits that tables have.
func fixed(v float64) string { return figure.Fixed(v, 3) }

// mean is that of at least one value.
func mean(x []float64) float64 { return *study.Average(x) }

//go:embed paper.txt
var paperText string

// paper returns the paper's figures: a row for every figure, with Paper and PaperStd.
func paper() []study.Row {
	var rows []study.Row
	for line := range strings.Lines(paperText) {
		f := strings.Fields(line)
		if f[0] == "#" {
			continue
		}
		metrics := f1s
		if f[0] == "III" {
			metrics = []string{"ari", "nmi"}
		}
		for i, metric := range metrics {
			r := study.Row{Table: f[0], Dataset: f[1], Method: f[2], Embedding: f[3], Target: f[4], Metric: metric, Paper: value(f[6+2*i]), PaperStd: value(f[7+2*i])}
			if f[5] != "-" {
				r.Variant = f[5]
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func value(s string) *float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("study: paper.txt: " + s)
	}
	return &v
}

// paperRows returns a row for every figure of a table of the paper on a data set, filled by
// find, which gives the trainings of a variant of CaDeM.
func paperRows(table, dataset string, differs []string, find func(variant string) []*measure.Result) []study.Row {
	var rows []study.Row
	for _, p := range paper() {
		if p.Table != table || p.Dataset != dataset {
			continue
		}
		var c *study.Cell
		if p.Method == "CaDeM" {
			c = study.Collect(find(p.Variant), p.Embedding, p.Target, p.Metric)
		}
		p.Fill(c, differs)
		rows = append(rows, p)
	}
	return rows
}

// printRow puts what the paper prints for the row into it, if it prints that.
func printRow(row *study.Row) {
	for _, p := range paper() {
		if p.Table == row.Table && p.Dataset == row.Dataset && p.Method == row.Method && p.Embedding == row.Embedding && p.Metric == row.Metric &&
			p.Variant == row.Variant {
			row.Paper, row.PaperStd = p.Paper, p.PaperStd
		}
	}
}
