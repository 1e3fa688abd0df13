package project

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
)

// TSNEOptions are the settings of a [TSNE]. The published pictures give none.
type TSNEOptions struct {
	// Perplexity is the effective number of neighbours of a point. With few points it is
	// lowered to a third of the others.
	Perplexity float64 `name:"perplexity" label:"perplexity" group:"projection" min:"2" max:"500" default:"20" paper:"not published" doc:"How many neighbours of a point t-SNE tries to keep near; for small data at most a third of the points."`
	// Rate is the learning rate of gradient descent.
	Rate float64 `name:"tsne_lr" symbol:"η" label:"t-SNE learning rate" group:"projection" min:"1" max:"10000" default:"200" paper:"not published" doc:"The learning rate of t-SNE."`
	// Exaggeration multiplies the attraction during the first Early iterations.
	Exaggeration float64 `name:"exaggeration" label:"early exaggeration" group:"projection" min:"1" max:"100" default:"12" paper:"not published" doc:"By how much t-SNE attracts neighbours more strongly at first, so that clusters form."`
	// Early iterations have exaggeration and momentum 0.5; later ones 0.8.
	Early int `name:"tsne_early" label:"early iterations" group:"projection" min:"0" max:"10000" default:"250" paper:"not published" doc:"How many t-SNE iterations attract more strongly."`
	// Iterations in all.
	Iterations int `name:"tsne_iterations" label:"t-SNE iterations" group:"projection" min:"1" max:"10000" default:"1000" paper:"not published" doc:"How many iterations t-SNE runs."`
}

// TSNEDefaults returns the default options.
func TSNEDefaults() TSNEOptions {
	var o TSNEOptions
	property.Defaults(&o)
	return o
}

// MaxPoints is the largest number of points of a [TSNE]: time and memory grow with their square
// (about 100 MB here).
const MaxPoints = 5000

// A TSNE lays points of many dimensions out on a plane so that near ones stay near (van der
// Maaten and Hinton 2008). The neighbourhood of a point is a normal distribution whose
// entropy is log(perplexity); on the plane, closeness falls as 1/(1 + distance^2).
// Coordinates have no unit, distances between clusters and their sizes mean little.
//
//	for !t.Done() {
//		t.Step()
//	}
//
// It is exact, with no approximation of far points, and deterministic.
type TSNE struct {
	o          TSNEOptions
	n          int
	x          *mat.Dense
	perplexity float64
	p          []float64 // joint probabilities of pairs i < j, row by row
	row, near  []float64 // squared distances of a point less the smallest; their exponentials
	ready      int       // points whose neighbourhood is known
	iteration  int

	at, velocity, gain []float64 // 2n, point after point
	force              []float64 // 4n: attraction and repulsion
	mass               float64   // of the last iteration: sum over ordered pairs of 1/(1 + distance^2)
}

// floor of a joint probability.
const leastP = 1e-12

// NewTSNE begins a layout of the rows of x (n x d), which must not change meanwhile. It
// starts from the principal components, scaled to standard deviation 1e-4 along the first,
// with a hundredth of that in noise of the seed: points on a line, or in one place, could
// not leave it otherwise. The error is a [*diag.Error] for options out of range, and for
// values that are not finite in single precision or too many points.
func NewTSNE(x *mat.Dense, o TSNEOptions, seed uint64) (*TSNE, error) {
	if err := property.Check(&o); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if n < 2 || n > MaxPoints {
		return nil, &diag.Error{Where: "t-SNE", Found: fmt.Sprint(n, " points"),
			Expected: fmt.Sprintf("2 to %d: time and memory grow with their square", MaxPoints)}
	}
	plane, err := PCA(x)
	if err != nil {
		return nil, err
	}
	t := &TSNE{o: o, n: n, x: x, perplexity: math.Max(1, math.Min(o.Perplexity, float64(n-1)/3)), p: make([]float64, n*(n-1)/2), row: make([]float64, n),
		near: make([]float64, n),
		at:   make([]float64, 2*n), velocity: make([]float64, 2*n), gain: make([]float64, 2*n), force: make([]float64, 4*n)}
	plane.Project(t.at, x)
	orient(t.at)
	size := 0.0
	for i := range n {
		size += float64(t.at[2*i] * t.at[2*i])
	}
	scale := 0.0
	if size > 0 {
		scale = 1e-4 / math.Sqrt(size/float64(n))
	}
	src := rng.New(seed, "tsne")
	for i, v := range t.at {
		t.at[i] = float64(v*scale) + float64(1e-6*src.Norm())
		t.gain[i] = 1
	}
	return t, nil
}

