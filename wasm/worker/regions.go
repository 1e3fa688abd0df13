package worker

import (
	"cmp"
	"fmt"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// marked has the regions with the longest private embeddings, which come along.
type marked struct {
	Share  float64       `json:"share"`
	Step   int           `json:"step"`
	Epoch  int           `json:"epoch"`
	Layers []markedLayer `json:"layers"`
}

type markedLayer struct {
	Name      string `json:"name"`
	Networks  any    `json:"networks"`
	Untrained []int  `json:"untrained"` // counts of what the untrained model marks
}

// regionsArgs are the arguments of regions.
type regionsArgs struct {
	Share float64 `json:"share"`
}

// regions answers which regions of a brain have the largest private embeddings, layer by
// layer, and how they are spread over networks.
func (w *brains) regions(_ *Worker, q *bridge.Request, r *training, given any) error {
	args := given.(*regionsArgs)
	if !(args.Share > 0 && args.Share <= 100) {
		return diag.Option("share", fmt.Sprint(args.Share), "a percentage above 0, up to 100")
	}
	g := w.data.Graph
	if g.Places == nil {
		return bridge.Errorf("no-data", "The nodes of this data set have no places in a brain.")
	}
	var layers []markedLayer
	var slabs []bridge.Slab
	for l, p := range r.Trainer().Embeddings(0).Private {
		values := run.Lengths(p)
		top, networks, untrained := w.brain.Regions(g, values, run.Lengths(r.Untrained.Private[l]), args.Share/100)
		layers = append(layers, markedLayer{g.Layers[l].Name, networks, untrained})
		flat := make([]float32, len(values))
		for i, v := range values {
			flat[i] = float32(v)
		}
		edges := edgesAmong(g.Layers[l].Adjacency, top)
		slabs = append(slabs, bridge.Float32s(fmt.Sprintf("values:%d", l), flat),
			bridge.Int32s(fmt.Sprintf("top:%d", l), top),
			bridge.Int32s(fmt.Sprintf("edges:%d", l), edges, len(edges)/2, 2))
	}
	return q.Reply(marked{args.Share, r.Trainer().Progress().Step, r.Trainer().Progress().Epoch, layers}, slabs...)
}

// edgesAmong returns the edges between some nodes as pairs, the heaviest first; of equal
// weight, those between nodes that come early.
func edgesAmong(a *multiplex.CSR, nodes []int) []int {
	place := make([]int, a.Rows)
	for i := range place {
		place[i] = -1
	}
	for k, i := range nodes {
		place[i] = k
	}
	type edge struct {
		weight float64
		at, to int // places of its nodes
	}
	var found []edge
	for _, i := range nodes {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			weight := 1.0
			if a.Value != nil {
				weight = a.Value[k]
			}
			if to := place[a.Index[k]]; to > place[i] {
				found = append(found, edge{weight, place[i], to})
			}
		}
	}
	sorting.Stable(found, func(a, b edge) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), a.to-b.to, a.at-b.at)
	})
	pairs := make([]int, 0, 2*len(found))
	for _, e := range found {
		pairs = append(pairs, nodes[e.at], nodes[e.to])
	}
	return pairs
}
