package communities

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/community"
	"gonum.org/v1/gonum/graph/simple"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// drawn draws layers of groups of nodes, weighted, with links of nodes to themselves, and the same for gonum without those.
func drawn(t *testing.T, m, layers int, seed uint64) ([]*multiplex.CSR, community.UndirectedLayers) {
	t.Helper()
	src := rng.New(seed, "test")
	var list []*multiplex.CSR
	var peers []graph.Undirected
	for l := range layers {
		g := simple.NewWeightedUndirectedGraph(0, 0)
		for i := range m {
			g.AddNode(simple.Node(i))
		}
		edges := []multiplex.Edge{{I: 1, J: 1, Weight: 3}}
		for i := range m {
			for j := range i {
				p := 0.08
				if i%4 == j%4 && (l == 0 || i%2 == 0) {
					p = 0.6
				}
				if src.Float64() < p {
					w := src.Uniform(0.5, 2)
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: w})
					g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(i), T: simple.Node(j), W: w})
				}
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		list, peers = append(list, a), append(peers, g)
	}
	both, err := community.NewUndirectedLayers(peers...)
	if err != nil {
		t.Fatal(err)
	}
	return list, both
}

// shuffled are orders of a seed.
func shuffled(seed uint64) Order {
	return func(dst []int, round int) {
		s := rng.New(seed, "order")
		s.At(uint64(round))
		s.Perm(dst)
	}
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// Q equals gonum's for the same division, and the division found is as good as gonum's.
func TestAgainstGonum(t *testing.T) {
	for _, resolution := range []float64{1, 1.5} {
		for seed := range uint64(6) {
			layers, peer := drawn(t, 60, 2, seed)
			var weights []float64 // gonum does not divide by 2 m_l
			for _, a := range layers {
				weights = append(weights, 1/newLevel(a).total)
			}
			of, err := Search{Resolution: resolution, Order: shuffled(seed)}.Find(layers)
			if err != nil {
				t.Fatal(err)
			}
			groups := make([][]graph.Node, slices.Max(of)+1)
			for i, c := range of {
				groups[c] = append(groups[c], simple.Node(i))
			}
			got, want := Modularity(layers, resolution, of), community.QMultiplex(peer, groups, weights, []float64{resolution, resolution})
			for l := range got {
				if math.Abs(got[l]-want[l]) > 1e-12 {
					t.Errorf("seed %d, layer %d: Q %v, gonum %v", seed, l, got[l], want[l])
				}
			}
			best := math.Inf(-1)
			for k := range uint64(5) {
				r := community.ModularizeMultiplex(peer, weights, []float64{resolution, resolution}, true, rand.NewPCG(seed, k))
				best = max(best, sum(community.QMultiplex(peer, r.Communities(), weights, []float64{resolution, resolution})))
			}
			if q := sum(got); q < best-0.03 {
				t.Errorf("seed %d, resolution %v: Q %.4f, gonum finds %.4f", seed, resolution, q, best)
			}
		}
	}
}

// Nothing that moves one node gains, and groups that are there are found, whatever the order of the nodes.
func TestFind(t *testing.T) {
	layers, _ := drawn(t, 60, 2, 1)
	var first []int
	for seed := range uint64(4) {
		of, err := Search{Resolution: 1, Order: shuffled(seed)}.Find(layers)
		if err != nil {
			t.Fatal(err)
		}
		q := sum(Modularity(layers, 1, of))
		for i, c := range of {
			for other := range slices.Max(of) + 1 {
				of[i] = other
				if more := sum(Modularity(layers, 1, of)); more > q+1e-9 {
					t.Errorf("seed %d: node %d in group %d has Q %v, in its own %v", seed, i, other, more, q)
				}
			}
			of[i] = c
		}
		if again, err := (Search{Resolution: 1, Order: shuffled(seed)}).Find(layers); err != nil || !slices.Equal(again, of) {
			t.Errorf("seed %d: twice the same order, other groups: %v", seed, err)
		}
		if first == nil {
			first = of
		}
	}
	for i := range first {
		if i%2 == 0 && first[i] != first[i%4] {
			t.Errorf("nodes %d and %d, of one group in both layers, are apart: %v", i%4, i, first)
		}
	}
}

// Groups of a sparse graph, which merge before their nodes have told them apart, are found as they were drawn where nodes move again.
func TestRefined(t *testing.T) {
	const m, k, links = 8000, 20, 20_000
	src, truth := rng.New(1, "test"), make([]int, m)
	var layers []*multiplex.CSR
	for range 2 {
		var edges []multiplex.Edge
		for range links {
			i, j := src.IntN(m), src.IntN(m)
			if src.Float64() < 0.8 {
				j = j/k*k + i%k
			}
			edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		layers = append(layers, a)
	}
	for i := range truth {
		truth[i] = i % k
	}
	var q [2]float64
	for n, refined := range []bool{false, true} {
		looked := 0
		of, err := Search{Resolution: 1, Order: shuffled(1), Refined: refined, Wait: func(work int) error { looked += work; return nil }}.Find(layers)
		if err != nil {
			t.Fatal(err)
		}
		if q[n] = sum(Modularity(layers, 1, of)); refined && slices.Max(of) != k-1 {
			t.Errorf("%d groups, expected %d", slices.Max(of)+1, k)
		}
		if most := 30 * (layers[0].NNZ() + layers[1].NNZ()); refined && looked > most {
			t.Errorf("%d links were looked at, expected at most %d", looked, most)
		}
	}
	if want := sum(Modularity(layers, 1, truth)); q[1] < want-0.001 || q[0] > want-0.01 {
		t.Errorf("Q %.4f and refined %.4f, of the groups that were drawn %.4f", q[0], q[1], want)
	}
}

func TestEdges(t *testing.T) {
	empty, err := multiplex.FromEdges(3, []multiplex.Edge{{I: 0, J: 0, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if of, err := (Search{Resolution: 1, Order: shuffled(0)}).Find([]*multiplex.CSR{empty}); err != nil || fmt.Sprint(of) != "[0 1 2]" {
		t.Errorf("without links every node is by itself: %v, %v", of, err)
	}
	layers, _ := drawn(t, 20, 1, 0)
	stop := errors.New("stop")
	if _, err := (Search{Resolution: 1, Order: shuffled(0), Wait: func(int) error { return stop }}).Find(layers); err != stop {
		t.Errorf("an error of Wait: %v", err)
	}
}
