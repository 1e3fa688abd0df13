// Package streams says what a run draws, and keeps named streams of random numbers, made when first
// asked for.
package streams

import (
	"fmt"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// Streams of a seed. A name belongs to what is drawn, so that no draw depends on another.
type Streams struct {
	Graphs multiplex.Source // of the run
	seed   uint64
	kept   map[place]*rng.Stream
	notes  []string // where the rule for lost layers acted
}

// A place is what a stream that every step uses is for: one of a set of pooled graphs, or a batch.
type place struct {
	what          string
	graph, set, k int
}

// New returns those of a seed, for a run on some graphs.
func New(seed uint64, graphs multiplex.Source) *Streams {
	return &Streams{Graphs: graphs, seed: seed, kept: map[place]*rng.Stream{}}
}

// Forget lets go of the streams that [Streams.At] keeps.
func (s *Streams) Forget() { clear(s.kept) }

// Named returns a stream from its beginning.
func (s *Streams) Named(format string, args ...any) *rng.Stream {
	return rng.New(s.seed, fmt.Sprintf(format, args...))
}

// At returns the part of a stream that belongs to a step. Streams are kept: a step draws without
// allocating.
func (s *Streams) At(what string, graph, set, k, step int) *rng.Stream {
	p := place{what, graph, set, k}
	src := s.kept[p]
	if src == nil {
		src = s.Named("%s/graph %d/group %d/%d", what, graph, set, k)
		s.kept[p] = src
	}
	src.At(uint64(step))
	return src
}
