package tape

import "cadem.example/core/base/kernel"

// A Value names a matrix that was recorded since the last [Tape.Reset].
type Value int32

// A Param is a matrix that training changes. Backward sets Grad to the derivative by Value; where
// the loss does not depend on the parameter it stays zero.
type Param[T kernel.Float] struct {
	Name        string
	Rows, Cols  int
	Value, Grad []T // Rows x Cols
}

// NewParam returns a parameter of zeros.
func NewParam[T kernel.Float](name string, rows, cols int) *Param[T] {
	return &Param[T]{Name: name, Rows: rows, Cols: cols, Value: make([]T, rows*cols), Grad: make([]T, rows*cols)}
}

// A Tape holds the operations of one step. It is not safe for concurrent use.
type Tape[T kernel.Float] struct {
	nodes   []node[T]
	memory  pool[T]
	doubles pool[float64]
	numbers pool[int32]
}

// New returns an empty tape.
func New[T kernel.Float]() *Tape[T] { return &Tape[T]{} }

// An operation knows its derivative: back adds to the gradients of the operands of n, as far as
// they have one, what the gradient of n gives them. Implementations are empty structs, which
// cost no memory in an interface; what they need is in the node.
type operation[T kernel.Float] interface {
	back(t *Tape[T], n *node[T])
}

type node[T kernel.Float] struct {
	op          operation[T] // nil for parameters, constants and views
	in          [3]Value     // operands
	rows, cols  int
	value, grad []T  // grad is nil if no parameter is behind it
	shared      bool // the gradient is part of that of another node, which clears it

	// An operation's inputs and results, kept for its derivative.
	number   float64
	kept     []T
	double   []float64
	index    []int32
	other    []int32
	matrix   *Operator[T]
	matrices []*Operator[T]
	pattern  *Pattern
}

// A pool hands out slices in the same order in every step.
type pool[E any] struct {
	slices [][]E
	used   int
}

// take returns n elements that hold anything.
func (p *pool[E]) take(n int) []E {
	if p.used == len(p.slices) {
		p.slices = append(p.slices, nil)
	}
	s := p.slices[p.used]
	if cap(s) < n {
		s = make([]E, n)
		p.slices[p.used] = s
	}
	p.used++
	return s[:n]
}

// Reset forgets all operations and keeps their memory. Earlier values have no meaning afterwards.
func (t *Tape[T]) Reset() {
	t.nodes = t.nodes[:0]
	t.memory.used, t.doubles.used, t.numbers.used = 0, 0, 0
}

func (t *Tape[T]) at(v Value) *node[T] { return &t.nodes[v] }

// record adds the node of an operation. Its value holds anything; it has a gradient if an operand
// has one.
func (t *Tape[T]) record(op operation[T], rows, cols int, in ...Value) (Value, *node[T]) {
	n := node[T]{op: op, rows: rows, cols: cols, value: t.memory.take(rows * cols)}
	needs := false
	for k, v := range in {
		n.in[k] = v
		needs = needs || t.nodes[v].grad != nil
	}
	if needs {
		n.grad = t.memory.take(rows * cols)
	}
	return t.add(n)
}

func (t *Tape[T]) add(n node[T]) (Value, *node[T]) {
	t.nodes = append(t.nodes, n)
	v := Value(len(t.nodes) - 1)
	return v, &t.nodes[v]
}

// Param records a parameter.
func (t *Tape[T]) Param(p *Param[T]) Value {
	ErrShape.Unless(len(p.Value) == p.Rows*p.Cols && len(p.Grad) == len(p.Value))
	v, _ := t.add(node[T]{rows: p.Rows, cols: p.Cols, value: p.Value, grad: p.Grad})
	return v
}

// Constant records a rows x cols matrix without a gradient. It is not copied.
func (t *Tape[T]) Constant(rows, cols int, x []T) Value {
	ErrShape.Unless(len(x) == rows*cols)
	v, _ := t.add(node[T]{rows: rows, cols: cols, value: x})
	return v
}

// Shape returns the numbers of rows and columns.
func (t *Tape[T]) Shape(v Value) (rows, cols int) { return t.at(v).rows, t.at(v).cols }

// Data returns the entries, row by row. They are the tape's: they may be read until the next Reset.
func (t *Tape[T]) Data(v Value) []T { return t.at(v).value }

// Number returns the only entry of a 1 x 1 matrix.
func (t *Tape[T]) Number(v Value) float64 {
	n := t.at(v)
	ErrScalar.Unless(len(n.value) == 1)
	return float64(n.value[0])
}

// Gradient returns the derivative of the loss of the last Backward by v, with the rows and columns of v, or nil if v depends on
// no parameter.
func (t *Tape[T]) Gradient(v Value) []T { return t.at(v).grad }

// Backward sets the gradients of everything that the loss, a 1 x 1 matrix, was computed from.
// The order is that of the records, reversed.
func (t *Tape[T]) Backward(loss Value) {
	end := t.at(loss)
	ErrScalar.Unless(len(end.value) == 1)
	if end.grad == nil {
		return
	}
	for i := range t.nodes {
		if n := &t.nodes[i]; !n.shared {
			clear(n.grad)
		}
	}
	end.grad[0] = 1
	for i := int(loss); i >= 0; i-- {
		if n := &t.nodes[i]; n.grad != nil && n.op != nil {
			n.op.back(t, n)
		}
	}
}
