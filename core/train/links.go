package train

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/linalg"
)

// How an embedding scores a pair of nodes in a layer, the same way for all methods: a feature for each embedding that says something of
// the layer, the inner product of the two rows, centred over the nodes,
//
//	x_ij = (y_i - m)'(y_j - m),   m the mean of the rows of Y
//
// The score is their sum. The embeddings about layer l are those of the layer; S and P_l for a method that separates the two; otherwise the fused
// one. Turning or moving an embedding changes nothing. Scaling multiplies a feature by the square of the scale, which a fit undoes. In a sum it
// changes which of the two weighs more, and that is the method's own choice.

// A PairScore fills dst with as many features of nodes i and j as it has, and returns the score of the pair: the higher, the more probable a link.
type PairScore struct {
	Width int
	Of    func(dst []float64, i, j int) float64
}

// A Predictor is a training that knows by itself how probable links are, once it is over.
type Predictor interface {
	Training
	// Links scores pairs of a layer, counted from 0; a nil Of means that this training cannot.
	Links(graph, layer int) PairScore
}

// Links scores pairs of a layer, counted from 0, by embeddings of a graph; Of is nil if none of them is about the layer.
func Links(list []Embedding, layer int) PairScore {
	var about []*mat.Dense
	for _, names := range [][]string{{LayerName(layer)}, {Common, Private(layer)}, {Fused}} {
		for _, name := range names {
			for _, e := range list {
				if e.Name == name {
					about = append(about, centred(e.X))
				}
			}
		}
		if about != nil {
			break
		}
	}
	if about == nil {
		return PairScore{}
	}
	return PairScore{len(about), func(dst []float64, i, j int) (sum float64) {
		for k, y := range about {
			a, b := y.RawRowView(i), y.RawRowView(j)
			dst[k] = 0
			for c, v := range a {
				dst[k] += float64(v * b[c])
			}
			sum += dst[k]
		}
		return sum
	}}
}

// centred returns rows less their mean. It takes an embedding, which has no gaps: mat.DenseCopyOf links code for every kind of matrix.
func centred(x *mat.Dense) *mat.Dense {
	y := mat.NewDense(x.RawMatrix().Rows, x.RawMatrix().Cols, slices.Clone(x.RawMatrix().Data))
	linalg.Centre(y.RawMatrix().Data, y.RawMatrix().Cols)
	return y
}

// LayerName returns the name of the embedding that a method makes of a layer, counted from 0, by itself.
func LayerName(layer int) string { return fmt.Sprintf("layer_%d", layer+1) }
