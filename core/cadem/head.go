package cadem

import "cadem/core/kernel"

// A head is a linear predictor of the layer, rows x N. It computes in double precision:
// there are few weights and many graphs. Logits and residuals have rows of an even width, the
// last one of an odd N being 0 all the way, which suits the kernels.
type head[T kernel.Float] struct {
	rows, n   int
	width     int       // N, made even
	d         int       // length of what the head is applied to, some rows at a time
	w, m, v   []T       // rows x N
	b, mb, vb []T       // N
	tw, tb    []T       // the gradients in the run's precision
	all       [4][]T    // weights, moments and gradients, the N of b behind those of w
	wide      []float64 // rows x width: weights
	parts     []float64 // width x d for every d rows of the weights: their transposes
	gt        []float64 // the gradient, like parts
	gb        []float64 // N

	inWide, inParts []int // where every weight is in wide, and in parts and gt
}

func newHead[T kernel.Float](rows, n, d int) *head[T] {
	x := func(n int) []float64 { return make([]float64, n) }
	width := n + n%2
	p := &head[T]{rows: rows, n: n, width: width, d: d, wide: x(rows * width), parts: x(rows * width), gt: x(rows * width), gb: x(n)}
	for i, pair := range [4][2]*[]T{{&p.w, &p.b}, {&p.m, &p.mb}, {&p.v, &p.vb}, {&p.tw, &p.tb}} {
		p.all[i] = make([]T, rows*n+n)
		*pair[0], *pair[1] = p.all[i][:rows*n:rows*n], p.all[i][rows*n:]
	}
	for k := range rows {
		for c := range n {
			p.inWide, p.inParts = append(p.inWide, k*width+c), append(p.inParts, (k/d*width+c)*d+k%d)
		}
	}
	return p
}

// prepare takes over the present weights and forgets the gradient.
func (p *head[T]) prepare() {
	for i, w := range p.w {
		x := float64(w)
		p.wide[p.inWide[i]], p.parts[p.inParts[i]] = x, x
	}
	clear(p.gt)
	clear(p.gb)
}

// logits sets dst (K x width) to h (K x d) times rows from to from+d of the weights.
func (p *head[T]) logits(dst, h []float64, from int) {
	d := p.d
	kernel.Mul(dst, h, p.wide[from*p.width:(from+d)*p.width], len(h)/d, d, p.width)
}

// back adds to dh (K x d) the gradient that the residuals r (K x width) of rows from to
// from+d give.
func (p *head[T]) back(dh, r []float64, from int) {
	d := p.d
	kernel.AddMul(dh, r, p.parts[from*p.width:(from+d)*p.width], len(dh)/d, p.width, d)
}

// learn adds to the gradient of rows from to from+d what the residuals r (K x width) of h
// (K x d) give.
func (p *head[T]) learn(h, r []float64, from int) {
	d := p.d
	kernel.AddMulTrans(p.gt[from*p.width:(from+d)*p.width], r, h, len(h)/d, p.width, d)
}

// gradient rounds the sums to tw and tb.
func (p *head[T]) gradient() {
	for i, at := range p.inParts {
		p.tw[i] = T(p.gt[at])
	}
	for i, g := range p.gb {
		p.tb[i] = T(g)
	}
}

func (p *head[T]) move(r *kernel.AdamRate[T]) {
	p.gradient()
	kernel.Adam(p.all[0], p.all[1], p.all[2], p.all[3], r)
}
