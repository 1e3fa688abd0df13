// Package offload trains the encoders of a run, here or in helpers. Helpers communicate by message or shared
// mailbox. Results are bit-identical.
package offload

import (
	"cadem/core/checkpoint"
	"cadem/core/diag"
	"cadem/core/kernel"
)

// An Encoder does a step in terms of [Operations], dst, dh and zbar being products and pooled rows of Z
// (K x d, K x d, K x F).
type Encoder[T kernel.Float] interface {
	// Arrays lists all of it but the bias: W1, its two moments, W2, its two moments, U and its gradient, and scratch.
	Arrays() []*[]T
	// Forward sets dst to zbar U.
	Forward(do Operations[T], dst, zbar []T)
	// Backward begins the gradient, or adds to it.
	Backward(do Operations[T], dh, zbar []T, begins bool)
	// Step moves the weights by the gradient.
	Step(do Operations[T])
}

// An encoder's Arrays: a checkpoint keeps this many. The next two, U and its gradient, stay with the run:
// matching reads and writes them for a common encoder, and embeddings need every U.
const lasting, staying = 6, 8

// The encoders of a layer.
const common, private = 0, 1

// Rows are the pooled rows of a layer.
type Rows[T kernel.Float] struct {
	ZBar [2][]T // K x F: of Z of the common and of the private encoder
	Out  []T    // K x d: scratch
}

// Encoders are the encoders of all layers, wherever they train.
type Encoders[T kernel.Float] struct {
	members []member[T] // of layer l: common at 2l, private behind it
	graphs  [][]Rows[T]
	kernels *Kernels[T]
	helpers []*remote[T]
	here    []Encoder[T] // those that no helper has, when they were asked for last
	movable bool
	weights int    // of private W1
	bytes   [2]int // of common and of private encoders
}

// A member is an encoder and where it is.
type member[T kernel.Float] struct {
	Encoder[T]
	kind         int        // common or private
	lengths      []int      // of its arrays
	helper       *remote[T] // that has it; nil when it is here
	zbar         []T        // K x F: its pooled rows there
	products, dh []T        // K x d: what comes from there and goes there
	at           []int      // where its arrays begin there
}

// Movable is [Encoders] in either precision.
type Movable interface {
	// More returns the number of additional helpers, up to a maximum, that would leave less to do at once
	// to the run and each helper; 0 if no number does. Shared reports whether they share memory.
	More(most int, shared bool) int
	// Offload hands encoders to helpers, and takes back all that others had. It panics with
	// [ErrOffload] if they cannot be handed over.
	Offload([]Helper)
}

// ErrOffload is panicked when encoders are to be offloaded that cannot be.
const ErrOffload diag.Misuse = "cadem: nothing to hand over to a helper"

// New returns encoders, a common and a private one of each layer, that work on the pooled rows of the layers of some graphs,
// here, by these kernels. Helped reports whether a helper can do their work; those of single precision and
// one graph can then be offloaded.
func New[T kernel.Float](encoders []Encoder[T], graphs [][]Rows[T], kernels *Kernels[T], helped bool) *Encoders[T] {
	b := &Encoders[T]{graphs: graphs, kernels: kernels, movable: helped && len(graphs) == 1 && checkpoint.ElementSize[T]() == each}
	for i, e := range encoders {
		m := member[T]{Encoder: e, kind: i % 2}
		for _, a := range e.Arrays() {
			m.lengths = append(m.lengths, len(*a))
			b.bytes[m.kind] += each * len(*a)
		}
		if m.kind == private {
			b.weights += m.lengths[0]
		}
		b.members = append(b.members, m)
	}
	return b
}

// Offload hands over what a deal says. It panics with [ErrOffload] where encoders cannot be handed over.
func (b *Encoders[T]) Offload(helpers []Helper) {
	if len(helpers) > 0 && !b.movable {
		panic(ErrOffload)
	}
	b.Reclaim()
	d := dealt(len(b.members)/2, len(helpers))
	for i, h := range helpers {
		r := &remote[T]{helper: h, due: true}
		for k := range b.members {
			m, q := &b.members[k], &b.graphs[0][k/2]
			if d.holder(k/2, m.kind) != i+1 {
				continue
			}
			m.helper, m.zbar, m.products, m.dh = r, q.ZBar[m.kind], make([]T, len(q.Out)), make([]T, len(q.Out))
			r.members = append(r.members, m)
			if m.kind == common {
				a := m.Arrays()
				r.common, r.in, r.out = true, append(r.in, *a[lasting+1]), append(r.out, *a[lasting])
			}
			r.in, r.out = append(r.in, m.dh), append(r.out, m.products)
		}
		if r.members != nil {
			r.load()
			b.helpers = append(b.helpers, r)
		}
	}
}

// Reclaim takes back all encoders.
func (b *Encoders[T]) Reclaim() {
	for _, r := range b.helpers {
		for _, m := range r.members {
			m.helper = nil
			for i, a := range m.Arrays() {
				if *a == nil {
					*a = make([]T, m.lengths[i])
				}
			}
		}
		r.bring(0, len(r.members[0].lengths))
	}
	b.helpers = nil
}

// Current waits for U of the common encoders, which a step begins with.
func (b *Encoders[T]) Current() {
	for _, r := range b.helpers {
		if r.common {
			r.fetch()
		}
	}
}

// Refresh brings U of every encoder up to date.
func (b *Encoders[T]) Refresh() {
	for _, r := range b.helpers {
		r.bring(lasting, lasting+1)
	}
}

// Forward returns zbar U (K x d) of encoder k of layer l of a graph. It stands until the next call.
func (b *Encoders[T]) Forward(graph, l, k int) []T {
	m := &b.members[2*l+k]
	if m.helper != nil {
		m.helper.fetch()
		return m.products
	}
	q := &b.graphs[graph][l]
	m.Forward(b.kernels, q.Out, q.ZBar[k])
	return q.Out
}

// Backward takes its gradient (K x d). That of the first graph begins a step of a private encoder; that of
// a common one is begun by matching.
func (b *Encoders[T]) Backward(graph, l, k int, dh []T) {
	m := &b.members[2*l+k]
	if m.helper != nil {
		copy(m.dh, dh)
		return
	}
	m.Backward(b.kernels, dh, b.graphs[graph][l].ZBar[k], k == private && graph == 0)
}

// Step moves the weights by what was learned where helpers have them, and returns the encoders that the
// caller is to move, because they are here.
func (b *Encoders[T]) Step() []Encoder[T] {
	for _, r := range b.helpers {
		r.step(&b.kernels.Rate)
	}
	b.here = b.here[:0]
	for i := range b.members {
		if m := &b.members[i]; m.helper == nil {
			b.here = append(b.here, m.Encoder)
		}
	}
	return b.here
}

// Stored returns arrays of encoder k of a layer for a checkpoint.
func (b *Encoders[T]) Stored(l, k int) (all []checkpoint.Array[T]) {
	m := &b.members[2*l+k]
	for i, a := range m.Arrays()[:lasting] {
		read := func(to []byte, from int) { m.helper.read([]Part{{m.at[i] + from, to}}) }
		all = append(all, checkpoint.Array[T]{N: m.lengths[i], Here: *a, Read: read})
	}
	return all
}

// Notes tell that some are not here.
func (b *Encoders[T]) Notes() []string {
	if b.helpers == nil {
		return nil
	}
	return []string{"encoders train beside the run"}
}
