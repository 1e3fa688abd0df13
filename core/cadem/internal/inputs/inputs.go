// Package inputs prepares what the encoders of every layer work on.
package inputs

import (
	"cadem/core/kernel"
	"cadem/core/multiplex"
)

// Propagate returns Z = B X of every layer of every graph, d columns at a time, and for every layer
// the features kept: those with a nonzero column in Z of some graph, or all. Features gives X of a
// layer after dropout.
func Propagate[T kernel.Float](graphs []*multiplex.Graph, kind multiplex.Kind, every bool, d int,
	features func(graph, layer int, x *multiplex.Features) *multiplex.Features) (z [][]*multiplex.Propagation[T], live [][]int32) {
	z = make([][]*multiplex.Propagation[T], len(graphs))
	for l := range graphs[0].N() {
		mark, rows := make([]bool, graphs[0].F()), []int32(nil)
		var b []*multiplex.Propagator
		var x []*multiplex.Features
		for i, g := range graphs {
			layer := &g.Layers[l]
			b, x = append(b, multiplex.NewPropagator(layer.Adjacency, kind)), append(x, features(i, l, layer.Features))
			multiplex.LiveFeatures(mark, b[i], x[i])
		}
		for j, ok := range mark {
			if ok || every {
				rows = append(rows, int32(j))
			}
		}
		for i := range graphs {
			z[i] = append(z[i], multiplex.NewPropagation[T](b[i], x[i], rows, d))
		}
		live = append(live, rows)
	}
	return z, live
}
