package graphsignal

import (
	"math"
	"slices"
	"sort"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex"
)

// NeighbourGraph joins every point of the plane to its k nearest; ties go to the lower number.
// Points has length 2n, x and y of one after the other. Each of these relations adds
// exp(-(d/sigma)²) to the weight of its pair, so mutual neighbours have twice the weight; sigma is
// the median of all distances to neighbours. It panics unless there are more than k points, and
// returns an error when points fall together so that there is no scale.
func NeighbourGraph(points []float64, k int) (w *multiplex.CSR, sigma float64, err error) {
	m := len(points) / 2
	ErrShape.Unless(len(points) == 2*m && k >= 1 && k < m)
	near := make([]int, m*k) // row i: the neighbours of i, nearest first
	distance := make([]float64, m*k)
	for i := range m {
		found := 0
		n, d := near[i*k:(i+1)*k], distance[i*k:(i+1)*k]
		for j := range m {
			if j == i {
				continue
			}
			r := hypot(points[2*i]-points[2*j], points[2*i+1]-points[2*j+1])
			if found == k && r >= d[k-1] {
				continue
			}
			found = min(found+1, k)
			at := found - 1
			for ; at > 0 && d[at-1] > r; at-- {
				n[at], d[at] = n[at-1], d[at-1]
			}
			n[at], d[at] = j, r
		}
	}
	sorted := append([]float64(nil), distance...)
	sort.Sort(sort.Float64Slice(sorted))
	sigma = (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	if !(sigma > 0) {
		return nil, 0, &diag.Error{Where: "positions", Found: "half of all neighbours at distance 0", Expected: "points apart from each other"}
	}
	edges := make([]multiplex.Edge, 0, m*k)
	for i := range m {
		for at, j := range near[i*k : (i+1)*k] {
			q := distance[i*k+at] / sigma
			e := multiplex.Edge{I: i, J: j, Weight: kernel.Exp(-float64(q * q))}
			if slices.Contains(near[j*k:(j+1)*k], i) {
				e.Weight *= 2
			}
			edges = append(edges, e)
		}
	}
	w, err = multiplex.FromEdges(m, edges)
	return w, sigma, err
}

// Hops returns how many edges each node is away from the nearest of the sources, -1
// where none can be reached.
func Hops(a *multiplex.CSR, sources ...int) []int {
	hops := make([]int, a.Rows)
	for i := range hops {
		hops[i] = -1
	}
	queue := make([]int, 0, a.Rows)
	for _, s := range sources {
		if hops[s] < 0 {
			hops[s] = 0
			queue = append(queue, s)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			if hops[j] < 0 {
				hops[j] = hops[i] + 1
				queue = append(queue, int(j))
			}
		}
	}
	return hops
}

// Bump returns a weight for each node, given its distance in hops. Weights fall from the source of the hops to 0 at the radius, as
// (1 + cos(pi hops/radius)) / 2, and sum to 1.
func Bump(hops []int, radius int) []float64 {
	w := make([]float64, len(hops))
	sum := 0.0
	for i, h := range hops {
		if h >= 0 && h <= radius {
			w[i] = float64(0.5 * (1 + kernel.Cos(math.Pi*float64(h)/float64(radius))))
		}
		sum += w[i]
	}
	Scale(1/sum, w)
	return w
}
