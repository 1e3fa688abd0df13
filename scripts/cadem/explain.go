package main

import (
	"fmt"

	"cadem.example/core/cadem/frozen"
	"cadem.example/core/multiplex"
)

// A share is how much of a place another node makes, in a layer.
type share struct {
	Node  string  `json:"node"` // "" for the node's own features
	Layer string  `json:"layer"`
	Share float64 `json:"share"`
}

// mostTerms is the number of shares that are named.
const mostTerms = 10

// explained says what makes the place of a node in S after a training. Shares add up to 1.
func (w *work) explained(node int) (all map[string]any, text string, err error) {
	g := w.data.Graph
	m, err := frozen.New(w.trainer, []*multiplex.Graph{g}, nil)
	if err != nil {
		return nil, "", err
	}
	why, err := m.Why(frozen.S, 0, 0, node)
	if err != nil {
		return nil, "", err
	}
	first, rest := why.Strongest(why.ByLink(), mostTerms)
	terms := []share{}
	text = "What makes the place of " + g.NodeName(node) + " in S: "
	for _, t := range first {
		s := share{g.NodeName(t.Node), g.Layers[t.Layer].Name, t.Share}
		terms = append(terms, s)
		text += fmt.Sprintf("%s in %s %.1f %%, ", s.Node, s.Layer, 100*s.Share)
	}
	bias, mean, left := why.Shares()
	text += fmt.Sprintf("others %.1f %%, bias %.1f %%, mean %.1f %%, what a split leaves %.1f %%.",
		100*rest.Share, 100*bias, 100*mean, 100*left)
	return map[string]any{"node": g.NodeName(node), "place": why.Place, "terms": terms,
		"rest": rest.Share, "bias": bias, "mean": mean, "left": left}, text, nil
}
