package worker

import (
	"fmt"

	"cadem/core/project"
	"cadem/wasm/bridge"
)

// mostLinks is the largest number of links of a layer that are sent for drawing.
const mostLinks = 1 << 20

// layers answers with the links of every layer of the open data set.
func (w *Worker) layers(q *bridge.Request) error {
	if w.data == nil {
		return bridge.Errorf("no-data", "No data set is open.")
	}
	var drawn []int
	var slabs []bridge.Slab
	for l, layer := range w.data.Graph.Layers {
		links, of := layer.Adjacency.Links(mostLinks)
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
	defer w.begin(w.run)()
	at, err := project.Draw(w.data.Graph, w.breathe)
	if err != nil {
		return err
	}
	q.Reply(map[string]any{}, bridge.Float32s("places", at, len(at)/2, 2))
	return nil
}
