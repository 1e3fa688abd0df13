package linalg

import (
	"math"
	"slices"

	"cadem/core/kernel"
)

// Polar takes the polar factor S, which solves the orthogonal Procrustes problem, from
// T (m x d): with T = U D V',
//
//	S = scale U_r V_r'
//
// over the r singular values that count. It goes through a QR decomposition and one-sided Jacobi
// rotations of R, in float64 and never through T'T, which would square the condition number and
// lose genuine directions.
//
// The buffers are kept, so one Polar serves a whole run without allocating.
type Polar struct {
	m, d     int
	qr       *QR       // of T, max(m, d) x d
	u        []float64 // max(m, d) x d: left singular vectors
	w, v     []float64 // d x d: R rotated, and the rotations
	norm     []float64 // lengths of the columns of w, as they come
	order    []int     // columns of w by falling length
	axes     []float64 // d x d: right singular vectors by falling singular value, one a row
	rest     []float64 // d x d: projector on what the right singular vectors leave
	draw     []float64 // m x d: directions to complete with, drawn when first needed
	ones     []float64 // m
	filling  Filling   // of completions
	Singular []float64 // d singular values, falling
	Rank     int
}

// NewPolar returns a workspace for matrices of m x d.
func NewPolar(m, d int) *Polar {
	rows := max(m, d)
	return &Polar{m: m, d: d, qr: NewQR(rows, d), u: make([]float64, rows*d), w: make([]float64, d*d), v: make([]float64, d*d),
		norm: make([]float64, d), order: make([]int, d), axes: make([]float64, d*d), rest: make([]float64, d*d), Singular: make([]float64, d)}
}

// Factor sets s (m x d) to the polar factor of t (m x d) times scale. Singular values not
// above rule times the largest, and those beyond bound, count as zero. The directions they
// leave are completed from those that draw fills in (m x d), once for all calls; draw may be
// nil for NoCompletion.
func (p *Polar) Factor(s, t []float64, scale, rule float64, bound int, c Completion, draw func(x []float64)) {
	if c == NoCompletion {
		p.FactorIn(s, t, scale, rule, bound, nil)
		return
	}
	if p.draw == nil {
		p.draw, p.ones = make([]float64, p.m*p.d), make([]float64, p.m)
		for i := range p.ones {
			p.ones[i] = 1
		}
		draw(p.draw)
	}
	p.filling = Filling{p.m, p.ones, p.draw, c == Centred}
	p.FactorIn(s, t, scale, rule, bound, &p.filling)
}

// FactorIn is Factor in any orthonormal coordinates, m of them; f is nil for no completion.
func (p *Polar) FactorIn(s, t []float64, scale, rule float64, bound int, f *Filling) {
	if len(s) != p.m*p.d || len(t) != p.m*p.d {
		panic(ErrShape)
	}
	clear(p.qr.A)
	copy(p.qr.A, t) // rows beyond m stay zero: they change no singular vector
	p.qr.Decompose()
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
				p.w[i*d+j] = p.qr.A[i*d+j]
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
	p.qr.Apply(p.u, d, p.Rank)
}
