// Package cadem learns, for every layer l of a multiplex graph, a common embedding C_l
// (what all layers share) and a private one P_l (what only this layer has), by
// causality-driven disentanglement (S. Nasiri, S. Aviyente, D. Thanou: Causality-Driven
// Disentangled Representation Learning in Multiplex Graphs, https://arxiv.org/abs/2603.24105).
// Package reference is the same method in plain loops; begin there to see what is computed.
//
//	o := cadem.Released()
//	o.Epochs = 140
//	run, err := cadem.New([]*multiplex.Graph{g}, o, seed, cadem.Single)
//	for !run.Done() {
//		if err := run.Step(); err != nil { ... }
//	}
//	e := run.Embeddings(0) // S, C_l and P_l
//
// Symbols as in the paper: M nodes, N layers, F features, H hidden units, d embedding
// size, C_l and P_l (M x d), S the consensus they are matched to, phi and psi the linear
// heads. One Adam step moves
//
//	L = w match + alpha selfsupervised + beta causal
//
// Where the paper's steps are:
//
//	propagation      Z_l = n(n(A_l)) X_l                        core/multiplex/propagator.go
//	encoders         C_l = Z_l W1c W2c + 1 bc', P_l likewise    encoder.go
//	stratified augmentation, h = sum over kept nodes            augment.go
//	consensus        S = orthogonal Procrustes of sum_l C_l     consensus.go
//	matching         sum_l |C_l - S|^2                          matching.go
//	self-supervised  CE(phi(h_P), layer)                        selfsupervised.go
//	causal           CE(psi(h_P (+) h_C'), layer)               causal.go
//	heads phi, psi and their cross entropy                      head.go, crossentropy.go
//	Adam, early stopping, the loop of a step                    trainer.go
//	everything random                                           source.go
//
// Each term has its gradient beside it. Both encoders of a layer are linear,
//
//	C_l = Z_l W1 W2 + b,   Z_l = n(n(A_l)) X_l,
//
// so everything is reorganised exactly, never approximately: U = W1 W2 (F x d) is formed
// first; pooled graphs are rows of pooled Z, so that the private branch never visits the
// nodes; the gradient of W1, of rank d, is formed inside the Adam loop. W1 and W2 stay two
// parameters, because Adam on their product would be another optimiser.
//
// What a step costs, in multiply-adds per column of d = 8, for one layer with f live features
// and K pooled graphs:
//
//	U = W1 W2, dW2 = W1'dU, Adam on W1   3 f H per encoder
//	pooled graphs                        2 K f per encoder
//	matching, visiting the nodes         2 nnz(Z) (dense M f; apart nnz(B) + nnz(X))
//	matching, through moments            f^2
//	Adam on W2                           H per encoder
//
// and once an epoch, for the consensus of all layers:
//
//	over the nodes                       3 M d, and nnz(Z) more through moments
//	factored, n = sum of f               n^2 + 3 n d
//
// internal/route counts these and takes the cheapest; [Trainer.Notes] tells which. With few
// features neither step nor epoch depends on the number of nodes. Memory: three
// numbers a parameter (weight and two moments), Z and its transpose, and some rows of d a
// node where the nodes are visited.
//
// The private encoders of a large run may train beside it (branch.go).
//
// A run depends on its options and its seed alone, and has the same bits on every machine.
package cadem

import (
	"errors"

	"cadem/core/diag"
)

// Precision of a run's arithmetic: Single is what runs in production, Double is for
// comparison with the reference.
type Precision int

const (
	Single Precision = 32
	Double Precision = 64
)

// ErrShape is panicked when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "cadem: dimension mismatch"

// ErrOffload is panicked when encoders of a run are to be offloaded that has several graphs, draws
// in every step, decays, or has sizes that a Helper does not take.
const ErrOffload diag.Misuse = "cadem: nothing to hand over to a helper"

// ErrDone is returned by Step after the last step.
var ErrDone = errors.New("cadem: the run is over")
