package cadem

import "cadem/core/kernel"

// A head is a linear predictor of the layer, rows x N. It computes in double precision:
// there are few weights and many graphs. The working copy of the weights and their gradient
// are kept transposed, N x rows, because N is too small for an inner loop.
type head[T kernel.Float] struct {
	rows, n   int
	w, m, v   []T // rows x N
	b, mb, vb []T // N
	tw, tb    []T // the gradients in the run's precision
	wt, gt    []float64
	gb        []float64
	dx        []float64 // rows: scratch
}

func newHead[T kernel.Float](rows, n int) *head[T] {
	x := func(n int) []T { return make([]T, n) }
	y := func(n int) []float64 { return make([]float64, n) }
	return &head[T]{rows: rows, n: n, w: x(rows * n), m: x(rows * n), v: x(rows * n), b: x(n), mb: x(n), vb: x(n),
		tw: x(rows * n), tb: x(n), wt: y(rows * n), gt: y(rows * n), gb: y(n), dx: y(rows)}
}

// prepare takes over the present weights and forgets the gradient.
func (p *head[T]) prepare() {
	for k := range p.rows {
		for c := range p.n {
			p.wt[c*p.rows+k] = float64(p.w[k*p.n+c])
		}
	}
	clear(p.gt)
	clear(p.gb)
}

// logits sets dst (N) to h (d) times rows from to from+d of the weights.
func (p *head[T]) logits(dst, h []float64, from int) {
	for c := range dst {
		w := p.wt[c*p.rows+from:][:len(h)]
		sum, k := 0.0, 0
		for ; k+4 <= len(h); k += 4 {
			x, y := (*[4]float64)(h[k:]), (*[4]float64)(w[k:])
			sum = sum + float64(x[0]*y[0]) + float64(x[1]*y[1]) + float64(x[2]*y[2]) + float64(x[3]*y[3])
		}
		for ; k < len(h); k++ {
			sum += float64(h[k] * w[k])
		}
		dst[c] = sum
	}
}

// back adds the gradients that the residual r (N) of h (d) gives: to the weights and to dh.
func (p *head[T]) back(dh, h []float64, from int, r []float64) {
	d := len(h)
	dx := p.dx[:d]
	clear(dx)
	for c, x := range r {
		w, g := p.wt[c*p.rows+from:][:d], p.gt[c*p.rows+from:][:d]
		k := 0
		for ; k+4 <= d; k += 4 {
			h, w, g, dx := (*[4]float64)(h[k:]), (*[4]float64)(w[k:]), (*[4]float64)(g[k:]), (*[4]float64)(dx[k:])
			g[0] += float64(h[0] * x)
			g[1] += float64(h[1] * x)
			g[2] += float64(h[2] * x)
			g[3] += float64(h[3] * x)
			dx[0] += float64(w[0] * x)
			dx[1] += float64(w[1] * x)
			dx[2] += float64(w[2] * x)
			dx[3] += float64(w[3] * x)
		}
		for ; k < d; k++ {
			g[k] += float64(h[k] * x)
			dx[k] += float64(w[k] * x)
		}
	}
	dh = dh[:d]
	for k, x := range dx {
		dh[k] += x
	}
}

// gradient rounds the sums to tw and tb.
func (p *head[T]) gradient() {
	for k := range p.rows {
		for c := range p.n {
			p.tw[k*p.n+c] = T(p.gt[c*p.rows+k])
		}
	}
	for i, g := range p.gb {
		p.tb[i] = T(g)
	}
}

func (p *head[T]) move(r *kernel.AdamRate[T]) {
	p.gradient()
	kernel.Adam(p.w, p.m, p.v, p.tw, r)
	kernel.Adam(p.b, p.mb, p.vb, p.tb, r)
}

// crossEntropy returns -log softmax(logits)[class] and turns logits into the residual
// softmax(logits) - onehot(class), its gradient.
func crossEntropy(logits []float64, class int) float64 {
	top := logits[0]
	for _, x := range logits {
		if x > top {
			top = x
		}
	}
	at, sum := logits[class]-top, 0.0
	for c, x := range logits {
		e := kernel.Exp(x - top)
		logits[c] = e
		sum += e
	}
	for c := range logits {
		logits[c] /= sum
	}
	logits[class]--
	return kernel.Log(sum) - at
}
