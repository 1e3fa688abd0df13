package evaluate

import "cadem/core/rng"

// stratifiedSample draws so many of the items at most and returns them in their order, of each class of y (one a node of M) its share to within
// one item. Fewer items come back as they are.
func stratifiedSample(items, y []int, most int, src *rng.Stream) (sample []int) {
	n := len(items)
	if n <= most {
		return items
	}
	for k, place := range StratifiedFolds(pick(y, items), n, src) { // class by class, in random order within each
		if place*most%n < most {
			sample = append(sample, items[k])
		}
	}
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
