package study

import "cadem/core/study/measure"

// Pairs returns the results of two lists of tasks that are there in both, a task of one beside
// that of the same seeds in the other.
func (r Results) Pairs(a, b []Task) (x, y []*measure.Result) {
	for i := range min(len(a), len(b)) {
		s, t := r[a[i].Key()], r[b[i].Key()]
		if s != nil && t != nil {
			x, y = append(x, s), append(y, t)
		}
	}
	return x, y
}

// Results of tasks by their keys. What is missing was not run.
type Results map[string]*measure.Result

// Of returns the results of tasks in their order, without those that were not run.
func (r Results) Of(tasks []Task) []*measure.Result {
	var list []*measure.Result
	for i := range tasks {
		if t := r[tasks[i].Key()]; t != nil {
			list = append(list, t)
		}
	}
	return list
}
