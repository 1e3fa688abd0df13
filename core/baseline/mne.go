package baseline

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/baseline/skipgram"
	"cadem.example/core/train"
)

// MNE, multiplex network embedding (Zhang, Qiu, Yi and Song 2018). Node v in layer l is
//
//	v_l = b_v + a_vl T_l,   b_v in R^200 shared,  a_vl in R^10,  T_l 10 x 200
//
// and predicts the nodes near it on walks that follow the weights (package skipgram), with n five nodes
// drawn by count^0.75:
//
//	minimise  the sum over pairs of  -log sigma(u_l . o_t) - sum over n of log sigma(-u_l . o_n)
//
// First b alone, on the union of the layers with weight 1; then a_l and T_l on each layer, while b stays. With
// e the change that a pair asks of u_l, T_l moves by a_u'e, then a_u by e T_l' with the new T_l; where
// |T_l| is above 1000, it is brought back to it. The embedding is the mean of v_l over the layers (M x 200); the
// vectors of each layer are scored, too. Features are ignored.
//
// Cost: about 4.5 pairs a token, 2 x 6 x 200 multiply-adds a pair and 6 x 10 x 200 more on a layer;
// 20 x 10 M tokens, 100 epochs on the union and 20 on each layer.
//
// Not in the paper: training in these two parts, and all numbers above but 200 and 10; they are its program's. T
// starts at 0, outputs start at 0 in each part. A node without edges in a layer keeps its initial vector there. The
// limit holds T alone: with rates of 0.3 and more, a may grow without end. The level lite has 64 numbers a node, 30
// epochs on the union and 5 on each layer: after 10 on the union a reader with a fixed rate learns nothing more.
var mne = train.Method{
	Name: "mne", Label: "MNE", Doc: "Vectors of nodes that predict which are near on random walks, of a part that all layers share and a small part for each.",
	Family: train.Walks, Fusion: train.Own, Unscaled: true,
	Needs: []train.Need{train.OneGraph, train.Layers, train.Edges}, Losses: []string{"total"},
	Levels:  withLite("dim", 64, "epochs_union", 30, "epochs_layer", 5),
	Options: func() any { return &MNEOptions{} },
}

// MNEOptions are the options of MNE.
type MNEOptions struct {
	Dim         int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"512" default:"200" doc:"Numbers per node."`
	Extra       int     `name:"extra" label:"Size of the part of a layer" group:"Method" min:"1" max:"512" default:"10" doc:"Numbers per node that each layer has for itself."`
	Walks       int     `name:"walks" label:"Walks per node" group:"Method" min:"1" max:"1000" default:"20" doc:"Walks that start at each node."`
	Length      int     `name:"length" label:"Length of walks" group:"Method" min:"2" max:"1000" default:"10" doc:"Nodes of a walk."`
	Window      int     `name:"window" label:"Window" group:"Method" min:"1" max:"100" default:"5" doc:"Nodes to each side on a walk that predict a node, at most."`
	UnionEpochs int     `name:"epochs_union" label:"Epochs on the union" group:"Method" min:"1" max:"10000" default:"100" doc:"Passes over the walks on all layers together."`
	LayerEpochs int     `name:"epochs_layer" label:"Epochs on a layer" group:"Method" min:"1" max:"10000" default:"20" doc:"Passes over the walks on each layer."`
	Negatives   int     `name:"negatives" label:"Negatives" group:"Method" min:"1" max:"100" default:"5" doc:"Nodes drawn for each pair, from which the right one is told."`
	Subsample   float64 `name:"subsample" label:"Subsampling" group:"Method" min:"0" max:"1" default:"0.001" doc:"Relative frequency from which on nodes are left out of walks at random; 0 leaves out none."`
	Rate        float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.025" doc:"The learning rate at the start of each part."`
	LastRate    float64 `name:"lr_last" label:"Last learning rate" group:"Method" min:"0" max:"10" default:"0.0001" doc:"The learning rate at the end, to which it falls linearly."`
	Limit       float64 `name:"limit" label:"Limit of the map" group:"Method" min:"0.001" max:"1000000" default:"1000" doc:"Largest norm of the map from the part of a layer to all numbers of a node."`
}

// newMNE fits the union of the layers first, then every layer.
func newMNE[T kernel.Float](s *train.Setup) (train.Training, error) {
	o, g, m := s.Options.(*MNEOptions), s.Graphs[0], s.Graphs[0].M()
	options := skipgram.Options{Window: o.Window, Epochs: o.UnionEpochs, Negatives: o.Negatives, Subsample: o.Subsample, From: o.Rate, To: o.LastRate}
	b := startVectors[T](s.Source, m, o.Dim, "union/b")
	n := &skipGrams[T]{words: m, size: o.Dim, source: s.Source, trains: -1, vectors: [][]T{b}, out: outputs[T](m, o.Dim, options),
		parts: []skipPart[T]{{"all", "union/", options, &skipgram.Table[T]{Rows: b, D: o.Dim}}}}
	options.Epochs = o.LayerEpochs
	var layers []*skipgram.Layered[T]
	for l := range g.Layers {
		layer := skipgram.NewLayered(b, startVectors[T](s.Source, m, o.Extra, prefix(l)+"a"), o.Dim, o.Extra, o.Limit)
		layers, n.vectors = append(layers, layer), append(n.vectors, layer.A, layer.T)
		n.parts = append(n.parts, skipPart[T]{g.Layers[l].Name, prefix(l), options, layer})
	}
	n.corpus = func(part int, yield pause.Yield) (*skipgram.Corpus, error) {
		var neighbours *skipgram.Neighbours
		if part > 0 {
			neighbours = skipgram.Without(g.Layers[part-1].Adjacency)
		} else {
			neighbours = skipgram.Union(g.Adjacencies())
		}
		return skipgram.NewWalker(neighbours, 1, 1, true).Walks(o.Walks, o.Length, s.Source, n.parts[part].draws, yield)
	}
	// The mean over the layers, and the vectors of each.
	n.list = func(int) []train.Embedding {
		mean := mat.NewDense(m, o.Dim, nil)
		list := empties(len(layers), m, o.Dim)
		for l, x := range list {
			for v := range m {
				for k, value := range layers[l].Vector(v) {
					x.Set(v, k, float64(value))
					mean.Set(v, k, mean.At(v, k)+float64(value)/float64(len(layers)))
				}
			}
		}
		return append(fused(mean), ofLayers(list)...)
	}
	return n, nil
}
