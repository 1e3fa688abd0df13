package inputs

import (
	"cadem.example/core/cadem/split"
	"cadem.example/core/multiplex"
)

// Layers returns B and X of every layer of the only graph.
func (o Options) Layers(g *multiplex.Graph) ([]split.Source, error) {
	o.graphs = 1
	return o.layers(g, 0)
}
