package text

import (
	"slices"

	"cadem.example/core/base/figure"
	"cadem.example/core/internal/variable"
	"cadem.example/core/multiplex"
)

// signs makes two layers of each that has weights below 0: one of the edges with positive weights, one of the others with the size
// of theirs. A diagonal that holds one value, as that of correlations, joins nothing; self loops below 0 alone make no layer.
func (r *readEdges) signs() {
	list, names := r.list, r.layers
	edges, zero := list.layers, list.zero
	r.layers, list.layers, list.zero = nil, nil, nil
	for l, name := range names {
		parts, ends := [2][]multiplex.Edge{edges[l]}, [2]string{}
		diagonal, negative, loops := signsOf(edges[l], r.nodes.n)
		switch {
		case negative > loops:
			without := ""
			if diagonal {
				without, negative = " and without the diagonal", negative-loops
			}
			parts, ends = bySign(edges[l], diagonal), variable.SignNames
			r.notes.add("%s of %s a weight below 0: they make a layer of their own, %s%s, with the size of their weights%s.",
				figure.Count(negative, "link"), name+figure.Plural(negative, " has", " have"), name, ends[1], without)
		case loops > 0:
			parts[0] = slices.DeleteFunc(edges[l], func(e multiplex.Edge) bool { return e.Weight < 0 })
			r.notes.add("%s of %s a weight below 0 and %s left out.", figure.Count(loops, "self loop"),
				name+figure.Plural(loops, " has", " have"), figure.Plural(loops, "was", "were"))
		}
		for k, part := range parts {
			if len(part) > 0 || ends[k] == "" && k == 0 {
				r.layers, list.layers, list.zero = append(r.layers, name+ends[k]), append(list.layers, part), append(list.zero, zero[l])
				zero[l] = 0
			}
		}
	}
}

// bySign divides edges by the sign of their weights, which become positive; self loops stay out if they are a diagonal.
func bySign(edges []multiplex.Edge, diagonal bool) (parts [2][]multiplex.Edge) {
	for _, e := range edges {
		k := 0
		if e.Weight < 0 {
			k, e.Weight = 1, -e.Weight
		}
		if e.I != e.J || !diagonal {
			parts[k] = append(parts[k], e)
		}
	}
	return parts
}

// signsOf counts the edges with weights below 0, and the self loops among them, and reports whether each of n nodes is joined with
// itself, all by one weight.
func signsOf(edges []multiplex.Edge, n int) (diagonal bool, negative, loops int) {
	alike, weight := 0, 0.0
	for _, e := range edges {
		if e.Weight < 0 {
			negative++
			if e.I == e.J {
				loops++
			}
		}
		if e.I == e.J && (alike == 0 || e.Weight == weight) {
			alike, weight = alike+1, e.Weight
		}
	}
	return alike == n, negative, loops
}