// Step does the next piece of work: at first the neighbourhoods of some points, then one
// iteration a call. It does nothing once the layout is done.
func (t *TSNE) Step() {
	const piece = 1 << 15 // distances a call
	switch {
	case t.ready < t.n:
		for k := 0; k < max(1, piece/t.n) && t.ready < t.n; k++ {
			t.neighbours(t.ready)
			t.ready++
		}
		if t.ready == t.n {
			for k, v := range t.p {
				t.p[k] = max(v/float64(2*t.n), leastP)
			}
		}
	case t.iteration < t.o.Iterations:
		t.iterate()
		t.iteration++
	}
}

// Done reports whether all iterations are.
func (t *TSNE) Done() bool { return t.iteration == t.o.Iterations }

// Progress returns the iterations done and their number.
func (t *TSNE) Progress() (done, of int) { return t.iteration, t.o.Iterations }

// Perplexity returns the perplexity that is used.
func (t *TSNE) Perplexity() float64 { return t.perplexity }

// Layout stores the coordinates, x and y of point after point, in dst if it is not nil; it
// must have length 2n.
func (t *TSNE) Layout(dst []float32) []float32 {
	if dst == nil {
		dst = make([]float32, 2*t.n)
	}
	ErrShape.Unless(len(dst) == 2*t.n)
	kernel.Round(dst, t.at)
	return dst
}

// neighbours adds the conditional probabilities of point i to those of its pairs.
func (t *TSNE) neighbours(i int) {
	xi, nearest, mean := t.x.RawRowView(i), math.Inf(1), 0.0
	for j := range t.n {
		s := 0.0
		for k, v := range t.x.RawRowView(j) {
			s += float64((v - xi[k]) * (v - xi[k]))
		}
		t.row[j] = s
		if j != i {
			nearest = min(nearest, s)
		}
	}
	for j := range t.row {
		t.row[j] -= nearest
		if j != i {
			mean += t.row[j] / float64(t.n-1)
		}
	}
	t.row[i] = 0
	sum := t.precision(i, mean)
	for j, e := range t.near {
		if j != i {
			t.p[t.pair(min(i, j), max(i, j))] += e / sum
		}
	}
}

// pair returns the place of the pair i < j.
func (t *TSNE) pair(i, j int) int { return i*(2*t.n-i-1)/2 + j - i - 1 }

// precision finds beta such that the probabilities exp(-beta row[j]) / sum of point i, j != i, have
// the entropy log(perplexity), and returns that sum. It leaves the exponentials in near. If there
// is no such beta, as with many points in one place, the search ends when the entropy no longer
// changes.
//
// It is Newton's iteration, since the slope of the entropy is -beta times the variance of the
// distances, safeguarded by bisection.
func (t *TSNE) precision(i int, mean float64) (sum float64) {
	const tolerance = 1e-6
	goal := kernel.Log(t.perplexity)
	low, high, beta := 0.0, math.Inf(1), 1.0
	if mean > 0 {
		beta = 1 / mean
	}
	for range 100 {
		for j, v := range t.row {
			t.near[j] = -float64(beta * v)
		}
		kernel.Exps(t.near)
		t.near[i] = 0
		var s, first, second float64
		for j, v := range t.row {
			e := t.near[j]
			w := float64(e * v)
			s += e
			first += w
			second += float64(w * v)
		}
		first /= s
		sum = s
		excess := kernel.Log(s) + float64(beta*first) - goal
		if math.Abs(excess) <= tolerance {
			break
		}
		if excess > 0 {
			low = beta
		} else {
			high = beta
		}
		variance := second/s - float64(first*first)
		next := beta + excess/float64(beta*variance)
		if !(next > low && next < high && next < 8*beta) {
			if next = (low + high) / 2; math.IsInf(high, 1) {
				next = 2 * beta
			}
		}
		beta = next
	}
	return sum
}

