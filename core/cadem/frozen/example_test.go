package frozen_test

import (
	"fmt"

	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/multiplex"
)

// On the path node 0 has one link, to node 1: that and the bias make its place.
func Example() {
	triangle, _ := multiplex.FromEdges(3, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 0, J: 2, Weight: 1}})
	path, _ := multiplex.FromEdges(3, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}})
	g := &multiplex.Graph{Layers: []multiplex.Layer{
		{Name: "triangle", Adjacency: triangle, Features: multiplex.Identity(3)},
		{Name: "path", Adjacency: path, Features: multiplex.Identity(3)},
	}}
	o := cadem.Released()
	o.Epochs, o.Dim, o.DropoutRate = 10, 2, 0
	run, err := cadem.New([]*multiplex.Graph{g}, o, 1, precision.Single)
	if err != nil {
		panic(err)
	}
	m, err := frozen.New(run, []*multiplex.Graph{g}, nil)
	if err != nil {
		panic(err)
	}
	w, err := m.Why(frozen.C, 1, 0, 0) // of the path
	if err != nil {
		panic(err)
	}
	bias, _, _ := w.Shares()
	for _, t := range w.ByNode() {
		fmt.Printf("node %d: %.3f\n", t.Node, t.Share+bias)
	}
	// Without its only link of the path the node has the bias alone.
	without, err := m.WithLink(0, 1, 0, 1, 0)
	if err != nil {
		panic(err)
	}
	w, err = without.Why(frozen.C, 1, 0, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(w.ByNode()), "contributions")
	// Output:
	// node 1: 1.000
	// 0 contributions
}
