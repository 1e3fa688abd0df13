package cadem

import "cadem/core/kernel"

// An encoder maps Z (M x F) to Z W1 W2 + b (M x d). W1 has only the rows of features that
// are not zero in Z: the others have no gradient and no consequence.
type encoder[T kernel.Float] struct {
	f, h, d    int
	w1, m1, v1 []T // F x H: weights and Adam's moments
	w2, m2, v2 []T // H x d
	b, mb, vb  []T // d
	u, du      []T // F x d: U = W1 W2, always current, and its gradient
	dw2, db    []T
	old        []T // W2 before the step
}

func newEncoder[T kernel.Float](f, h, d int) *encoder[T] {
	x := func(n int) []T { return make([]T, n) }
	return &encoder[T]{f: f, h: h, d: d,
		w1: x(f * h), m1: x(f * h), v1: x(f * h), w2: x(h * d), m2: x(h * d), v2: x(h * d), b: x(d), mb: x(d), vb: x(d),
		u: x(f * d), du: x(f * d), dw2: x(h * d), db: x(d), old: x(h * d)}
}

// refresh forms U anew, after weights were set from outside.
func (e *encoder[T]) refresh() { kernel.Mul(e.u, e.w1, e.w2, e.f, e.h, e.d) }

// move does the Adam step from the gradients du and db:
//
//	dW2 = W1' dU,   dW1 = dU W2' (formed inside the loop),   then U = W1 W2 with the new ones.
func (e *encoder[T]) move(r *kernel.AdamRate[T]) {
	clear(e.dw2)
	kernel.AddMulTrans(e.dw2, e.w1, e.du, e.f, e.h, e.d)
	copy(e.old, e.w2)
	kernel.Adam(e.w2, e.m2, e.v2, e.dw2, r)
	kernel.Adam(e.b, e.mb, e.vb, e.db, r)
	kernel.AdamFactored(e.w1, e.m1, e.v1, e.u, e.du, e.old, e.w2, e.f, e.h, e.d, r)
}

// A head is a linear predictor of the layer, rows x N. Gradients are summed in double
// precision: there are few of them and many graphs.
type head[T kernel.Float] struct {
	rows, n   int
	w, m, v   []T // rows x N
	b, mb, vb []T // N
	gw, gb    []float64
	tw, tb    []T // the gradients in the run's precision
}

func newHead[T kernel.Float](rows, n int) *head[T] {
	x := func(n int) []T { return make([]T, n) }
	return &head[T]{rows: rows, n: n, w: x(rows * n), m: x(rows * n), v: x(rows * n), b: x(n), mb: x(n), vb: x(n),
		gw: make([]float64, rows*n), gb: make([]float64, n), tw: x(rows * n), tb: x(n)}
}

// logits sets dst (N) to h (d) times rows from to from+d of the weights.
func (p *head[T]) logits(dst []float64, h []T, from int) {
	clear(dst)
	for k, x := range h {
		for c, w := range p.w[(from+k)*p.n : (from+k+1)*p.n] {
			dst[c] += float64(float64(x) * float64(w))
		}
	}
}

// back adds the gradients that the residual r (N) of h gives: to the weights and to dh.
func (p *head[T]) back(dh []float64, h []T, from int, r []float64) {
	for k, x := range h {
		sum := 0.0
		at := (from + k) * p.n
		for c, w := range p.w[at : at+p.n] {
			p.gw[at+c] += float64(float64(x) * r[c])
			sum += float64(float64(w) * r[c])
		}
		dh[k] += sum
	}
}

func (p *head[T]) move(r *kernel.AdamRate[T]) {
	for i, g := range p.gw {
		p.tw[i] = T(g)
	}
	for i, g := range p.gb {
		p.tb[i] = T(g)
	}
	kernel.Adam(p.w, p.m, p.v, p.tw, r)
	kernel.Adam(p.b, p.mb, p.vb, p.tb, r)
}

// crossEntropy returns -log softmax(logits)[class] and turns logits into the residual
// softmax(logits) - onehot(class), its gradient.
func crossEntropy(logits []float64, class int) float64 {
	top := logits[0]
	for _, x := range logits {
		top = max(top, x)
	}
	at, sum := logits[class]-top, 0.0
	for c, x := range logits {
		logits[c] = kernel.Exp(x - top)
		sum += logits[c]
	}
	for c := range logits {
		logits[c] /= sum
	}
	logits[class]--
	return kernel.Log(sum) - at
}
