package study

import (
	"reflect"
	"testing"
)

// TestGrids lays rows out like tables of papers: shared parts are in the caption, and each figure is beside the paper's and the untrained.
func TestGrids(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	r := &Report{Rows: []Row{
		{Dataset: "Syn1", Method: "CaDeM", Embedding: "private_1", Target: "layer_1", Metric: "macro_f1", Ours: v(0.5), SeedStd: v(0.01), Untrained: v(0.4),
			Paper: v(0.6), PaperStd: v(0.02)},
		{Dataset: "Syn1", Method: "CaDeM", Embedding: "private_1", Target: "layer_2", Metric: "macro_f1", Ours: v(0.3), FoldStd: v(0.1)},
		{Dataset: "Syn1", Method: "CaDeM", Embedding: "common", Target: "layer_2", Metric: "macro_f1", Paper: v(0.1)},
	}}
	want := []Grid{{Caption: "Data: Syn1. Score: Macro-F1. Method: CaDeM", Columns: []string{"layer 1", "layer 2"}, Rows: []GridLine{
		{"P1", []GridCell{{"0.500 ± 0.010", []string{"paper 0.600 ± 0.020", "untrained 0.400"}}, {"0.300 ± 0.100", nil}}},
		{"S", []GridCell{{}, {"", []string{"paper 0.100"}}}},
	}}}
	if got := r.Grids(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, expected %+v", got, want)
	}
	if got := (&Report{}).Grids(); len(got) != 0 {
		t.Errorf("a report without rows has %+v", got)
	}

	// Counts have no digits; data that would make a table too broad have one each.
	var rows []Row
	for _, d := range []string{"rest", "task"} {
		for _, network := range []string{"a", "b", "c", "d", "e", "f"} {
			rows = append(rows, Row{Dataset: d, Target: network, Metric: "regions of 36", Ours: v(4), Counts: true, Chance: v(2.3)})
		}
	}
	got := (&Report{Rows: rows}).Grids()
	if len(got) != 2 || len(got[0].Columns) != 6 || got[1].Caption != "Data: task. Score: regions of 36" {
		t.Fatalf("%+v", got)
	}
	if c := got[0].Rows[0].Cells[5]; !reflect.DeepEqual(c, GridCell{"4", []string{"by chance 2.3"}}) {
		t.Errorf("a count is %+v", c)
	}
}
