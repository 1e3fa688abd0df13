package baseline_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// BenchmarkEpoch is one update of the network of every layer, or of the one network, with official settings; of DMG a step. The
// methods that take minutes for one on a graph of ACM's size, or to prepare it, are left out there.
func BenchmarkEpoch(b *testing.B) {
	d, err := run.OpenExample("syn1", nil, 0)
	if err != nil {
		b.Fatal(err)
	}
	endless := map[string]string{"epochs": "100000", "outer": "100000", "patience": "0", "patience_after": "100000"}
	measure := func(graph string, g *multiplex.Graph, methods ...string) {
		for _, name := range methods {
			b.Run(graph+"/"+name, func(b *testing.B) {
				t, m := begin(b, name, g, endless)
				n := 1
				if m.Fusion == train.Combiner {
					n = g.N() // networks, one for each layer
				}
				steps(b, t, n) // prepare the others
				for b.Loop() {
					steps(b, t, n)
				}
			})
		}
	}
	measure("Syn1", d.Graph, "vgae", "dgi", "mvgrl", "graphmae", "hdmi", "dmg")
	measure("ACM's size", papers(b), "vgae", "dgi", "hdmi")
}

// BenchmarkOfficial is a step with official settings on a graph of ACM's size, of the methods that table6 has in lite settings as these
// would take hours there. The first step of the network of every layer prepares the others.
func BenchmarkOfficial(b *testing.B) {
	g := papers(b)
	for _, name := range []string{"mne", "hdmi", "mvgrl", "graphmae", "dmg", "mcgc"} {
		b.Run(name, func(b *testing.B) {
			t, _ := begin(b, name, g, nil)
			began := time.Now()
			steps(b, t, g.N())
			first := time.Since(began).Seconds()
			total := t.Progress().Total
			for b.Loop() {
				steps(b, t, 1)
			}
			b.ReportMetric(first, "s-first")
			b.ReportMetric(float64(total), "steps")
		})
	}
}

func steps(b *testing.B, t train.Training, n int) {
	for range n {
		if err := t.Step(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// begin begins with official settings except for changes to those of them that the method has.
func begin(b *testing.B, method string, g *multiplex.Graph, changes map[string]string) (train.Training, *train.Method) {
	m, err := train.Lookup(method)
	if err != nil {
		b.Fatal(err)
	}
	o, _, err := m.Settings(train.Official)
	if err != nil {
		b.Fatal(err)
	}
	for name, value := range changes {
		if property.Has(o, name) {
			if err := property.Set(o, name, value); err != nil {
				b.Fatal(err)
			}
		}
	}
	t, err := train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{g}, Options: o, Seed: 0})
	if err != nil {
		b.Fatal(err)
	}
	return t, m
}

// papers returns a random graph with the nodes, features and links of ACM, each node linked to itself.
func papers(b *testing.B) *multiplex.Graph {
	const nodes, features, entries = 3025, 1870, 253_300
	g := &multiplex.Graph{Name: "papers"}
	src := rng.New(0, "bench/papers")
	at := make([][]int32, nodes) // features of each node
	for n := 0; n < entries; {
		i, j := src.IntN(nodes), int32(src.IntN(features))
		if k, there := slices.BinarySearch(at[i], j); !there {
			at[i] = slices.Insert(at[i], k, j)
			n++
		}
	}
	x := &multiplex.CSR{Rows: nodes, Cols: features, Start: make([]int32, 1, nodes+1)}
	for _, list := range at {
		x.Index = append(x.Index, list...)
		x.Start = append(x.Start, int32(len(x.Index)))
	}
	for l, links := range []int{1_103_868, 13_128} {
		there := make([]bool, nodes*nodes)
		var edges []multiplex.Edge
		for i := range nodes {
			edges = append(edges, multiplex.Edge{I: i, J: i, Weight: 1})
		}
		for links > 0 {
			if i, j := src.IntN(nodes), src.IntN(nodes); i < j && !there[i*nodes+j] {
				there[i*nodes+j] = true
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
				links--
			}
		}
		a, err := multiplex.FromEdges(nodes, edges)
		if err != nil {
			b.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l + 1), Adjacency: a, Features: multiplex.SparseFeatures(x)})
	}
	if err := g.Check(); err != nil {
		b.Fatal(err)
	}
	return g
}
