package prepare

import (
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// spectral returns the features of k leading eigenvectors, as [inputs.Structure] has them.
func spectral(g *multiplex.Graph, k int, wait pause.Work) (*multiplex.Features, error) {
	var layers []*evidence.Layer
	for l := range g.Layers {
		layers = append(layers, evidence.NewLayer(g.Layers[l].Adjacency))
	}
	values, v, err := evidence.NewPool(layers...).Roughly(k, wait)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, &diag.Error{Where: "features", Found: "links without a direction", Expected: "other features than spectral"}
	}
	squares := 0.0
	for _, x := range values {
		squares += float64(x * x)
	}
	for k := range values {
		scale := math.Sqrt(float64(g.M())/squares) * math.Abs(values[k])
		for i := k; i < len(v.Data); i += v.Cols {
			v.Data[i] *= scale
		}
	}
	return multiplex.DenseFeatures(v.Rows, v.Cols, v.Data)
}
