//go:build !js

package baseline_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem/core/baseline"
	"cadem/core/multiplex"
	"cadem/core/precision"
	"cadem/core/property"
	"cadem/core/run"
)

// In the sparse town no agreement between layers stands out, and evidence across layers finds the shared groups.
func TestEvidenceInSparseTowns(t *testing.T) {
	draws := uint64(2)
	if os.Getenv("CADEM_LONG") != "" {
		draws = 10
	}
	for seed := range draws {
		d, err := run.OpenExample("sparsetown", nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		g := []*multiplex.Graph{d.Graph}
		links := 0
		for l := range d.Graph.Layers {
			links += d.Graph.Layers[l].Summary().Edges
		}
		if degree := 2 * float64(links) / float64(3*d.Graph.M()); degree < 4.5 || degree > 5.5 {
			t.Errorf("draw %d: %.2f links a person", seed, degree)
		}
		if s := closedForm(t, g, nil).Embeddings(0)[0].X; mat.Norm(s, 2) != 0 {
			t.Errorf("draw %d: agreement finds something", seed)
		}
		c := closedForm(t, g, map[string]string{"split": "evidence"})
		s := c.Embeddings(0)[0].X
		told := strings.Join(c.Report().Notes, "\n")
		if strings.Count(told, "is explained by other layers: p < 0.005") != 3 || !strings.Contains(told,
			"2 shared directions are carried by: layers friends, work and lunch") {
			t.Errorf("draw %d: %s", seed, told)
		}
		v := agreementWith(t, s, d.Graph, "shared")
		if v < .75 {
			t.Errorf("draw %d: S agrees by %.3f with the shared groups", seed, v)
		}
		for _, own := range []string{"friends", "work", "lunch"} {
			if v := agreementWith(t, s, d.Graph, own); v > .03 {
				t.Errorf("draw %d: S agrees by %.3f with the groups of %s", seed, v, own)
			}
		}
	}
}

// A resumed closed form still reports its split by evidence.
func TestClosedFormByEvidenceResumes(t *testing.T) {
	d, err := run.OpenExample("sparsetown", map[string]any{"nodes": 80, "p_intra": .15, "p_inter": .01}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := baseline.ClosedForm()
	o, _, err := m.Settings("")
	if err != nil {
		t.Fatal(err)
	}
	if err := property.Set(o, "split", "evidence"); err != nil {
		t.Fatal(err)
	}
	setup := &baseline.Setup{Graphs: []*multiplex.Graph{d.Graph}, Options: o, Precision: precision.Single}
	c, err := baseline.Start(m, setup)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Step(nil); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := baseline.WriteCheckpoint(&file, m, setup, c); err != nil {
		t.Fatal(err)
	}
	again, err := baseline.Resume(m, setup, bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	want, got := c.Report(), again.Report()
	if strings.Join(want.Notes, "\n") != strings.Join(got.Notes, "\n") || len(want.Notes) < 7 || len(got.Figures) != 2+2*3 {
		t.Errorf("%q %v, before %q", got.Notes, got.Figures, want.Notes)
	}
	if baseline.HashOf(c) != baseline.HashOf(again) {
		t.Error("the embeddings are others")
	}
	setup.Graphs = append(setup.Graphs, d.Graph)
	if _, err := baseline.Start(m, setup); err == nil || !strings.Contains(err.Error(), "found 2 graphs, expected one graph for a split by evidence") {
		t.Errorf("two graphs: %v", err)
	}
}
