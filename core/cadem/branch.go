package cadem

import (
	"cadem/core/cadem/internal/checkpoint"
	"cadem/core/cadem/internal/offload"
	"cadem/core/kernel"
)

// A branch is W1 and W2 of the private encoders of all layers, wherever they train. All that a
// step needs of them is what they make of the pooled graphs.
type branch[T kernel.Float] interface {
	// Products returns zbar U (K x d) of a layer, zbar (K x F) being the pooled rows of Z of a
	// graph. It stands until the next call.
	Products(graph, l int) []T
	// Learn takes their gradient (K x d). That of the first graph begins a step.
	Learn(graph, l int, dh []T)
	// Step moves the weights by what was learned.
	Step(r *kernel.AdamRate[T])
	// Arrays returns the first arrays of a layer's encoder, in the order of encoder.arrays, for a
	// checkpoint.
	Arrays(l int, lengths []int) []checkpoint.Array[T]
	// Fetch fills arrays that follow each other in every layer's encoder, from a number on,
	// where they are not the encoder's own.
	Fetch(from []int, to [][][]T)
}

// local is the branch of a run that trains its private encoders by itself.
type local[T kernel.Float] struct{ *run[T] }

func (q local[T]) Products(graph, l int) []T {
	p, e := &q.members[graph].layers[l], q.enc[l][private]
	kernel.Mul(p.out, p.pooled, e.u, len(p.rows), e.f, e.d)
	return p.out
}

func (q local[T]) Learn(graph, l int, dh []T) {
	p, e := &q.members[graph].layers[l], q.enc[l][private]
	if graph == 0 {
		clear(e.du)
	}
	kernel.AddMulTrans(e.du, p.pooled, dh, len(p.rows), e.f, e.d)
}

func (q local[T]) Step(r *kernel.AdamRate[T]) {
	for _, pair := range q.enc {
		pair[private].move(r)
	}
}

func (q local[T]) Arrays(l int, lengths []int) []checkpoint.Array[T] {
	var all []checkpoint.Array[T]
	for _, a := range q.enc[l][private].arrays()[:len(lengths)] {
		all = append(all, checkpoint.Array[T]{N: len(*a), Here: *a})
	}
	return all
}

func (q local[T]) Fetch([]int, [][][]T) {}

// A Helper trains private encoders beside a run.
type (
	Helper        = offload.Helper
	HelperEncoder = offload.Encoder
	HelperPart    = offload.Part
)

// helped tells whether a helper has the private encoders.
func (r *run[T]) helped() bool {
	_, here := r.private.(local[T])
	return !here
}

func (r *run[T]) Offloadable(shared bool) bool {
	weights, bytes := 0, 0
	for _, pair := range r.enc {
		weights += len(pair[private].w1)
		bytes += pair[private].bytes()
	}
	return r.canOffload() && offload.Gainful(weights, bytes, shared)
}

// canOffload tells whether the encoders can be handed over at all: pooled rows that stay as they
// are, and sizes for which a helper has kernels.
func (r *run[T]) canOffload() bool {
	return !r.helped() && r.precision == Single && len(r.members) == 1 && r.o.Augmentation != "fresh" && r.o.DecayEncoders == 0 &&
		r.o.Dim == 8 && r.o.Hidden%16 == 0
}

func (r *run[T]) Offload(h Helper) {
	if !r.canOffload() {
		panic(ErrOffload)
	}
	var encoders []offload.Encoder
	var blocks [][][]T
	for l, pair := range r.enc {
		e, q := pair[private], &r.members[0].layers[l]
		var block [][]T
		for _, a := range e.arrays() {
			block = append(block, *a)
		}
		encoders, blocks = append(encoders, offload.Encoder{F: e.f, H: e.h, D: e.d, K: len(q.rows)}), append(blocks, append(block, q.pooled))
	}
	r.private = offload.New(h, encoders, blocks)
	for _, pair := range r.enc {
		e := pair[private]
		u := e.u
		for _, a := range e.arrays() {
			*a = nil
		}
		e.u = u // for embeddings
	}
}

func (r *run[T]) Reclaim() {
	if !r.helped() {
		return
	}
	from, to := make([]int, len(r.enc)), make([][][]T, len(r.enc))
	for l, pair := range r.enc {
		e := pair[private]
		here := e.arrays()
		for i, a := range newEncoder[T](e.f, e.h, e.d).arrays() {
			*here[i] = *a
			to[l] = append(to[l], *a)
		}
	}
	r.private.Fetch(from, to)
	r.private = local[T]{r}
}

// fetchProducts brings U of the private encoders up to date.
func (r *run[T]) fetchProducts() {
	from, to := make([]int, len(r.enc)), make([][][]T, len(r.enc))
	for l, pair := range r.enc {
		e := pair[private]
		from[l], to[l] = 3*(e.f*e.h+e.h*e.d), [][]T{e.u}
	}
	r.private.Fetch(from, to)
}
