package text

import "cadem/core/multiplex"

// mutualEdges returns the self loops and, with the smaller weight, the pairs that come in
// both directions.
func mutualEdges(edges []multiplex.Edge) []multiplex.Edge {
	type arc struct{ i, j int }
	heaviest := make(map[arc]float64, len(edges))
	for _, e := range edges {
		heaviest[arc{e.I, e.J}] = max(heaviest[arc{e.I, e.J}], e.Weight)
	}
	var kept []multiplex.Edge
	for _, e := range edges {
		if back, ok := heaviest[arc{e.J, e.I}]; ok {
			kept = append(kept, multiplex.Edge{I: e.I, J: e.J, Weight: min(heaviest[arc{e.I, e.J}], back)})
		}
	}
	return kept
}

// byPair returns the numbers of edges among m nodes so that those of a pair stand together: sorted by the
// higher node, then by the lower one, each time in one pass.
func byPair(m int, edges []multiplex.Edge) []int32 {
	key, order, next := make([]int32, len(edges)), make([]int32, len(edges)), make([]int32, len(edges))
	start := make([]int32, m+1)
	for k := range order {
		order[k] = int32(k)
	}
	for _, low := range []bool{false, true} {
		clear(start)
		for k := range edges {
			i, j := edges[k].I, edges[k].J
			if (i < j) == low {
				key[k] = int32(i)
			} else {
				key[k] = int32(j)
			}
			start[key[k]+1]++
		}
		for i := range m {
			start[i+1] += start[i]
		}
		for _, k := range order {
			at := key[k]
			next[start[at]] = k
			start[at]++
		}
		order, next = next, order
	}
	return order
}

// apart returns those of several layers of m nodes that have no node with edges in another one.
func apart(m int, layers [][]multiplex.Edge) (alone []int) {
	of := make([]int, m) // the first layer of each node, from 1
	shares := make([]bool, len(layers))
	for l, edges := range layers {
		for _, e := range edges {
			for _, i := range [...]int{e.I, e.J} {
				if of[i] == 0 {
					of[i] = l + 1
				} else if of[i] != l+1 {
					shares[l], shares[of[i]-1] = true, true
				}
			}
		}
	}
	for l := range layers {
		if !shares[l] && len(layers) > 1 {
			alone = append(alone, l)
		}
	}
	return alone
}

// tally counts, among the rows of a layer of m nodes, self loops, rows that repeat an earlier one,
// pairs, and pairs that come in both directions, with or without the same weight.
// Loops are no pairs.
func tally(m int, edges []multiplex.Edge) (loops, repeated, pairs, both, same int) {
	order := byPair(m, edges)
	for k := 0; k < len(order); {
		first := &edges[order[k]]
		low, high := min(first.I, first.J), max(first.I, first.J)
		var heaviest [2]float64 // in direction low to high, and back
		rows := 0
		for ; k < len(order); k++ {
			e := &edges[order[k]]
			if min(e.I, e.J) != low || max(e.I, e.J) != high {
				break
			}
			direction := 0
			if e.I > e.J {
				direction = 1
			}
			heaviest[direction] = max(heaviest[direction], e.Weight)
			rows++
		}
		switch {
		case low == high:
			loops++
			repeated += rows - 1
		case heaviest[0] > 0 && heaviest[1] > 0:
			pairs++
			both++
			repeated += rows - 2
			if heaviest[0] == heaviest[1] {
				same++
			}
		default:
			pairs++
			repeated += rows - 1
		}
	}
	return loops, repeated, pairs, both, same
}
