package cadem

import (
	"cadem/core/cadem/internal/streams"
	"cadem/core/multiplex"
)

// A RandomSource supplies everything random of a run. [New] takes [Seeded] streams; the
// comparison with reference data hands over what was drawn there.
type RandomSource = streams.Source

// seeded draws from named streams: nodes, noise and batches in augment.go, partners in causal.go, first
// weights in model.go. Dropout, and what completes a consensus, are in package streams.
type seeded struct {
	*streams.Streams
	o *Options
}

// Seeded returns what [New] draws from: streams named after what they give, so that no draw
// depends on another.
func Seeded(graphs []*multiplex.Graph, o *Options, seed uint64) RandomSource {
	return seededOf(multiplex.Held(graphs), o, seed)
}

func seededOf(graphs multiplex.Source, o *Options, seed uint64) RandomSource {
	return &seeded{streams.New(seed, graphs), o}
}

func (s *seeded) Features(graph, layer int, x *multiplex.Features) *multiplex.Features {
	return s.Dropout(graph, layer, x, s.o.DropoutRate, s.o.Dropout == "entries")
}
