package evidence_test

import (
	"math"
	"sort"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// An urn draws nodes, each as often as its weight says; all alike if there are no weights.
type urn struct {
	nodes []int
	sum   []float64 // of the weights up to each
}

func newUrn(nodes []int, weight []float64) *urn {
	u, sum := &urn{nodes: nodes}, 0.0
	for _, i := range nodes {
		if weight != nil {
			sum += weight[i]
			u.sum = append(u.sum, sum)
		}
	}
	return u
}

func (u *urn) node(draw *rng.Stream) int {
	if u.sum == nil {
		return u.nodes[draw.IntN(len(u.nodes))]
	}
	x := draw.Uniform(0, u.sum[len(u.sum)-1])
	return u.nodes[min(sort.SearchFloat64s(u.sum, x), len(u.nodes)-1)]
}

// block adds links among nodes in groups: as many as degree asks for on average. The other end of a link is in the same group with
// probability coupling.
func block(draw *rng.Stream, groups []int, weight []float64, degree, coupling float64) (edges []multiplex.Edge) {
	m := len(groups)
	lists, all := map[int][]int{}, make([]int, m)
	for i, g := range groups {
		lists[g], all[i] = append(lists[g], i), i
	}
	everywhere, members := newUrn(all, weight), map[int]*urn{}
	for g, list := range lists {
		members[g] = newUrn(list, weight)
	}
	for range int(float64(m) * degree / 2) {
		i, j := everywhere.node(draw), everywhere.node(draw)
		if draw.Float64() < coupling {
			j = members[groups[i]].node(draw)
		}
		if i != j {
			edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
		}
	}
	return edges
}

// random returns k groups of m nodes.
func random(draw *rng.Stream, m, k int) []int {
	groups := make([]int, m)
	for i := range groups {
		groups[i] = draw.IntN(k)
	}
	return groups
}

// planted returns n layers of m nodes in k groups. A share of the links of the first few layers is drawn from groups they have in
// common, all others from groups of the layer's own.
func planted(seed uint64, m, n, k int, degree, share, coupling float64, few int) (layers []*multiplex.CSR, shared []int, own [][]int) {
	return plantedAmong(seed, nil, m, n, k, degree, share, coupling, few)
}

// pareto returns weights of m nodes, the same in all layers: few have many links, up to ten times as many as most.
func pareto(seed uint64, m int) []float64 {
	draw, weight := rng.New(seed, "pareto"), make([]float64, m)
	for i := range weight {
		weight[i] = min(10, math.Pow(1-draw.Float64(), -1/2.5))
	}
	return weight
}

// plantedAmong has nodes with weights; their degrees are proportional to these.
func plantedAmong(seed uint64, weight []float64, m, n, k int, degree, share, coupling float64, few int) (layers []*multiplex.CSR, shared []int,
	own [][]int) {
	draw := rng.New(seed, "planted")
	shared = random(draw, m, k)
	for l := range n {
		of, part := random(draw, m, k), share
		if l >= few {
			part = 0
		}
		edges := append(block(draw, shared, weight, degree*part, coupling), block(draw, of, weight, degree*(1-part), coupling)...)
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			panic(err)
		}
		layers, own = append(layers, a), append(own, of)
	}
	return layers, shared, own
}
