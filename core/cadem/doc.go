// Package cadem learns, for every layer l of a multiplex graph, a common embedding C_l (what all
// layers share) and a private one P_l (what only this layer has), by causality-driven
// disentanglement (S. Nasiri, S. Aviyente, D. Thanou: Causality-Driven Disentangled Representation
// Learning in Multiplex Graphs, https://arxiv.org/abs/2603.24105). Package
// [cadem.example/core/cadem/reference] is the same method in plain loops; start there to see what is computed.
//
//	o := cadem.Released()
//	o.Epochs = 140
//	run, err := cadem.New([]*multiplex.Graph{g}, o, seed, precision.Single)
//	for !run.Done() {
//		if err := run.Step(); err != nil { ... }
//	}
//	e := run.Embeddings(0) // S, C_l and P_l
//
// Symbols as in the paper: M nodes, N layers, F features; F_l of them reach the encoders of layer l (just F if there
// is one layer), H hidden units, d embedding size, C_l and P_l (M x d), S the
// consensus they are matched to, phi and psi the linear heads; K is a number of pooled graphs. B_l is
// the propagation matrix, n(n(A_l)), or n(A_l + I) as printed, with n(A)_ij = A_ij / sqrt(deg_i deg_j).
// The equations in the order of the algorithm, and their files. Numbers are the paper's, letters ours; both
// packages use them:
//
//	(a) propagation               Z_l = B_l X_l                           core/multiplex/propagation.go, plans.go
//	(b) common encoder            C_l = Z_l W1c W2c + 1 bc'               encoder.go; Z U in consensus.go, matching.go
//	(c) private encoder           P_l = Z_l W1p W2p + 1 bp'               encoder.go
//	(d) stratified augmentation   h = sum over kept nodes, with noise     augment.go
//	(1) consensus, Procrustes     S = scale L R' of sum_l (C_l - means)   consensus.go, core/base/linalg/polar.go
//	(2) matching                  sum_l |C_l - S|^2 / M                   matching.go
//	(3) backdoor adjustment       p(l | do(P)) = sum_C p(l | P, C) p(C)   causal.go, by pairs (i, j)
//	(4) self-supervised           CE(phi(h_P), layer)                     selfsupervised.go, crossentropy.go
//	(5) causal                    CE(psi(h_P[i] (+) h_C[j]), layer of i)  causal.go, crossentropy.go
//	(6) loss                      w (2) + alpha (4) + beta (5)            loss.go
//	(e) Adam                                                             adam.go, core/base/kernel/adam.go
//	(f) early stopping                                                   trainer.go
//
// Two additions are not in the paper, and options switch them on. Inputs of the encoders are trimmed, and split into
// what the layers share and what is a layer's own (package split). The loss has a fourth term:
//
//	(g) private matching          omega sum_l |Z_l U_l - R_l|^2 / M       private.go; R_l in split/target.go
//
// Everything random comes through a [RandomSource]; source.go says where each draw is made. Each term
// has its gradient next to it. Both encoders of a layer are linear, so everything is reorganised
// exactly, never approximately: U = W1 W2 (F x d) is formed first; pooled graphs are rows of pooled Z,
// so that the private branch never visits the nodes; the gradient of W1, of rank d, is formed inside
// the Adam loop. W1 and W2 stay two parameters, because Adam on their product would be another
// optimiser.
//
// A step is [Trainer.Step] in trainer.go. It calls update (model.go, consensus.go), gradients (loss.go) and move
// (adam.go) of the model. Their data are in pooled.go, encoder.go, head.go and weights.go.
//
// Code that makes a step fast is in internal. internal/route counts what the ways to the consensus
// and the matching loss cost and picks the cheapest, and [Trainer.Notes] reports which.
//
// A run depends only on its graphs, its options and their changes, its precision and its seed, and has the same bits
// on every machine: float64(...) or T(...) around a product that feeds a sum keeps compilers from fusing the two.
package cadem

import (
	"errors"

	"cadem.example/core/base/diag"
)

// ErrShape is the panic value when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "cadem: dimension mismatch"

// ErrDone is returned by Step after the last step.
var ErrDone = errors.New("cadem: the run is over")
