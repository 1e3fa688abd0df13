// Package offload is where the private encoders of a run train: here, or in a helper that shares no
// memory with the run or a mailbox only. The place does not affect a single bit.
package offload

import (
	"cadem/core/cadem/internal/pooled"
	"cadem/core/checkpoint"
	"cadem/core/diag"
	"cadem/core/kernel"
)

// An Encoder is a private one. What it does is given in terms of [Operations], dst, dh and zbar
// being products and pooled rows of Z (K x d, K x d, K x F).
type Encoder[T kernel.Float] interface {
	// Arrays lists all of it but the bias: W1, its two moments, W2, its two moments, U, and scratch.
	Arrays() []*[]T
	Forward(do Operations[T], dst, zbar []T)
	// Backward begins the gradient, or adds to it.
	Backward(do Operations[T], dh, zbar []T, begins bool)
	Step(do Operations[T])
}

// Of an encoder's Arrays: how many a checkpoint keeps, and the one after those, U, which stays with
// the run, for embeddings.
const lasting = 6

// private is where what belongs to them is in pairs of common and private.
const private = 1

// A Branch is the private encoders of all layers, wherever they train. All that a step needs of them
// is what they make of the pooled graphs.
type Branch[T kernel.Float] struct {
	place[T]
	encoders []Encoder[T]
	lengths  [][]int // of the arrays of each
	local    *local[T]
	movable  bool
}

// Movable is a [Branch] in either precision.
type Movable interface {
	// Gainful tells whether a helper, which shares memory or does not, can have them and saves time.
	Gainful(shared bool) bool
	// Offload hands them to a helper, or takes them back for nil. It panics with [ErrOffload] if they
	// cannot be handed over.
	Offload(Helper)
}

// ErrOffload is panicked when encoders are to be offloaded that cannot be.
const ErrOffload diag.Misuse = "cadem: nothing to hand over to a helper"

// A place is where they train.
type place[T kernel.Float] interface {
	// Products returns zbar U (K x d) of a layer of a graph. It stands until the next call.
	Products(graph, l int) []T
	// Learn takes their gradient (K x d). That of the first graph begins a step.
	Learn(graph, l int, dh []T)
	// Step moves the weights by what was learned, there, or returns the encoders that the caller is
	// to move, because they are here.
	Step(r *kernel.AdamRate[T]) []Encoder[T]
	// Fetch fills the encoders' arrays from number first to last of every one, where they are not
	// there already.
	Fetch(first, last int)
	// Stored returns arrays of an encoder for a checkpoint.
	Stored(l int) []checkpoint.Array[T]
	// Notes tell where it is, if it is not here.
	Notes() []string
}

// NewBranch returns the branch of encoders that work on the layers of some graphs, here. Helped tells
// whether a helper can do their work; those of single precision and one graph can then be offloaded.
func NewBranch[T kernel.Float](encoders []Encoder[T], graphs [][]pooled.Layer[T], helped bool) *Branch[T] {
	b := &Branch[T]{encoders: encoders, local: &local[T]{encoders: encoders, graphs: graphs, kernels: &Kernels[T]{}}}
	for _, e := range encoders {
		var n []int
		for _, a := range e.Arrays() {
			n = append(n, len(*a))
		}
		b.lengths = append(b.lengths, n)
	}
	b.place, b.movable = b.local, helped && len(graphs) == 1 && checkpoint.ElementSize[T]() == each
	return b
}

// Here tells whether no helper has them.
func (b *Branch[T]) Here() bool { return b.place == place[T](b.local) }

func (b *Branch[T]) Gainful(shared bool) bool {
	weights, numbers := 0, 0
	for _, lengths := range b.lengths {
		weights += lengths[0]
		for _, n := range lengths {
			numbers += n
		}
	}
	return b.movable && b.Here() && gainful(weights, each*numbers, shared)
}

func (b *Branch[T]) Offload(h Helper) {
	if h == nil {
		b.Reclaim()
		return
	}
	if !b.movable || !b.Here() {
		panic(ErrOffload)
	}
	r := &remote[T]{helper: h, encoders: b.encoders, lengths: b.lengths, from: []int{0}, due: true}
	layers := b.local.graphs[0]
	for l := range layers {
		r.from = append(r.from, r.from[l]+len(layers[l].Out))
	}
	total := r.from[len(layers)]
	r.products, r.dh = make([]T, total), make([]T, total)
	r.plan = newPlan(b.encoders, layers, r.products, r.dh)
	h.Load(&r.plan)
	b.place = r
	for _, e := range b.encoders {
		for i, a := range e.Arrays() {
			if i != lasting {
				*a = nil
			}
		}
	}
}

// Reclaim takes them back.
func (b *Branch[T]) Reclaim() {
	if b.Here() {
		return
	}
	for l, e := range b.encoders {
		for i, a := range e.Arrays() {
			*a = make([]T, b.lengths[l][i])
		}
	}
	b.Fetch(0, len(b.lengths[0]))
	b.place = b.local
}

// Refresh brings U of every encoder up to date.
func (b *Branch[T]) Refresh() { b.Fetch(lasting, lasting+1) }

