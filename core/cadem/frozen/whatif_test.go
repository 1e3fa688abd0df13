package frozen_test

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/multiplex"
	"cadem.example/core/project"
)

// After links were added, removed and given other weights, one after the other, and a feature another value, every node's place is that of
// a forward pass through dense matrices, and still the sum of its parts.
func TestChangesAreAForwardPass(t *testing.T) {
	for _, s := range settings() {
		run, graphs := trained(t, s, precision.Single)
		m, err := frozen.New(run, graphs, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := graphs[0].Layers[1].Adjacency.Hash()
		name, src := fmt.Sprintf("%s, %s, %d graphs", s.name, s.features, s.graphs), rng.New(9, "changes")
		g := s.graphs - 1
		old, err := m.Places(frozen.C, 1, g)
		if err != nil {
			t.Fatal(err)
		}
		changed := m
		for n := range 4 {
			i, j := src.IntN(60), src.IntN(60)
			if n == 0 {
				i = 0 // which has no link
			}
			weight := []float64{1, 0, 2.5, 1}[n]
			if n == 1 { // the link exists
				a := graphs[g].Layers[1].Adjacency
				i, j = 5, int(a.Index[a.Start[5]])
			}
			if changed, err = changed.WithLink(g, 1, i, j, weight); err != nil {
				t.Fatal(err)
			}
		}
		if x := graphs[g].Layers[0].Features; !x.IsIdentity() {
			if changed, err = changed.WithFeature(g, -1, 4, 0, 1.5); err != nil {
				t.Fatal(err)
			}
		}
		if graphs[0].Layers[1].Adjacency.Hash() != before {
			t.Errorf("%s: the graph itself has changed", name)
		}
		moved := false
		for l := range 3 {
			for _, of := range []frozen.Target{frozen.C, frozen.P, frozen.S} {
				places, err := changed.Places(of, l, g)
				if err != nil {
					t.Fatal(err)
				}
				want, longest := frozen.Naive(changed, of, l, g), 0.0
				for i := range 60 {
					longest = max(longest, length(want[i*4:i*4+4]))
				}
				for i := range 60 {
					if off := length(want[i*4:i*4+4], places[i*4:i*4+4]); off > 1e-11*max(longest, 1e-9) {
						t.Fatalf("%s: %v of node %d in layer %d is off by %.2g of %.2g", name, of, i, l, off, longest)
					}
				}
				w, err := changed.Why(of, l, g, 5)
				if err != nil {
					t.Fatal(err)
				}
				if off := length(total(w, w.ByPair()), places[20:24]); off > 1e-11*max(longest, 1e-9) {
					t.Errorf("%s: the parts of %v are off by %.2g", name, of, off)
				}
				moved = moved || of == frozen.C && l == 1 && !slices.Equal(old, places)
			}
		}
		if !moved && s.preset != "evidence" && s.features != "one" {
			t.Errorf("%s: nothing moved", name)
		}
	}
}

// A place does not move when a link is taken and given back.
func TestChangesCanBeTakenBack(t *testing.T) {
	run, graphs := trained(t, setting{preset: "refined", features: "sparse", graphs: 1, change: func(*cadem.Options) {}}, precision.Single)
	m, err := frozen.New(run, graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	j := int(graphs[0].Layers[0].Adjacency.Index[graphs[0].Layers[0].Adjacency.Start[5]])
	without, err := m.WithLink(0, 0, 5, j, 0)
	if err != nil {
		t.Fatal(err)
	}
	again, err := without.WithLink(0, 0, 5, j, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := m.Places(frozen.S, 0, 0)
	b, _ := again.Places(frozen.S, 0, 0)
	c, _ := without.Places(frozen.S, 0, 0)
	if !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("places differ after a link came back: %v; without it: %v", !slices.Equal(a, b), !slices.Equal(a, c))
	}
}

func TestBadChangesAreRefused(t *testing.T) {
	run, graphs := trained(t, setting{preset: "released", features: "identity", graphs: 1, change: func(*cadem.Options) {}}, precision.Single)
	m, err := frozen.New(run, graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.WithLink(0, 0, 1, 2, -1); err == nil {
		t.Error("a weight below 0 was taken")
	}
	if _, err := m.WithFeature(0, 0, 1, 2, 1); err == nil {
		t.Error("a feature was given to nodes without any")
	}
}

// BenchmarkWhatIf changes a link of a graph of three layers of 1,000 nodes of degree 50, and finds what the page shows then: what makes the place of a
// node before and after, and all places in S and the P_l of that layer with their pictures. Those of the other layers it has from before.
func BenchmarkWhatIf(b *testing.B) {
	const nodes, layers = 1000, 3
	src, g := rng.New(1, "bench"), &multiplex.Graph{}
	for l := range layers {
		var edges []multiplex.Edge
		for range 25 * nodes {
			i, j := src.IntN(nodes), src.IntN(nodes-1)
			edges = append(edges, multiplex.Edge{I: i, J: (i + 1 + j) % nodes, Weight: 1})
		}
		a, err := multiplex.FromEdges(nodes, edges)
		if err != nil {
			b.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: multiplex.Identity(nodes)})
	}
	for _, preset := range []string{"released", "refined"} {
		o, _ := cadem.Preset(preset)
		o.Epochs, o.InnerSteps, o.Hidden, o.Trim = 1, 1, 16, "off"
		run, err := cadem.New([]*multiplex.Graph{g}, o, 1, precision.Single)
		if err != nil {
			b.Fatal(err)
		}
		m, err := frozen.New(run, []*multiplex.Graph{g}, nil)
		if err != nil {
			b.Fatal(err)
		}
		e := run.Embeddings(0)
		var p project.Projector
		shown := append([]*mat.Dense{e.Consensus}, e.Private...)
		draws := make([]*project.Affine, len(shown)) // the page has them from one question to the next
		for k, x := range shown {
			xy := make([]float32, 2*nodes)
			if _, _, err := p.Along(xy, x, x); err != nil {
				b.Fatal(err)
			}
			draws[k], _ = project.Fit(x, xy)
		}
		ask := func(m *frozen.Model) {
			why, err := m.Why(frozen.S, 0, 0, 1)
			if err != nil {
				b.Fatal(err)
			}
			why.Strongest(why.ByNode(), 5)
		}
		ask(m)
		b.Run(preset, func(b *testing.B) {
			for n := range b.N {
				changed, err := m.WithLink(0, 0, 1, 2+n%900, 1)
				if err != nil {
					b.Fatal(err)
				}
				ask(m)
				ask(changed)
				for k := range draws[:2] {
					of, l := frozen.S, 0
					if k > 0 {
						of, l = frozen.P, k-1
					}
					places, err := changed.Places(of, l, 0)
					if err != nil {
						b.Fatal(err)
					}
					draws[k].Draw(mat.NewDense(nodes, len(places)/nodes, places))
				}
			}
		})
	}
}
