package evidence_test

import (
	"cadem/core/multiplex"
	"cadem/core/rng"
)

// block adds links among nodes in groups: as many as degree asks for on average, of which a share of coupling stays in the first end's
// group.
func block(draw *rng.Stream, groups []int, degree, coupling float64) (edges []multiplex.Edge) {
	m := len(groups)
	members := map[int][]int{}
	for i, g := range groups {
		members[g] = append(members[g], i)
	}
	for range int(float64(m) * degree / 2) {
		i, j := draw.IntN(m), draw.IntN(m)
		if draw.Float64() < coupling {
			same := members[groups[i]]
			j = same[draw.IntN(len(same))]
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
	draw := rng.New(seed, "planted")
	shared = random(draw, m, k)
	for l := range n {
		of, part := random(draw, m, k), share
		if l >= few {
			part = 0
		}
		edges := append(block(draw, shared, degree*part, coupling), block(draw, of, degree*(1-part), coupling)...)
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			panic(err)
		}
		layers, own = append(layers, a), append(own, of)
	}
	return layers, shared, own
}
