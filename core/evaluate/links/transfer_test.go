package links

import (
	"testing"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// A layer that is left out has no link in the graph, and all of them among the pairs; the degree term is that of the other layers, which do
// not change. Another layer with the same groups predicts its links.
func TestLeave(t *testing.T) {
	const m = 150
	draw := rng.New(1, "leave")
	g := &multiplex.Graph{}
	for _, name := range []string{"a", "b", "c"} {
		var edges []multiplex.Edge
		for len(edges) < 4*m {
			if i, j := draw.IntN(m), draw.IntN(m); i != j && i%3 == j%3 {
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: name, Adjacency: a, Features: multiplex.Identity(m)})
	}
	for l := range g.Layers {
		h, err := Leave(g, l, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		layer := evidence.NewLayer(g.Layers[l].Adjacency)
		n := 0
		for k, p := range h.Pairs[l] {
			if p.Kind == Link {
				if [2]int{p.I, p.J} != layer.Links[k] {
					t.Fatalf("pair %d is %v, the link %v", k, p, layer.Links[k])
				}
				n++
			} else if layer.A.Has(p.I, p.J) || p.I == p.J {
				t.Errorf("%v is a link", p)
			}
		}
		if n != len(layer.Links) || len(h.Pairs[l]) != 3*n {
			t.Errorf("%d links of %d, %d pairs", n, len(layer.Links), len(h.Pairs[l]))
		}
		degrees := make([]float64, m)
		for k := range g.Layers {
			if k == l {
				if h.Graph.Layers[k].Adjacency.NNZ() != 0 || g.Layers[k].Adjacency.NNZ() == 0 {
					t.Error("the layer is still there, or gone where it was")
				}
				continue
			}
			if h.Graph.Layers[k].Adjacency != g.Layers[k].Adjacency || h.Scored(k) {
				t.Errorf("layer %d is another one, or scored", k)
			}
			for i, d := range evidence.NewLayer(g.Layers[k].Adjacency).Degrees {
				degrees[i] += d
			}
		}
		if want := kernel.Log(degrees[4]+.3) + kernel.Log(degrees[9]+.3); h.Degrees(l, 4, 9) != want {
			t.Errorf("degree term %v, expected %v", h.Degrees(l, 4, 9), want)
		}
		s, err := h.Score(l, 1, func(dst []float64, i, j int) float64 {
			dst[0] = 0
			if i%3 == j%3 {
				dst[0] = 1
			}
			return dst[0]
		}, nil)
		if err != nil || s[AUC] < .8 {
			t.Errorf("AUC of the groups %v, %v", s[AUC], err)
		}
	}
	empty, _ := multiplex.FromEdges(m, []multiplex.Edge{{I: 0, J: 1, Weight: 1}})
	g.Layers[0].Adjacency = empty
	if _, err := Leave(g, 0, 1, nil); err == nil {
		t.Error("a layer of one link was left out")
	}
}
