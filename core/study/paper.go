package study

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed paper.txt
var paperText string

// paper returns what the paper prints: a row for every figure, with
// Paper and PaperStd.
func paper() []Row {
	var rows []Row
	for line := range strings.Lines(paperText) {
		f := strings.Fields(line)
		if f[0] == "#" {
			continue
		}
		metrics := []string{"macro_f1", "micro_f1"}
		if f[0] == "III" {
			metrics = []string{"ari", "nmi"}
		}
		for i, metric := range metrics {
			r := Row{Table: f[0], Dataset: f[1], Method: f[2], Embedding: f[3], Target: f[4], Metric: metric, Paper: value(f[6+2*i]), PaperStd: value(f[7+2*i])}
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
