package cadem

import (
	"math"
	"slices"

	"cadem/core/rng"
)

// Polar takes S, the orthogonal Procrustes solution of the consensus, from T (M x d):
// with T = U D V',
//
//	S = scale U_r V_r'
//
// over the r singular values that count. It goes through a QR decomposition and one-sided
// Jacobi rotations of R, in float64 and never through T'T, which would square the
// condition number and lose directions that are really there.
//
// The buffers are kept, so that one Polar serves a whole run without allocating.
type Polar struct {
	m, d     int
	a        []float64 // max(m, d) x d: T, then the Householder vectors below R
	tau      []float64
	u        []float64 // max(m, d) x d: left singular vectors
	w, v     []float64 // d x d: R rotated, and the rotations
	norm     []float64 // lengths of the columns of w, as they come
	order    []int     // columns of w by falling length
	Singular []float64 // d singular values, falling
	Rank     int
}

// NewPolar returns a workspace for matrices of m x d.
func NewPolar(m, d int) *Polar {
	rows := max(m, d)
	return &Polar{m: m, d: d, a: make([]float64, rows*d), tau: make([]float64, d), u: make([]float64, rows*d),
		w: make([]float64, d*d), v: make([]float64, d*d), norm: make([]float64, d), order: make([]int, d), Singular: make([]float64, d)}
}

// Completion says what fills the directions of S without a singular value.
type Completion int

const (
	NoCompletion Completion = iota // nothing: S = scale U_r V_r'
	Centred                        // directions orthogonal to the ones vector: S'1 stays 0
	Arbitrary                      // any directions, as rounding noise fills them
)

// RoundingRule returns the share of the largest singular value below which another
// counts as zero, for sums of embeddings of m rows computed in the given precision. In
// double precision it is the usual max(m, d) 2^-52. In single precision that would cut
// directions of a relative size of 1e-4 that are real; rounding noise was measured at
// some units of 2^-23, and 16 of them are the limit.
func RoundingRule(p Precision, m, d int) float64 {
	if p == Single {
		return 16 * 0x1p-23
	}
	return float64(max(m, d)) * 0x1p-52
}

// Factor sets s (m x d) to the polar factor of t (m x d) times scale. Singular values not
// above rule times the largest, and those beyond bound, count as zero; noise completes
// the directions they leave and may be nil for NoCompletion.
func (p *Polar) Factor(s, t []float64, scale, rule float64, bound int, c Completion, noise *rng.Stream) {
	if len(s) != p.m*p.d || len(t) != p.m*p.d {
		panic(ErrShape)
	}
	clear(p.a)
	copy(p.a, t) // rows beyond m stay zero: they change no singular vector
	p.qr()
	p.jacobi()
	p.leftVectors(rule, bound)
	if c != NoCompletion {
		p.complete(c, noise)
	}
	d := p.d
	for i := range p.m {
		row := s[i*d : i*d+d]
		clear(row)
		for n := range p.Rank + p.completed(c) {
			x := float64(scale * p.u[i*d+n])
			for k := range row {
				row[k] += float64(x * p.v[k*d+p.order[n]])
			}
		}
	}
}

// completed returns how many directions were filled. There is room for no more than m of
// them, one fewer when they are orthogonal to the ones vector.
func (p *Polar) completed(c Completion) int {
	room := p.m
	if c == Centred {
		room--
	}
	if c == NoCompletion {
		room = 0
	}
	return max(0, min(p.d, room)-p.Rank)
}

// qr leaves R in the upper triangle of a and the Householder vectors below, each with an
// implied leading one.
func (p *Polar) qr() {
	d, rows := p.d, len(p.a)/p.d
	for k := range d {
		norm := 0.0
		for i := k; i < rows; i++ {
			norm += float64(p.a[i*d+k] * p.a[i*d+k])
		}
		norm = math.Sqrt(norm)
		p.tau[k] = 0
		if norm == 0 {
			continue
		}
		alpha := p.a[k*d+k]
		beta := -math.Copysign(norm, alpha)
		p.tau[k] = (beta - alpha) / beta
		for i := k + 1; i < rows; i++ {
			p.a[i*d+k] /= alpha - beta
		}
		p.a[k*d+k] = beta
		for j := k + 1; j < d; j++ {
			p.reflect(p.a, k, j)
		}
	}
}

