package parity

import (
	"slices"

	"cadem/core/evaluate"
	"cadem/core/rng"
)

// stratifiedMisses counts how often sizes or class counts of dealt folds lie outside what
// the file allows.
func stratifiedMisses(y []int, k int, sizes []float64, low, high []int, seed uint64) int {
	fold := evaluate.StratifiedFolds(y, k, rng.New(seed, "folds"))
	size, misses := make([]float64, k), 0
	for f := range k {
		count := make([]int, len(low))
		for i, c := range y {
			if fold[i] == f {
				count[c]++
				size[f]++
			}
		}
		for c, n := range count {
			if n < low[c] || n > high[c] {
				misses++
			}
		}
	}
	slices.Sort(size)
	want := slices.Clone(sizes)
	slices.Sort(want)
	if !slices.Equal(size, want) {
		misses++
	}
	return misses
}

// groupedMisses counts split groups and folds of the wrong make-up.
func groupedMisses(y, groups []int, k int, counts []int, perFold int, seed uint64) int {
	fold := evaluate.GroupedFolds(y, groups, k, rng.New(seed, "folds"))
	home, misses := map[int]int{}, 0
	count, held := make([][]int, k), make([]int, k)
	for f := range count {
		count[f] = make([]int, len(counts))
	}
	for i, g := range groups {
		if f, ok := home[g]; !ok {
			home[g] = fold[i]
			held[fold[i]]++
		} else if f != fold[i] {
			misses++
		}
		count[fold[i]][y[i]]++
	}
	for f := range count {
		if !slices.Equal(count[f], counts) || held[f] != perFold {
			misses++
		}
	}
	return misses
}
