package variable

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cadem/core/formats/internal/input"
	"cadem/core/multiplex"
)

// NewLabelSet makes classes of the values of a column: one for every different value,
// sorted, by number if all are whole numbers. "G2/G3" is a class of its own.
func NewLabelSet(name string, of []string) *multiplex.LabelSet {
	index := map[string]int{}
	s := &multiplex.LabelSet{Name: name, Of: make([]int, len(of))}
	whole := true
	for _, v := range of {
		if multiplex.IsMissing(v) {
			continue
		}
		if _, ok := index[v]; !ok {
			index[v] = 0
			s.Classes = append(s.Classes, strings.Clone(v))
			whole = whole && input.IsWhole(v)
		}
	}
	found := slices.Clone(s.Classes)
	for c, i := range InOrder(len(found), func(i, j int) int {
		a, b := found[i], found[j]
		if whole {
			x, y := input.Canonical(a), input.Canonical(b)
			return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	}) {
		s.Classes[c], index[found[i]] = found[i], c
	}
	for i, v := range of {
		s.Of[i] = multiplex.Missing
		if !multiplex.IsMissing(v) {
			s.Of[i] = index[v]
		}
	}
	return s
}

// FewClasses tells whether an attribute may be taken for a category: from two to ten
// different whole numbers or thirty words, fewer than half of the nodes that have one.
// Other numbers are measurements.
func FewClasses(s *multiplex.LabelSet) bool {
	k, most := len(s.Classes), 10
	for _, v := range s.Classes {
		if input.IsWhole(v) {
			continue
		}
		if _, ok := input.Number(v); ok {
			return false
		}
		most = 30
	}
	_, missing := s.Counts()
	return k >= 2 && k <= most && 2*k <= len(s.Of)-missing
}

// NewColumn makes numbers of the values of a column; nil unless all that are there are numbers, of which some differ.
func NewColumn(name string, of []string) *multiplex.Column {
	c := &multiplex.Column{Name: name, Of: make([]float64, len(of))}
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range of {
		c.Of[i] = math.NaN()
		if multiplex.IsMissing(v) {
			continue
		}
		x, ok := input.Number(v)
		if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		c.Of[i], low, high = x, min(low, x), max(high, x)
	}
	if !(low < high) {
		return nil
	}
	return c
}

// InOrder returns the numbers from 0 to n-1 in the order that compare gives them. What the
// package sorts goes through here: each type of element would bring the sorting routines
// into the program once more.
func InOrder(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, compare)
	return order
}
