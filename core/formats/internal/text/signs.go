package text

import (
	"fmt"
	"slices"

	"cadem/core/figure"
	"cadem/core/formats/internal/variable"
	"cadem/core/multiplex"
)

// signs makes two layers of each that has weights below 0: one of the edges with positive weights, one of the others with the size
// of theirs. A diagonal that holds one value, as that of correlations, joins nothing.
func (r *readEdges) signs() {
	list, layers := r.list, r.layers
	edges, zero := list.layers, list.zero
	r.layers, list.layers, list.zero = nil, nil, nil
	for l, name := range layers {
		negative := 0
		for _, e := range edges[l] {
			if e.Weight < 0 {
				negative++
			}
		}
		if negative == 0 {
			r.layers, list.layers, list.zero = append(r.layers, name), append(list.layers, edges[l]), append(list.zero, zero[l])
			continue
		}
		all, note := edges[l], ""
		if diagonal(all, r.nodes.n) {
			all = slices.DeleteFunc(slices.Clone(all), func(e multiplex.Edge) bool { return e.I == e.J })
			note = " Its diagonal was left out."
		}
		var of [2][]multiplex.Edge
		for _, e := range all {
			if e.Weight < 0 {
				e.Weight = -e.Weight
				of[1] = append(of[1], e)
			} else {
				of[0] = append(of[0], e)
			}
		}
		for k, part := range of {
			if len(part) > 0 {
				r.layers, list.layers, list.zero = append(r.layers, name+variable.SignNames[k]), append(list.layers, part), append(list.zero, zero[l])
				zero[l] = 0
			}
		}
		r.notes = append(r.notes, fmt.Sprintf("%s of %s a weight below 0: they make a layer of their own, %s%s, with the size of their weights.%s",
			figure.Count(negative, "link"), name+figure.Plural(negative, " has", " have"), name, variable.SignNames[1], note))
	}
}

// diagonal reports whether edges join each of n nodes with itself, all by one weight.
func diagonal(edges []multiplex.Edge, n int) bool {
	loops, weight := 0, 0.0
	for _, e := range edges {
		if e.I != e.J {
			continue
		}
		if loops > 0 && e.Weight != weight {
			return false
		}
		loops, weight = loops+1, e.Weight
	}
	return loops == n
}
