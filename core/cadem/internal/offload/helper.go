package offload

import (
	"cadem/core/checkpoint"
	"cadem/core/kernel"
)

// A Helper holds what a plan is about: W1 and W2 of encoders that a run has handed to it, and moves
// them while the run does the rest of a step. The private branch affects a step only through its pooled
// graphs, so each exchanges two rows of d numbers: its embedding and the gradient. A common encoder also
// exchanges the gradient of matching and U.
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

// A Part is the helper's memory from byte From on, and a buffer for it.
type Part struct {
	From int
	To   []byte
}

// remote is the encoder's side of a helper. Arrays of numbers are T, always float32: no others are
// handed over.
type remote[T kernel.Float] struct {
	helper  Helper
	members []*member[T]
	common  bool  // some are common encoders
	in, out [][]T // what goes there and comes back in a step
	due     bool  // an answer is to be fetched
	packed  []byte
}

// load hands all over, and lets go of it here.
func (q *remote[T]) load() {
	q.helper.Load(q.plan())
	for _, m := range q.members {
		for i, a := range m.Arrays() {
			if i < lasting || i >= staying {
				*a = nil
			}
		}
	}
}

// fetch takes the answer of the helper.
func (q *remote[T]) fetch() {
	if !q.due {
		return
	}
	q.due = false
	answer := q.helper.Products()
	for _, a := range q.out {
		n := each * len(a)
		kernel.TakeBytes(a, answer[:n])
		answer = answer[n:]
	}
}

func (q *remote[T]) step(r *kernel.AdamRate[T]) {
	q.packed = q.packed[:0]
	for _, a := range q.in {
		q.packed = kernel.AppendBytes(q.packed, a)
	}
	numbers := r.Numbers()
	q.packed = kernel.AppendBytes(q.packed, numbers[:])
	q.helper.Step(q.packed)
	q.due = true
}

// read copies parts of the memory, after the step that was begun.
func (q *remote[T]) read(parts []Part) {
	q.fetch()
	q.helper.Read(parts)
}

// bring fills the encoders' arrays from number first to last of every one. It asks for as many numbers
// at once as a window holds: to ask takes longer than to fetch.
func (q *remote[T]) bring(first, last int) {
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
	for _, m := range q.members {
		for i, array := range m.Arrays()[:last] {
			if i < first {
				continue
			}
			at := m.at[i]
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
