package links

import (
	"math"
	"slices"
	"testing"

	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// The values of networkx 3.6.1 (adamic_adar_index, resource_allocation_index, preferential_attachment) on the two layers composed.
func TestNear(t *testing.T) {
	var g multiplex.Graph
	for _, list := range [][][2]int{{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}}, {{0, 1}, {4, 2}, {4, 5}, {5, 1}, {1, 4}}} {
		var edges []multiplex.Edge
		for _, e := range list {
			edges = append(edges, multiplex.Edge{I: e[0], J: e[1], Weight: 2}, multiplex.Edge{I: e[0], J: e[0], Weight: 1})
		}
		a, err := multiplex.FromEdges(7, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Adjacency: a})
	}
	near, dst := Near(g.Layers), []float64{0}
	for pair, want := range map[[2]int][]float64{
		{0, 1}: {0.7213475204444817, 0.25, 8.0},
		{0, 3}: {0.7213475204444817, 0.25, 4.0},
		{0, 4}: {1.4426950408889634, 0.5, 8.0},
		{1, 3}: {1.4426950408889634, 0.5, 8.0},
		{2, 5}: {1.4426950408889634, 0.5, 8.0},
		{2, 4}: {2.164042561333445, 0.75, 16.0},
		{0, 6}: {0.0, 0.0, 0.0},
		{1, 2}: {2.164042561333445, 0.75, 16.0},
	} {
		for way, v := range want {
			if got := near[way].Of(dst, pair[0], pair[1]); math.Abs(got-v) > 1e-12 || dst[0] != got {
				t.Errorf("%s of %v: %v and %v, expected %v", NearWays[way], pair, got, dst[0], v)
			}
		}
	}
}

// What is predicted are the pairs without a link by their scores, as a sort of all of them has it; equal ones in the order of nodes.
func TestPredict(t *testing.T) {
	g := layers(t, 5, 40, 90)
	layer := evidence.NewLayer(g.Layers[0].Adjacency)
	score := func(i, j int) float64 { return float64((i*7+j*3)%11) - 2 }
	var all []Predicted
	linked := entries(g.Layers[0].Adjacency)
	for i := range 40 {
		for j := i + 1; j < 40; j++ {
			if _, there := linked[[2]int{i, j}]; !there && score(i, j) > 0 {
				all = append(all, Predicted{i, j, score(i, j)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Predicted) int { return int(b.Score - a.Score) })
	for _, k := range []int{1, 2, 7, 100, 10000} {
		found, err := Predict(layer, k, score, nil)
		if want := all[:min(k, len(all))]; err != nil || !slices.Equal(found, want) {
			t.Errorf("%v, the %d best are %v, expected %v", err, k, found, want)
		}
	}
}