// reflect applies Householder reflection k to column j of x.
func (p *Polar) reflect(x []float64, k, j int) {
	d, rows := p.d, len(p.a)/p.d
	sum := x[k*d+j]
	for i := k + 1; i < rows; i++ {
		sum += float64(p.a[i*d+k] * x[i*d+j])
	}
	sum = float64(sum * p.tau[k])
	x[k*d+j] -= sum
	for i := k + 1; i < rows; i++ {
		x[i*d+j] -= float64(sum * p.a[i*d+k])
	}
}

// jacobi rotates the columns of R until they are orthogonal: w = R v.
func (p *Polar) jacobi() {
	d := p.d
	for i := range d {
		for j := range d {
			p.w[i*d+j], p.v[i*d+j] = 0, 0
			if j >= i {
				p.w[i*d+j] = p.a[i*d+j]
			}
		}
		p.v[i*d+i] = 1
	}
	const sweeps = 60 // quadratic convergence: a handful is usual
	for range sweeps {
		turned := false
		for i := range d - 1 {
			for j := i + 1; j < d; j++ {
				var x, y, xy float64
				for k := range d {
					a, b := p.w[k*d+i], p.w[k*d+j]
					x += float64(a * a)
					y += float64(b * b)
					xy += float64(a * b)
				}
				if math.Abs(xy) <= 0x1p-52*math.Sqrt(x)*math.Sqrt(y) {
					continue
				}
				turned = true
				z := (y - x) / (2 * xy)
				t := math.Copysign(1, z) / (math.Abs(z) + math.Sqrt(1+float64(z*z)))
				c := 1 / math.Sqrt(1+float64(t*t))
				rotate(p.w, d, i, j, c, c*t)
				rotate(p.v, d, i, j, c, c*t)
			}
		}
		if !turned {
			break
		}
	}
	for j := range d {
		sum := 0.0
		for k := range d {
			sum += float64(p.w[k*d+j] * p.w[k*d+j])
		}
		p.norm[j], p.order[j] = math.Sqrt(sum), j
	}
}

func rotate(x []float64, d, i, j int, c, s float64) {
	for k := range d {
		a, b := x[k*d+i], x[k*d+j]
		x[k*d+i] = float64(c*a) - float64(s*b)
		x[k*d+j] = float64(s*a) + float64(c*b)
	}
}

// leftVectors orders the singular values, counts them and sets u's first Rank columns to
// Q times the normalised columns of w.
func (p *Polar) leftVectors(rule float64, bound int) {
	d := p.d
	slices.SortStableFunc(p.order, func(i, j int) int {
		switch {
		case p.norm[i] > p.norm[j]:
			return -1
		case p.norm[i] < p.norm[j]:
			return 1
		}
		return 0
	})
	p.Rank = 0
	clear(p.u)
	for n, j := range p.order {
		p.Singular[n] = p.norm[j]
		if n >= bound || n >= p.m || p.norm[j] <= rule*p.Singular[0] {
			continue
		}
		p.Rank++
		for k := range d {
			p.u[k*d+n] = p.w[k*d+j] / p.norm[j]
		}
		for k := d - 1; k >= 0; k-- {
			p.reflect(p.u, k, n)
		}
	}
}

// complete fills the columns of u after Rank with random directions orthogonal to those
// before, by Gram-Schmidt, twice against cancellation.
func (p *Polar) complete(c Completion, noise *rng.Stream) {
	d := p.d
	noise.At(0) // the same directions in every epoch, so that S does not jump
	for n := p.Rank; n < p.Rank+p.completed(c); n++ {
		for i := range p.m {
			p.u[i*d+n] = noise.Norm()
		}
		for range 2 {
			if c == Centred {
				mean := 0.0
				for i := range p.m {
					mean += p.u[i*d+n]
				}
				mean /= float64(p.m)
				for i := range p.m {
					p.u[i*d+n] -= mean
				}
			}
			for q := range n {
				dot := 0.0
				for i := range p.m {
					dot += float64(p.u[i*d+q] * p.u[i*d+n])
				}
				for i := range p.m {
					p.u[i*d+n] -= float64(dot * p.u[i*d+q])
				}
			}
			norm := 0.0
			for i := range p.m {
				norm += float64(p.u[i*d+n] * p.u[i*d+n])
			}
			norm = math.Sqrt(norm)
			for i := range p.m {
				p.u[i*d+n] /= norm
			}
		}
	}
}
