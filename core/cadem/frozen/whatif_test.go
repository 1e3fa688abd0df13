package frozen_test

import (
	"fmt"
	"slices"
	"testing"

	"cadem/core/cadem"
	"cadem/core/cadem/frozen"
	"cadem/core/multiplex"
	"cadem/core/precision"
	"cadem/core/rng"
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

// A link of a graph of 1,000 nodes of degree 50 is changed, and all places found.
func BenchmarkWithLink(b *testing.B) {
	src, g := rng.New(1, "bench"), &multiplex.Graph{}
	for l := range 3 {
		var edges []multiplex.Edge
		for range 25_000 {
			edges = append(edges, multiplex.Edge{I: src.IntN(1000), J: src.IntN(1000), Weight: 1})
		}
		a, err := multiplex.FromEdges(1000, edges)
		if err != nil {
			b.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: multiplex.Identity(1000)})
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
		if _, err := m.Places(frozen.S, 0, 0); err != nil {
			b.Fatal(err)
		}
		b.Run(preset, func(b *testing.B) {
			for n := range b.N {
				changed, err := m.WithLink(0, 0, 1, 2+n%900, 1)
				if err != nil {
					b.Fatal(err)
				}
				for _, of := range []frozen.Target{frozen.C, frozen.P, frozen.S} {
					if _, err := changed.Places(of, 0, 0); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
