// Package sorting sorts lists of any type in little code: the compiler makes another [slices.SortFunc], of some 7 kB, for every type
// that it is called with.
package sorting

import (
	"cmp"
	"slices"
)

// Stable sorts a list of any length; equal elements stay in their order.
func Stable[T any](list []T, compare func(a, b T) int) {
	before := slices.Clone(list)
	for k, i := range Order(len(list), func(i, j int) int { return compare(before[i], before[j]) }) {
		list[k] = before[i]
	}
}

// Order returns the places 0 to n - 1 in the order of what is there, equal ones as they stand.
func Order(n int, compare func(i, j int) int) []int {
	order := Places(n)
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(compare(i, j), i-j) })
	return order
}

// Places returns the places 0 to n - 1.
func Places(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
