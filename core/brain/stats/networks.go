package stats

import (
	"cmp"
	"slices"

	"cadem.example/core/base/sorting"
)

// networks keep, for every permutation and both directions, which regions hang together by pairs beyond the threshold, and by
// how many of them.
type networks struct {
	nodes  int
	parent []int32 // permutations x directions x nodes
	pairs  []int32 // of a component, at its root
	first  []int   // for each region i, the place of the pair i, i+1
	own    [2][][2]int
}

func newNetworks(nodes, permutations int) *networks {
	w := &networks{nodes: nodes, parent: make([]int32, permutations*2*nodes), pairs: make([]int32, permutations*2*nodes), first: make([]int, nodes)}
	for k := range w.parent {
		w.parent[k] = int32(k % nodes)
	}
	at := 0
	for i := range w.first {
		w.first[i] = at
		at += nodes - 1 - i
	}
	return w
}

// pair returns the regions of pair k.
func (w *networks) pair(k int) (i, j int) {
	i, found := slices.BinarySearch(w.first, k)
	for found && i+1 < w.nodes && w.first[i+1] == k { // regions without pairs begin where the next do
		i++
	}
	if !found {
		i--
	}
	return i, i + 1 + k - w.first[i]
}

func direction(positive bool) int {
	if positive {
		return 0
	}
	return 1
}

// join joins the regions of a pair in a permutation.
func (w *networks) join(permutation, pair int, positive bool) {
	at := (2*permutation + direction(positive)) * w.nodes
	parent, pairs := w.parent[at:at+w.nodes], w.pairs[at:at+w.nodes]
	root := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	i, j := w.pair(pair)
	a, b := root(int32(i)), root(int32(j))
	if a != b {
		parent[b] = a
		pairs[a] += pairs[b]
	}
	pairs[a]++
}

// observe records a pair of the unpermuted data.
func (w *networks) observe(pair int, t, beyond float64) {
	if t > beyond || t < -beyond {
		i, j := w.pair(pair)
		k := direction(t > 0)
		w.own[k] = append(w.own[k], [2]int{i, j})
	}
}

// components returns the components of the data with their chances; own is how often the unpermuted data count among the permutations.
func (w *networks) components(own float64) (list []Component) {
	n := len(w.parent) / (2 * w.nodes)
	largest := make([]int, n)
	for p := range largest {
		largest[p] = int(slices.Max(w.pairs[2*p*w.nodes : 2*(p+1)*w.nodes]))
	}
	for k, pairs := range w.own {
		of := make([]int, w.nodes)
		for i := range of {
			of[i] = i
		}
		for _, e := range pairs { // few: relabelled one by one
			from, to := of[e[1]], of[e[0]]
			for i := range of {
				if from != to && of[i] == from {
					of[i] = to
				}
			}
		}
		at := map[int]int{}
		for _, e := range pairs {
			c, ok := at[of[e[0]]]
			if !ok {
				c = len(list)
				at[of[e[0]]], list = c, append(list, Component{Positive: k == 0})
			}
			list[c].Pairs = append(list[c].Pairs, e)
		}
		for root, c := range at {
			for i := range of {
				if of[i] == root {
					list[c].Regions = append(list[c].Regions, i)
				}
			}
		}
	}
	for c := range list {
		beyond := own
		for _, m := range largest {
			if m >= len(list[c].Pairs) {
				beyond++
			}
		}
		list[c].P = beyond / (own + float64(n))
	}
	sorting.Stable(list, func(a, b Component) int { return cmp.Compare(len(b.Pairs), len(a.Pairs)) })
	return list
}
