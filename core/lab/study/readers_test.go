package study

import (
	"strings"
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study/measure"
)

// A row that the paper's reader has at chance, or far from where another one has it, says so, whatever its level.
func TestReaders(t *testing.T) {
	r := &Report{}
	for _, c := range []struct {
		method        string
		embedding     string
		paper, fitted float64
		want          string
	}{{"walks", "combined", 0.184, 0.907, "at chance by the fixed reader alone"}, {"near", "combined", 0.8, 0.85, ""}, {"apart", "common", 0.7, 0.85,
		"the readers disagree"},
		{"both at chance", "combined", 0.3, 0.34, ""}} {
		row := Row{Method: c.method, Level: "lite", Embedding: c.embedding, Target: "y", Metric: "macro_f1"}
		row.Fill(Collect([]*measure.Result{{Scores: []evaluate.Score{{Embedding: c.embedding, Target: "y", Metric: "macro_f1", Value: c.paper,
			Fitted: &evaluate.Fit{Value: c.fitted, Chance: 1. / 3}}}}}, c.embedding, "y", "macro_f1"), nil)
		if row.Word != c.want || *row.Fitted != c.fitted {
			t.Errorf("%s: %q, expected %q", c.method, row.Word, c.want)
		}
		r.Rows = append(r.Rows, row)
	}
	r.Readers("macro_f1")
	if len(r.Findings) != 1 || !strings.Contains(r.Findings[0], "Of 4 rows (macro_f1), 2 are not read alike") ||
		!strings.Contains(r.Findings[0], "walks (lite) on y (0.184, fitted 0.907: at chance by the fixed reader alone); apart (lite), common on y") {
		t.Errorf("%q", r.Findings)
	}
}
