package links_test

import (
	"fmt"

	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/multiplex"
)

// Links stay inside two groups. Groups distinguish held-out links from other pairs; degrees do not.
func Example() {
	const m = 200
	var edges []multiplex.Edge
	for draw := rng.New(1, "example"); len(edges) < 4*m; {
		if i, j := draw.IntN(m), draw.IntN(m); i%2 == j%2 {
			edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
		}
	}
	a, err := multiplex.FromEdges(m, edges)
	if err != nil {
		panic(err)
	}
	g := &multiplex.Graph{Layers: []multiplex.Layer{{Name: "links", Adjacency: a, Features: multiplex.Identity(m)}}}
	held, err := links.Hold(g, links.Share, 1, nil)
	if err != nil {
		panic(err)
	}
	groups := func(dst []float64, i, j int) float64 {
		dst[0] = 1 - float64((i+j)%2)
		return dst[0]
	}
	for _, f := range []func([]float64, int, int) float64{groups, nil} {
		width := 1
		if f == nil {
			width = 0
		}
		s, err := held.Score(0, width, f, nil)
		if err != nil {
			panic(err)
		}
		fmt.Printf("AUC %.2f, log-loss %.2f\n", s[links.AUC], s[links.FittedLoss])
	}
	// Output:
	// AUC 0.77, log-loss 0.47
	// AUC 0.47, log-loss 0.67
}
