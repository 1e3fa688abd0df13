// Package offload trains private encoders beside a run, in a helper that shares no memory with
// it or a mailbox only. It changes no bit of anything.
package offload

import (
	"io"

	"cadem/core/cadem/internal/checkpoint"
	"cadem/core/kernel"
)

// A Helper holds W1 and W2 of private encoders that a run has handed to it, and moves them
// while the run does the rest of a step. The private branch meets a step in its pooled graphs
// only, so that no more than two rows of d for each of them cross: what it gives, and what is
// learned from it.
//
// Numbers are float32, the lowest byte first. Load and Step return at once and are answered by
// the products zbar U of all encoders, one below the other, zbar being the pooled rows of a
// layer's Z. An answer is fetched before the next call, unless that is Load. Calls come from
// one goroutine. A helper that fails ends the program: what it held is lost.
type Helper interface {
	// Load takes over encoders and forgets those before. It has read all blocks when it returns.
	Load([]Encoder)
	// Step moves all encoders, dh being the gradient of the products:
	//
	//	dU = zbar' dh,   dW2 = W1' dU,   dW1 = dU W2',   then U = W1 W2 with the new ones
	Step(dh []byte, r *kernel.AdamRate[float32])
	// Products waits for the answer, which stands until the next call.
	Products() []byte
	// Read copies parts of blocks.
	Read([]Part)
	// Close forgets all encoders and gives back the memory they took, if it is much.
	Close()
}

// An Encoder is a private one without its bias, and the pooled rows it works on. Block
// gives
//
//	W1, its moments m and v (F x H each), W2, m, v (H x d each)
//	U, dU (F x d), dW2, W2 before the last step (H x d), zbar (K x F)
type Encoder struct {
	F, H, D, K int
	Block      io.Reader
	Size       int // bytes of the block
}

// A Part is what lies in a block from a byte on.
type Part struct {
	Block, From int
	To          []byte
}

// Numbers of weights of all private W1 from which on a helper saves more time than it costs to
// reach it, measured in Chromium: by messages, and through memory that is shared with it.
const (
	worthMessages = 300_000
	worthSharing  = 20_000
)

// mostBytes is how much a helper is given at most. Memory of WebAssembly never shrinks: what was
// handed over is taken twice. For data like the paper's a page is to stay within 600 MB, of which 300
// are its own and 40 those of a checkpoint on its way; a program whose private encoders take 64
// has some 190 with all it needs beside them.
const mostBytes = 64 << 20

// Gainful tells whether a helper saves time for so many weights of all W1, which take so many
// bytes with all that goes with them. Shared tells whether it shares memory.
func Gainful(weights, bytes int, shared bool) bool {
	least := worthMessages
	if shared {
		least = worthSharing
	}
	return weights >= least && bytes <= mostBytes
}

// A Branch is the private encoders of a run in a helper. Arrays of numbers are T, which is
// float32: no others are handed over.
type Branch[T kernel.Float] struct {
	helper       Helper
	encoders     []Encoder
	from         []int // where the products of each encoder begin
	products, dh []T   // K x d of all encoders
	due          bool  // an answer is to be fetched
	packed       []byte
	rate         kernel.AdamRate[T]
}

// each is the bytes of a number.
const each = 4

// New hands encoders over, of each its arrays in the order of a block.
func New[T kernel.Float](h Helper, encoders []Encoder, blocks [][][]T) *Branch[T] {
	q := &Branch[T]{helper: h, encoders: encoders, due: true}
	total := 0
	for l := range encoders {
		e, list := &encoders[l], arrayReader[T](blocks[l])
		for _, a := range list {
			e.Size += each * len(a)
		}
		e.Block = &list
		q.from = append(q.from, total)
		total += e.K * e.D
	}
	q.products, q.dh = make([]T, total), make([]T, total)
	h.Load(encoders)
	return q
}

// An arrayReader gives the bytes of arrays, one after the other.
type arrayReader[T kernel.Float] [][]T

// Read gives as many whole numbers as p has room for.
func (list *arrayReader[T]) Read(p []byte) (n int, err error) {
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

// Products returns zbar U (K x d) of encoder l, until the next step. There is one graph.
func (q *Branch[T]) Products(_, l int) []T {
	q.fetch()
	return q.products[q.from[l]:][:q.encoders[l].K*q.encoders[l].D]
}

// fetch takes the answer of the helper.
func (q *Branch[T]) fetch() {
	if q.due {
		kernel.TakeBytes(q.products, q.helper.Products())
		q.due = false
	}
}

// Learn takes the gradient (K x d) of the products of encoder l.
func (q *Branch[T]) Learn(_, l int, dh []T) { copy(q.dh[q.from[l]:], dh) }

// Step begins a step with what was learned.
func (q *Branch[T]) Step(r *kernel.AdamRate[T]) {
	q.packed, q.rate = kernel.AppendBytes(q.packed[:0], q.dh), *r
	q.helper.Step(q.packed, any(&q.rate).(*kernel.AdamRate[float32]))
	q.due = true
}

// read copies parts of blocks, after the step that was begun.
func (q *Branch[T]) read(parts []Part) {
	q.fetch()
	q.helper.Read(parts)
}

// Arrays returns arrays of encoder l's block, of so many numbers each, the first from a number
// on, as they are read for a checkpoint.
func (q *Branch[T]) Arrays(l int, lengths []int) []checkpoint.Array[T] {
	var all []checkpoint.Array[T]
	at := 0
	for _, n := range lengths {
		begin := each * at
		all = append(all, checkpoint.Array[T]{N: n, Read: func(to []byte, from int) { q.read([]Part{{l, begin + from, to}}) }})
		at += n
	}
	return all
}

// Fetch fills arrays from every block, one after the other from a number of the block on. As many
// go in a request as a window holds: to ask takes longer than to fetch.
func (q *Branch[T]) Fetch(from []int, to [][][]T) {
	held := make([]byte, 4*checkpoint.Window)
	free := held
	var parts []Part
	var rest [][]T
	fetch := func() {
		q.read(parts)
		for i, p := range parts {
			kernel.TakeBytes(rest[i], p.To)
		}
		parts, rest, free = parts[:0], rest[:0], held
	}
	for l, block := range to {
		at := each * from[l]
		for _, a := range block {
			for len(a) > 0 {
				n := min(len(a), len(free)/each)
				parts, rest = append(parts, Part{l, at, free[:each*n]}), append(rest, a[:n])
				if a, free, at = a[n:], free[each*n:], at+each*n; len(free) == 0 {
					fetch()
				}
			}
		}
	}
	fetch()
}
