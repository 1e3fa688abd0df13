package evaluate

import (
	"math"
	"slices"

	"cadem/core/rng"
	"cadem/core/rng/numpy"
)

// StratifiedFolds deals the items to k folds of nearly equal size, each with nearly the
// same share of every class, and returns the fold in which each item is tested. Classes
// with fewer members than folds miss some folds.
func StratifiedFolds(y []int, k int, src *rng.Stream) []int {
	return stratified(y, k, src.Shuffle)
}

// PublishedFolds deals as the published program does, which shuffles with NumPy's legacy
// generator of that seed: the same folds, for the same items.
func PublishedFolds(y []int, k int, seed uint32) []int {
	src := numpy.NewRandomState(seed)
	return stratified(y, k, func(deal []int) {
		slices.Sort(deal)
		for i := len(deal) - 1; i > 0; i-- {
			j := src.IntN(i + 1)
			deal[i], deal[j] = deal[j], deal[i]
		}
	})
}

func stratified(y []int, k int, shuffle func(deal []int)) []int {
	if k < 1 {
		panic(ErrShape)
	}
	code, count := encode(y)
	// Lay the items out class by class and deal them round: fold i takes positions
	// i, i+k, ... That fixes how many of each class a fold gets; which ones is drawn.
	of := make([][]int, count) // items of each class
	for i, c := range code {
		of[c] = append(of[c], i)
	}
	fold := make([]int, len(y))
	start := 0
	for _, members := range of {
		deal := make([]int, len(members))
		for p := range deal {
			deal[p] = (start + p) % k
		}
		start += len(members)
		shuffle(deal)
		for p, i := range members {
			fold[i] = deal[p]
		}
	}
	return fold
}

// GroupedFolds deals whole groups to k folds, so no group is tested and trained
// on at once, and keeps the classes balanced: groups come in order of falling spread of
// their class counts and go where the shares of the classes become most even, then
// where items are fewest, then to the first fold. Equal groups come in random order, or, if
// src is nil, in order of appearance.
//
// Without src these are, to the rounding that decides between equal folds, the groups that
// the published program deals, which does not shuffle groups of equal counts.
func GroupedFolds(y, groups []int, k int, src *rng.Stream) []int {
	if k < 1 || len(groups) != len(y) {
		panic(ErrShape)
	}
	code, classCount := encode(y)
	group, groupCount := encode(groups)
	counts := make([][]float64, groupCount)
	for g := range counts {
		counts[g] = make([]float64, classCount)
	}
	totals := make([]float64, classCount)
	for i, c := range code {
		counts[group[i]][c]++
		totals[c]++
	}
	order, spread := make([]int, groupCount), make([]float64, groupCount)
	for g := range counts {
		spread[g], order[g] = deviation(counts[g]), g
	}
	if src != nil {
		src.Shuffle(order)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case spread[a] > spread[b]:
			return -1
		case spread[a] < spread[b]:
			return 1
		}
		return 0
	})

	held := make([][]float64, classCount) // held[c][f]: items of class c in fold f
	for c := range held {
		held[c] = make([]float64, k)
	}
	items, home, share := make([]float64, k), make([]int, groupCount), make([]float64, k)
	for _, g := range order {
		best, uneven := -1, 0.0
		for f := range k {
			sum := 0.0
			for c := range held {
				held[c][f] += counts[g][c]
				for i, v := range held[c] {
					share[i] = v / totals[c]
				}
				held[c][f] -= counts[g][c]
				sum += spreadInOrder(share)
			}
			mean := sum / float64(classCount)
			near := math.Abs(mean-uneven) <= 1e-8+float64(1e-5*uneven)
			if best < 0 || mean < uneven || near && items[f] < items[best] {
				best, uneven = f, mean
			}
		}
		home[g] = best
		for c, v := range counts[g] {
			held[c][best] += v
			items[best] += v
		}
	}
	fold := make([]int, len(y))
	for i, g := range group {
		fold[i] = home[g]
	}
	return fold
}

// spreadInOrder is [deviation] summed from the first to the last, as the published program
// does: rounding decides there.
func spreadInOrder(x []float64) float64 {
	mean, s := 0.0, 0.0
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		s += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(s / float64(len(x)))
}

// encode numbers the values of y by first appearance.
func encode(y []int) (code []int, count int) {
	code = make([]int, len(y))
	seen := map[int]int{}
	for i, v := range y {
		c, ok := seen[v]
		if !ok {
			c = len(seen)
			seen[v] = c
		}
		code[i] = c
	}
	return code, len(seen)
}

// deviation returns the population standard deviation.
func deviation(x []float64) float64 {
	mean, s := total(x)/float64(len(x)), 0.0
	for _, v := range x {
		s += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(s / float64(len(x)))
}
