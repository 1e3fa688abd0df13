package cadem

import (
	"fmt"
	"math"

	"cadem.example/core/base/figure"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/multiplex"
)

// Advice is which preset fits data, and why.
type Advice struct {
	Preset string `json:"preset"`
	Reason string `json:"reason"`
}

// dense is how many links a node has, on average, in a layer whose own noise hides little: from there on the noise edge of package
// split, 2 / sqrt(links a node), is below half of the largest singular value there can be.
const dense = 16

// Recommend returns the preset that fits graphs: what separates shared from private on features and on dense layers,
// what does so on links alone, or neither.
func Recommend(graphs []*multiplex.Graph) Advice {
	g := graphs[0]
	switch features := g.F(); {
	case g.N() < 2:
		return Advice{"released", "with one layer there is nothing that layers could share"}
	case !g.Featureless() && features < 2:
		return Advice{"released", "nodes have one number each, and one number leaves no direction to part"}
	case !g.Featureless():
		return Advice{"refined", fmt.Sprintf("nodes have %d features, by whose directions layers can be compared", features)}
	}
	least, at := math.Inf(1), 0
	for l := range g.Layers {
		if links := meanDegree(graphs, l); links < least {
			least, at = links, l
		}
	}
	links := figure.Fixed(least, 1)
	switch {
	case least >= dense:
		return Advice{"refined", "nodes have no features, and " + links + " links or more each in every layer: what a layer holds stands above its own noise"}
	case len(graphs) > 1:
		return Advice{"released", fmt.Sprintf("layers have as few as %s links a node and no features, which refined takes for noise; evidence takes one graph, "+
			"and these are %d", links, len(graphs))}
	default:
		return Advice{"evidence", fmt.Sprintf("nodes have no features, and only %s links each in layer %s: refined takes most of such a layer for noise, "+
			"evidence tests every layer by the others", links, g.Layers[at].Name)}
	}
}

// LargeFeatures is the value of the option features for many nodes without any.
const LargeFeatures = "spectral:64"

// LightFeatures is its value where finding those takes too much memory.
const LightFeatures = "random:64"

// Structure returns the kind of features that a value of the option features selects, and their largest number for a number of nodes and layers.
func Structure(option string, nodes, layers int) (kind string, columns int) {
	s := inputs.ParseStructure(option)
	return s.Kind, s.Columns(nodes, layers)
}

// meanDegree returns how many links a node has in a layer, over all graphs.
func meanDegree(graphs []*multiplex.Graph, layer int) float64 {
	links, nodes := 0, 0
	for _, g := range graphs {
		links, nodes = links+2*g.Layers[layer].Summary().Edges, nodes+g.M()
	}
	return float64(links) / float64(nodes)
}
