package cadem

import "cadem/core/kernel"

// A Partner holds W1 and W2 of private encoders that a run has lent to it, and moves them
// while the run does the rest of a step. The private branch meets a step in its pooled graphs
// only, so that no more than two rows of d for each of them cross: what it gives, and what is
// learned from it.
//
// Numbers are float32, the lowest byte first. Take and Move return at once and are answered by
// the products zbar U of all encoders, one below the other, zbar being the pooled rows of a
// layer's Z. An answer is fetched before the next call, unless that is Take. Calls come from
// one goroutine. A partner that fails ends the program: what it held is lost.
type Partner interface {
	// Take takes over encoders and forgets those before.
	Take([]Lent)
	// Move does a step, dh being the gradient of the products:
	//
	//	dU = zbar' dh,   dW2 = W1' dU,   dW1 = dU W2',   then U = W1 W2 with the new ones
	Move(dh []byte, r *kernel.AdamRate[float32])
	// Products waits for the answer, which stands until the next call.
	Products() []byte
	// Read copies parts of blocks.
	Read([]Part)
}

// Lent is an encoder without its bias, and the pooled rows it works on. Block holds
//
//	W1, its moments m and v (F x H each), W2, m, v (H x d each)
//	U, dU (F x d), dW2, W2 before the last step (H x d), zbar (K x F)
type Lent struct {
	F, H, D, K int
	Block      []byte
}

// A Part is what lies in a block from a byte on.
type Part struct {
	Block, From int
	To          []byte
}

// worthLending is the number of weights of all private W1 from which on a partner saves more
// time than the messages cost, measured in Chromium.
const worthLending = 300_000

// lent is what a run has of encoders that a partner holds, besides their biases and U as it
// was last read.
type lent[T kernel.Float] struct {
	partner      Partner
	products, dh []T  // rows x d of all layers
	due          bool // an answer is to be fetched
	packed       []byte
	rate         kernel.AdamRate[T]
}

func (r *run[T]) Lendable() bool {
	weights := 0
	for _, pair := range r.enc {
		weights += len(pair[private].w1)
	}
	return r.lends() && weights >= worthLending
}

// lends tells whether the encoders can be lent at all: pooled rows that stay as they are, and
// sizes for which a partner has kernels.
func (r *run[T]) lends() bool {
	return r.lent == nil && r.precision == Single && len(r.members) == 1 && r.o.Augmentation != "fresh" && r.o.DecayEncoders == 0 &&
		r.o.Dim == 8 && r.o.Hidden%16 == 0
}

func (r *run[T]) Lend(p Partner) {
	if !r.lends() {
		panic(ErrLent)
	}
	size, encoders := len(r.members[0].hp), make([]Lent, len(r.enc))
	for l, pair := range r.enc {
		e, q := pair[private], &r.members[0].layers[l]
		b := &encoders[l]
		b.F, b.H, b.D, b.K = e.f, e.h, e.d, len(q.rows)
		u := e.u
		b.Block = make([]byte, 0, e.lentBytes()+4*len(q.pooled)) // growing, it would leave several times its size
		for _, a := range e.lendable() {
			b.Block = kernel.AppendBytes(b.Block, *a)
			*a = nil
		}
		b.Block = kernel.AppendBytes(b.Block, q.pooled)
		e.u = u
	}
	r.lent = &lent[T]{partner: p, products: make([]T, size), dh: make([]T, size), due: true}
	p.Take(encoders)
}

// lendable lists the arrays of a block but for the pooled rows.
func (e *encoder[T]) lendable() []*[]T {
	return []*[]T{&e.w1, &e.m1, &e.v1, &e.w2, &e.m2, &e.v2, &e.u, &e.du, &e.dw2, &e.old}
}

// lentBytes returns how many bytes they take.
func (e *encoder[T]) lentBytes() (size int) {
	for _, a := range e.lendable() {
		size += 4 * len(*a)
	}
	return size
}

// fetch takes the answer of the partner.
func (q *lent[T]) fetch() {
	if q.due {
		kernel.TakeBytes(q.products, q.partner.Products())
		q.due = false
	}
}

// move begins a step of the encoders lent.
func (q *lent[T]) move(r *kernel.AdamRate[T]) {
	q.packed, q.rate = kernel.AppendBytes(q.packed[:0], q.dh), *r
	q.partner.Move(q.packed, any(&q.rate).(*kernel.AdamRate[float32]))
	q.due = true
}

// read copies parts of blocks, after the step that was begun.
func (q *lent[T]) read(parts []Part) {
	q.fetch()
	q.partner.Read(parts)
}

// pack copies an array that was lent into a checkpoint, some windows at a time.
func (q *lent[T]) pack(p *packer, a array[T]) {
	b := make([]byte, min(4*window, 4*a.n))
	for from, end := a.from, a.from+4*a.n; from < end; from += len(b) {
		b = b[:min(len(b), end-from)]
		q.read([]Part{{a.block, from, b}})
		p.add(b)
	}
}

// look brings U of the private encoders up to date.
func (r *run[T]) look() {
	if r.lent == nil {
		return
	}
	var parts []Part
	for l, pair := range r.enc {
		e := pair[private]
		parts = append(parts, Part{l, 4 * 3 * (e.f*e.h + e.h*e.d), make([]byte, 4*e.f*e.d)})
	}
	r.lent.read(parts)
	for l, pair := range r.enc {
		kernel.TakeBytes(pair[private].u, parts[l].To)
	}
}

func (r *run[T]) Recall() {
	if r.lent == nil {
		return
	}
	for l, pair := range r.enc {
		e := pair[private]
		whole := newEncoder[T](e.f, e.h, e.d)
		data := make([]byte, whole.lentBytes())
		r.lent.read([]Part{{l, 0, data}})
		to := e.lendable()
		for i, a := range whole.lendable() {
			kernel.TakeBytes(*a, data[:4*len(*a)])
			data = data[4*len(*a):]
			*to[i] = *a
		}
	}
	r.lent = nil
}
