package linalg

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
)

// Polar takes the polar factor S, which solves the orthogonal Procrustes problem, from
// T (m x d): with the singular value decomposition T = L D R',
//
//	S = scale L_r R_r'
//
// over the r singular values that count. The decomposition is a QR decomposition and one-sided Jacobi
// rotations V of its triangle,
//
//	T = Q A (A: d x d),   A V = W with orthogonal columns w_j,   so that D = |w_j|, L = Q W / D, R = V,
//
// in float64 and never through T'T, which would square the condition number and lose genuine directions.
//
// The buffers are kept, so one Polar serves a whole run without allocating.
type Polar struct {
	m        int
	jacobi             // of the triangle of qr: W and V are d x d
	qr       *QR       // of T, max(m, d) x d
	u        []float64 // max(m, d) x d: L
	axes     []float64 // d x d: R', by falling singular value
	rest     []float64 // d x d: projector on what the right singular vectors leave
	Singular []float64 // d singular values, falling
	Rank     int
}

// NewPolar returns a workspace for matrices of m x d.
//
//go:noinline
func NewPolar(m, d int) *Polar {
	rows := max(m, d)
	return &Polar{m: m, jacobi: newJacobi(d), qr: NewQR(rows, d), u: make([]float64, rows*d), axes: make([]float64, d*d),
		rest: make([]float64, d*d), Singular: make([]float64, d)}
}

// Factor sets s (m x d) to the polar factor of t (m x d) times scale, where rows are coordinates in any
// orthonormal basis. Singular values not above rule times the largest, and those beyond bound, count as
// zero. A filling completes the directions they leave; nil leaves them zero.
func (p *Polar) Factor(s, t []float64, scale, rule float64, bound int, f *Filling) {
	d := p.d
	ErrShape.Unless(len(s) == p.m*d && len(t) == p.m*d)
	clear(p.qr.A)
	copy(p.qr.A, t) // rows beyond m stay zero: they change no singular vector
	p.qr.Decompose()
	p.rotate()
	p.leftVectors(rule, bound)
	p.complete(f)
	for n := range d { // the columns of u beyond those found and completed are zero
		copy(p.axes[n*d:n*d+d], p.v[p.order[n]*d:])
	}
	u := p.u[:p.m*d]
	for i := range u {
		u[i] = float64(scale * u[i])
	}
	kernel.Mul(s, u, p.axes, p.m, d, d) // S = scale L R'
}

// rotate rotates the columns of the triangle until they are orthogonal.
func (p *Polar) rotate() {
	p.load(p.qr)
	for range sweeps {
		turned := false
		for i := range p.d {
			turned = p.turn(i) || turned
		}
		if !turned {
			break
		}
	}
	p.finish(p.Singular)
}

// leftVectors counts the singular values and sets u's first Rank columns to Q times the normalised
// columns of W.
func (p *Polar) leftVectors(rule float64, bound int) {
	d := p.d
	p.Rank = 0
	clear(p.u)
	for n, j := range p.order {
		if n >= bound || n >= p.m || p.norm[j] <= rule*p.Singular[0] {
			continue
		}
		p.Rank++
		for k := range d {
			p.u[k*d+n] = p.w[j*d+k] / p.norm[j]
		}
	}
	p.qr.Apply(p.u, d, p.Rank)
}

// Completion says what fills the directions of S without a singular value.
type Completion int

const (
	NoCompletion Completion = iota // nothing: S = scale L_r R_r'
	Centred                        // directions orthogonal to the ones vector: S'1 stays 0
	Arbitrary                      // any directions, as rounding noise fills them
)

// A Filling completes missing directions, in any orthonormal coordinates of a space that holds it.
type Filling struct {
	Nodes   int       // dimensions of the whole space
	Ones    []float64 // coordinates of the vector of ones
	Draw    []float64 // of the directions drawn: one a column, d columns
	Centred bool      // whether they are made orthogonal to the vector of ones
}

// NewFilling returns the filling of matrices of m x d by the directions that draw fills in (m x d), in the
// coordinates of the nodes; nil for NoCompletion.
func NewFilling(c Completion, m, d int, draw func(x []float64)) *Filling {
	if c == NoCompletion {
		return nil
	}
	f := &Filling{m, slices.Repeat([]float64{1}, m), make([]float64, m*d), c == Centred}
	draw(f.Draw)
	return f
}

// most returns how many directions S can have in all: there are no more than nodes of them,
// one fewer when they are orthogonal to the ones vector.
func (f *Filling) most() int {
	switch {
	case f == nil:
		return 0
	case f.Centred:
		return f.Nodes - 1
	}
	return f.Nodes
}

// rightVectors replaces count columns of v after Rank, which span the null space but depend on
// rounding, by vectors determined by that space: repeatedly the column of its projector with the
// largest diagonal entry.
func (p *Polar) rightVectors(count int) {
	d := p.d
	for i := range d {
		for j := range d {
			sum := 0.0
			for _, n := range p.order[:p.Rank] {
				sum += float64(p.v[n*d+i] * p.v[n*d+j])
			}
			p.rest[i*d+j] = -sum
		}
		p.rest[i*d+i]++
	}
	for _, n := range p.order[p.Rank : p.Rank+count] {
		top := 0
		for k := range d {
			if p.rest[k*d+k] > p.rest[top*d+top] {
				top = k
			}
		}
		root := math.Sqrt(p.rest[top*d+top])
		for k := range d {
			p.v[n*d+k] = p.rest[k*d+top] / root
		}
		for i := range d {
			for j := range d {
				p.rest[i*d+j] -= float64(p.v[n*d+i] * p.v[n*d+j])
			}
		}
	}
}

// complete fills the columns of u after Rank, at most most() in all, with the directions drawn,
// made orthogonal to those before by Gram-Schmidt, twice against cancellation.
func (p *Polar) complete(f *Filling) {
	d := p.d
	count := min(d, f.most()) - p.Rank
	if count <= 0 {
		return
	}
	p.rightVectors(count)
	dot := func(a []float64, j, width, n int) float64 { // of column j of a and column n of u
		sum := 0.0
		for i := range p.m {
			sum += float64(a[i*width+j] * p.u[i*d+n])
		}
		return sum
	}
	for n := p.Rank; n < p.Rank+count; n++ {
		for i := range p.m {
			p.u[i*d+n] = f.Draw[i*d+n-p.Rank]
		}
		for range 2 {
			if f.Centred {
				mean := dot(f.Ones, 0, 1, n) / float64(f.Nodes)
				for i := range p.m {
					p.u[i*d+n] -= float64(mean * f.Ones[i])
				}
			}
			for q := range n {
				along := dot(p.u, q, d, n)
				for i := range p.m {
					p.u[i*d+n] -= float64(along * p.u[i*d+q])
				}
			}
			norm := math.Sqrt(dot(p.u, n, d, n))
			for i := range p.m {
				p.u[i*d+n] /= norm
			}
		}
	}
}
