package synth

import (
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// PaintedOptions are the settings of a graph whose layers are painted.
type PaintedOptions struct {
	Nodes  int    `name:"nodes" symbol:"M" label:"people" min:"12" max:"2000" default:"120" group:"data" doc:"Number of people, dealt to the blocks in order."`
	Blocks string `name:"blocks" choices:"*" default:"8611811818_8111861818_8111811868" group:"data" doc:"A digit for each pair of blocks, 1-1, 1-2, ..., 2-2 and so on, layer by layer: 0 for no link, 1 to 9 a chance of 2, 5, 10, 15, 20, 30, 40, 60 and 80 %."`
}

// paints are the chances of a link by the digit that is painted.
var paints = [10]float64{0, .02, .05, .1, .15, .2, .3, .4, .6, .8}

// Painted is the generator "painted".
var Painted = New("painted", "Layers that are painted: how probable links between blocks of people are.", painted)

// painted draws a block model whose blocks are the same in all layers; its label set is "blocks". No draw depends on what is painted: where a stronger
// digit is painted links come, and none goes.
func painted(o *PaintedOptions, seed uint64) (*multiplex.Graph, error) {
	const digits, mostLayers, mostBlocks, told = "0123456789", 6, 8, 60
	parts := strings.Split(o.Blocks, "_")
	m, k, long := o.Nodes, 1, len(parts[0])
	for k*(k+1)/2 < long {
		k++
	}
	fits := len(parts) >= 2 && len(parts) <= mostLayers && k >= 2 && k <= mostBlocks && k*(k+1)/2 == long
	for _, p := range parts {
		fits = fits && len(p) == long && strings.Trim(p, digits) == ""
	}
	if !fits {
		return nil, diag.Option("blocks", strconv.Quote(o.Blocks[:min(len(o.Blocks), told)]),
			"2 to 6 layers with _ between them, each of a digit for each pair of 2 to 8 blocks")
	}
	block := make([]int, m)
	for i := range block {
		block[i] = i * k / m
	}
	g := &multiplex.Graph{Name: "Painted (synthetic)", Nodes: people(rng.New(seed, "town/names"), m),
		Labels: []multiplex.LabelSet{{Name: "blocks", Classes: numbered("block", k), Of: block}}}
	x := multiplex.Identity(m)
	draws := make([]float64, m)
	for l, name := range numbered("layer", len(parts)) {
		pairs := rng.New(seed, "painted/"+name)
		a, err := adjacencyOfRows(m, func(to []int32, i int) []int32 {
			following := draws[i+1:]
			pairs.Fill(following)
			first := block[i]*k - block[i]*(block[i]+1)/2 // where the pairs of the block begin, less the block: those that follow have no smaller one
			for n, u := range following {
				if j := i + 1 + n; u < paints[parts[l][first+block[j]]-'0'] {
					to = append(to, int32(j))
				}
			}
			return to
		})
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: name, Adjacency: a, Features: x})
	}
	return g, nil
}