// local trains in the run's own memory.
type local[T kernel.Float] struct {
	encoders []Encoder[T]
	graphs   [][]pooled.Layer[T]
	kernels  *Kernels[T]
}

func (p *local[T]) Products(graph, l int) []T {
	q := &p.graphs[graph][l]
	p.encoders[l].Forward(p.kernels, q.Out, q.ZBar[private])
	return q.Out
}

func (p *local[T]) Learn(graph, l int, dh []T) {
	p.encoders[l].Backward(p.kernels, dh, p.graphs[graph][l].ZBar[private], graph == 0)
}

func (p *local[T]) Step(*kernel.AdamRate[T]) []Encoder[T] { return p.encoders }

func (p *local[T]) Fetch(int, int) {}

func (p *local[T]) Stored(l int) []checkpoint.Array[T] {
	var all []checkpoint.Array[T]
	for _, a := range p.encoders[l].Arrays()[:lasting] {
		all = append(all, checkpoint.Array[T]{N: len(*a), Here: *a})
	}
	return all
}

func (p *local[T]) Notes() []string { return nil }

// A Helper holds what a plan is about: W1 and W2 of private encoders that a run has handed to it,
// and moves them while the run does the rest of a step. The private branch touches a step only
// through its pooled graphs, so only two rows of d numbers for each are exchanged: what it gives,
// and what is learned from it.
//
// Numbers are float32, the lowest byte first. Load and Step return at once and are answered by the
// plan's output. An answer is fetched before the next call, unless that is Load. Calls come from
// one goroutine. A helper that fails ends the program: what it held is lost.
type Helper interface {
	// Load takes over what a plan is about, does its Forward, and forgets what was before. It has
	// read all blocks when it returns.
	Load(*Plan)
	// Step does the plan's Step with that input, then its Forward.
	Step(input []byte)
	// Products waits for the answer, which stands until the next call.
	Products() []byte
	// Read copies parts of the memory.
	Read([]Part)
	// Close forgets all and gives back the memory that it took, if it is much.
	Close()
}

// A Part is what lies in the helper's memory from a place on.
type Part struct {
	From int
	To   []byte
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

// gainful tells whether a helper saves time for so many weights of all W1, which take so many
// bytes with all that goes with them. Shared tells whether it shares memory.
func gainful(weights, bytes int, shared bool) bool {
	least := worthMessages
	if shared {
		least = worthSharing
	}
	return weights >= least && bytes <= mostBytes
}

// remote is the place in a helper. Arrays of numbers are T, which is float32: no others are handed
// over.
type remote[T kernel.Float] struct {
	helper       Helper
	encoders     []Encoder[T]
	lengths      [][]int
	plan         Plan
	from         []int // where the products of each encoder begin, and their number
	products, dh []T   // K x d of all encoders
	due          bool  // an answer is to be fetched
	packed       []byte
}

func (q *remote[T]) Notes() []string {
	return []string{"the private encoders train beside the run"}
}

// Products are of one graph: no more are handed over.
func (q *remote[T]) Products(_, l int) []T {
	q.fetch()
	return q.products[q.from[l]:q.from[l+1]]
}

// fetch takes the answer of the helper.
func (q *remote[T]) fetch() {
	if q.due {
		kernel.TakeBytes(q.products, q.helper.Products())
		q.due = false
	}
}

func (q *remote[T]) Learn(_, l int, dh []T) { copy(q.dh[q.from[l]:], dh) }

func (q *remote[T]) Step(r *kernel.AdamRate[T]) []Encoder[T] {
	numbers := r.Numbers()
	q.packed = kernel.AppendBytes(kernel.AppendBytes(q.packed[:0], q.dh), numbers[:])
	q.helper.Step(q.packed)
	q.due = true
	return nil
}

// read copies parts of the memory, after the step that was begun.
func (q *remote[T]) read(parts []Part) {
	q.fetch()
	q.helper.Read(parts)
}

func (q *remote[T]) Stored(l int) []checkpoint.Array[T] {
	var all []checkpoint.Array[T]
	at := q.plan.Blocks[l].At
	for _, n := range q.lengths[l][:lasting] {
		begin := at
		all = append(all, checkpoint.Array[T]{N: n, Read: func(to []byte, from int) { q.read([]Part{{begin + from, to}}) }})
		at += each * n
	}
	return all
}

// Fetch asks for as many numbers at once as a window holds: to ask takes longer than to fetch.
func (q *remote[T]) Fetch(first, last int) {
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
	for l, e := range q.encoders {
		at := q.plan.Blocks[l].At
		for i, array := range e.Arrays()[:last] {
			if i < first {
				at += each * q.lengths[l][i]
				continue
			}
			for a := *array; len(a) > 0; {
				n := min(len(a), len(free)/each)
				parts, rest = append(parts, Part{at, free[:each*n]}), append(rest, a[:n])
				if a, free, at = a[n:], free[each*n:], at+each*n; len(free) == 0 {
					fetch()
				}
			}
		}
	}
	fetch()
}
