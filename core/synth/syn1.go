package synth

import (
	"fmt"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// Syn1Options are the settings of the graph Syn1.
type Syn1Options struct {
	Nodes       int     `name:"nodes" symbol:"M" min:"2" max:"5000" default:"100" group:"data" doc:"Number of nodes, the same in every layer."`
	Layers      int     `name:"layers" symbol:"N" min:"2" max:"10" default:"3" group:"data" doc:"Number of layers, each with communities of its own."`
	Communities int     `name:"communities" min:"2" max:"50" default:"3" group:"data" doc:"Number of communities in every layer; each node joins one at random."`
	PIntra      float64 `name:"p_intra" symbol:"p_in" min:"0" max:"1" default:"0.7" group:"data" doc:"Chance of an edge between two nodes of the same community."`
	PInter      float64 `name:"p_inter" symbol:"p_out" min:"0" max:"1" default:"0.1" group:"data" doc:"Chance of an edge between two nodes of different communities."`
	FirstShare  float64 `name:"first_share" min:"0" max:"1" default:"0.8" group:"data" doc:"Chance that a node's final label is its community in the first layer; the other layers share the rest equally."`
}

// syn1 draws independent stochastic block models. Its label sets are "final" and, for
// every layer, "layer_1", "layer_2", ...
func syn1(o *Syn1Options, seed uint64) (*multiplex.Graph, error) {
	if err := fewer("communities", o.Communities, o.Nodes); err != nil {
		return nil, err
	}
	m, n := o.Nodes, o.Layers
	classes := numbered("community", o.Communities)
	g := &multiplex.Graph{Name: "Syn1", Labels: []multiplex.LabelSet{{Name: "final", Classes: classes, Of: make([]int, m)}}}
	x := multiplex.Identity(m)
	for l := 1; l <= n; l++ {
		of := uniformLabels(rng.New(seed, fmt.Sprintf("syn1/labels/layer %d", l)), m, o.Communities)
		pairs := rng.New(seed, fmt.Sprintf("syn1/pairs/layer %d", l))
		a, err := adjacency(m, func(i, j int) bool {
			if of[i] == of[j] {
				return pairs.Float64() < o.PIntra
			}
			return pairs.Float64() < o.PInter
		})
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprintf("layer %d", l), Adjacency: a, Features: x})
		g.Labels = append(g.Labels, multiplex.LabelSet{Name: fmt.Sprintf("layer_%d", l), Classes: classes, Of: of})
	}
	source := rng.New(seed, "syn1/final")
	for i := range m {
		// Both numbers are drawn for every node, so that first_share moves no other node.
		first, other := source.Float64(), source.IntN(n-1)
		l := 1
		if first >= o.FirstShare {
			l = 2 + other
		}
		g.Labels[0].Of[i] = g.Labels[l].Of[i]
	}
	return g, nil
}
