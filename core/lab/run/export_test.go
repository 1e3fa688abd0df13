package run

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/formats/export"
)

// The export holds the common embedding of every layer beside the consensus and the private ones.
func TestExportHasEveryLayersCommonEmbedding(t *testing.T) {
	d, err := OpenExample("syn1", map[string]any{"nodes": 30}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSettings("released", d)
	if err == nil {
		err = s.SetAll(map[string]any{"epochs": 2, "inner_steps": 2, "hidden": 8, "dim": 4})
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := Train(d, s, precision.Single, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := export.Lookup("csv")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Export(&b, f, d, r.Exported(), r.Axes(), true); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	layer := " (" + d.Graph.Layers[1].Name + ")"
	for _, name := range []string{"common_1", "private_2_1" + layer, "C_2_1" + layer, "C_2_4" + layer} {
		if !slices.Contains(rows[0], name) {
			t.Errorf("no column %q in %q", name, rows[0])
		}
	}
	if r.Exported()[4].Tokens[0] != r.Trained.Common[0] || len(r.Scored) != 5 {
		t.Error("the list holds something else, or what is scored changed")
	}
}
