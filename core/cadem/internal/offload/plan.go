package offload

import (
	"io"

	"cadem/core/kernel"
)

// Operations are the operations of package kernel that an encoder trains by, so that one account of
// a step serves a run, which does it, and a [Plan], which writes it down. Arguments have the shapes that they have there.
// Their names are not those of methods of gonum's matrices: the linker keeps every method that has the
// name of one that a generic interface asks for.
type Operations[T kernel.Float] interface {
	Clear(x []T)
	Assign(dst, src []T)
	Multiply(dst, a, b []T, n, h, d int)
	AddMulTrans(dst, a, g []T, n, h, d int)
	Adam(w, m, v, g []T)
	AdamFactored(w1, m, v, u, du, old, w2 []T, n, h, d int)
}

// Kernels does [Operations] at once.
type Kernels[T kernel.Float] struct{ Rate kernel.AdamRate[T] }

func (k *Kernels[T]) Clear(x []T)                            { clear(x) }
func (k *Kernels[T]) Assign(dst, src []T)                    { copy(dst, src) }
func (k *Kernels[T]) Multiply(dst, a, b []T, n, h, d int)    { kernel.Mul(dst, a, b, n, h, d) }
func (k *Kernels[T]) AddMulTrans(dst, a, g []T, n, h, d int) { kernel.AddMulTrans(dst, a, g, n, h, d) }
func (k *Kernels[T]) Adam(w, m, v, g []T)                    { kernel.Adam(w, m, v, g, &k.Rate) }
func (k *Kernels[T]) AdamFactored(w1, m, v, u, du, old, w2 []T, n, h, d int) {
	kernel.AdamFactored(w1, m, v, u, du, old, w2, n, h, d, &k.Rate)
}

// An Op is one of the [Operations].
type Op int

// The operations, with the meaning of At and N of an [Operation].
const (
	Clear        Op = iota // x; bytes
	Copy                   // dst, src; bytes
	Mul                    // dst, a, b; n, h, d
	AddMulTrans            // dst, a, g; n, h, d
	Adam                   // w, m, v, g; numbers
	AdamFactored           // w1, m, v, u, du, old, w2; n, h, d
)

// An Operation names its arrays by where they begin in the helper's memory, in bytes.
type Operation struct {
	Op Op
	At []int
	N  []int
}

// A Plan is the memory of a helper and its operations. Positions are in bytes from the beginning,
// numbers are float32.
type Plan struct {
	Size    int // of all
	Input   Span
	Rate    int // where in the input the numbers of a [kernel.AdamRate] begin
	Output  Span
	Scratch int // room for H x d of the largest encoder
	Blocks  []Block
	Forward []Operation // what fills the output: the products of all encoders
	Step    []Operation // what moves the encoders by the input
}

// Calls returns operations as those of the SIMD kernels, and of "clear" (at, bytes) and "copy" (to, from,
// bytes), for a helper that has those only.
func (p *Plan) Calls(list []Operation) (all []kernel.Call) {
	for _, o := range list {
		switch at, n := o.At, o.N; o.Op {
		case Clear:
			all = append(all, kernel.Call{Name: "clear", Args: append(at, n[0])})
		case Copy:
			all = append(all, kernel.Call{Name: "copy", Args: append(at, n[0])})
		case Mul:
			all = append(all, kernel.MulCalls(at[0], at[1], at[2], n[0], n[1], n[2])...)
		case AddMulTrans:
			all = append(all, kernel.AddMulTransCalls(at[0], at[1], at[2], n[0], n[1], n[2])...)
		case Adam:
			all = append(all, kernel.AdamCall(at, n[0], p.Rate))
		case AdamFactored:
			all = append(all, kernel.AdamFactoredCall(at, n[0], n[1], p.Scratch, p.Rate))
		}
	}
	return all
}

// A Span is a part of the memory, in bytes.
type Span struct{ At, Size int }

// A Block is a part of the memory, and its initial bytes.
type Block struct {
	Span
	io.Reader
}

// each is the bytes of a number.
const each = 4

// A planner lays out memory and writes down operations.
type planner[T kernel.Float] struct {
	plan  Plan
	place map[*T]int // of every array
	list  *[]Operation
	most  int // numbers of scratch
}

// room takes n numbers at the end of the memory, which a vector of four may begin at.
//
//go:noinline
func (p *planner[T]) room(n int) Span {
	s := Span{p.plan.Size, n * each}
	p.plan.Size += (s.Size + 15) &^ 15
	return s
}

// block lays out arrays, one after the other, with what they hold, and more numbers behind them.
//
//go:noinline
func (p *planner[T]) block(more int, list ...[]T) Span {
	at := p.plan.Size
	for _, a := range list {
		if len(a) > 0 {
			p.place[&a[0]] = at
		}
		at += each * len(a)
	}
	size := at - p.plan.Size
	room := p.room(size/each + more)
	content := append(arrayReader[T](nil), list...)
	p.plan.Blocks = append(p.plan.Blocks, Block{Span{room.At, size}, &content})
	return room
}

// at returns where an array begins; one that is empty may lie anywhere.
func (p *planner[T]) at(a []T) (at int, known bool) {
	if len(a) == 0 {
		return 0, true
	}
	at, known = p.place[&a[0]]
	return at, known
}

// add writes down an operation. Inlined it would be in the program once an operation.
//
//go:noinline
func (p *planner[T]) add(op Op, arrays [][]T, n ...int) {
	at := make([]int, len(arrays))
	for i, a := range arrays {
		at[i], _ = p.at(a)
	}
	*p.list = append(*p.list, Operation{op, at, n})
}

func (p *planner[T]) Clear(x []T)         { p.add(Clear, [][]T{x}, each*len(x)) }
func (p *planner[T]) Assign(dst, src []T) { p.add(Copy, [][]T{dst, src}, each*len(src)) }
func (p *planner[T]) Multiply(dst, a, b []T, n, h, d int) {
	p.add(Mul, [][]T{dst, a, b}, n, h, d)
}
func (p *planner[T]) AddMulTrans(dst, a, g []T, n, h, d int) {
	p.add(AddMulTrans, [][]T{dst, a, g}, n, h, d)
}
func (p *planner[T]) Adam(w, m, v, g []T) { p.add(Adam, [][]T{w, m, v, g}, len(w)) }
func (p *planner[T]) AdamFactored(w1, m, v, u, du, old, w2 []T, n, h, d int) {
	p.add(AdamFactored, [][]T{w1, m, v, u, du, old, w2}, n, h, d)
	p.most = max(p.most, h*d)
}

// plan writes down what the encoders do in a step.
func (q *remote[T]) plan() *Plan {
	p := &planner[T]{place: map[*T]int{}}
	p.plan.Input = p.block(kernel.RateNumbers, q.in...)
	p.plan.Output = p.block(0, q.out...)
	p.plan.Rate = p.plan.Input.At + p.plan.Input.Size - each*kernel.RateNumbers
	for _, m := range q.members {
		var rest [][]T // what does not go there and come back
		for _, a := range m.Arrays() {
			if _, known := p.at(*a); !known {
				rest = append(rest, *a)
			}
		}
		p.block(0, rest...)
		p.block(0, m.zbar)
		m.at = make([]int, len(m.lengths))
		for i, a := range m.Arrays() {
			m.at[i], _ = p.at(*a)
		}
		p.list = &p.plan.Forward
		m.Forward(p, m.products, m.zbar)
		p.list = &p.plan.Step
		m.Backward(p, m.dh, m.zbar, m.kind == private)
		m.Step(p)
	}
	p.plan.Scratch = p.room(p.most).At
	return &p.plan
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
