package cadem

import "cadem/core/kernel"

// A head is a linear predictor of the layer, rows x N. It computes in double precision:
// there are few weights and many graphs. Logits and residuals have rows of an even width, the
// last one of an odd N being 0 all the way, which suits the kernels.
type head[T kernel.Float] struct {
	rows, n   int
	width     int       // N, made even
	w, m, v   []T       // rows x N
	b, mb, vb []T       // N
	tw, tb    []T       // the gradients in the run's precision
	wide      []float64 // rows x width: weights
	parts     []float64 // width x d for every d rows of the weights: their transposes
	gt        []float64 // the gradient, like parts
	gb        []float64 // N
	dx        []float64 // scratch
}

func newHead[T kernel.Float](rows, n int) *head[T] {
	x := func(n int) []T { return make([]T, n) }
	y := func(n int) []float64 { return make([]float64, n) }
	width := n + n%2
	return &head[T]{rows: rows, n: n, width: width, w: x(rows * n), m: x(rows * n), v: x(rows * n), b: x(n), mb: x(n), vb: x(n),
		tw: x(rows * n), tb: x(n), wide: y(rows * width), parts: y(rows * width), gt: y(rows * width), gb: y(n)}
}

// at returns where the weight of row k and class c is in parts and gt, for parts of d rows.
func (p *head[T]) at(k, c, d int) int { return (k/d*p.width+c)*d + k%d }

// prepare takes over the present weights and forgets the gradient; d is the length of what
// the head is applied to.
func (p *head[T]) prepare(d int) {
	for k := range p.rows {
		for c := range p.n {
			x := float64(p.w[k*p.n+c])
			p.wide[k*p.width+c], p.parts[p.at(k, c, d)] = x, x
		}
	}
	clear(p.gt)
	clear(p.gb)
}

// logits sets dst (K x width) to h (K x d) times rows from to from+d of the weights.
func (p *head[T]) logits(dst, h []float64, from, d int) {
	kernel.Mul(dst, h, p.wide[from*p.width:(from+d)*p.width], len(h)/d, d, p.width)
}

// back adds to dh (K x d) the gradient that the residuals r (K x width) of rows from to
// from+d give.
func (p *head[T]) back(dh, r []float64, from, d int) {
	if len(p.dx) < len(dh) {
		p.dx = make([]float64, len(dh))
	}
	dx := p.dx[:len(dh)]
	kernel.Mul(dx, r, p.parts[from*p.width:(from+d)*p.width], len(dh)/d, p.width, d)
	for i, x := range dx {
		dh[i] += x
	}
}

// learn adds to the gradient of rows from to from+d what the residuals r (K x width) of h
// (K x d) give.
func (p *head[T]) learn(h, r []float64, from, d int) {
	kernel.AddMulTrans(p.gt[from*p.width:(from+d)*p.width], r, h, len(h)/d, p.width, d)
}

// gradient rounds the sums to tw and tb.
func (p *head[T]) gradient(d int) {
	for k := range p.rows {
		for c := range p.n {
			p.tw[k*p.n+c] = T(p.gt[p.at(k, c, d)])
		}
	}
	for i, g := range p.gb {
		p.tb[i] = T(g)
	}
}

func (p *head[T]) move(r *kernel.AdamRate[T], d int) {
	p.gradient(d)
	kernel.Adam(p.w, p.m, p.v, p.tw, r)
	kernel.Adam(p.b, p.mb, p.vb, p.tb, r)
}
