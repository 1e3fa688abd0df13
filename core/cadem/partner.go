package cadem

import (
	"io"

	"cadem/core/kernel"
)

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
	// Take takes over encoders and forgets those before. It has read all blocks when it returns.
	Take([]Lent)
	// Move does a step, dh being the gradient of the products:
	//
	//	dU = zbar' dh,   dW2 = W1' dU,   dW1 = dU W2',   then U = W1 W2 with the new ones
	Move(dh []byte, r *kernel.AdamRate[float32])
	// Products waits for the answer, which stands until the next call.
	Products() []byte
	// Read copies parts of blocks.
	Read([]Part)
	// Leave forgets all encoders and gives back the memory they took, if it is much.
	Leave()
}

// Lent is an encoder without its bias, and the pooled rows it works on. Block gives
//
//	W1, its moments m and v (F x H each), W2, m, v (H x d each)
//	U, dU (F x d), dW2, W2 before the last step (H x d), zbar (K x F)
type Lent struct {
	F, H, D, K int
	Block      io.Reader
	Size       int // bytes of the block
}

// A Part is what lies in a block from a byte on.
type Part struct {
	Block, From int
	To          []byte
}

// Numbers of weights of all private W1 from which on a partner saves more time than it costs to
// reach it, measured in Chromium: by messages, and through memory that is shared with it.
const (
	worthMessages = 300_000
	worthLending  = 20_000
)

// mostLent is how many bytes are lent at most. Memory of WebAssembly is not given back: what was
// lent is taken twice. For data like the paper's a page is to stay within 600 MB, of which 300
// are its own and 40 those of a checkpoint on its way; a program whose private encoders take 64
// has some 190 with all it needs beside them.
const mostLent = 64 << 20

// lent is what a run has of encoders that a partner holds, besides their biases and U as it
// was last read.
type lent[T kernel.Float] struct {
	partner      Partner
	products, dh []T  // rows x d of all layers
	due          bool // an answer is to be fetched
	packed       []byte
	rate         kernel.AdamRate[T]
}

func (r *run[T]) Lendable(shared bool) bool {
	weights, bytes := 0, 0
	for _, pair := range r.enc {
		weights += len(pair[private].w1)
		bytes += pair[private].lentBytes()
	}
	return r.lends() && gainful(weights, bytes, shared)
}

// gainful tells whether so many weights, with all that goes with them, are worth to be lent.
func gainful(weights, bytes int, shared bool) bool {
	least := worthMessages
	if shared {
		least = worthLending
	}
	return weights >= least && bytes <= mostLent
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
		list := make(arrayReader[T], 0, 11)
		for _, a := range e.lendable() {
			list = append(list, *a)
		}
		list = append(list, q.pooled)
		encoders[l] = Lent{e.f, e.h, e.d, len(q.rows), &list, e.lentBytes() + 4*len(q.pooled)}
	}
	r.lent = &lent[T]{partner: p, products: make([]T, size), dh: make([]T, size), due: true}
	p.Take(encoders)
	for _, pair := range r.enc {
		e := pair[private]
		u := e.u
		for _, a := range e.lendable() {
			*a = nil
		}
		e.u = u
	}
}

// An arrayReader gives the bytes of arrays, one after the other.
type arrayReader[T kernel.Float] [][]T

// Read gives as many whole numbers as p has room for.
func (list *arrayReader[T]) Read(p []byte) (n int, err error) {
	each := elementSize[T]()
	for len(*list) > 0 {
		a := (*list)[0]
		k := min(len(a), (len(p)-n)/each)
		n += len(kernel.AppendBytes(p[n:n], a[:k]))
		if k < len(a) {
			(*list)[0] = a[k:]
			return n, nil
		}
		*list = (*list)[1:]
	}
	if n == 0 && len(p) > 0 {
		err = io.EOF
	}
	return n, err
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
	// As many arrays at a time as a window holds: to ask takes longer than to fetch.
	held := make([]byte, 4*window)
	free := held
	var parts []Part
	var to [][]T
	fetch := func() {
		r.lent.read(parts)
		for i, p := range parts {
			kernel.TakeBytes(to[i], p.To)
		}
		parts, to, free = parts[:0], to[:0], held
	}
	for l, pair := range r.enc {
		e, at := pair[private], 0
		whole := newEncoder[T](e.f, e.h, e.d)
		here := e.lendable()
		for i, a := range whole.lendable() {
			*here[i] = *a
			for rest := *a; len(rest) > 0; {
				n := min(len(rest), len(free)/4)
				parts, to = append(parts, Part{l, at, free[:4*n]}), append(to, rest[:n])
				if rest, free, at = rest[n:], free[4*n:], at+4*n; len(free) == 0 {
					fetch()
				}
			}
		}
	}
	fetch()
	r.lent = nil
}
