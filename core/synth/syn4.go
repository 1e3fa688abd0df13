package synth

import (
	"fmt"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/graphsignal"
)

// Syn4Options are the settings of the graphs Syn4.
type Syn4Options struct {
	Instance string  `name:"instance" choices:"drawn|published" default:"drawn" group:"data" doc:"drawn: by the data seed. published: the very data behind the paper's numbers, whatever the seed (samples 0 to 89); the other options stay as they are."`
	Variant  string  `name:"variant" choices:"released|printed" default:"released" group:"data" doc:"released: the dynamics of the authors' program. printed: the paper's equations, which differ for the epidemic, the biochemical and the mutualistic dynamics; the biochemical ones then start from a beta(2, 2) distribution."`
	Sample   int     `name:"sample" min:"0" max:"2999" default:"0" group:"data" doc:"Which of many graphs to draw: sample 3 b + c has the edges of base graph b and the dynamics of class c (0 driven by degree, 1 homogeneous, 2 averse to degree). The published experiment has samples 0 to 89."`
	Nodes    int     `name:"nodes" symbol:"M" min:"2" max:"2000" default:"100" group:"data" doc:"Number of nodes."`
	PEdge    float64 `name:"p_edge" symbol:"p" min:"0" max:"1" default:"0.08" group:"data" doc:"Chance of an edge between any two nodes. Parts that are not connected are joined by an edge."`
}

// Syn4Samples is the number of graphs of the published experiment, three of each base
// graph.
const Syn4Samples = 90

var syn4Classes = []string{"driven by degree", "homogeneous", "averse to degree"}

// syn4Draws are the random sources of a sample of Syn4.
type syn4Draws struct {
	pairs  interface{ Float64() float64 }
	repair *rng.Stream
	start  func(l int) starts // of the dynamics in layer l
}

// starts is a stream of initial states.
type starts interface {
	Float64() float64
	Norm() float64
}

// A start is the distribution of the initial state of a dynamics.
type start struct {
	high   float64 // uniform from 0 to high, or
	normal bool    // normal with mean 0 and standard deviation high
}

// The dynamics of class c in layer l start from syn4Starts[c][l].
var syn4Starts = [3][2]start{{{0.5, true}, {0.5, false}}, {{0.4, false}, {0.4, false}}, {{0.6, false}, {0.6, false}}}

// Syn4 is the generator "syn4".
var Syn4 = New("syn4",
	"One of many random graphs whose two layers hold the final states of two dynamics; what is learned is which class they are of.", syn4)

// syn4 draws one of the graphs. Both layers have the edges of the base graph, and as
// features the final state of a dynamics each; Truth has class, base graph and more.
// Samples of one base graph share its edges, whichever is drawn.
func syn4(o *Syn4Options, seed uint64) (*multiplex.Graph, error) {
	b, c := o.Sample/3, o.Sample%3
	from := syn4Draws{
		pairs:  rng.New(seed, fmt.Sprintf("syn4/pairs/graph %d", b)),
		repair: rng.New(seed, fmt.Sprintf("syn4/repair/graph %d", b)),
		start: func(l int) starts {
			return rng.New(seed, fmt.Sprintf("syn4/start/graph %d/class %d/layer %d", b, c, l+1))
		},
	}
	if o.Instance == published {
		if err := onlyPublished(o, "sample"); err != nil {
			return nil, err
		}
		if o.Sample >= Syn4Samples {
			return nil, diag.Option("sample", fmt.Sprint(o.Sample), fmt.Sprintf("0 to %d in the published data", Syn4Samples-1))
		}
		publishedSyn4(&from, b, c)
	}
	a, err := adjacency(o.Nodes, func(i, j int) bool { return from.pairs.Float64() < o.PEdge })
	if err == nil {
		a, err = connected(a, from.repair)
	}
	if err != nil {
		return nil, err
	}
	var x [2][]float64
	for l := range x {
		s := from.start(l)
		x[l] = make([]float64, o.Nodes)
		start := syn4Starts[c][l]
		for i := range x[l] {
			switch {
			case start.normal:
				x[l][i] = float64(start.high * s.Norm())
			case o.Variant == "printed" && c == 1 && l == 1:
				// The middle one of three uniform numbers has a beta(2, 2) distribution.
				u, v, w := s.Float64(), s.Float64(), s.Float64()
				x[l][i] = max(min(u, v), min(max(u, v), w))
			default:
				x[l][i] = float64(start.high * s.Float64())
			}
		}
	}
	return evolve(o, a, x)
}

// evolve runs the dynamics of the sample from the initial states x of both layers.
func evolve(o *Syn4Options, a *multiplex.CSR, x [2][]float64) (*multiplex.Graph, error) {
	c := o.Sample % 3
	radius := graphsignal.SpectralRadius(a)
	g := &multiplex.Graph{
		Name:  fmt.Sprintf("Syn4, graph %d", o.Sample),
		Truth: &multiplex.Truth{Class: c, Classes: syn4Classes, Group: o.Sample / 3, SpectralRadius: radius},
	}
	systems := graphsignal.Systems(o.Variant == "printed")
	for l := range x {
		d := &systems[2*c+l]
		state := append([]float64(nil), x[l]...)
		d.Run(state, a, radius, nil)
		mean := 0.0
		for _, v := range state {
			mean += v
		}
		features, err := multiplex.DenseFeatures(len(state), 1, state)
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: d.Name, Adjacency: a, Features: features})
		g.Truth.Initial = append(g.Truth.Initial, x[l])
		g.Truth.MeanFinal = append(g.Truth.MeanFinal, mean/float64(len(state)))
	}
	return g, nil
}

// connected joins every part of the graph that node 0 does not reach with those it does
// reach, by an edge between random nodes of both.
func connected(a *multiplex.CSR, s *rng.Stream) (*multiplex.CSR, error) {
	var added []multiplex.Edge
	reached := graphsignal.Hops(a, 0)
	for i := range a.Rows {
		if reached[i] >= 0 {
			continue
		}
		var inside, part []int
		for j, h := range reached {
			if h >= 0 {
				inside = append(inside, j)
			}
		}
		for j, h := range graphsignal.Hops(a, i) {
			if h >= 0 {
				part = append(part, j)
				reached[j] = h
			}
		}
		added = append(added, multiplex.Edge{I: inside[s.IntN(len(inside))], J: part[s.IntN(len(part))], Weight: 1})
	}
	if added == nil {
		return a, nil
	}
	for i := range a.Rows {
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			added = append(added, multiplex.Edge{I: i, J: int(j), Weight: 1})
		}
	}
	return multiplex.FromEdges(a.Rows, added)
}
