// Package evaluate scores embeddings of the nodes of a multiplex graph against label
// sets: classification by cross-validation with the attention combiner, clustering by
// K-means, and beside every score what an untrained encoder and a linear probe reach.
//
//	scores, err := evaluate.Table(evaluate.Input{
//		Trained: trained, Untrained: untrained, Targets: graph.Labels, Classify: true,
//	}, options, seed, nil)
//
// The protocol is the one that produced the published numbers: outer folds only
// (the inner loop of the published nested cross-validation selects nothing), a fixed
// number of epochs, no standardisation. Of more than [Many] nodes each epoch sees a part of
// them, and scores are off by less than their spread. Embeddings are learned once on all nodes, so
// nothing here measures how well new nodes would do. [LayerProbe] asks what embeddings give
// away of the layer they come from. [Compare] reports whether two methods differ by more than
// chance in the same folds and with the same seeds.
//
// Everything is float64 and in a fixed order: the same bits on every machine. Wrong
// shapes panic with a diag.Misuse; data that cannot be scored is reported by an error.
package evaluate

import "cadem.example/core/base/diag"

const (
	// ErrShape is panicked when the sizes of the arguments do not fit together.
	ErrShape diag.Misuse = "evaluate: dimension mismatch"
	// ErrLabel is panicked for a label below zero: leave missing labels out first.
	ErrLabel diag.Misuse = "evaluate: label below zero"
	// ErrGroups is panicked when a fold would train on a group that it tests.
	ErrGroups diag.Misuse = "evaluate: a group on both sides of a fold"
	// ErrName is panicked for a parameter that a combiner does not have.
	ErrName diag.Misuse = "evaluate: unknown parameter"
)
