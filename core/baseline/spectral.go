package baseline

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Spectral embedding (Ng, Jordan and Weiss 2002), of every layer by itself:
//
//	Y_l = sqrt(M) [v_1 ... v_d],  v_k the unit eigenvectors of D^-1/2 A_l D^-1/2 with the largest eigenvalues
//
// the first of which, sqrt(D) for a connected layer, is kept: it separates nodes by their degrees. Features
// are ignored, nothing is trained. The largest entry of every v_k is positive. Several graphs have
// no coordinates in common, so it takes one.
//
// Cost: 10 to 300 passes of 24 nnz(A) multiply-adds a layer, until the eigenvalues settle. Eigenvectors of equal
// eigenvalues, as of a layer in several parts, are some basis of their space.
//
// Not in the paper: rows are not brought to unit length, since a classifier follows and
// not K-means.
var spectral = train.Method{
	Name: "spectral", Label: "Spectral embedding", Doc: "Leading eigenvectors of each layer's normalised adjacency matrix; nothing is trained.",
	Family: train.Untrained, Fusion: train.Combiner, Unscaled: true,
	Fixed: true, Levels: official, Needs: []train.Need{train.OneGraph, train.Edges},
	Options: func() any { return &SpectralOptions{} },
}

func startSpectral(s *train.Setup) (train.Training, error) {
	e := &eigenvectors{graph: s.Graphs[0], o: s.Options.(*SpectralOptions)}
	e.y = e.keep(empties(e.graph.N(), e.graph.M(), e.o.Dim)...)
	e.total, e.embed = e.graph.N(), e.layer
	e.list = func(int) []train.Embedding { return ofLayers(e.y) }
	return e, nil
}

// SpectralOptions are the options of the spectral embedding.
type SpectralOptions struct {
	Dim int `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"256" default:"8" doc:"Eigenvectors of each layer."`
}

type eigenvectors struct {
	unfitted
	graph *multiplex.Graph
	o     *SpectralOptions
	y     []*mat.Dense // of each layer, M x d
}

// layer embeds one.
func (e *eigenvectors) layer(l int, yield pause.Yield) error {
	_, u, err := linalg.Leading(raised(SymNorm(e.graph.Layers[l].Adjacency, 0)), e.o.Dim, pauses(yield))
	if err != nil {
		return err
	}
	for i, v := range u {
		e.y[l].RawMatrix().Data[i] = float64(math.Sqrt(float64(e.graph.M())) * v)
	}
	return nil
}

// raised returns I + S, whose eigenvalues are not negative, so that its singular vectors are the
// eigenvectors of S in the order of their eigenvalues.
func raised(s *multiplex.CSR) *linalg.Operator {
	times := func(dst, x []float64, d int) error {
		kernel.SparseMul(dst, s.Start, s.Index, s.Value, x, d)
		kernel.AddScaled(dst, x, 1)
		return nil
	}
	return &linalg.Operator{Rows: s.Rows, Cols: s.Rows, Mul: times, MulTrans: times}
}
