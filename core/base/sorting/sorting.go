// Package sorting sorts lists of any type in little code: the compiler makes another [slices.SortFunc], of some 7 kB, for every type
// that it is called with. It also makes one list of another, as package slices does not.
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

// Descending returns the places 0 to n - 1, those of the largest values first.
func Descending(n int, value func(i int) float64) []int {
	return Order(n, func(i, j int) int { return cmp.Compare(value(j), value(i)) })
}

// Places returns the places 0 to n - 1.
func Places(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Map returns f of every element, nil for no elements.
func Map[T, U any](list []T, f func(T) U) []U {
	if len(list) == 0 {
		return nil
	}
	mapped := make([]U, len(list))
	for i, v := range list {
		mapped[i] = f(v)
	}
	return mapped
}

// Flat returns the elements of f of every element in one list, nil for no elements.
func Flat[T, U any](list []T, f func(T) []U) (flat []U) {
	for _, v := range list {
		flat = append(flat, f(v)...)
	}
	return flat
}

// Add appends v to a list of any length unless the list contains it.
func Add[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}
