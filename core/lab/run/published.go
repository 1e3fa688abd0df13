package run

import (
	"fmt"
	"slices"

	"cadem.example/core/multiplex"
)

// A publishedSet is a real data set of the paper, by what distinguishes it from others.
type publishedSet struct {
	Name            string
	nodes, features int
	edges           []int // of the layers in the paper's order, without self loops
	Defaults        map[string]any
}

// PublishedSets returns them with the published settings. Where the paper gives none, they are
// those of the authors' program: hidden units and inner steps.
func PublishedSets() []publishedSet {
	return []publishedSet{
		{"ACM", 3025, 1870, []int{1103868, 13128}, realDefaults(20, 0.5, 0.5, 256)},
		{"IMDB", 3550, 2000, []int{5119, 31439}, realDefaults(20, 0.1, 0.01, 256)},
		{"Freebase", 3492, 3492, []int{125605, 2456, 3607}, realDefaults(30, 0.1, 0.01, 512)},
		{"DBLP", 7907, 2000, []int{68438, 41119, 28564804}, realDefaults(20, 0.05, 0.05, 256)},
	}
}

func realDefaults(augmented int, selfsupervised, causal float64, hidden int) map[string]any {
	return map[string]any{"epochs": 400, "inner_steps": 5, "augmented": augmented, "weight_matching": 1.0, "weight_selfsupervised": selfsupervised,
		"weight_causal": causal,
		"hidden":        hidden, "eval_epochs": 400, "eval_lr": 0.1}
}

// published returns the data set of the paper that a graph is, by its counts; nil when it is
// none of them. The order of layers does not matter.
func published(g *multiplex.Graph) *publishedSet {
	var edges []int
	for i := range g.Layers {
		edges = append(edges, g.Layers[i].Summary().Edges)
	}
	slices.Sort(edges)
	for _, p := range PublishedSets() {
		if g.M() == p.nodes && g.F() == p.features && slices.Equal(edges, slices.Sorted(slices.Values(p.edges))) {
			return &p
		}
	}
	return nil
}

// note says that the data set was recognised, and how it differs from the published one.
func (p *publishedSet) note(g *multiplex.Graph) string {
	s := fmt.Sprintf("These are the nodes, edges and features of %s in the paper, and the settings are those published for it.", p.Name)
	for i := range g.Layers {
		if g.Layers[i].Summary().SelfLoops < g.M() {
			return s + " There every node also has a link to itself in each layer, which is missing here: figures differ a little."
		}
	}
	return s
}
