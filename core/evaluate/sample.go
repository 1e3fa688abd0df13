package evaluate

import (
	"slices"

	"cadem/core/rng"
)

// stratifiedSample draws so many of the items at most and returns them rising: of each class of y (one a node of M) its share to within one item,
// and one of a class whose share is less while there is room. Fewer items come back as they are.
func stratifiedSample(items, y []int, most int, src *rng.Stream) []int {
	if len(items) <= most {
		return items
	}
	code, count := encode(pick(y, items))
	of := make([][]int, count)
	for k, c := range code {
		of[c] = append(of[c], items[k])
	}
	// Each class gets its share rounded down; what is left goes to those that would have none, and then to those that lose most.
	counts, left := make([]int, count), most
	for c, members := range of {
		counts[c] = len(members) * most / len(items)
		left -= counts[c]
	}
	for range left {
		best, short := 0, 0
		for c, members := range of {
			lost := len(members)*most - counts[c]*len(items)
			if counts[c] == 0 {
				lost += len(items)
			}
			if lost > short {
				best, short = c, lost
			}
		}
		counts[best]++
	}
	var sample []int
	for c, members := range of {
		src.Shuffle(members)
		sample = append(sample, members[:counts[c]]...)
	}
	slices.Sort(sample)
	return sample
}

// pick returns what y has for some items.
func pick(y, items []int) []int {
	list := make([]int, len(items))
	for k, i := range items {
		list[k] = y[i]
	}
	return list
}
