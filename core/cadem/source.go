package cadem

import (
	"fmt"

	"cadem/core/cadem/internal/streams"
	"cadem/core/fingerprint"
	"cadem/core/multiplex"
)

// A RandomSource supplies everything random of a run. [New] takes [Seeded] streams; the
// comparison with reference data hands over what was drawn there.
type RandomSource = streams.Source

// seeded draws from named streams.
type seeded struct {
	o       *Options
	streams *streams.Streams
	graphs  []*multiplex.Graph
	notes   []string // where the rule for lost layers acted
}

// Seeded returns what [New] draws from: streams named after what they give, so that no draw
// depends on another.
func Seeded(graphs []*multiplex.Graph, o *Options, seed uint64) RandomSource {
	return &seeded{o: o, streams: streams.New(seed), graphs: graphs}
}

func (s *seeded) Features(graph, layer int, x *multiplex.Features) *multiplex.Features {
	if s.o.DropoutRate == 0 {
		return x
	}
	if s.o.Dropout == "entries" {
		src := s.streams.Named("dropout/entries/graph %d/layer %d", graph, layer)
		return x.Masked(func(int, int) bool { return src.Float64() >= s.o.DropoutRate })
	}
	// Columns: one draw per layer for all graphs, which share their encoders.
	src := s.streams.Named("dropout/layer %d", layer)
	keep, any := make([]bool, x.Cols), false
	for j := range keep {
		keep[j] = src.Float64() >= s.o.DropoutRate
		any = any || keep[j]
	}
	if !any {
		keep[len(keep)-1] = true
		if graph == 0 {
			s.notes = append(s.notes, fmt.Sprintf("dropout would have removed every feature of layer %s; the last one was kept", s.graphs[0].Layers[layer].Name))
		}
	}
	return x.Masked(func(_, j int) bool { return keep[j] })
}

// Directions depend on the graph as well as on the seed, like the rounding noise that fills them in
// the released program. If all graphs shared them, the projected noise would reveal what S
// contains.
func (s *seeded) Directions(graph int, x []float64, d int) {
	noise := s.streams.Named("completion/%s", fingerprint.Graph(s.graphs[graph]))
	for n := range d {
		for i := n; i < len(x); i += d {
			x[i] = noise.Norm()
		}
	}
}

func (s *seeded) Notes() []string { return s.notes }
