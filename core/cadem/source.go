package cadem

import (
	"fmt"
	"math"
	"strings"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// Draws supplies everything random of a run. [New] takes it from [Seeded] streams; the
// comparison with reference data hands over what was drawn there.
type Draws interface {
	// Features returns the features of a layer after dropout.
	Features(graph, layer int, x *multiplex.Features) *multiplex.Features
	// Weights fills a tensor (rows x cols) with its initial values. Names are "l0.W1c",
	// "l0.W2c", "l0.bc" and the same with p for each layer, and Wphi, bphi, Wpsi, bpsi.
	Weights(name string, w []float64, rows, cols int)
	// Groups returns the pooled graphs that serve all steps. Of fresh augmentation they
	// give layers, sizes and batches only.
	Groups(graph int) []Group
	// Refresh fills nodes and noise of a group for a step of fresh augmentation.
	Refresh(graph, group, step int, g *Group)
	// Pair fills perm with the common partners of the private parts of a batch, as
	// positions in it: one each, or K each for pairing "sampled:K". It is not asked when
	// all pairs are formed.
	Pair(graph, group, batch, step int, perm []int)
	// Directions fills the columns of x (M x d), from which the missing directions of a
	// consensus are made. They are the same in every epoch, so that S does not jump.
	Directions(graph int, x []float64, d int)
	// RankRule returns the share of the largest singular value up to which another counts as
	// zero; 0 stands for [RoundingRule].
	RankRule() float64
}

// seeded draws from named streams.
type seeded struct {
	o       *Options
	seed    uint64
	graphs  []*multiplex.Graph
	streams [][2]repeated // of every graph and each of its two groups
	notes   []string      // where the rule for lost layers acted
}

// Seeded returns what [New] draws from: streams named after what they give, so that no draw
// depends on another.
func Seeded(graphs []*multiplex.Graph, o *Options, seed uint64) Draws {
	return newSeeded(graphs, o, seed)
}

func newSeeded(graphs []*multiplex.Graph, o *Options, seed uint64) *seeded {
	return &seeded{o: o, seed: seed, graphs: graphs, streams: make([][2]repeated, len(graphs))}
}

func (s *seeded) stream(format string, args ...any) *rng.Stream {
	return rng.New(s.seed, fmt.Sprintf(format, args...))
}

func (s *seeded) Features(graph, layer int, x *multiplex.Features) *multiplex.Features {
	if s.o.DropoutRate == 0 {
		return x
	}
	if s.o.Dropout == "entries" {
		src := s.stream("dropout/entries/graph %d/layer %d", graph, layer)
		return x.Masked(func(int, int) bool { return src.Float64() >= s.o.DropoutRate })
	}
	// Columns: one draw per layer for all graphs, which share their encoders.
	src := s.stream("dropout/layer %d", layer)
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

func (s *seeded) Weights(name string, w []float64, rows, cols int) {
	if name[strings.IndexByte(name, '.')+1] == 'b' {
		return // biases start at 0
	}
	limit := math.Sqrt(6 / float64(rows+cols))
	s.stream("weights/%s", name).Fill(w)
	for i, x := range w {
		w[i] = -limit + float64((limit+limit)*x)
	}
}

// Directions depend on the graph as well as on the seed; completionNoise says why.
func (s *seeded) Directions(graph int, x []float64, d int) {
	noise := completionNoise(s.seed, s.graphs[graph])
	for n := range d {
		for i := n; i < len(x); i += d {
			x[i] = noise.Norm()
		}
	}
}

func (s *seeded) RankRule() float64 { return 0 }
