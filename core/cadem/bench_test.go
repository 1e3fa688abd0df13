package cadem

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

// A workload is a graph of the size of one of the paper's experiments, with its settings.
type workload struct {
	name  string
	graph func(testing.TB) *multiplex.Graph
	set   func(*Options)
}

// workloads are the paper's experiments. A random graph of the same nodes, layers, density and
// features replaces generators and files: a step's cost depends on nothing else.
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

// categorical is a graph whose nodes each have some of f binary features, shared by the layers and
// normalised, or the identity if f is 0.
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
	r, err := New([]*multiplex.Graph{g}, o, 0, precision.Single)
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

// BenchmarkSyn2 is a step of Syn2 with all its features, in vector kernels and without.
func BenchmarkSyn2(b *testing.B) {
	w := workload{set: func(o *Options) { o.DropoutRate = 0 }}
	g := generated("syn2")(b)
	for _, kind := range []string{"vectors", "scalar"} {
		b.Run(kind, func(b *testing.B) {
			defer kernel.UseVectors(kernel.UseVectors(kind == "vectors"))
			r := w.start(b, g, 100_000)
			for range 2 * r.o.InnerSteps { // the first allocate what the others use
				if err := r.Step(); err != nil {
					b.Fatal(err)
				}
			}
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

// BenchmarkStart measures the work before the first step.
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

// BenchmarkScaling measures a step, with its share of the consensus, on random graphs that grow in nodes, edges, features and layers, and on one
// graph with growing options; the last part of a name tells what grows. Graphs have two layers unless these grow. MB is the memory of graph and run.
func BenchmarkScaling(b *testing.B) {
	type shape struct{ size, nodes, degree, features int } // features 0: the identity
	for _, c := range []struct {
		against string
		shapes  []shape
	}{
		{"nodes (degree 10, 1000 features)", []shape{
			{1000, 1000, 10, 1000}, {3000, 3000, 10, 1000}, {10_000, 10_000, 10, 1000}, {30_000, 30_000, 10, 1000}, {100_000, 100_000, 10, 1000}}},
		{"edges (4000 nodes, 1000 features)", []shape{{20_000, 4000, 10, 1000}, {60_000, 4000, 30, 1000}, {200_000, 4000, 100, 1000}, {600_000, 4000, 300, 1000}}},
		{"parameters (1000 nodes of degree 10, 100 to 10,000 features)", []shape{
			{110_592, 1000, 10, 100}, {315_392, 1000, 10, 300}, {1_032_192, 1000, 10, 1000}, {3_080_192, 1000, 10, 3000}, {10_248_192, 1000, 10, 10_000}}},
		{"nodes, which are the features (degree 10)", []shape{{1000, 1000, 10, 0}, {2000, 2000, 10, 0}, {4000, 4000, 10, 0}, {8000, 8000, 10, 0}}},
	} {
		for _, s := range c.shapes {
			b.Run(fmt.Sprintf("%s/%d", c.against, s.size), func(b *testing.B) {
				scaled(b, categorical(s.nodes, s.features, 16, s.degree, s.degree), func(*Options) {})
			})
		}
	}
	for _, c := range []struct {
		against string
		sizes   []int
		set     func(o *Options, size int)
	}{
		{"augmented graphs N' of a layer", []int{10, 20, 40, 80, 160, 320}, func(o *Options, n int) { o.Augmented = n }},
		{"common parts K that a private one is paired with", []int{1, 2, 4, 8, 16, 32}, func(o *Options, k int) { o.Pairing = fmt.Sprintf("sampled:%d", k) }},
		{"hidden units H", []int{64, 128, 256, 512, 1024}, func(o *Options, h int) { o.Hidden = h }},
		{"embedding size d", []int{4, 8, 16, 32, 64}, func(o *Options, d int) { o.Dim = d }},
	} {
		for _, size := range c.sizes {
			b.Run(fmt.Sprintf("%s (1000 nodes of degree 10, 1000 features)/%d", c.against, size), func(b *testing.B) {
				scaled(b, categorical(1000, 1000, 16, 10, 10), func(o *Options) { c.set(o, size) })
			})
		}
	}
	for _, n := range []int{2, 4, 8, 16} {
		b.Run(fmt.Sprintf("layers N (1000 nodes of degree 10, 1000 features)/%d", n), func(b *testing.B) {
			scaled(b, categorical(1000, 1000, 16, slices.Repeat([]int{10}, n)...), func(*Options) {})
		})
	}
}

// scaled measures a step on a graph.
func scaled(b *testing.B, graph func(testing.TB) *multiplex.Graph, set func(*Options)) {
	before := kept()
	w := workload{set: func(o *Options) {
		o.DropoutRate = 0
		set(o)
	}}
	r := w.start(b, graph(b), 100_000)
	each := r.o.InnerSteps
	for b.Loop() {
		for range each {
			if err := r.Step(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*each), "ns/step")
	b.ReportMetric((kept()-before)/1e6, "MB")
	runtime.KeepAlive(r)
}

// kept is the memory in use, in bytes.
func kept() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// BenchmarkCheckpoint packs the state of Syn2, which happens between two steps.
func BenchmarkCheckpoint(b *testing.B) {
	r := workloads[1].start(b, workloads[1].graph(b), 200)
	for b.Loop() {
		b.SetBytes(int64(len(r.Checkpoint())))
	}
}
