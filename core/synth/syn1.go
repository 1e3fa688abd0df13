package synth

import (
	"fmt"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// Syn1Options are the settings of the graph Syn1.
type Syn1Options struct {
	Instance    string  `name:"instance" choices:"drawn|published" default:"drawn" group:"data" doc:"drawn: by the data seed. published: the very data behind the paper's numbers, whatever the seed; the other options stay as they are."`
	Nodes       int     `name:"nodes" symbol:"M" min:"2" max:"5000" default:"100" group:"data" doc:"Number of nodes, the same in every layer."`
	Layers      int     `name:"layers" symbol:"N" min:"2" max:"10" default:"3" group:"data" doc:"Number of layers, each with communities of its own."`
	Communities int     `name:"communities" min:"2" max:"50" default:"3" group:"data" doc:"Number of communities in every layer; each node joins one at random."`
	PIntra      float64 `name:"p_intra" symbol:"p_in" min:"0" max:"1" default:"0.7" group:"data" doc:"Chance of an edge between two nodes of the same community."`
	PInter      float64 `name:"p_inter" symbol:"p_out" min:"0" max:"1" default:"0.1" group:"data" doc:"Chance of an edge between two nodes of different communities."`
	FirstShare  float64 `name:"first_share" min:"0" max:"1" default:"0.8" group:"data" doc:"Chance that a node's final label is its community in the first layer; the other layers share the rest equally."`
}

// syn1Draws are the random sources of Syn1.
type syn1Draws struct {
	labels, pairs func(l int) source // of layer l, from 1
	final         func() int         // the layer that the next node's final label is copied from
}

// Syn1 is the generator "syn1".
var Syn1 = New("syn1",
	"Every layer has communities of its own; the final label of a node is copied from a random layer.", syn1)

// syn1 draws independent stochastic block models. Its label sets are "final" and, for
// every layer, "layer_1", "layer_2", ...
func syn1(o *Syn1Options, seed uint64) (*multiplex.Graph, error) {
	if o.Instance == published {
		if err := onlyPublished(o); err != nil {
			return nil, err
		}
		return drawSyn1(o, publishedSyn1())
	}
	final := rng.New(seed, "syn1/final")
	return drawSyn1(o, syn1Draws{
		labels: func(l int) source { return rng.New(seed, fmt.Sprintf("syn1/labels/layer %d", l)) },
		pairs:  func(l int) source { return rng.New(seed, fmt.Sprintf("syn1/pairs/layer %d", l)) },
		final: func() int {
			// Both numbers are drawn for every node, so first_share moves no other node.
			first, other := final.Float64(), final.IntN(o.Layers-1)
			if first < o.FirstShare {
				return 1
			}
			return 2 + other
		},
	})
}

func drawSyn1(o *Syn1Options, from syn1Draws) (*multiplex.Graph, error) {
	if err := fewer("communities", o.Communities, o.Nodes); err != nil {
		return nil, err
	}
	m, n := o.Nodes, o.Layers
	classes := numbered("community", o.Communities)
	g := &multiplex.Graph{Name: "Syn1", Labels: []multiplex.LabelSet{{Name: "final", Classes: classes, Of: make([]int, m)}}}
	x := multiplex.Identity(m)
	for l := 1; l <= n; l++ {
		of := uniformLabels(from.labels(l), m, o.Communities)
		pairs := from.pairs(l)
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
	for i := range m {
		g.Labels[0].Of[i] = g.Labels[from.final()].Of[i]
	}
	return g, nil
}