// iterate moves all points by gradient descent with momentum and a gain for each
// coordinate, and takes the mean away.
func (t *TSNE) iterate() {
	exaggeration, momentum := 1.0, 0.8
	if t.iteration < t.o.Early {
		exaggeration, momentum = t.o.Exaggeration, 0.5
	}
	t.forces()
	var mean [2]float64
	for i := range t.at {
		k := i/2*4 + i%2
		g := 4 * (float64(exaggeration*t.force[k]) - t.force[k+2]/t.mass)
		if (g > 0) != (t.velocity[i] > 0) {
			t.gain[i] += 0.2
		} else {
			t.gain[i] = max(t.gain[i]*0.8, 0.01)
		}
		t.velocity[i] = float64(momentum*t.velocity[i]) - float64(float64(t.o.Rate*t.gain[i])*g)
		t.at[i] += t.velocity[i]
		mean[i%2] += t.at[i] / float64(t.n)
	}
	for i := range t.at {
		t.at[i] -= mean[i%2]
	}
}

// forces computes, for every point i, the attraction sum_j p_ij q_ij (y_i - y_j) and the
// repulsion sum_j q_ij^2 (y_i - y_j), q = 1/(1 + distance^2), and the sum of q. The gradient
// of the divergence is 4 (attraction - repulsion / sum of q).
func (t *TSNE) forces() {
	clear(t.force)
	sum := 0.0
	for i := range t.n - 1 {
		xi, yi := t.at[2*i], t.at[2*i+1]
		at, force := t.at[2*i+2:], t.force[4*i+4:]
		start := t.pair(i, i+1)
		var ax, ay, rx, ry float64
		for j, p := range t.p[start : start+t.n-1-i] {
			y, f := (*[2]float64)(at[2*j:]), (*[4]float64)(force[4*j:])
			dx, dy := xi-y[0], yi-y[1]
			q := 1 / (1 + float64(dx*dx) + float64(dy*dy))
			sum += q
			a, r := float64(p*q), float64(q*q)
			vx, vy, wx, wy := float64(a*dx), float64(a*dy), float64(r*dx), float64(r*dy)
			ax += vx
			ay += vy
			rx += wx
			ry += wy
			f[0] -= vx
			f[1] -= vy
			f[2] -= wx
			f[3] -= wy
		}
		f := (*[4]float64)(t.force[4*i:])
		f[0] += ax
		f[1] += ay
		f[2] += rx
		f[3] += ry
	}
	t.mass = 2 * sum
}

// Divergence returns the Kullback-Leibler divergence that t-SNE makes small, of the present
// layout without exaggeration: sum over ordered pairs of p log(p / q). It is 0 while
// neighbourhoods are not known yet.
func (t *TSNE) Divergence() float64 {
	if t.ready < t.n {
		return 0
	}
	t.forces()
	kl, all := 0.0, 0.0
	for i := range t.n - 1 {
		for j := i + 1; j < t.n; j++ {
			dx, dy := t.at[2*i]-t.at[2*j], t.at[2*i+1]-t.at[2*j+1]
			p := t.p[t.pair(i, j)]
			all += 2 * p
			kl += float64(2 * p * kernel.Log(p*(1+float64(dx*dx)+float64(dy*dy))))
		}
	}
	return kl + float64(all*kernel.Log(t.mass))
}
