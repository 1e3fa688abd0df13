package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/train"
)

// scores of all pairs of nodes in a layer: features, and the score.
func scoresOf(list []train.Embedding, layer, m int) (all []float64) {
	p := train.Links(list, layer)
	for i := range m {
		for j := range i {
			dst := make([]float64, p.Width)
			s := p.Of(dst, i, j)
			all = append(append(all, dst...), s)
		}
	}
	return all
}

func drawn(name string, m, d int) train.Embedding {
	x, draw := mat.NewDense(m, d, nil), rng.New(1, "test/links/"+name)
	for i := range m {
		for c := range d {
			x.Set(i, c, draw.Norm())
		}
	}
	return train.Embedding{Name: name, X: x}
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, expected %d", what, len(got), len(want))
	}
	for k, v := range want {
		if math.Abs(got[k]-v) > 1e-12*(1+math.Abs(v)) {
			t.Fatalf("%s: number %d is %v, expected %v", what, k, got[k], v)
		}
	}
}

// Features are inner products of rows less their mean, and the score is their sum: by hand.
func TestLinksByHand(t *testing.T) {
	common := train.Embedding{Name: train.Common, X: mat.NewDense(3, 2, []float64{1, 0, 2, 3, 3, 0})} // less (2, 1): (-1, -1), (0, 2), (1, -1)
	private := train.Embedding{Name: train.Private(0), X: mat.NewDense(3, 1, []float64{5, 6, 10})}    // less 7: -2, -1, 3
	p := train.Links([]train.Embedding{common, private}, 0)
	dst := make([]float64, p.Width)
	if s := p.Of(dst, 0, 1); len(dst) != 2 || dst[0] != -2 || dst[1] != 2 || s != 0 {
		t.Errorf("features %v, score %v, expected [-2 2] and 0", dst, s)
	}
	if s := p.Of(dst, 2, 0); dst[0] != 0 || dst[1] != -6 || s != -6 {
		t.Errorf("features %v, score %v, expected [0 -6] and -6", dst, s)
	}
}

// An embedding that is turned, mirrored or moved scores as before; one that is scaled scores by the square.
func TestLinksOfEqualEmbeddings(t *testing.T) {
	const m = 9
	for _, list := range [][]train.Embedding{{drawn(train.Common, m, 3), drawn(train.Private(0), m, 3)}, {drawn(train.Fused, m, 3)},
		{drawn(train.LayerName(0), m, 3)}} {
		want := scoresOf(list, 0, m)
		var moved, scaled []train.Embedding
		for k, e := range list {
			c, s := math.Cos(.7+float64(k)), math.Sin(.7+float64(k))
			turn := mat.NewDense(3, 3, []float64{c, 0, s, 0, -1, 0, -s, 0, c})
			var y, z mat.Dense
			y.Mul(e.X, turn)
			y.Apply(func(_, j int, v float64) float64 { return v + float64(j) - 2 }, &y)
			z.Scale(3, e.X)
			moved, scaled = append(moved, train.Embedding{Name: e.Name, X: &y}), append(scaled, train.Embedding{Name: e.Name, X: &z})
		}
		near(t, list[0].Name+", moved", scoresOf(moved, 0, m), want)
		for k := range want {
			want[k] *= 9
		}
		near(t, list[0].Name+", scaled", scoresOf(scaled, 0, m), want)
	}
}

// A layer's own embedding stands before what is made of all layers; others say nothing of it.
func TestLinksOfLayer(t *testing.T) {
	const m = 9
	fused, first, second := drawn(train.Fused, m, 2), drawn(train.LayerName(0), m, 2), drawn(train.LayerName(1), m, 2)
	near(t, "layer", scoresOf([]train.Embedding{fused, first, second}, 1, m), scoresOf([]train.Embedding{second}, 1, m))
	near(t, "fused", scoresOf([]train.Embedding{fused}, 1, m), scoresOf([]train.Embedding{fused}, 0, m))
	if p := train.Links([]train.Embedding{first, drawn(train.Private(0), m, 2)}, 1); p.Of != nil {
		t.Error("embeddings of layer 1 score links of layer 2")
	}
}

// affinity is a training's own score of a pair that has one number.
func affinity(t train.Training) func(layer, i, j int) float64 {
	return func(layer, i, j int) float64 { return t.(train.Predictor).Links(0, layer).Of(make([]float64, 1), i, j) }
}
