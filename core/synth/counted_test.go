package synth

import "testing"

// The graph has the requested counts, and classes show in features and edges.
func TestCounts(t *testing.T) {
	c := Counts{Name: "small", Nodes: 60, Features: 40, PerNode: 6, Classes: 3, Layers: []LayerCount{{"sparse", 60 + 2*70}, {"full", 60*60 - 2*100}}}
	g, err := c.Draw(3)
	if err != nil {
		t.Fatal(err)
	}
	for k := range g.Layers {
		g.Layers[k].Features = g.Layers[k].Features.RowNormalized()
	}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	for k, want := range c.Layers {
		s := g.Layers[k].Summary()
		if n := g.Layers[k].Adjacency.NNZ(); n != want.Entries || s.SelfLoops != c.Nodes {
			t.Errorf("%s: %d entries and %d loops", want.Name, n, s.SelfLoops)
		}
	}
	if x := g.Layers[0].Features; x.Sparse.NNZ() != c.Nodes*c.PerNode || x.Cols != c.Features {
		t.Errorf("%d features of %d", x.Sparse.NNZ(), x.Cols)
	}
	same, a := 0, g.Layers[0].Adjacency
	for i := range a.Rows {
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			if int(j) != i && g.Labels[0].Of[i] == g.Labels[0].Of[j] {
				same++
			}
		}
	}
	if same != 70 {
		t.Errorf("%d of 140 entries are within a class", same)
	}
}

// The graph in place of DBLP keeps the share of pairs that each layer joins, and is not recognised as the real one by its counts.
func TestStandIn(t *testing.T) {
	const m = 300
	g, err := StandIn.Draw(&StandInOptions{Nodes: m}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for k, l := range DBLP.Layers {
		share := func(entries, nodes int) float64 { return float64(entries-nodes) / float64(nodes*(nodes-1)) }
		if a, b := share(g.Layers[k].Adjacency.NNZ(), m), share(l.Entries, DBLP.Nodes); a < b-2e-4 || a > b {
			t.Errorf("%s joins %v of the pairs, expected %v", l.Name, a, b)
		}
	}
	if s := g.Layers[0].Summary(); s.SelfLoops != m || g.F() != DBLP.Features || len(g.Labels[0].Classes) != 4 {
		t.Errorf("%+v, %d features, %d classes", s, g.F(), len(g.Labels[0].Classes))
	}
	if DBLP.Layers[0].Entries != 144_783 {
		t.Error("drawing it changed the counts")
	}
}
