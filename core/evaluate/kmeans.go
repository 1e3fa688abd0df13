package evaluate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
)

// A Clustering is a partition of items around K centroids.
type Clustering struct {
	Labels    []int      // cluster of each item
	Centroids *mat.Dense // K x d
	Inertia   float64    // sum of squared distances to the own centroid
}

const (
	// Lloyd's iterations stop when the squared movement of the centroids is at most
	// this share of the mean variance of a coordinate.
	kmeansTolerance  = 1e-4
	kmeansIterations = 300
)

// KMeans partitions the rows of x (n x d) into k clusters by Lloyd's iterations from greedy
// k-means++ seeds (Arthur and Vassilvitskii 2007), and returns the best of the restarts by inertia.
func KMeans(x *mat.Dense, k, restarts int, src *rng.Stream) *Clustering {
	c := newClusterer(x, k)
	for r := range restarts {
		c.run(src, r == 0)
	}
	return c.result()
}

// Lloyd partitions the rows of x (n x d) from the given centroids (k x d), which it
// moves until no label changes.
func Lloyd(x, init *mat.Dense) *Clustering {
	k, d := init.Dims()
	_, xd := x.Dims()
	ErrShape.Unless(xd == d)
	c := newClusterer(x, k)
	for j := range d {
		for a := range k {
			c.centroid[a*d+j] = init.At(a, j) - c.mean[j]
		}
	}
	c.lloyd(0)
	c.keep(true)
	return c.result()
}

// A clusterer holds the centred items in columns and the work space of a run.
type clusterer struct {
	n, d, k  int
	x        []float64 // d columns of n
	rows     []float64 // the same, row by row
	mean     []float64 // what was subtracted
	variance float64   // mean over the coordinates

	centroid, moved       []float64 // k x d
	label, last, count    []int
	nearest, dist, choice []float64
	inertia               float64
	passes                int // over all items and one centroid, so far

	bestLabel    []int
	bestCentroid []float64
	bestInertia  float64
}

func newClusterer(x *mat.Dense, k int) *clusterer {
	n, d := x.Dims()
	ErrShape.Unless(k >= 1 && k <= n)
	c := &clusterer{n: n, d: d, k: k, x: make([]float64, n*d), rows: make([]float64, n*d), mean: make([]float64, d),
		centroid: make([]float64, k*d), moved: make([]float64, k*d), label: make([]int, n), last: make([]int, n), count: make([]int, k),
		nearest: make([]float64, n), dist: make([]float64, n), choice: make([]float64, n),
		bestLabel: make([]int, n), bestCentroid: make([]float64, k*d)}
	for j := range d {
		col := c.x[j*n:][:n]
		for i := range col {
			col[i] = x.At(i, j)
		}
		c.mean[j] = total(col) / float64(n)
		for i := range col {
			col[i] -= c.mean[j]
			c.rows[i*d+j] = col[i]
		}
		c.variance += dot(col, col) / float64(n*d)
	}
	return c
}

// seed chooses the first centroid uniformly among the items and each further one as
// the best of 2 + floor(ln k) candidates drawn in proportion to the squared distance
// to the nearest centroid so far.
func (c *clusterer) seed(src *rng.Stream) {
	first := src.IntN(c.n)
	c.place(0, first)
	kernel.Squares(c.nearest, c.x, c.centroid[:c.d])
	c.passes++
	candidates := 2 + int(kernel.Log(float64(c.k)))
	for a := 1; a < c.k; a++ {
		potential := total(c.nearest)
		best, lowest := 0, math.Inf(1)
		for range candidates {
			// The item where the running sum of squared distances passes the draw. Where
			// all distances are zero, any item will do.
			aim, at := src.Float64()*potential, 0
			for sum := c.nearest[0]; sum <= aim && at < c.n-1; sum += c.nearest[at] {
				at++
			}
			c.place(a, at)
			kernel.Squares(c.dist, c.x, c.centroid[a*c.d:][:c.d])
			c.passes++
			sum := 0.0
			for i, v := range c.dist {
				if nearest := c.nearest[i]; nearest < v {
					v = nearest
					c.dist[i] = v
				}
				sum += v
			}
			if sum < lowest {
				best, lowest = at, sum
				c.choice, c.dist = c.dist, c.choice
			}
		}
		c.place(a, best)
		c.nearest, c.choice = c.choice, c.nearest
	}
}

