package parity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	for _, seed := range g.tensor("seeds").names {
		c := g.in("seed "+seed, g.sub("seeds", seed))
		c.draws(graph, &o, cadem.Seeded([]*multiplex.Graph{graph}, &o, must(strconv.ParseUint(seed, 10, 64))))
	}
	var got []float64
	for seed := range g.length("untrained_own_layer_macro_f1", "rows") {
		t := must(cadem.New([]*multiplex.Graph{graph}, o, uint64(seed), precision.Single))
		for l, p := range t.Embeddings(0).Private {
			in := evaluate.Input{Trained: []evaluate.Embedding{{Name: "private", Tokens: []*mat.Dense{p}}}, Targets: graph.Labels[1+l:][:1], Classify: true}
			scores := must(evaluate.Table(in, rates, 1, nil))
			got = append(got, scores[slices.IndexFunc(scores, func(s evaluate.Score) bool { return s.Metric == "macro_f1" })].Value)
		}
	}
	g.check("untrained macro-F1", got, 1e-3/2, "untrained_own_layer_macro_f1", "rows")
}

// draws compares what a source gives for one seed.
func (g *golden) draws(graph *multiplex.Graph, o *cadem.Options, source cadem.RandomSource) {
	n, f, d := graph.N(), graph.F(), o.Dim
	tensor := func(quantity, name string, rows, cols int, transposed bool, of ...any) {
		w := make([]float64, rows*cols)
		source.Weights(name, w, rows, cols)
		if transposed {
			t := slices.Clone(w)
			for i := range w {
				w[i] = t[i%rows*cols+i/rows]
			}
		}
		sum := 0.0
		for _, v := range w {
			sum += v
		}
		part := g.in(g.name, g.sub(of...))
		part.check(quantity, w[:min(len(w), part.length("first"))], 0, "first")
		part.check("sums of weights", []float64{sum}, 1e-4, "sum") // theirs is of single precision
	}
	for l := range n {
		for _, branch := range []string{"common", "private"} {
			name := func(part string) string { return fmt.Sprintf("l%d.%s%c", l, part, branch[0]) }
			tensor("weights of encoders", name("W1"), f, o.Hidden, false, "encoders", l, branch+"_W1")
			tensor("weights of encoders", name("W2"), o.Hidden, d, false, "encoders", l, branch+"_W2")
			tensor("weights of encoders", name("b"), 1, d, false, "encoders", l, branch+"_b")
		}
		x, dropped := source.Features(0, l, graph.Layers[l].Features).Sparse, []float64{}
		for j := range f {
			if x.Start[j] == x.Start[j+1] { // the identity before
				dropped = append(dropped, float64(j))
			}
		}
		g.check("dropped columns", dropped, 0, "dropped_columns", l)
	}
	tensor("weights of heads", "Wphi", d, n, true, "heads", "phi_W")
	tensor("weights of heads", "Wpsi", d, n, true, "heads", "psi_W")
	sets := source.Sets(0)
	for k, nodes := range sets[0].Nodes {
		name := fmt.Sprintf("%d,%d", sets[0].Layer[k], k%o.Augmented)
		part := g.in(g.name, g.sub("augmented", name))
		for _, i := range part.ints("nodes_first") {
			if !slices.Contains(nodes, i) {
				part.fail("nodes "+name, fmt.Errorf("node %d is not kept", i))
			}
		}
		for field, noise := range map[string][]float64{"noise_c_sum_first": sets[0].NoiseC[k], "noise_p_sum_first": sets[0].NoiseP[k]} {
			part.check(strings.ReplaceAll(field, "_", " "), noise[:part.length(field)], 0, field)
		}
	}
	for i, name := range []string{"order_augmented", "order_full"} {
		g.check("order in batches", floats(slices.Concat(sets[i].Batches...)), 0, name)
	}
}
