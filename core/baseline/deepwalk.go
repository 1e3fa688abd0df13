package baseline

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline/skipgram"
	"cadem.example/core/train"
)

// DeepWalk (Perozzi, Al-Rfou and Skiena 2014), on every layer by itself: uniform random walks are read
// as sentences, in which a node u predicts a node t near it (package skipgram). With a the inner
// nodes on the way to t in the Huffman tree of the counts, and n five nodes drawn by count^0.75:
//
//	minimise  the sum over pairs of  - sum over a of log sigma(+-e_u . h_a)
//	                                 - log sigma(e_u . o_t) - sum over n of log sigma(-e_u . o_n)
//
// The embedding is e (M x 64). Features and weights of edges are ignored. A node without edges
// keeps the vector that was drawn for it.
//
// Cost: about 5.5 pairs a token and 2 (6 + log2 M) 64 multiply-adds a pair; 10 x 40 M tokens, 5 epochs.
//
// Not in the paper: its program trains the tree and, by a default of its library, negatives
// as well; frequent nodes are dropped at random (three of five tokens of 100
// equally frequent nodes, none of 1000); each pair's window is drawn; five epochs. The level lite trains
// negatives alone, one epoch at four times the rate: at the usual one vectors stay so near to 0 that a reader with a
// fixed rate learns nothing from them.
var deepWalk = train.Method{
	Name: "deepwalk", Label: "DeepWalk", Doc: "Vectors of nodes that predict which nodes are near on uniform random walks.",
	Family: train.Walks, Fusion: train.Combiner, Unscaled: true,
	Needs: []train.Need{train.OneGraph, train.Edges}, Losses: []string{"total"},
	Levels:  withLite("epochs", 1, "tree", "off", "lr", 0.1),
	Options: func() any { return &DeepWalkOptions{} },
}

func newDeepWalk[T kernel.Float](s *train.Setup) (train.Training, error) {
	o := s.Options.(*DeepWalkOptions)
	return newWalked[T](s, walking{o.Walks, o.Length, 1, 1, false}, skipgram.Options{Window: o.Window, Epochs: o.Epochs, Negatives: o.Negatives,
		Tree: o.Tree == "on", Subsample: o.Subsample, From: o.Rate, To: o.LastRate}, o.Dim), nil
}

// DeepWalkOptions are the options of DeepWalk.
type DeepWalkOptions struct {
	Dim       int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"512" default:"64" doc:"Numbers per node in the embedding of each layer."`
	Walks     int     `name:"walks" label:"Walks per node" group:"Method" min:"1" max:"1000" default:"10" doc:"Walks that start at each node."`
	Length    int     `name:"length" label:"Length of walks" group:"Method" min:"2" max:"1000" default:"40" doc:"Nodes of a walk."`
	Window    int     `name:"window" label:"Window" group:"Method" min:"1" max:"100" default:"5" doc:"Nodes to each side on a walk that predict a node, at most."`
	Epochs    int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"1000" default:"5" doc:"Passes over all walks."`
	Tree      string  `name:"tree" label:"Hierarchical softmax" group:"Method" choices:"on|off" default:"on" doc:"Whether the way to a node in the Huffman tree is predicted."`
	Negatives int     `name:"negatives" label:"Negatives" group:"Method" min:"0" max:"100" default:"5" doc:"Nodes drawn for each pair, from which the right one is told."`
	Subsample float64 `name:"subsample" label:"Subsampling" group:"Method" min:"0" max:"1" default:"0.001" doc:"Relative frequency from which on nodes are left out of walks at random; 0 leaves out none."`
	Rate      float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.025" doc:"The learning rate at the start."`
	LastRate  float64 `name:"lr_last" label:"Last learning rate" group:"Method" min:"0" max:"10" default:"0.0001" doc:"The learning rate at the end, to which it falls linearly."`
}
