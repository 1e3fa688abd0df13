package cadem

import (
	"math"
	"slices"

	"cadem/core/kernel"
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
	qr       *householder // of T, max(m, d) x d
	u        []float64    // max(m, d) x d: left singular vectors
	w, v     []float64    // d x d: R rotated, and the rotations
	norm     []float64    // lengths of the columns of w, as they come
	order    []int        // columns of w by falling length
	axes     []float64    // d x d: right singular vectors by falling singular value, one a row
	rest     []float64    // d x d: projector on what the right singular vectors leave
	draw     []float64    // m x d: directions to complete with, drawn when first needed
	ones     []float64    // m
	filling  filling      // of completions
	Singular []float64    // d singular values, falling
	Rank     int
}

// NewPolar returns a workspace for matrices of m x d.
func NewPolar(m, d int) *Polar {
	rows := max(m, d)
	return &Polar{m: m, d: d, qr: newHouseholder(rows, d), u: make([]float64, rows*d), w: make([]float64, d*d), v: make([]float64, d*d),
		norm: make([]float64, d), order: make([]int, d), axes: make([]float64, d*d), rest: make([]float64, d*d), Singular: make([]float64, d)}
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
// above rule times the largest, and those beyond bound, count as zero. The directions they
// leave are completed from those that draw fills in (m x d), once for all calls; draw may be
// nil for NoCompletion.
func (p *Polar) Factor(s, t []float64, scale, rule float64, bound int, c Completion, draw func(x []float64)) {
	if c == NoCompletion {
		p.factor(s, t, scale, rule, bound, nil)
		return
	}
	if p.draw == nil {
		p.draw, p.ones = make([]float64, p.m*p.d), make([]float64, p.m)
		for i := range p.ones {
			p.ones[i] = 1
		}
		draw(p.draw)
	}
	p.filling = filling{p.m, p.ones, p.draw, c == Centred}
	p.factor(s, t, scale, rule, bound, &p.filling)
}

// A filling is what completes missing directions, in any orthonormal coordinates of a space
// that holds it.
type filling struct {
	nodes   int       // dimensions of the whole space
	ones    []float64 // coordinates of the ones vector
	draw    []float64 // of the directions drawn: one a column, d columns
	centred bool
}

// room returns how many directions S can have in all: there are no more than nodes of them,
// one fewer when they are orthogonal to the ones vector.
func (f *filling) room() int {
	switch {
	case f == nil:
		return 0
	case f.centred:
		return f.nodes - 1
	}
	return f.nodes
}

// factor is Factor in any orthonormal coordinates, m of them; f is nil for no completion.
func (p *Polar) factor(s, t []float64, scale, rule float64, bound int, f *filling) {
	if len(s) != p.m*p.d || len(t) != p.m*p.d {
		panic(ErrShape)
	}
	clear(p.qr.a)
	copy(p.qr.a, t) // rows beyond m stay zero: they change no singular vector
	p.qr.decompose()
	p.jacobi()
	p.leftVectors(rule, bound)
	d, filled := p.d, max(0, min(p.d, f.room())-p.Rank)
	if filled > 0 {
		p.rightVectors(filled)
		p.complete(filled, f)
	}
	for n := range d { // the columns of u beyond are zero
		for k := range d {
			p.axes[n*d+k] = p.v[k*d+p.order[n]]
		}
	}
	u := p.u[:p.m*d]
	for i := range u {
		u[i] = float64(scale * u[i])
	}
	kernel.Mul(s, u, p.axes, p.m, d, d)
}

// jacobi rotates the columns of R until they are orthogonal: w = R v.
func (p *Polar) jacobi() {
	d := p.d
	for i := range d {
		for j := range d {
			p.w[i*d+j], p.v[i*d+j] = 0, 0
			if j >= i {
				p.w[i*d+j] = p.qr.a[i*d+j]
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
	}
	p.qr.apply(p.u, d, p.Rank)
}

// rightVectors replaces so many columns of v after Rank, which span the null space but are
// the whim of rounding, by ones that only the null space decides: of its projector always
// the column of the largest diagonal entry.
func (p *Polar) rightVectors(count int) {
	d := p.d
	for i := range d {
		for j := range d {
			sum := 0.0
			for _, n := range p.order[:p.Rank] {
				sum += float64(p.v[i*d+n] * p.v[j*d+n])
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
			p.v[k*d+n] = p.rest[k*d+top] / root
		}
		for i := range d {
			for j := range d {
				p.rest[i*d+j] -= float64(p.v[i*d+n] * p.v[j*d+n])
			}
		}
	}
}

// complete fills so many columns of u after Rank with the directions drawn, made orthogonal
// to those before by Gram-Schmidt, twice against cancellation.
func (p *Polar) complete(count int, f *filling) {
	d := p.d
	dot := func(a []float64, j, width, n int) float64 { // of column j of a and column n of u
		sum := 0.0
		for i := range p.m {
			sum += float64(a[i*width+j] * p.u[i*d+n])
		}
		return sum
	}
	for n := p.Rank; n < p.Rank+count; n++ {
		for i := range p.m {
			p.u[i*d+n] = f.draw[i*d+n-p.Rank]
		}
		for range 2 {
			if f.centred {
				mean := dot(f.ones, 0, 1, n) / float64(f.nodes)
				for i := range p.m {
					p.u[i*d+n] -= float64(mean * f.ones[i])
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
