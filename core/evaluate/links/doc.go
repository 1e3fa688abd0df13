// Package links measures how well a method predicts links that it has not seen. It needs no labels.
//
//	held, err := links.Hold(graph, links.Share, seed, nil)
//	... train on held.Graph ...
//	scores, err := held.Score(layer, 1, func(dst []float64, i, j int) float64 { ... }, nil)
//
// Of every layer 15 % of the links are held out, uniformly. They are to be separated from as many pairs of nodes with links in the layer that
// are not linked there, drawn uniformly, and from as many whose ends are drawn in proportion to their degrees: what degrees alone explain
// does not help with these. Directed links count as undirected ones, and weights as links. Nodes stay, and so do their features:
// features derived from links leak the held-out ones.
//
// A method gives a score to a pair, and the features that it is made of. The score is used directly ([AUC], [AUCMatched]). In addition, a
// logistic regression on the features and on the degrees, fitted to one half of the pairs, predicts how probable links are in the other
// half and vice versa, so that methods whose scores have different scales can be compared, and none gains by knowing degrees alone.
//
// Pairs depend on graph, share and seed alone: every method is asked for the same ones.
package links

import "cadem.example/core/base/diag"

// ErrShape is the panic value for a layer that does not exist, or a share outside (0, 1).
const ErrShape diag.Misuse = "links: dimension mismatch"

// Share is the usual part of the links of a layer that is held out.
const Share = .15
