package baseline

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// The random linear encoder: every layer is embedded by
//
//	Y_l = S_l S_l X_l R1_l R2_l,    S_l = D^-1/2 A_l D^-1/2,
//
// R1_l (F x hidden) and R2_l (hidden x d) drawn from Xavier's uniform distribution, each entry within
// +-sqrt(6 / (rows + columns)). Nothing is trained. It has the shape of CaDeM's encoders, but for the
// propagation, and shows how far that alone carries.
//
// Cost: (nnz(X) + 2 nnz(A)) d multiply-adds a layer, and F hidden d for the weights. Rows of X sum to 1.
var randomEncoder = train.Method{
	Name: "random", Label: "Random encoder", Doc: "An untrained linear encoder of the features, propagated twice.",
	Family: train.Untrained, Fusion: train.Combiner, Levels: official,
	Options: func() any { return &RandomOptions{} },
}

// untrainedCaDeM is the same with CaDeM's own propagation: its encoders before any step.
var untrainedCaDeM = train.Method{
	Name: "untrained", Label: "CaDeM untrained", Doc: "CaDeM's linear encoder with random weights, propagated as there: normalised twice, applied once.",
	Family: train.Untrained, Fusion: train.Combiner, Levels: officialWith("propagation", "twice_normalised"),
	Options: func() any { return &RandomOptions{} },
}

// wideRandomEncoder is the same with more columns, which keep more of the propagated features.
var wideRandomEncoder = train.Method{
	Name: "random-64", Label: "Random encoder, 64 columns", Doc: "An untrained linear encoder of the features, propagated twice, with eight times the columns.",
	Family: train.Untrained, Fusion: train.Combiner, Levels: officialWith("dim", 64), Needs: []train.Need{train.Edges},
	Options: func() any { return &RandomOptions{} },
}

// RandomOptions are the options of the random linear encoder.
type RandomOptions struct {
	Dim         int    `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"512" default:"8" doc:"Numbers per node in the embedding of each layer."`
	Hidden      int    `name:"hidden" label:"Hidden units" group:"Method" min:"1" max:"4096" default:"256" doc:"Width between the two random matrices."`
	Propagation string `name:"propagation" label:"Propagation" group:"Method" choices:"squared|squared_loops|twice_normalised" default:"squared" doc:"How features spread over edges: the normalised adjacency applied twice, the same with self loops, or CaDeM's, normalised twice and applied once."`
}

type random struct {
	unfitted
	graphs []*multiplex.Graph
	o      *RandomOptions
	source train.Source
	y      [][]*mat.Dense // of each graph and layer, M x d
}

func newRandom(s *train.Setup) (train.Training, error) {
	r := &random{graphs: s.Graphs, o: s.Options.(*RandomOptions), source: s.Source}
	for _, g := range s.Graphs {
		r.y = append(r.y, r.keep(empties(g.N(), g.M(), r.o.Dim)...))
	}
	r.total, r.embed = len(r.graphs)*r.graphs[0].N(), r.layer
	r.list = func(graph int) []train.Embedding { return ofLayers(r.y[graph]) }
	return r, nil
}

// layer embeds one of one graph.
func (r *random) layer(step int, _ pause.Yield) error {
	n := r.graphs[0].N()
	g, l := step/n, step%n
	layer := &r.graphs[g].Layers[l]
	f, h, d := r.graphs[g].F(), r.o.Hidden, r.o.Dim
	u := make([]float64, f*d)
	kernel.Mul(u, r.weights("R1", l, f, h), r.weights("R2", l, h, d), f, h, d)
	x := make([]float64, layer.Adjacency.Rows*d)
	times(x, layer.Features.RowNormalized(), u, d)
	r.propagate(r.y[g][l].RawMatrix().Data, x, layer.Adjacency)
	return nil
}

// weights draws a matrix of a layer. All graphs share it.
func (r *random) weights(name string, layer, rows, cols int) []float64 {
	w := make([]float64, rows*cols)
	bound := math.Sqrt(6 / float64(rows+cols))
	r.source.Uniform(w, -bound, bound, fmt.Sprintf("layer %d/%s", layer+1, name), 0)
	return w
}

// propagate sets y to the propagated x, both M x d.
func (r *random) propagate(y, x []float64, a *multiplex.CSR) {
	d := r.o.Dim
	spread := func(dst, src []float64, b *multiplex.CSR) { kernel.SparseMul(dst, b.Start, b.Index, b.Value, src, d) }
	switch r.o.Propagation {
	case "squared", "squared_loops":
		w := 0.0
		if r.o.Propagation == "squared_loops" {
			w = 1
		}
		b := SymNorm(a, w)
		spread(y, x, b)
		copy(x, y)
		spread(y, x, b)
	case "twice_normalised":
		spread(y, x, SymNorm(SymNorm(a, 0), 0))
	default:
		panic(diag.Misuse("baseline: no propagation " + r.o.Propagation))
	}
}

func (r *random) Report() train.Report {
	g := r.graphs[0]
	return parameters(g.N() * r.o.Hidden * (g.F() + r.o.Dim))
}

// ofLayers names the embeddings of a method that embeds every layer by itself.
func ofLayers(list []*mat.Dense) []train.Embedding {
	var named []train.Embedding
	for l, x := range list {
		named = append(named, train.Embedding{Name: train.LayerName(l), X: x})
	}
	return named
}
