//go:build !js

package baseline_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/baseline"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
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

// What the split by evidence of layers with the same links tells is what it exports: as many shared directions as columns of the common
// embedding are not 0, and p-values that say no more than the text does.
func TestEvidenceOfCopiedLinks(t *testing.T) {
	empty := false
	for k, c := range []struct{ nodes, links int }{{30, 1}, {60, 1}, {60, 2}, {40, 8}, {80, 4}} {
		draw := rand.New(rand.NewPCG(uint64(k), 1))
		var edges []multiplex.Edge
		for i := range c.nodes {
			for range c.links {
				if j := draw.IntN(c.nodes); j != i {
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
				}
			}
		}
		g := &multiplex.Graph{}
		for _, name := range []string{"a", "b"} {
			links, err := multiplex.FromEdges(c.nodes, edges)
			if err != nil {
				t.Fatal(err)
			}
			g.Layers = append(g.Layers, multiplex.Layer{Name: name, Adjacency: links, Features: multiplex.Identity(c.nodes)})
		}
		f := closedForm(t, []*multiplex.Graph{g}, map[string]string{"split": "evidence"})
		common, columns := f.Embeddings(0)[0].X, 0
		_, dim := common.Dims()
		for k := range dim {
			if mat.Norm(common.ColView(k), 2) > 0 {
				columns++
			}
		}
		empty = empty || columns == 0
		r := f.Report()
		figures := map[string]float64{}
		for _, one := range r.Figures {
			figures[one.Name] = one.Value
		}
		if figures["rank_S"] != float64(columns) {
			t.Errorf("%d nodes: a rank of %v is told, and %d columns are not 0", c.nodes, figures["rank_S"], columns)
		}
		told := strings.Join(r.Notes, "\n")
		if columns == 0 && !strings.Contains(told, "the consensus is 0") ||
			0 < columns && columns < dim && !strings.Contains(told, "the layers share "+figure.Count(columns, "direction")+"\n") {
			t.Errorf("%d nodes: %d columns are not 0, and told is %q", c.nodes, columns, r.Notes)
		}
		for l, name := range []string{"a", "b"} {
			p := figures[fmt.Sprintf("p_%d", l+1)]
			if below := strings.Contains(told, "layer "+name+" is explained by other layers: p < "+figure.Fixed(p, 3)); below != (p == figures["p_least"]) {
				t.Errorf("%d nodes: p = %v, no p is below %v, and told is %q", c.nodes, p, figures["p_least"], r.Notes)
			}
		}
	}
	if !empty {
		t.Error("no consensus was 0, so that is not tested")
	}
}

// A resumed closed form still reports its split by evidence.
func TestClosedFormByEvidenceResumes(t *testing.T) {
	d, err := run.OpenExample("sparsetown", map[string]any{"nodes": 80, "p_intra": .15, "p_inter": .01}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := train.Lookup("closed")
	if err != nil {
		t.Fatal(err)
	}
	o, _, err := m.Settings("")
	if err != nil {
		t.Fatal(err)
	}
	if err := property.Set(o, "split", "evidence"); err != nil {
		t.Fatal(err)
	}
	setup := &train.Setup{Graphs: []*multiplex.Graph{d.Graph}, Options: o, Precision: precision.Single}
	c, err := train.Start(m, setup)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Step(nil); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Format.Write(&file, m, setup, c); err != nil {
		t.Fatal(err)
	}
	again, err := baseline.Resume(m, setup, bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	want, got := c.Report(), again.Report()
	if strings.Join(want.Notes, "\n") != strings.Join(got.Notes, "\n") || len(want.Notes) < 7 || len(got.Figures) != 3+2*3 {
		t.Errorf("%q %v, before %q", got.Notes, got.Figures, want.Notes)
	}
	if m.Format.Hash(c) != m.Format.Hash(again) {
		t.Error("the embeddings are others")
	}
	setup.Graphs = append(setup.Graphs, d.Graph)
	if _, err := train.Start(m, setup); err == nil || !strings.Contains(err.Error(), "found 2 graphs, expected one graph for a split by evidence") {
		t.Errorf("two graphs: %v", err)
	}
}
