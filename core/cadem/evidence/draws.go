package evidence

import (
	"fmt"
	"sort"

	"cadem.example/core/base/rng"
)

// Draws are all random choices.
type Draws interface {
	// Permutation sets dst to permutation b of the nodes of a layer inside their strata: row i of the permuted functions is row
	// dst[i].
	Permutation(dst []int, layer, b int, strata []int)
	// Folds returns the fold of every link of a layer, of k; one of -1 is never held out.
	Folds(layer, links, k int) []int
	// NonLinks returns pairs i <= j of nodes for n held-out links of a fold and layer, 2n uniform ones and as many with ends by
	// weight. Nodes lists those with links. Loops and links of the layer may be among the pairs, and pairs may come again.
	NonLinks(fold, layer, n int, nodes []int, weight []float64) [][2]int
}

// Seeded returns draws from named streams of a seed.
func Seeded(seed uint64) Draws { return seeded(seed) }

type seeded uint64

func (s seeded) stream(format string, args ...any) *rng.Stream {
	return rng.New(uint64(s), "evidence/"+fmt.Sprintf(format, args...))
}

func (s seeded) Permutation(dst []int, layer, b int, strata []int) {
	draw := s.stream("permutation/layer %d", layer)
	draw.At(uint64(b))
	shuffle(dst, strata, draw)
}

// Folds deals links in equal numbers, which leaves some in every other fold. A layer of one link holds none out.
func (s seeded) Folds(layer, links, k int) []int {
	folds := make([]int, links)
	if links == 1 {
		return []int{-1}
	}
	s.stream("folds/layer %d", layer).Perm(folds)
	for i := range folds {
		folds[i] %= k
	}
	return folds
}

func (s seeded) NonLinks(fold, layer, n int, nodes []int, weight []float64) [][2]int {
	draw := s.stream("non-links/layer %d/fold %d", layer, fold)
	sum := make([]float64, len(weight)+1)
	for i, w := range weight {
		sum[i+1] = sum[i] + w
	}
	uniform := func() int { return nodes[draw.IntN(len(nodes))] }
	matched := func() int {
		x := draw.Uniform(0, sum[len(weight)])
		return nodes[min(sort.Search(len(weight), func(i int) bool { return sum[i+1] > x }), len(nodes)-1)]
	}
	var pairs [][2]int
	for _, end := range []func() int{uniform, matched} {
		for range 2 * n {
			i, j := end(), end()
			pairs = append(pairs, [2]int{min(i, j), max(i, j)})
		}
	}
	return pairs
}
