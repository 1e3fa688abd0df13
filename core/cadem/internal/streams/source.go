package streams

import (
	"cadem/core/cadem/internal/pooled"
	"cadem/core/multiplex"
)

// A Source supplies everything random of a run.
type Source interface {
	// Features returns the features of a layer after dropout.
	Features(graph, layer int, x *multiplex.Features) *multiplex.Features
	// Weights fills a tensor (rows x cols) with its initial values. Names are "l0.W1c",
	// "l0.W2c", "l0.bc" and the same with p for each layer, and Wphi, bphi, Wpsi, bpsi.
	Weights(name string, w []float64, rows, cols int)
	// Sets returns the sets of pooled graphs that serve all steps. With fresh
	// augmentation only their layers, sizes and batches last: Refresh replaces nodes and noise before
	// every step.
	Sets(graph int) []pooled.Set
	// Refresh fills nodes and noise of a set for a step of fresh augmentation.
	Refresh(graph, set, step int, g *pooled.Set)
	// Pair fills in the common partners of the private parts of a batch, as positions in it:
	// one each, or K each for pairing "sampled:K". It is not asked when all pairs are formed, or each
	// part with its own.
	Pair(graph, set, batch, step int, partners []int)
	// Directions fills the columns of x (M x d), from which the missing directions of a
	// consensus are made. They are the same in every epoch, so that S does not jump.
	Directions(graph int, x []float64, d int)
	// Notes tell in sentences where a rule for draws acted.
	Notes() []string
}
