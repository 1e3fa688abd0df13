package links

import (
	"fmt"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// mostTransferred is the largest number of links of a layer that are compared with other pairs.
const mostTransferred = 20000

// Leave takes all links of a layer away, to be predicted by the other layers. The degree term of its pairs is that of the other layers
// together. The error is that of pause, or a [*diag.Error] if the layer has too few links or pairs without one.
func Leave(g *multiplex.Graph, l int, seed uint64, pause pause.Work) (*Held, error) {
	kept := *g
	h := &Held{Graph: &kept, seed: seed, Pairs: make([][]Pair, g.N()), degree: make([][]float64, g.N())}
	kept.Layers = slices.Clone(g.Layers)
	layer := evidence.NewLayer(g.Layers[l].Adjacency)
	places := make([]int, min(len(layer.Links), mostTransferred))
	h.stream(l, "left").Sample(places, len(layer.Links))
	slices.Sort(places)
	var err error
	if h.Pairs[l], err = h.pairs(layer, l, places, pause); err != nil {
		return nil, err
	}
	if !h.Scored(l) {
		return nil, &diag.Error{Where: "layer " + g.Layers[l].Name, Found: fmt.Sprintf("fewer than %d links, or pairs of nodes that are not linked", least),
			Expected: fmt.Sprintf("%d: there is nothing to tell apart", least)}
	}
	if kept.Layers[l].Adjacency, err = multiplex.FromEdges(g.M(), nil); err != nil {
		return nil, err
	}
	degrees := make([]float64, g.M())
	for k := range g.Layers {
		if k != l {
			for i, d := range evidence.NewLayer(g.Layers[k].Adjacency).Degrees {
				degrees[i] += d
			}
		}
	}
	for i, d := range degrees {
		degrees[i] = kernel.Log(d + .3)
	}
	h.degree[l] = degrees
	return h, nil
}
