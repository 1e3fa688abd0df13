package evidence_test

import (
	"fmt"

	"cadem.example/core/cadem/evidence"
)

// Layers 0 and 1 draw half of their links from three groups that they share, and half from three groups of their own; layer 2
// shares nothing. Three groups are two directions.
func Example() {
	layers, _, _ := planted(4, 240, 3, 3, 10, .5, .95, 2)
	r, err := evidence.Find(layers, evidence.Defaults(), evidence.Seeded(1), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Rank(), "shared directions")
	for l, t := range r.Trials {
		fmt.Printf("layer %d shares: %t; ", l, t.Passed)
		for k := range r.Rank() {
			fmt.Printf("has direction %d: %t; ", k, r.Profile.Carries(l, k))
		}
		fmt.Println("own directions:", r.P[l].Cols)
	}
	// Output:
	// 2 shared directions
	// layer 0 shares: true; has direction 0: true; has direction 1: true; own directions: 1
	// layer 1 shares: true; has direction 0: true; has direction 1: true; own directions: 1
	// layer 2 shares: false; has direction 0: false; has direction 1: false; own directions: 2
}
