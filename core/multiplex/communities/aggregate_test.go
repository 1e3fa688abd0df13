package communities

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// scattered draws layers with weights, links of nodes to themselves, and every fifth node without a link. Links are within `groups` groups, i mod
// groups, but for a share of them.
func scattered(t *testing.T, m, layers, links, groups int, share float64, seed uint64) *multiplex.Graph {
	t.Helper()
	s, g := rng.New(seed, "test"), &multiplex.Graph{}
	for range layers {
		var edges []multiplex.Edge
		for range links {
			i, j := s.IntN(m), s.IntN(m)
			if s.Float64() >= share {
				j = j/groups*groups + i%groups
			}
			if j < m && i%5 > 0 && j%5 > 0 {
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: s.Uniform(0.5, 2)})
			}
		}
		a, err := multiplex.FromEdges(m, append(edges, multiplex.Edge{I: 0, J: 0, Weight: 1}))
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Adjacency: a})
	}
	return g
}

// Groups of any division hold each node with a link once, and each link of every layer once, as pairs of nodes that are looked at one by one do.
func TestAggregateCountsAll(t *testing.T) {
	for seed := range uint64(12) {
		m, parts, most := 40+int(seed), 1+int(seed)*2, 2+int(seed)%7
		g, s := scattered(t, m, 1+int(seed)%3, 150, 4, 0.5, seed), rng.New(seed, "division")
		of := make([]int, m)
		for i := range of {
			of[i] = s.IntN(parts)
		}
		var list []*multiplex.CSR
		for _, l := range g.Layers {
			list = append(list, l.Adjacency)
		}
		a, err := aggregate(list, of, most, nil)
		if err != nil {
			t.Fatal(err)
		}
		k, nodes, together := len(a.Nodes), make([]int, len(a.Nodes)), map[int]map[int]bool{}
		for i, c := range a.Of {
			linked := false
			for _, l := range g.Layers {
				for j, v := range l.Adjacency.Dense()[i*m : (i+1)*m] {
					linked = linked || v != 0 && j != i
				}
			}
			if linked != (c >= 0) || c >= k {
				t.Fatalf("seed %d: node %d, linked: %v, in group %d of %d", seed, i, linked, c, k)
			}
			if c >= 0 {
				nodes[c]++
				if together[c] == nil {
					together[c] = map[int]bool{}
				}
				together[c][of[i]] = true
			}
		}
		for c, of := range together {
			if want := max(1, a.Rest); c == k-1 && len(of) != want || c < k-1 && len(of) != 1 {
				t.Errorf("seed %d: group %d of %d is made of %d parts, %d in the last", seed, c, k, len(of), a.Rest)
			}
		}
		if !reflect.DeepEqual(nodes, a.Nodes) || k > most {
			t.Errorf("seed %d: nodes %v, counted %v, at most %d groups", seed, a.Nodes, nodes, most)
		}
		for c := 1; c < k; c++ {
			if a.Nodes[c] > a.Nodes[c-1] && !(c == k-1 && a.Rest > 0) {
				t.Errorf("seed %d: groups of %v nodes, expected the largest first", seed, a.Nodes)
			}
		}
		checkLinks(t, fmt.Sprint("seed ", seed), g, a)
	}
}

// checkLinks compares the links between groups with pairs of nodes that are looked at one by one.
func checkLinks(t *testing.T, what string, g *multiplex.Graph, a *Aggregate) {
	t.Helper()
	m, k := g.M(), len(a.Nodes)
	for l, layer := range g.Layers {
		want, got, all := make([]int, k*k), a.Links[l*k*k:(l+1)*k*k], 0
		x := layer.Adjacency.Dense()
		for i := range m {
			for j := range i {
				if x[i*m+j] == 0 {
					continue
				}
				c, d := a.Of[i], a.Of[j]
				want[c*k+d]++
				if c != d {
					want[d*k+c]++
				}
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s, layer %d: links %v, pair by pair %v", what, l, got, want)
		}
		for p, n := range got {
			if p/k >= p%k {
				all += n
			}
		}
		if edges := layer.Summary().Edges; all != edges {
			t.Errorf("%s, layer %d: bands and insides have %d links, the layer %d", what, l, all, edges)
		}
		for p, v := range a.Graph().Layers[l].Adjacency.Dense() {
			if p/k != p%k && v != float64(want[p]) || p/k == p%k && v != 0 {
				t.Errorf("%s, layer %d: groups %d and %d have weight %v in the graph, and %d links", what, l, p/k, p%k, v, want[p])
			}
		}
	}
}

// Groups that were planted are found, the same ones in all layers and always; only nodes without links are in none.
func TestCommunities(t *testing.T) {
	const groups = 4
	g := scattered(t, 400, 2, 4000, groups, 0.1, 3)
	a, err := Communities(g, 60, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Nodes) != groups || a.Rest != 0 {
		t.Fatalf("groups of %v nodes, expected %d", a.Nodes, groups)
	}
	for i, c := range a.Of {
		if want := a.Of[1+(i+3)%groups]; i%5 == 0 && c != -1 || i%5 > 0 && c != want {
			t.Errorf("node %d is in group %d, expected %d", i, c, want)
		}
	}
	again, err := Communities(g, 60, nil)
	if err != nil || !reflect.DeepEqual(a, again) {
		t.Errorf("the same graph has other communities: %v", err)
	}
	if a, err = Communities(g, 2, nil); err != nil || len(a.Nodes) != 2 || a.Rest != groups-1 {
		t.Fatalf("at most 2 groups: %v, %d in the last, %v", a.Nodes, a.Rest, err)
	}
	stop := errors.New("stop")
	for at := range 12 { // wherever it is
		left := 1000 * at
		_, err := Communities(g, 60, func(work int) error {
			if left -= work; left < 0 {
				return stop
			}
			return nil
		})
		if err != stop {
			t.Errorf("an error of wait after %d links: %v", 1000*at, err)
		}
	}
}

func ExampleCommunities() {
	var edges []multiplex.Edge
	for i := range 6 { // two triangles and a link between them
		edges = append(edges, multiplex.Edge{I: i, J: i/3*3 + (i+1)%3, Weight: 1})
	}
	a, _ := multiplex.FromEdges(6, append(edges, multiplex.Edge{I: 0, J: 3, Weight: 1}))
	g := &multiplex.Graph{Layers: []multiplex.Layer{{Adjacency: a}}}
	found, err := Communities(g, 60, nil)
	fmt.Println(found.Of, found.Nodes, found.Links, err)
	// Output: [0 0 0 1 1 1] [3 3] [3 1 1 3] <nil>
}
