package cadem

import (
	"fmt"
	"math"
	"testing"

	"cadem.example/core/multiplex"
)

// An augmented graph keeps floor(r m) nodes of m, whatever the product rounds to, and one at least.
func TestKept(t *testing.T) {
	for _, c := range []struct {
		ratio   float64
		m, kept int
	}{{0.58, 50, 29}, {0.6, 100, 60}, {0.6, 1000, 600}, {0.57, 100, 57}, {0.599, 100, 59}, {1, 7, 7}, {0.01, 10, 1}} {
		o := Released()
		o.NodeRatio = c.ratio
		if got := o.Kept(c.m); got != c.kept {
			t.Errorf("%v of %d: %d, expected %d", c.ratio, c.m, got, c.kept)
		}
		g := &multiplex.Graph{Layers: make([]multiplex.Layer, 2)}
		for l := range g.Layers {
			a, err := multiplex.FromEdges(c.m, []multiplex.Edge{{I: 0, J: 1, Weight: 1}})
			if err != nil {
				t.Fatal(err)
			}
			g.Layers[l] = multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: multiplex.Identity(c.m)}
		}
		group := Seeded([]*multiplex.Graph{g}, &o, 1).Sets(0)[0]
		for k, nodes := range group.Nodes {
			if len(nodes) != c.kept {
				t.Errorf("%v of %d: copy %d keeps %d nodes, expected %d", c.ratio, c.m, k, len(nodes), c.kept)
			}
		}
	}
}

// A classifier that knows nothing loses log n in every mean that is added: one for each batch of each set of graphs.
func TestGuessing(t *testing.T) {
	for _, c := range []struct {
		layers, augmented, batch int
		average, graphs          string
	}{{3, 20, 64, "batches", "both"}, {3, 20, 7, "batches", "both"}, {5, 30, 64, "batches", "augmented"}, {2, 20, 3, "all", "both"},
		{2, 0, 64, "batches", "both"}} {
		o := Released()
		o.Augmented, o.Batch, o.Average, o.Graphs = c.augmented, c.batch, c.average, c.graphs
		g := &multiplex.Graph{Layers: make([]multiplex.Layer, c.layers)}
		for l := range g.Layers {
			a, err := multiplex.FromEdges(4, []multiplex.Edge{{I: 0, J: 1, Weight: 1}})
			if err != nil {
				t.Fatal(err)
			}
			g.Layers[l] = multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: multiplex.Identity(4)}
		}
		want := 0.0
		for _, set := range Seeded([]*multiplex.Graph{g}, &o, 1).Sets(0) {
			want += float64(len(set.Batches)) * math.Log(float64(c.layers))
		}
		if got := o.Guessing(c.layers); math.Abs(got-want) > 1e-12 {
			t.Errorf("%+v: %v, expected %v", c, got, want)
		}
	}
}
