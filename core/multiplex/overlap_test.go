package multiplex

import (
	"fmt"
	"math"
	"testing"

	"cadem.example/core/base/rng"
)

func ExampleCompare() {
	friends, _ := FromEdges(4, []Edge{{0, 1, 1}, {1, 2, 1}})
	work, _ := FromEdges(4, []Edge{{0, 1, 1}, {2, 3, 1}})
	c := Compare([]Layer{{"friends", friends, Identity(4)}, {"work", work, Identity(4)}})
	for _, l := range c.Layers {
		fmt.Println(l.Name, l.Links, "links;", l.Components, "component(s); isolated", l.Isolated)
	}
	p := c.Pair(1, 0)
	fmt.Printf("in common %d, by chance %.3f, Jaccard %.3f\n", p.Common, p.Expected, p.Jaccard)
	// Output:
	// friends 2 links; 1 component(s); isolated 1
	// work 2 links; 2 component(s); isolated 0
	// in common 1, by chance 0.312, Jaccard 0.333
}

// scattered draws links, more of them at low nodes, with weights and loops, which do not count.
func scattered(t *testing.T, draw *rng.Stream, m, links int) *CSR {
	t.Helper()
	var edges []Edge
	for range links {
		i := int(float64(m) * math.Pow(draw.Float64(), 2))
		edges = append(edges, Edge{i, draw.IntN(m), 1 + draw.Float64()})
	}
	a, err := FromEdges(m, edges)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Counts on sparse rows are those of a look at every pair of nodes.
func TestCompareByPairs(t *testing.T) {
	draw := rng.New(1, "overlap")
	for _, links := range []int{3, 20, 60, 400} {
		const m = 30
		var layers []Layer
		var dense [][]float64
		for l := range 3 {
			a := scattered(t, draw, m, links+l)
			layers, dense = append(layers, Layer{fmt.Sprint(l), a, Identity(m)}), append(dense, a.Dense())
		}
		there := func(l, i, j int) bool { return dense[l][i*m+j] != 0 }
		c := Compare(layers)
		degree := make([][]float64, 3)
		for l, e := range c.Layers {
			degree[l] = make([]float64, m)
			n, isolated := 0, 0
			for i := range m {
				for j := range m {
					if i != j && there(l, i, j) {
						degree[l][i]++
						n++
					}
				}
				if degree[l][i] == 0 {
					isolated++
				}
			}
			components, largest := reached(m, func(i, j int) bool { return there(l, i, j) })
			if e.Links != n/2 || e.Isolated != isolated || e.Components != components || e.Largest != largest || math.Abs(e.Density-float64(n)/(m*(m-1))) > 1e-15 {
				t.Errorf("%d links: %+v; by pairs %d links, %d isolated, %d components, %d the largest", links, e, n/2, isolated, components, largest)
			}
		}
		for a := range 3 {
			for b := a + 1; b < 3; b++ {
				both, either, mean, variance := 0, 0, 0.0, 0.0
				sum := func(x []float64) (s float64) {
					for _, v := range x {
						s += v
					}
					return s
				}
				for i := range m {
					for j := range i {
						x, y := there(a, i, j), there(b, i, j)
						if x && y {
							both++
						}
						if x || y {
							either++
						}
						p := min(1, degree[a][i]*degree[a][j]/sum(degree[a])) * min(1, degree[b][i]*degree[b][j]/sum(degree[b]))
						mean, variance = mean+p, variance+float64(p*(1-p))
					}
				}
				p := c.Pair(b, a)
				if p.A != a || p.B != b || p.Common != both || math.Abs(p.Jaccard-float64(both)/float64(either)) > 1e-15 ||
					math.Abs(p.Expected-mean) > 1e-9 || math.Abs(p.SD-math.Sqrt(variance)) > 1e-9 || math.Abs(p.Z-(float64(both)-mean)/math.Sqrt(variance)) > 1e-9 {
					t.Errorf("%d links: %+v; by pairs %d of %d, expected %v +- %v", links, p, both, either, mean, math.Sqrt(variance))
				}
				if r := rankCorrelation(degree[a], degree[b]); math.Abs(p.Degrees-r) > 1e-12 {
					t.Errorf("degrees %v, by pairs %v", p.Degrees, r)
				}
			}
		}
	}
}

// reached returns how many components have two nodes or more, and the nodes of the largest: each node takes the least name that it is linked to
// until nothing changes.
func reached(m int, linked func(i, j int) bool) (components, largest int) {
	of := make([]int, m)
	for i := range of {
		of[i] = i
	}
	for range m {
		for i := range m {
			for j := range m {
				if linked(i, j) {
					of[i] = min(of[i], of[j])
				}
			}
		}
	}
	size := map[int]int{}
	for _, name := range of {
		size[name]++
	}
	for _, s := range size {
		if s > 1 {
			components++
		}
		largest = max(largest, s)
	}
	return components, largest
}

// rankCorrelation is Spearman's correlation: a rank is how many are smaller, and half of the equal ones.
func rankCorrelation(x, y []float64) float64 {
	rank := func(x []float64, i int) (r float64) {
		for _, v := range x {
			if v < x[i] {
				r++
			} else if v == x[i] {
				r += .5
			}
		}
		return r
	}
	n, sx, sy, xx, yy, xy := float64(len(x)), 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range x {
		a, b := rank(x, i), rank(y, i)
		sx, sy, xx, yy, xy = sx+a, sy+b, xx+a*a, yy+b*b, xy+a*b
	}
	return (xy - sx*sy/n) / math.Sqrt((xx-sx*sx/n)*(yy-sy*sy/n))
}

// Layers whose links are drawn anew with their degrees have as many in common as expected, and those of one layer that is there twice
// many more.
func TestChanceIsThatOfLayersDrawnAnew(t *testing.T) {
	const m, draws = 200, 40
	draw := rng.New(2, "overlap")
	a, b := scattered(t, draw, m, 500), scattered(t, draw, m, 700)
	layer := func(a *CSR) Layer { return Layer{"", a, Identity(m)} }
	sum, squares := 0.0, 0.0
	for range draws {
		z := Compare([]Layer{layer(rewired(t, draw, a)), layer(rewired(t, draw, b))}).Pairs[0].Z
		sum, squares = sum+z, squares+float64(z*z)
	}
	mean := sum / draws
	sd := math.Sqrt(squares/draws - mean*mean)
	if math.Abs(mean) > 1 || sd < .5 || sd > 1.5 {
		t.Errorf("z of layers drawn anew: %v +- %v", mean, sd)
	}
	if z := Compare([]Layer{layer(a), layer(a)}).Pairs[0].Z; z < 20 {
		t.Errorf("z of a layer with itself: %v", z)
	}
}

// rewired exchanges the ends of links until none is where it was, and keeps degrees.
func rewired(t *testing.T, draw *rng.Stream, a *CSR) *CSR {
	t.Helper()
	flat, n := a.Links(a.NNZ())
	there := map[[2]int]bool{}
	links := make([][2]int, n)
	for k := range links {
		links[k] = [2]int{flat[2*k], flat[2*k+1]}
		there[links[k]] = true
	}
	ordered := func(i, j int) [2]int { return [2]int{min(i, j), max(i, j)} }
	for range 10 * n {
		x, y := draw.IntN(n), draw.IntN(n)
		e, f := links[x], links[y]
		if draw.IntN(2) == 1 {
			f[0], f[1] = f[1], f[0]
		}
		p, q := ordered(e[0], f[1]), ordered(f[0], e[1])
		if x == y || p[0] == p[1] || q[0] == q[1] || there[p] || there[q] || p == q {
			continue
		}
		delete(there, links[x])
		delete(there, links[y])
		links[x], links[y] = p, q
		there[p], there[q] = true, true
	}
	var edges []Edge
	for _, e := range links {
		edges = append(edges, Edge{e[0], e[1], 1})
	}
	b, err := FromEdges(a.Rows, edges)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
