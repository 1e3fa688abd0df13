package multiplex

import (
	"cmp"
	"math"
	"slices"

	"cadem.example/core/base/sorting"
)

// A Comparison describes layers by their links alone: each by itself, and every two beside each other. Weights and links
// of a node to itself do not count.
type Comparison struct {
	Nodes  int       `json:"nodes"`
	Layers []Extent  `json:"layers"`
	Pairs  []Overlap `json:"pairs"` // of layers A < B, row by row
}

// An Extent describes the size and density of a layer.
type Extent struct {
	Name       string  `json:"name"`
	Links      int     `json:"links"`
	Density    float64 `json:"density"` // links per pair of nodes
	MeanDegree float64 `json:"mean_degree"`
	MaxDegree  int     `json:"max_degree"`
	Isolated   int     `json:"isolated"`   // nodes without links
	Components int     `json:"components"` // of two nodes or more
	Largest    int     `json:"largest"`    // nodes of the largest one
	Weighted   bool    `json:"weighted"`
	Loops      int     `json:"loops"`
}

// An Overlap describes the links and nodes that two layers share.
type Overlap struct {
	A       int     `json:"a"`
	B       int     `json:"b"`
	Common  int     `json:"common"`  // links that both have
	Jaccard float64 `json:"jaccard"` // of those that either has
	// Expected and SD are of the common links of layers drawn apart with these degrees, each link by itself:
	//
	//	sum over i < j of p_ij q_ij,   p_ij = min(1, d_i d_j / 2m) of layer A, q_ij likewise of B
	Expected float64 `json:"expected"`
	SD       float64 `json:"sd"`
	Z        float64 `json:"z"` // (Common - Expected) / SD, 0 if SD is
	// Degrees is the rank correlation (Spearman) of the nodes' degrees in both, 0 if one has the same for all.
	Degrees float64 `json:"degrees"`
}

// Compare describes layers of the same nodes.
func Compare(layers []Layer) *Comparison {
	c := &Comparison{Nodes: layers[0].Adjacency.Rows, Pairs: []Overlap{}}
	degrees, ranks := make([][]int, len(layers)), make([][]float64, len(layers))
	for l := range layers {
		a := layers[l].Adjacency
		degrees[l] = make([]int, a.Rows)
		for i := range degrees[l] {
			degrees[l][i] = len(a.neighbours(i))
			if a.Has(i, i) {
				degrees[l][i]--
			}
		}
		ranks[l] = ranked(degrees[l])
		s := layers[l].Summary()
		e := Extent{Name: s.Name, Links: s.Edges, MaxDegree: s.MaxDegree, Isolated: s.Isolated, Weighted: s.Weighted, Loops: s.SelfLoops}
		m := float64(c.Nodes)
		e.MeanDegree = 2 * float64(s.Edges) / m
		e.Density = e.MeanDegree / max(m-1, 1)
		e.Components, e.Largest = a.Components()
		c.Layers = append(c.Layers, e)
	}
	for a := range layers {
		for b := a + 1; b < len(layers); b++ {
			o := Overlap{A: a, B: b, Common: common(layers[a].Adjacency, layers[b].Adjacency)}
			if either := c.Layers[a].Links + c.Layers[b].Links - o.Common; either > 0 {
				o.Jaccard = float64(o.Common) / float64(either)
			}
			o.Expected, o.SD = byChance(degrees[a], degrees[b])
			if o.SD > 0 {
				o.Z = (float64(o.Common) - o.Expected) / o.SD
			}
			o.Degrees = correlation(ranks[a], ranks[b])
			c.Pairs = append(c.Pairs, o)
		}
	}
	return c
}

// Pair returns the overlap of two different layers, in either order.
func (c *Comparison) Pair(a, b int) *Overlap {
	a, b = min(a, b), max(a, b)
	n := len(c.Layers)
	return &c.Pairs[a*(2*n-a-1)/2+b-a-1]
}

func (a *CSR) neighbours(i int) []int32 { return a.Index[a.Start[i]:a.Start[i+1]] }

// Has reports whether entry i, j is stored.
func (a *CSR) Has(i, j int) bool {
	_, there := slices.BinarySearch(a.neighbours(i), int32(j))
	return there
}

// Components returns how many components have two nodes or more, and how many nodes the largest one has (1 without links).
func (a *CSR) Components() (n, largest int) {
	seen := make([]bool, a.Rows)
	largest = min(1, a.Rows)
	var stack []int32
	for i := range a.Rows {
		if seen[i] {
			continue
		}
		seen[i] = true
		stack = append(stack[:0], int32(i))
		size := 0
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			size++
			for _, j := range a.neighbours(int(v)) {
				if !seen[j] {
					seen[j] = true
					stack = append(stack, j)
				}
			}
		}
		if size > 1 {
			n++
		}
		largest = max(largest, size)
	}
	return n, largest
}

// common counts the pairs of nodes that both layers link.
func common(a, b *CSR) (n int) {
	for i := range a.Rows {
		x, y := a.neighbours(i), b.neighbours(i)
		for len(x) > 0 && len(y) > 0 {
			switch {
			case x[0] < y[0]:
				x = x[1:]
			case x[0] > y[0]:
				y = y[1:]
			default:
				if int(x[0]) > i {
					n++
				}
				x, y = x[1:], y[1:]
			}
		}
	}
	return n
}

// byChance returns the mean and the deviation of the common links of layers with these degrees. Nodes of equal degrees are
// taken together.
func byChance(d, e []int) (mean, sd float64) {
	count := map[[2]int]int{}
	twice := [2]float64{}
	for i := range d {
		twice[0], twice[1] = twice[0]+float64(d[i]), twice[1]+float64(e[i])
		if d[i] > 0 && e[i] > 0 {
			count[[2]int{d[i], e[i]}]++
		}
	}
	var kinds [][2]int
	for k := range count {
		kinds = append(kinds, k)
	}
	sorting.Stable(kinds, func(x, y [2]int) int { return cmp.Or(x[0]-y[0], x[1]-y[1]) })
	variance := 0.0
	for s, x := range kinds {
		for t, y := range kinds[:s+1] {
			pairs := float64(count[x]) * float64(count[y])
			if s == t {
				pairs = float64(count[x]*(count[x]-1)) / 2
			}
			p := float64(min(1, float64(x[0]*y[0])/twice[0]) * min(1, float64(x[1]*y[1])/twice[1]))
			mean += float64(pairs * p)
			variance += float64(pairs * p * (1 - p))
		}
	}
	return mean, math.Sqrt(variance)
}

// ranked returns the ranks of numbers from 1, equal ones in the middle of theirs.
func ranked(x []int) []float64 {
	order := sorting.Order(len(x), func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	ranks := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return ranks
}

// correlation returns Pearson's correlation, 0 if one list is constant.
func correlation(x, y []float64) float64 {
	mean := float64(float64(len(x)+1) / 2) // of ranks
	var xx, yy, xy float64
	for i := range x {
		a, b := x[i]-mean, y[i]-mean
		xx, yy, xy = xx+float64(a*a), yy+float64(b*b), xy+float64(a*b)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(float64(xx*yy))
}
