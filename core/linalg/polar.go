package linalg

import "cadem/core/kernel"

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
	if len(s) != p.m*d || len(t) != p.m*d {
		panic(ErrShape)
	}
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
