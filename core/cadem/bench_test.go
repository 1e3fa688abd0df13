package cadem

import (
	"fmt"
	"slices"
	"testing"

	"cadem/core/multiplex"
	"cadem/core/rng"
	"cadem/core/synth/examples"
)

// A workload is a graph of the size of one of the paper's experiments, with its settings.
type workload struct {
	name  string
	graph func(testing.TB) *multiplex.Graph
	set   func(*Options)
}

// workloads are the paper's experiments. Where a generator or a file would be needed, a
// random graph of the same nodes, layers, density and features stands in: a step's cost
// depends on nothing else.
var workloads = []workload{
	{"syn1", generated("syn1"), func(o *Options) { o.InnerSteps, o.Augmented = 15, 5 }},
	{"syn2", generated("syn2"), func(o *Options) {}},
	{"syn3", numeric(600, 1, 14, 14), func(o *Options) {}},
	{"syn4", numeric(100, 1, 20, 20), func(o *Options) {}},
	{"hcp", numeric(360, 2, 166, 17), func(o *Options) { o.LREncoders, o.DropoutRate = 0.01, 0 }},
	{"acm", categorical(3025, 1870, 84, 730, 9), func(o *Options) {}},
	{"imdb", categorical(3550, 2000, 76, 3, 18), func(o *Options) {}},
	{"freebase", categorical(3492, 0, 0, 72, 2, 2), func(o *Options) { o.Hidden, o.Augmented = 512, 30 }},
}

func generated(name string) func(testing.TB) *multiplex.Graph {
	return func(t testing.TB) *multiplex.Graph {
		g, err := examples.Draw(name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
}

// numeric is a graph whose nodes have f numbers in every layer, of its own.
func numeric(m, f int, degrees ...int) func(testing.TB) *multiplex.Graph {
	return func(t testing.TB) *multiplex.Graph {
		g := sized(t, m, degrees)
		for l := range g.Layers {
			src, x := rng.New(1, "features/"+g.Layers[l].Name), make([]float64, m*f)
			for i := range x {
				x[i] = src.Norm()
			}
			features, err := multiplex.DenseFeatures(m, f, x)
			if err != nil {
				t.Fatal(err)
			}
			g.Layers[l].Features = features
		}
		return g
	}
}

// categorical is a graph whose nodes have so many of f binary features, shared by the
// layers and normalised, or the identity if f is 0.
func categorical(m, f, each int, degrees ...int) func(testing.TB) *multiplex.Graph {
	return func(t testing.TB) *multiplex.Graph {
		g := sized(t, m, degrees)
		x := multiplex.Identity(m)
		if f > 0 {
			src, pick := rng.New(1, "features"), make([]int, each)
			start, index := []int32{0}, []int32(nil)
			for range m {
				src.Sample(pick, f)
				for _, j := range pick {
					index = append(index, int32(j))
				}
				start = append(start, int32(len(index)))
			}
			s, err := multiplex.NewCSR(m, f, start, index, nil)
			if err != nil {
				t.Fatal(err)
			}
			x = multiplex.SparseFeatures(s).RowNormalized()
		}
		for l := range g.Layers {
			g.Layers[l].Features = x
		}
		return g
	}
}

// sized draws one random layer for every mean degree, each node with a loop.
func sized(t testing.TB, m int, degrees []int) *multiplex.Graph {
	g := &multiplex.Graph{}
	for l, degree := range degrees {
		name := string(rune('a' + l))
		src := rng.New(1, "edges/"+name)
		var edges []multiplex.Edge
		for i := range m {
			edges = append(edges, multiplex.Edge{I: i, J: i, Weight: 1})
			for range degree / 2 {
				edges = append(edges, multiplex.Edge{I: i, J: src.IntN(m), Weight: 1})
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: name, Adjacency: a})
	}
	return g
}

func (w *workload) start(b testing.TB, g *multiplex.Graph, epochs int) *Trainer {
	o := Released()
	o.Epochs, o.EarlyStop = epochs, "off"
	w.set(&o)
	r, err := New([]*multiplex.Graph{g}, o, 0, Single)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// BenchmarkStep is one inner step with the settings of each experiment, its share of the
// consensus included; ns/op is the time of a step, and a step allocates nothing.
func BenchmarkStep(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			r := w.start(b, w.graph(b), 100000)
			b.ReportAllocs()
			for b.Loop() {
				if err := r.Step(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTraining is whole trainings, from the graph to the embeddings, of the
// experiments that consist of many small ones.
func BenchmarkTraining(b *testing.B) {
	for _, w := range workloads {
		if !slices.Contains([]string{"syn3", "syn4", "hcp"}, w.name) {
			continue
		}
		b.Run(w.name, func(b *testing.B) {
			g := w.graph(b)
			for b.Loop() {
				r := w.start(b, g, 200)
				for !r.Done() {
					if err := r.Step(); err != nil {
						b.Fatal(err)
					}
				}
				r.Embeddings(0)
			}
		})
	}
}

// BenchmarkStart is what comes before the first step.
func BenchmarkStart(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			g := w.graph(b)
			for b.Loop() {
				w.start(b, g, 200)
			}
		})
	}
}

// BenchmarkScaling is a step, and what comes before the first, with the number of nodes (of ten
// links each), links, features or hidden units growing tenfold from line to line.
func BenchmarkScaling(b *testing.B) {
	type size struct{ nodes, features, links, hidden int }
	for _, c := range []struct {
		name  string
		sizes []size
	}{
		{"nodes", []size{{1000, 500, 10, 16}, {10000, 500, 10, 16}, {100000, 500, 10, 16}}},
		{"links", []size{{5000, 500, 4, 16}, {5000, 500, 40, 16}, {5000, 500, 400, 16}}},
		{"features", []size{{2000, 200, 10, 64}, {2000, 2000, 10, 64}, {2000, 20000, 10, 64}}},
		{"hidden", []size{{1000, 1000, 10, 8}, {1000, 1000, 10, 80}, {1000, 1000, 10, 800}}},
		{"nodes, few features", []size{{1000, 0, 10, 64}, {10000, 0, 10, 64}, {100000, 0, 10, 64}}},
	} {
		for _, z := range c.sizes {
			w := workload{graph: categorical(z.nodes, z.features, 5, z.links, z.links), set: func(o *Options) { o.Hidden = z.hidden }}
			if z.features == 0 {
				w.graph = numeric(z.nodes, 2, z.links, z.links)
			}
			name := fmt.Sprintf("%s/M=%d,F=%d,degree=%d,H=%d", c.name, z.nodes, z.features, z.links, z.hidden)
			g := w.graph(b)
			b.Run("start/"+name, func(b *testing.B) {
				for b.Loop() {
					w.start(b, g, 200)
				}
			})
			b.Run("step/"+name, func(b *testing.B) {
				r := w.start(b, g, 100000)
				for b.Loop() {
					if err := r.Step(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkCheckpoint packs the state of Syn2, which happens between two steps.
func BenchmarkCheckpoint(b *testing.B) {
	r := workloads[1].start(b, workloads[1].graph(b), 200)
	for b.Loop() {
		b.SetBytes(int64(len(r.Checkpoint())))
	}
}
