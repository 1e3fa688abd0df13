package sorting_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cadem.example/core/base/sorting"
)

// It gives what the library gives, with ties in their order.
func TestStable(t *testing.T) {
	type pair struct{ key, place int }
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		list := make([]pair, r.IntN(60))
		for i := range list {
			list[i] = pair{r.IntN(8), i}
		}
		want := slices.Clone(list)
		by := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
		slices.SortStableFunc(want, by)
		if sorting.Stable(list, by); !slices.Equal(list, want) {
			t.Fatalf("%v, expected %v", list, want)
		}
	}
}

func ExampleStable() {
	words := []string{"layer", "node", "link", "graph"}
	sorting.Stable(words, func(a, b string) int { return len(a) - len(b) })
	fmt.Println(words)
	// Output: [node link layer graph]
}
