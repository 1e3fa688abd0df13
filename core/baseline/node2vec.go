package baseline

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline/skipgram"
	"cadem.example/core/train"
)

// node2vec (Grover and Leskovec 2016), on every layer by itself: walks of the second order, weighted
// by the edges, in which a node u predicts a node t near it (package skipgram). After node s a walk
// goes on from v to x with a probability in proportion to w_vx times 1/p if x = s, 1 if x is a
// neighbour of s, and 1/q otherwise. With n five nodes drawn by count^0.75:
//
//	minimise  the sum over pairs of  -log sigma(e_u . o_t) - sum over n of log sigma(-e_u . o_n)
//
// The embedding is e (M x 128). Features are ignored. A node without edges keeps the vector that
// was drawn for it.
//
// Cost: about 11 pairs a token and 2 x 6 x 128 multiply-adds a pair; 10 x 80 M tokens, one epoch. No
// memory is taken for pairs of edges: candidates are drawn by weight and may be rejected.
//
// Not in the paper: its program makes one epoch; frequent nodes are dropped at random, as in DeepWalk.
// With p = q = 1, the defaults, the differences from DeepWalk are the shorter training and
// the missing tree. The level lite halves walks and windows, and has four times the rate, for the reason
// given in deepwalk.go.
var node2vec = train.Method{
	Name: "node2vec", Label: "node2vec", Doc: "Vectors of nodes that predict which nodes are near on random walks that remember where they came from.",
	Family: train.Walks, Fusion: train.Combiner, Unscaled: true,
	Needs: []train.Need{train.OneGraph, train.Edges}, Losses: []string{"total"},
	Levels:  withLite("length", 40, "window", 5, "lr", 0.1),
	Options: func() any { return &Node2vecOptions{} },
}

func newNode2vec[T kernel.Float](s *train.Setup) (train.Training, error) {
	o := s.Options.(*Node2vecOptions)
	return newWalked[T](s, walking{o.Walks, o.Length, o.P, o.Q, true}, skipgram.Options{Window: o.Window, Epochs: o.Epochs, Negatives: o.Negatives,
		Subsample: o.Subsample, From: o.Rate, To: o.LastRate}, o.Dim), nil
}

// Node2vecOptions are the options of node2vec.
type Node2vecOptions struct {
	Dim       int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"512" default:"128" doc:"Numbers per node in the embedding of each layer."`
	Walks     int     `name:"walks" label:"Walks per node" group:"Method" min:"1" max:"1000" default:"10" doc:"Walks that start at each node."`
	Length    int     `name:"length" label:"Length of walks" group:"Method" min:"2" max:"1000" default:"80" doc:"Nodes of a walk."`
	P         float64 `name:"p" symbol:"p" label:"Return" group:"Method" min:"0.001" max:"1000" default:"1" doc:"The larger, the more rarely a walk goes straight back."`
	Q         float64 `name:"q" symbol:"q" label:"In-out" group:"Method" min:"0.001" max:"1000" default:"1" doc:"The larger, the more a walk stays near where it was."`
	Window    int     `name:"window" label:"Window" group:"Method" min:"1" max:"100" default:"10" doc:"Nodes to each side on a walk that predict a node, at most."`
	Epochs    int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"1000" default:"1" doc:"Passes over all walks."`
	Negatives int     `name:"negatives" label:"Negatives" group:"Method" min:"1" max:"100" default:"5" doc:"Nodes drawn for each pair, from which the right one is told."`
	Subsample float64 `name:"subsample" label:"Subsampling" group:"Method" min:"0" max:"1" default:"0.001" doc:"Relative frequency from which on nodes are left out of walks at random; 0 leaves out none."`
	Rate      float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.025" doc:"The learning rate at the start."`
	LastRate  float64 `name:"lr_last" label:"Last learning rate" group:"Method" min:"0" max:"10" default:"0.0001" doc:"The learning rate at the end, to which it falls linearly."`
}
