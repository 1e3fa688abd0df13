package parity

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

// streams is the file of the authors' draws for the published Syn1, beside that data.
const streams = "author_streams.json"

// drawnByAuthors draws with the streams of the authors and compares with the file: the first values of every weight, dropped entries,
// kept nodes and noise, the order of batches, and how well untrained private embeddings identify their layer.
func drawnByAuthors(g *golden) {
	graph, o, rates := instance("syn1", "", ""), cadem.Released(), evaluate.Defaults()
	for name, v := range must(examples.Lookup("syn1")).Defaults {
		ok(property.SetFirst(name, property.Text(v), &o, &rates))
	}
	o.Streams, rates.Authors = "authors", true
	for _, seed := range g.names("seeds") {
		source := cadem.Seeded([]*multiplex.Graph{graph}, &o, must(strconv.ParseUint(seed, 10, 64)))
		g.in("seed "+seed, "seeds", seed).draws(graph, &o, source)
	}
	var got []float64
	for seed := range g.length("untrained_own_layer_macro_f1/rows") {
		t := must(cadem.New([]*multiplex.Graph{graph}, o, uint64(seed), precision.Single))
		for l, p := range t.Embeddings(0).Private {
			in := evaluate.Input{Trained: []evaluate.Embedding{{Name: "private", Tokens: []*mat.Dense{p}}},
				Targets: graph.Labels[1+l:][:1], Classify: true}
			scores := must(evaluate.Table(in, rates, 1, nil))
			f1 := func(s evaluate.Score) bool { return s.Metric == "macro_f1" }
			got = append(got, scores[slices.IndexFunc(scores, f1)].Value)
		}
	}
	g.check("untrained macro-F1", got, 1e-3/2, "untrained_own_layer_macro_f1/rows")
}

// draws compares what a source gives for one seed.
func (g *golden) draws(graph *multiplex.Graph, o *cadem.Options, source cadem.RandomSource) {
	n, f, d := graph.N(), graph.F(), o.Dim
	tensor := func(quantity, name string, rows, cols int, transposed bool, of ...any) {
		w := mat.NewDense(rows, cols, nil)
		source.Weights(name, w.RawMatrix().Data, rows, cols)
		if transposed {
			w = mat.DenseCopyOf(w.T())
		}
		part := g.sub(of...)
		part.check(quantity, flat(w)[:min(rows*cols, part.length("first"))], 0, "first")
		part.check("sums of weights", mat.Sum(w), 1e-4, "sum") // theirs is of single precision
	}
	for l := range n {
		for _, branch := range []string{"common", "private"} {
			name := func(part string) string { return fmt.Sprintf("l%d.%s%c", l, part, branch[0]) }
			tensor("weights of encoders", name("W1"), f, o.Hidden, false, "encoders", l, branch+"_W1")
			tensor("weights of encoders", name("W2"), o.Hidden, d, false, "encoders", l, branch+"_W2")
			tensor("weights of encoders", name("b"), 1, d, false, "encoders", l, branch+"_b")
		}
		x, dropped := source.Features(0, l, graph.Layers[l].Features).Sparse, []int{}
		for j := range f {
			if x.Start[j] == x.Start[j+1] { // the identity before
				dropped = append(dropped, j)
			}
		}
		g.check("dropped columns", dropped, 0, "dropped_columns", l)
	}
	tensor("weights of heads", "Wphi", d, n, true, "heads/phi_W")
	tensor("weights of heads", "Wpsi", d, n, true, "heads/psi_W")
	sets := source.Sets(0)
	for k, nodes := range sets[0].Nodes {
		name := fmt.Sprintf("%d,%d", sets[0].Layer[k], k%o.Augmented)
		part := g.sub("augmented", name)
		for _, i := range part.ints("nodes_first") {
			if !slices.Contains(nodes, i) {
				part.fail("nodes "+name, fmt.Errorf("node %d is not kept", i))
			}
		}
		common, private := part.data("noise_c_sum_first"), part.data("noise_p_sum_first")
		part.compare("noise c sum first", sets[0].NoiseC[k][:len(common)], common, 0)
		part.compare("noise p sum first", sets[0].NoiseP[k][:len(private)], private, 0)
	}
	g.check("order in batches", sets[0].Batches, 0, "order_augmented")
	g.check("order in batches", sets[1].Batches, 0, "order_full")
}
