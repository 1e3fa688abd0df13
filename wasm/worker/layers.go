package worker

import (
	"fmt"

	"cadem.example/core/multiplex/communities"
	"cadem.example/core/project"
	"cadem.example/wasm/bridge"
)

// mostLinks is the largest number of links of a layer that are sent for drawing.
const mostLinks = 1 << 20

// linked has how many links each layer has.
type linked struct {
	Links []int `json:"links"`
}

// layers answers with the links of every layer of the open data set.
func (w *Worker) layers(q *bridge.Request, _ any) error {
	var drawn []int
	var slabs []bridge.Slab
	for l, layer := range w.data.Graph.Layers {
		links, of := layer.Adjacency.Links(mostLinks)
		drawn = append(drawn, of)
		slabs = append(slabs, bridge.Int32s(fmt.Sprintf("links:%d", l), links, len(links)/2, 2))
	}
	return q.Reply(linked{drawn}, slabs...)
}

// places answers where the nodes of the open data set are drawn, the same place in every layer.
func (w *Worker) places(q *bridge.Request, _ any) error {
	defer w.begin(w.run)()
	at, err := project.Draw(w.data.Graph, w.breathe)
	if err != nil {
		return err
	}
	return q.Reply(none{}, bridge.Float32s("places", at, len(at)/2, 2))
}

// mostGroups is the largest number of communities that are drawn, one of which may stand for all smaller ones.
const mostGroups = 61

// grouped has how many communities the last one stands for, 0 if it is one itself.
type grouped struct {
	Rest int `json:"rest"`
}

// communitiesArgs are the arguments of communities.
type communitiesArgs struct {
	Layer *int `json:"layer"`
}

// communities answers with the communities of the open data set, or of one of its layers, and the links inside and between them in
// every layer.
func (w *Worker) communities(q *bridge.Request, given any) error {
	args := given.(*communitiesArgs)
	g := *w.data.Graph
	if l := args.Layer; l != nil {
		if *l < 0 || *l >= g.N() {
			return bridge.Errorf("bad-request", "Found layer %d, expected one from 0 to %d.", *l, g.N()-1)
		}
		g.Layers = g.Layers[*l : *l+1]
	}
	defer w.begin(w.run)()
	const typical = 15 // times that a link is looked at
	tell, done, total := w.tell(q, "grouping", nil), 0, 0
	for _, l := range g.Layers {
		total += typical * l.Adjacency.NNZ()
	}
	a, err := communities.Communities(&g, mostGroups, func(work int) error {
		done = min(done+work, total-total/100)
		return tell(done, total)
	})
	if err != nil {
		return err
	}
	at, err := project.Draw(a.Graph(), w.breathe)
	if err != nil {
		return err
	}
	k := len(a.Nodes)
	return q.Reply(grouped{a.Rest}, bridge.Int32s("of", a.Of), bridge.Int32s("links", a.Links, len(a.Links)/k/k, k, k),
		bridge.Float32s("places", at, k, 2))
}