// place puts centroid a on item i.
func (c *clusterer) place(a, i int) {
	for j := range c.d {
		c.centroid[a*c.d+j] = c.x[j*c.n+i]
	}
}

// lloyd iterates until no label changes or the squared movement is at most tolerance.
func (c *clusterer) lloyd(tolerance float64) {
	for it := range kmeansIterations {
		copy(c.last, c.label)
		c.assign()
		if it > 0 && slices.Equal(c.last, c.label) {
			return
		}
		if c.update() <= tolerance {
			break
		}
	}
	c.assign() // labels that belong to the centroids
}

func (c *clusterer) assign() {
	kernel.Squares(c.nearest, c.x, c.centroid[:c.d])
	clear(c.label)
	for a := 1; a < c.k; a++ {
		kernel.Squares(c.dist, c.x, c.centroid[a*c.d:][:c.d])
		label, nearest := c.label[:len(c.dist)], c.nearest[:len(c.dist)]
		for i, v := range c.dist { // without a branch, which would be missed at every other item; squares order as their bits do
			new, least, of := math.Float64bits(v), math.Float64bits(nearest[i]), label[i]
			if new < least {
				least, of = new, a
			}
			nearest[i], label[i] = math.Float64frombits(least), of
		}
	}
	c.inertia = total(c.nearest)
	c.passes += c.k
}

// update moves the centroids to the means of their items and returns the sum of the
// squared movements. An emptied cluster takes over the item farthest from its centroid.
func (c *clusterer) update() float64 {
	clear(c.count)
	for _, a := range c.label {
		c.count[a]++
	}
	for a, members := range c.count {
		if members > 0 {
			continue
		}
		far := -1
		for i, v := range c.nearest {
			if c.count[c.label[i]] > 1 && v > 0 && (far < 0 || v > c.nearest[far]) {
				far = i
			}
		}
		if far >= 0 {
			c.count[c.label[far]]--
			c.label[far], c.count[a], c.nearest[far] = a, 1, 0
		}
	}
	clear(c.moved)
	for i, a := range c.label {
		to, from := c.moved[a*c.d:][:c.d], c.rows[i*c.d:][:c.d]
		j := 0
		for ; j+4 <= len(to); j += 4 {
			p, q := (*[4]float64)(to[j:]), (*[4]float64)(from[j:])
			p[0] += q[0]
			p[1] += q[1]
			p[2] += q[2]
			p[3] += q[3]
		}
		for ; j < len(to); j++ {
			to[j] += from[j]
		}
	}
	shift := 0.0
	for a, members := range c.count {
		for j := a * c.d; j < (a+1)*c.d; j++ {
			if members == 0 {
				c.moved[j] = c.centroid[j] // fewer distinct items than clusters
				continue
			}
			c.moved[j] /= float64(members)
			step := c.moved[j] - c.centroid[j]
			shift += float64(step * step)
		}
	}
	c.centroid, c.moved = c.moved, c.centroid
	return shift
}

// keep remembers the current clustering if it is the first or the best so far.
func (c *clusterer) keep(first bool) {
	if first || c.inertia < c.bestInertia {
		copy(c.bestLabel, c.label)
		copy(c.bestCentroid, c.centroid)
		c.bestInertia = c.inertia
	}
}

// run is one restart of [KMeans].
func (c *clusterer) run(src *rng.Stream, first bool) {
	c.seed(src)
	c.lloyd(c.variance * kmeansTolerance)
	c.keep(first)
}

func (c *clusterer) result() *Clustering {
	m := mat.NewDense(c.k, c.d, c.bestCentroid)
	for a := range c.k {
		for j := range c.d {
			m.Set(a, j, m.At(a, j)+c.mean[j])
		}
	}
	return &Clustering{Labels: c.bestLabel, Centroids: m, Inertia: c.bestInertia}
}
