package cadem

import (
	"fmt"
	"slices"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/fingerprint"
)

// A RandomSource supplies everything random of a run. [New] takes [Seeded] streams; the
// comparison with reference data hands over what was drawn there.
type RandomSource interface {
	// Features returns the features of a layer after dropout.
	Features(graph, layer int, x *multiplex.Features) *multiplex.Features
	// Weights fills a tensor (rows x cols) with its initial values. Names are "l0.W1c",
	// "l0.W2c", "l0.bc" and the same with p for each layer, and Wphi, bphi, Wpsi, bpsi.
	Weights(name string, w []float64, rows, cols int)
	// Sets returns the sets of pooled graphs that serve all steps. With fresh
	// augmentation only their layers, sizes and batches last: Refresh replaces nodes and noise before
	// every step.
	Sets(graph int) []PooledGraphs
	// Refresh fills nodes and noise of a set for a step of fresh augmentation.
	Refresh(graph, set, step int, g *PooledGraphs)
	// Pair fills in the common partners of the private parts of a batch, as positions in it:
	// one each, or K each for pairing "sampled:K". It is not asked when all pairs are formed, or each
	// part with its own.
	Pair(graph, set, batch, step int, partners []int)
	// Directions fills the columns of x (M x d), which complete the missing directions of a consensus.
	// They are the same in every epoch, so that S does not jump.
	Directions(graph int, x []float64, d int)
	// Notes say where a rule for draws applied.
	Notes() []string
}

// seeded draws from named streams: dropout and the completion of a consensus here, nodes, noise and
// batches in augment.go, partners in causal.go, initial weights in weights.go. Each purpose has its own
// name, so no draw depends on another.
type seeded struct {
	graphs multiplex.Source // of the run
	o      *Options
	seed   uint64
	kept   map[place]*rng.Stream
	notes  []string // where the rule for lost layers acted
}

// A place names the user of a stream that every step uses: one of a set of pooled graphs, or a batch.
type place struct {
	what          string
	graph, set, k int
}

// Seeded returns what [New] draws from.
func Seeded(graphs []*multiplex.Graph, o *Options, seed uint64) RandomSource {
	return newSeeded(multiplex.Held(graphs), o, seed)
}

func newSeeded(graphs multiplex.Source, o *Options, seed uint64) RandomSource {
	own := &seeded{graphs: graphs, o: o, seed: seed, kept: map[place]*rng.Stream{}}
	if o.Streams == "authors" {
		return &authors{seeded: own}
	}
	return own
}

// named returns a stream from its beginning.
func (s *seeded) named(format string, args ...any) *rng.Stream {
	return rng.New(s.seed, fmt.Sprintf(format, args...))
}

// at returns the part of a stream that belongs to a step. Streams are kept: a step draws without
// allocating.
func (s *seeded) at(what string, graph, set, k, step int) *rng.Stream {
	p := place{what, graph, set, k}
	src := s.kept[p]
	if src == nil {
		src = s.named("%s/graph %d/group %d/%d", what, graph, set, k)
		s.kept[p] = src
	}
	src.At(uint64(step))
	return src
}

// Features drops single entries, or whole columns, which are the same for all graphs, since these share
// their encoders. At least one column stays.
func (s *seeded) Features(graph, layer int, x *multiplex.Features) *multiplex.Features {
	rate := s.o.DropoutRate
	if rate == 0 {
		return x
	}
	if s.o.Dropout == "entries" {
		src := s.named("dropout/entries/graph %d/layer %d", graph, layer)
		return x.Masked(func(int, int) bool { return src.Float64() >= rate })
	}
	src := s.named("dropout/layer %d", layer)
	return s.columns(graph, layer, x, func() bool { return src.Float64() >= rate })
}

// columns drops those columns that draw does not keep, all but the last one at most.
func (s *seeded) columns(graph, layer int, x *multiplex.Features, draw func() bool) *multiplex.Features {
	keep := make([]bool, x.Cols)
	for j := range keep {
		keep[j] = draw()
	}
	if !slices.Contains(keep, true) {
		keep[len(keep)-1] = true
		if graph == 0 {
			note := fmt.Sprintf("dropout would have removed every feature of layer %s; the last one was kept", s.graphs.Graph(0).Layers[layer].Name)
			if !slices.Contains(s.notes, note) { // features of a graph may be asked for again
				s.notes = append(s.notes, note)
			}
		}
	}
	return x.Masked(func(_, j int) bool { return keep[j] })
}

// Directions depend on the graph as well as on the seed, like the rounding noise that fills them in
// the released program. If all graphs shared them, the projected noise would reveal what S
// contains.
func (s *seeded) Directions(graph int, x []float64, d int) {
	noise := s.named("completion/%s", fingerprint.Graph(s.graphs.Graph(graph)))
	for n := range d {
		for i := n; i < len(x); i += d {
			x[i] = noise.Norm()
		}
	}
}

func (s *seeded) Notes() []string { return s.notes }
