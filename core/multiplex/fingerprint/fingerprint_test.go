package fingerprint

import (
	"testing"

	"cadem.example/core/multiplex"
)

// Graphs have names of their own, each always the same, by their edges, weights and features.
func TestGraphsAreTold(t *testing.T) {
	draw := func(edges []multiplex.Edge, x float64) *multiplex.Graph {
		a, err := multiplex.FromEdges(3, edges)
		if err != nil {
			t.Fatal(err)
		}
		f, err := multiplex.DenseFeatures(3, 1, []float64{1, 2, x})
		if err != nil {
			t.Fatal(err)
		}
		l := multiplex.Layer{Adjacency: a, Features: f}
		return &multiplex.Graph{Layers: []multiplex.Layer{l, l}}
	}
	path := []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}}
	heavy := []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 2}}
	if Graph(draw(path, 3)) != Graph(draw(path, 3)) {
		t.Error("equal graphs have different names")
	}
	seen := map[string]bool{}
	for _, g := range []*multiplex.Graph{draw(path, 3), draw(path, 4), draw(heavy, 3), draw(path[:1], 3)} {
		seen[Graph(g)] = true
	}
	if len(seen) != 4 {
		t.Errorf("4 graphs have %d different names", len(seen))
	}
}
