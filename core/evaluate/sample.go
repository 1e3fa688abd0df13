package evaluate

import "cadem.example/core/base/rng"

// stratifiedSample draws at most that number of items and returns them in their order. Each class of y, which has an entry for every item number,
// keeps its share to within one item. Fewer items are returned unchanged.
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

// pick returns the entries of y for some items.
func pick(y, items []int) []int {
	list := make([]int, len(items))
	for k, i := range items {
		list[k] = y[i]
	}
	return list
}
