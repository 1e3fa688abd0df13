package baseline

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Raw features: the classifier reads what the nodes come with,
//
//	Y = [X_1 ... X_N],  or X where all layers share it
//
// so that a reader sees what the graph adds. Nothing is computed, and no edge is looked at.
var rawFeatures = train.Method{
	Name: "features", Label: "Raw features", Doc: "The features of the nodes as they are, without the graph.",
	Family: train.Untrained, Fusion: train.Own, Fixed: true, Levels: official, Needs: []train.Need{train.Features},
	Options: func() any { return &struct{}{} },
}

func startRawFeatures(s *train.Setup) (train.Training, error) {
	done := func(int, pause.Yield) error { return nil }
	return &unfitted{total: 1, embed: done, list: func(graph int) []train.Embedding {
		return fused(asGiven(s.Graphs[graph]))
	}}, nil
}

// asGiven lays the features of the layers side by side.
func asGiven(g *multiplex.Graph) *mat.Dense {
	layers := g.Layers
	if oneFeatures(g) == nil {
		layers = layers[:1]
	}
	m, f := g.M(), g.F()
	y := mat.NewDense(m, f*len(layers), nil)
	for l := range layers {
		x := layers[l].Features
		var values []float64
		if x.Sparse != nil {
			values = valuesOf(x.Sparse)
		}
		for i := range m {
			row := y.RawRowView(i)[l*f : (l+1)*f]
			if x.Sparse == nil {
				copy(row, x.Dense[i*f:(i+1)*f])
				continue
			}
			for k := x.Sparse.Start[i]; k < x.Sparse.Start[i+1]; k++ {
				row[x.Sparse.Index[k]] = values[k]
			}
		}
	}
	return y
}
