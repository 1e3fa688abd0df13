package synth

import (
	"fmt"
	"slices"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// Syn2Options are the settings of the graph Syn2.
type Syn2Options struct {
	Instance    string  `name:"instance" choices:"drawn|published" default:"drawn" group:"data" doc:"drawn: by the data seed. published: the very data behind the paper's numbers, whatever the seed; of the other options only gamma may change."`
	Nodes       int     `name:"nodes" symbol:"M" min:"2" max:"5000" default:"1000" group:"data" doc:"Number of nodes, the same in every layer."`
	Layers      int     `name:"layers" symbol:"N" min:"2" max:"10" default:"3" group:"data" doc:"Number of layers."`
	Communities int     `name:"communities" min:"2" max:"50" default:"3" group:"data" doc:"Number of communities, in the shared structure and in each private one."`
	Gamma       float64 `name:"gamma" symbol:"γ" min:"0" max:"1" default:"0.6" group:"data" doc:"Weight of the shared structure: at 0 every layer follows its own communities, at 1 all follow the same."`
	PIntra      float64 `name:"p_intra" symbol:"p_in" min:"0" max:"1" default:"0.3" group:"data" doc:"Chance of an edge between two nodes of the same community."`
	PInter      float64 `name:"p_inter" symbol:"p_out" min:"0" max:"1" default:"0.01" group:"data" doc:"Chance of an edge between two nodes of different communities."`
	Reassigned  float64 `name:"reassigned" min:"0" max:"1" default:"0.5" group:"data" doc:"Share of the nodes that draw a new community in each layer; one may draw its old community again."`
}

// syn2Draws are the random sources of Syn2.
type syn2Draws struct {
	shared source
	layer  func() syn2Layer // the next one
}

type syn2Layer struct {
	chosen []int                      // the nodes that draw a new community
	labels source                     // their communities, in that order
	pairs  func(dst []float64, i int) // uniform numbers for the pairs of node i with those that follow, asked for row by row
}

// Syn2 is the generator "syn2".
var Syn2 = New("syn2",
	"Every layer mixes communities shared by all layers with communities of its own, in a proportion gamma.", syn2)

// syn2 draws a perturbed block model: pair (i, j) of layer l is an edge with
// probability gamma P + (1-gamma) Q, P by the shared communities and Q by those of the
// layer. Its label sets are "shared" and, for every layer, "private_1", "private_2", ...
//
// No draw depends on gamma: graphs of one seed share labels and uniform numbers, so
// that a pair whose probability grows with gamma never loses its edge as gamma grows.
func syn2(o *Syn2Options, seed uint64) (*multiplex.Graph, error) {
	if o.Instance == published {
		if err := onlyPublished(o, "gamma"); err != nil {
			return nil, err
		}
		return drawSyn2(o, publishedSyn2())
	}
	l := 0
	return drawSyn2(o, syn2Draws{shared: rng.New(seed, "syn2/labels/shared"), layer: func() syn2Layer {
		l++
		labels := rng.New(seed, fmt.Sprintf("syn2/labels/layer %d", l))
		chosen := make([]int, int(float64(o.Reassigned*float64(o.Nodes))+0.5))
		labels.Sample(chosen, o.Nodes)
		pairs := rng.New(seed, fmt.Sprintf("syn2/pairs/layer %d", l))
		return syn2Layer{chosen, labels, func(dst []float64, i int) { pairs.Fill(dst) }}
	}})
}

func drawSyn2(o *Syn2Options, from syn2Draws) (*multiplex.Graph, error) {
	if err := fewer("communities", o.Communities, o.Nodes); err != nil {
		return nil, err
	}
	m, k := o.Nodes, o.Communities
	classes := numbered("community", k)
	shared := uniformLabels(from.shared, m, k)
	g := &multiplex.Graph{Name: "Syn2", Labels: []multiplex.LabelSet{{Name: "shared", Classes: classes, Of: shared}}}
	x := multiplex.Identity(m)
	// The chance of an edge, by whether two nodes share their common community and their own.
	var chance [2][2]float64
	most := 0.0
	for together, p := range []float64{o.PInter, o.PIntra} {
		for own, q := range []float64{o.PInter, o.PIntra} {
			chance[together][own] = float64(o.Gamma*p) + float64((1-o.Gamma)*q)
			most = max(most, chance[together][own])
		}
	}
	draws := make([]float64, m)
	for l := 1; l <= o.Layers; l++ {
		of := slices.Clone(shared)
		layer := from.layer()
		for _, i := range layer.chosen {
			of[i] = layer.labels.IntN(k)
		}
		a, err := adjacencyOfRows(m, func(to []int32, i int) []int32 {
			following := draws[i+1:]
			layer.pairs(following, i)
			for k, u := range following {
				if u >= most {
					continue
				}
				j := i + 1 + k
				together, own := 0, 0
				if shared[i] == shared[j] {
					together = 1
				}
				if of[i] == of[j] {
					own = 1
				}
				if u < chance[together][own] {
					to = append(to, int32(j))
				}
			}
			return to
		})
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprintf("layer %d", l), Adjacency: a, Features: x})
		g.Labels = append(g.Labels, multiplex.LabelSet{Name: fmt.Sprintf("private_%d", l), Classes: classes, Of: of})
	}
	return g, nil
}
