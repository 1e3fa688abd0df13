// Package multiplex is the model of a multiplex graph: the same nodes joined by several layers of edges, each layer with
// node features, and its propagation Z = B X, the input of CaDeM's linear encoders.
//
//	a, err := multiplex.FromEdges(3, []multiplex.Edge{{0, 1, 1}, {1, 2, 1}})
//	g := &multiplex.Graph{Layers: []multiplex.Layer{{Name: "friends", Adjacency: a, Features: multiplex.Identity(3)}, ...}}
//	err = g.Check()
//
// Wrong shapes in a call are mistakes of the program and panic with a diag.Misuse; data
// that cannot be used is reported by an error.
//
// A product that feeds a sum is written float64(...) or T(...): compilers must not fuse the two, or bits would depend on
// the machine.
package multiplex

import "cadem.example/core/base/diag"

// ErrShape is the panic value when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "multiplex: dimension mismatch"
