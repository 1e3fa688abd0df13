package worker

import (
	"fmt"

	"cadem/core/multiplex"
	"cadem/core/project"
	"cadem/core/rng"
	"cadem/wasm/bridge"
)

// mostLinks is how many links of a layer are sent to be drawn.
const mostLinks = 1 << 20

// layers answers with the links of every layer of the open data set.
func (w *Worker) layers(q *bridge.Request) error {
	if w.data == nil {
		return bridge.Errorf("no-data", "No data set is open.")
	}
	var drawn []int
	var slabs []bridge.Slab
	for l, layer := range w.data.Graph.Layers {
		links, of := linksOf(layer.Adjacency, mostLinks)
		drawn = append(drawn, of)
		slabs = append(slabs, bridge.Int32s(fmt.Sprintf("links:%d", l), links, len(links)/2, 2))
	}
	q.Reply(map[string]any{"links": drawn}, slabs...)
	return nil
}

// places answers where the nodes of the open data set are drawn, the same place in every layer.
func (w *Worker) places(q *bridge.Request) error {
	if w.data == nil {
		return bridge.Errorf("no-data", "No data set is open.")
	}
	g := w.data.Graph
	at := project.Places(g)
	if at == nil {
		defer w.begin(w.run)()
		f := project.NewForceDirected(g, rng.New(0, "layout"))
		for !f.Done() {
			f.Step()
			if err := w.breathe(); err != nil {
				return err
			}
		}
		at = f.Layout(nil)
	}
	q.Reply(map[string]any{}, bridge.Float32s("places", at, g.M(), 2))
	return nil
}

// linksOf returns the links of a layer as pairs of nodes i < j and how many there are; of more than
// most, one in so many.
func linksOf(a *multiplex.CSR, most int) (pairs []int, of int) {
	each := func(f func(i, j int)) {
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				if int(j) > i {
					f(i, int(j))
				}
			}
		}
	}
	each(func(i, j int) { of++ })
	stride := 1 + (of-1)/most
	k := 0
	each(func(i, j int) {
		if k%stride == 0 {
			pairs = append(pairs, i, j)
		}
		k++
	})
	return pairs, of
}
