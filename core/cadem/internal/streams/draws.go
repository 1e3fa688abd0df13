package streams

import (
	"fmt"
	"slices"

	"cadem/core/fingerprint"
	"cadem/core/multiplex"
)

// Dropout returns the features of a layer without the share that a rate drops: single entries, or
// whole columns, which are the same for all graphs, since these share their encoders. One column
// stays at least.
func (s *Streams) Dropout(graph, layer int, x *multiplex.Features, rate float64, entries bool) *multiplex.Features {
	if rate == 0 {
		return x
	}
	if entries {
		src := s.Named("dropout/entries/graph %d/layer %d", graph, layer)
		return x.Masked(func(int, int) bool { return src.Float64() >= rate })
	}
	src := s.Named("dropout/layer %d", layer)
	keep, any := make([]bool, x.Cols), false
	for j := range keep {
		keep[j] = src.Float64() >= rate
		any = any || keep[j]
	}
	if !any {
		keep[len(keep)-1] = true
		if graph == 0 {
			note := fmt.Sprintf("dropout would have removed every feature of layer %s; the last one was kept", s.Graphs.Graph(0).Layers[layer].Name)
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
func (s *Streams) Directions(graph int, x []float64, d int) {
	noise := s.Named("completion/%s", fingerprint.Graph(s.Graphs.Graph(graph)))
	for n := range d {
		for i := n; i < len(x); i += d {
			x[i] = noise.Norm()
		}
	}
}

// Notes tell where the rule for lost layers acted.
func (s *Streams) Notes() []string { return s.notes }
