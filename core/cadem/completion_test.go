package cadem

import (
	"testing"

	"cadem/core/multiplex"
)

// Graphs trained from one seed are completed by noise of their own, each always by the same.
func TestCompletionNoiseBelongsToTheGraph(t *testing.T) {
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
	first := func(g *multiplex.Graph) uint64 { return completionNoise(5, g).Uint64() }
	if first(draw(path, 3)) != first(draw(path, 3)) {
		t.Error("equal graphs have different noise")
	}
	seen := map[uint64]bool{}
	for _, g := range []*multiplex.Graph{draw(path, 3), draw(path, 4), draw(heavy, 3), draw(path[:1], 3)} {
		seen[first(g)] = true
	}
	if len(seen) != 4 {
		t.Errorf("4 graphs have %d different sources", len(seen))
	}
}
