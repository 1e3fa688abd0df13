package tape

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
)

func Example() {
	// One step of gradient descent on the squared distance between x w and y.
	x, y := []float64{1, 0, 0, 1, 1, 1}, []float64{1, 2, 4}
	w := NewParam[float64]("w", 2, 1)
	t := New[float64]()
	for range 3 {
		t.Reset()
		loss := t.SquaredDistance(t.Mul(t.Constant(3, 2, x), t.Param(w)), t.Constant(3, 1, y))
		t.Backward(loss)
		for i, g := range w.Grad {
			w.Value[i] -= 0.25 * g
		}
		fmt.Println(t.Number(loss), w.Value)
	}
	// Output:
	// 21 [2.5 3]
	// 5.5 [1 1.75]
	// 1.625 [1.625 2.5]
}

// ring is a pattern in which everybody is a neighbour of itself and of the next two.
func ring(n int) *Pattern {
	p := &Pattern{Start: []int32{0}}
	for i := range n {
		marks := make([]bool, n)
		for k := range 3 {
			marks[(i+k)%n], marks[(i-k+n)%n] = true, true
		}
		for j, m := range marks {
			if m {
				p.Index = append(p.Index, int32(j))
			}
		}
		p.Start = append(p.Start, int32(len(p.Index)))
	}
	return p
}

// An entry of the table records one operation of parameters of the given shapes.
type entry[T kernel.Float] struct {
	name   string
	shapes [][2]int
	record func(t *Tape[T], p []Value) Value
}

// entries lists all operations.
func entries[T kernel.Float]() []entry[T] {
	sparse := NewSparse(5, 4, []int32{0, 2, 3, 3, 5, 6}, []int32{0, 2, 1, 0, 3, 2}, []T{1, -2, 0.5, 3, 1, -1})
	square := NewSparse(6, 6, ring(6).Start, ring(6).Index, marks[T](len(ring(6).Index)))
	window := &Operator[T]{}
	window.Window(square, 1, 4)
	dense := NewDense(3, 4, []T{1, 2, -1, 0.5, -2, 1, 0.25, 1, 3, -1, 1, 2})
	both := []*Operator[T]{sparse, dense}
	p := ring(7)
	wide := ring(70) // more than one block of pairs
	four, three, two, lone := []int32{3, 0, 0, 2, 1}, []int32{1, 3, 3}, []int32{2, 0}, []int32{0, 0, 0, 0}
	bounds, owner := []int32{0, 2, 2, 5}, []int32{0, 1, 2, 2}
	type list = []entry[T]
	matrix := list{
		{"Mul", [][2]int{{5, 3}, {3, 4}}, func(t *Tape[T], p []Value) Value { return t.Mul(p[0], p[1]) }},
		{"Mul with a column", [][2]int{{5, 3}, {3, 1}}, func(t *Tape[T], p []Value) Value { return t.Mul(p[0], p[1]) }},
		{"MulTrans", [][2]int{{5, 3}, {4, 3}}, func(t *Tape[T], p []Value) Value { return t.MulTrans(p[0], p[1]) }},
		{"Apply sparse", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Apply(sparse, p[0]) }},
		{"Apply dense", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Apply(dense, p[0]) }},
		{"Apply window", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Apply(window, p[0]) }},
		{"ApplyBlocks", [][2]int{{8, 3}}, func(t *Tape[T], p []Value) Value { return t.ApplyBlocks(both, p[0]) }},
		{"ApplyEach", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.ApplyEach(both, p[0]) }},
		{"Add", [][2]int{{4, 3}, {4, 3}}, func(t *Tape[T], p []Value) Value { return t.Add(p[0], p[1]) }},
		{"Add to itself", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Add(p[0], p[0]) }},
		{"AddRow", [][2]int{{4, 3}, {1, 3}}, func(t *Tape[T], p []Value) Value { return t.AddRow(p[0], p[1]) }},
		{"Scale", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Scale(p[0], -1.5) }},
		{"Times", [][2]int{{4, 3}, {4, 3}}, func(t *Tape[T], p []Value) Value { return t.Times(p[0], p[1]) }},
		{"TimesColumn", [][2]int{{4, 3}, {4, 1}}, func(t *Tape[T], p []Value) Value { return t.TimesColumn(p[0], p[1]) }},
		{"Rows", [][2]int{{5, 3}}, func(t *Tape[T], p []Value) Value { return t.Rows(p[0], 1, 4) }},
		{"Reshape", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Mul(t.Reshape(p[0], 2, 6), t.Reshape(p[0], 6, 2)) }},
		{"Gather", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Gather(p[0], four) }},
		{"ReplaceRows", [][2]int{{4, 3}, {1, 3}}, func(t *Tape[T], p []Value) Value { return t.ReplaceRows(p[0], p[1], two) }},
		{"ClearRows", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.ClearRows(p[0], three[:2]) }},
		{"Beside", [][2]int{{4, 3}, {4, 2}}, func(t *Tape[T], p []Value) Value { return t.Beside(p[0], p[1]) }},
		{"Below", [][2]int{{4, 3}, {2, 3}}, func(t *Tape[T], p []Value) Value { return t.Below(p[0], p[1]) }},
		{"Column", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Column(p[0], 1) }},
	}
	scalar := list{
		{"Sum", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Sum(p[0]) }},
		{"MeanRows", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.MeanRows(p[0]) }},
		{"SumSegments", [][2]int{{5, 3}}, func(t *Tape[T], p []Value) Value { return t.SumSegments(p[0], bounds) }},
		{"RowDot", [][2]int{{4, 5}, {4, 5}}, func(t *Tape[T], p []Value) Value { return t.RowDot(p[0], p[1]) }},
		{"SquaredDistance", [][2]int{{4, 3}, {4, 3}}, func(t *Tape[T], p []Value) Value { return t.SquaredDistance(p[0], p[1]) }},
		{"ReLU", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.ReLU(p[0]) }},
		{"PReLU", [][2]int{{4, 3}, {1, 1}}, func(t *Tape[T], p []Value) Value { return t.PReLU(p[0], p[1]) }},
		{"PReLU of columns", [][2]int{{4, 3}, {1, 3}}, func(t *Tape[T], p []Value) Value { return t.PReLU(p[0], p[1]) }},
		{"Sigmoid", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Sigmoid(p[0]) }},
		{"Tanh", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Tanh(p[0]) }},
		{"Exp", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Exp(p[0]) }},
		{"AtMost", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.AtMost(p[0], 0.3) }},
		{"SoftmaxRows", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.SoftmaxRows(p[0]) }},
		{"NormalizeRows", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.NormalizeRows(p[0]) }},
		{"Centre", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.Centre(p[0]) }},
		{"BatchNorm", [][2]int{{6, 3}, {1, 3}, {1, 3}}, func(t *Tape[T], p []Value) Value { return t.BatchNorm(p[0], p[1], p[2], 1e-5) }},
		{"HeadDot", [][2]int{{4, 6}, {2, 3}}, func(t *Tape[T], p []Value) Value { return t.HeadDot(p[0], p[1]) }},
		{"EdgeSoftmax", [][2]int{{7, 2}, {7, 2}}, func(t *Tape[T], v []Value) Value { return t.EdgeSoftmax(p, v[0], v[1], 0.2) }},
		{"EdgeSum", [][2]int{{35, 2}, {7, 6}}, func(t *Tape[T], v []Value) Value { return t.EdgeSum(p, v[0], v[1]) }},
		{"EdgeSum of one head", [][2]int{{35, 1}, {7, 3}}, func(t *Tape[T], v []Value) Value { return t.EdgeSum(p, v[0], v[1]) }},
		{"CrossEntropy 1", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.CrossEntropy(p[0], 1) }},
		{"CrossEntropy 0", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.CrossEntropy(p[0], 0) }},
		{"LogSigmoid", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.LogSigmoid(p[0], 1) }},
		{"LogSigmoid of -x", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.LogSigmoid(p[0], -1) }},
		{"JensenShannon", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.JensenShannon(p[0], owner) }},
		{"JensenShannon of one graph", [][2]int{{4, 1}}, func(t *Tape[T], p []Value) Value { return t.JensenShannon(p[0], lone) }},
		{"Correlation", [][2]int{{6, 1}, {6, 1}}, func(t *Tape[T], p []Value) Value { return t.Correlation(t.Centre(p[0]), t.Centre(p[1])) }},
		{"Contrast", [][2]int{{6, 1}}, func(t *Tape[T], p []Value) Value { return t.Contrast(p[0], two, three) }},
		{"MeanPower", [][2]int{{4, 3}}, func(t *Tape[T], p []Value) Value { return t.MeanPower(p[0], 3) }},
		{"Divergence", [][2]int{{4, 3}, {4, 3}}, func(t *Tape[T], p []Value) Value { return t.Divergence(p[0], p[1]) }},
		{"InnerProduct", [][2]int{{7, 3}}, func(t *Tape[T], v []Value) Value { return t.InnerProduct(v[0], p) }},
		{"InnerProduct in blocks", [][2]int{{70, 3}}, func(t *Tape[T], v []Value) Value { return t.InnerProduct(v[0], wide) }},
	}
	return append(matrix, scalar...)
}

// marks returns 1, 2, 3 and so on.
func marks[T kernel.Float](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(i + 1)
	}
	return x
}

// params returns parameters with values of the stream of that name, the same in both precisions.
func params[T kernel.Float](name string, shapes [][2]int) (list []*Param[T]) {
	src := rng.New(1, name)
	for k, s := range shapes {
		p := NewParam[T](fmt.Sprint(k), s[0], s[1])
		for i := range p.Value {
			p.Value[i] = T(float32(src.Norm()))
		}
		list = append(list, p)
	}
	return list
}

var operands []Value // one memory for all steps

// weighted records the operation and sums what it gives with weights, for a number to differentiate.
func (e entry[T]) weighted(t *Tape[T], list []*Param[T], weights []T) Value {
	t.Reset()
	operands = operands[:0]
	for _, p := range list {
		operands = append(operands, t.Param(p))
	}
	v := e.record(t, operands)
	rows, cols := t.Shape(v)
	return t.Sum(t.Times(v, t.Constant(rows, cols, weights[:rows*cols])))
}

func weights[T kernel.Float]() []T {
	src := rng.New(2, "weights")
	x := make([]T, 100)
	for i := range x {
		x[i] = T(float32(src.Norm()))
	}
	return x
}

// The gradient of every operation is that of difference quotients.
func TestGradients(t *testing.T) {
	const step = 1e-5
	r := weights[float64]()
	tp := New[float64]()
	for _, e := range entries[float64]() {
		list := params[float64](e.name, e.shapes)
		tp.Backward(e.weighted(tp, list, r))
		for k, p := range list {
			grad := append([]float64(nil), p.Grad...)
			for i, x := range p.Value {
				p.Value[i] = x + step
				up := tp.Number(e.weighted(tp, list, r))
				p.Value[i] = x - step
				down := tp.Number(e.weighted(tp, list, r))
				p.Value[i] = x
				want := (up - down) / (2 * step)
				if d := math.Abs(grad[i]-want) / (1 + math.Abs(want)); !(d < 1e-6) {
					t.Errorf("%s: derivative by entry %d of operand %d is %g, the quotient %g", e.name, i, k, grad[i], want)
				}
			}
		}
	}
}

// Single precision gives the gradients of double precision as far as it goes.
func TestSinglePrecision(t *testing.T) {
	double, single := entries[float64](), entries[float32]()
	for k, e := range double {
		x, y := params[float64](e.name, e.shapes), params[float32](e.name, e.shapes)
		a, b := New[float64](), New[float32]()
		a.Backward(e.weighted(a, x, weights[float64]()))
		b.Backward(single[k].weighted(b, y, weights[float32]()))
		for q, p := range x {
			for i, want := range p.Grad {
				if d := math.Abs(float64(y[q].Grad[i])-want) / (1 + math.Abs(want)); !(d < 2e-5) {
					t.Errorf("%s: derivative by entry %d of operand %d is %g, in double precision %g", e.name, i, q, y[q].Grad[i], want)
				}
			}
		}
	}
}

// A second step of the same operations takes no memory and gives the same bits.
func TestSecondStep(t *testing.T) {
	r := weights[float32]()
	for _, e := range entries[float32]() {
		list := params[float32](e.name, e.shapes)
		tp := New[float32]()
		step := func() { tp.Backward(e.weighted(tp, list, r)) }
		step()
		first := append([]float32(nil), list[0].Grad...)
		if n := testing.AllocsPerRun(3, step); n > 0 {
			t.Errorf("%s: %v allocations in a step", e.name, n)
		}
		for i, g := range list[0].Grad {
			if math.Float32bits(g) != math.Float32bits(first[i]) {
				t.Fatalf("%s: derivative %d is %v, at first %v", e.name, i, g, first[i])
			}
		}
	}
}

// Shapes that do not fit are found when the operation is recorded.
func TestShapes(t *testing.T) {
	tp := New[float64]()
	a, b := tp.Constant(2, 3, make([]float64, 6)), tp.Constant(2, 2, make([]float64, 4))
	p := ring(5)
	for name, f := range map[string]func(){
		"Constant": func() { tp.Constant(2, 2, make([]float64, 3)) }, "Mul": func() { tp.Mul(a, b) }, "MulTrans": func() { tp.MulTrans(a, b) },
		"Apply": func() { tp.Apply(NewDense(2, 3, make([]float64, 6)), a) }, "Add": func() { tp.Add(a, b) },
		"ApplyBlocks": func() { tp.ApplyBlocks(nil, a) }, "ApplyEach": func() { tp.ApplyEach([]*Operator[float64]{NewDense(1, 1, []float64{1})}, a) },
		"AddRow": func() { tp.AddRow(a, b) },
		"Times":  func() { tp.Times(a, b) }, "TimesColumn": func() { tp.TimesColumn(a, b) }, "Rows": func() { tp.Rows(a, 1, 3) },
		"Reshape": func() { tp.Reshape(a, 2, 2) }, "Gather": func() { tp.Gather(a, []int32{2}) }, "ReplaceRows": func() { tp.ReplaceRows(a, b, nil) },
		"Beside": func() { tp.Beside(a, tp.Reshape(b, 4, 1)) }, "Below": func() { tp.Below(a, b) }, "Column": func() { tp.Column(a, 3) },
		"SumSegments": func() { tp.SumSegments(a, []int32{0, 1}) }, "RowDot": func() { tp.RowDot(a, b) },
		"SquaredDistance": func() { tp.SquaredDistance(a, b) }, "PReLU": func() { tp.PReLU(a, b) }, "BatchNorm": func() { tp.BatchNorm(a, b, b, 1) },
		"HeadDot": func() { tp.HeadDot(a, b) }, "EdgeSoftmax": func() { tp.EdgeSoftmax(p, a, a, 0) }, "EdgeSum": func() { tp.EdgeSum(p, a, b) },
		"JensenShannon": func() { tp.JensenShannon(a, nil) }, "Correlation": func() { tp.Correlation(a, a) }, "Contrast": func() { tp.Contrast(a, nil, nil) },
		"MeanPower": func() { tp.MeanPower(a, 0) }, "Divergence": func() { tp.Divergence(a, b) }, "InnerProduct": func() { tp.InnerProduct(a, p) },
		"SetValues": func() { NewDense(1, 1, []float64{1}).SetValues(nil) }, "NewSparse": func() { NewSparse(1, 1, []int32{0}, nil, []float64{}) },
		"Window": func() { (&Operator[float64]{}).Window(NewDense(1, 1, []float64{1}), 0, 1) },
	} {
		expectPanic(t, name, ErrShape, f)
	}
	expectPanic(t, "Backward", ErrScalar, func() { tp.Backward(a) })
	expectPanic(t, "Number", ErrScalar, func() { tp.Number(a) })
}

func expectPanic(t *testing.T, name string, want error, f func()) {
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, want) {
			t.Errorf("%s: %v, expected %v", name, err, want)
		}
	}()
	f()
}

// Reverse gives the value and the gradient with the sign turned.
func TestReverse(t *testing.T) {
	p := params[float64]("reverse", [][2]int{{2, 2}})[0]
	tp := New[float64]()
	tp.Backward(tp.Sum(tp.Reverse(tp.Param(p))))
	for _, g := range p.Grad {
		if g != -1 {
			t.Errorf("derivative %v, expected -1", g)
		}
	}
}

// Derivatives where a function has a corner, and where a row has no direction.
func TestCorners(t *testing.T) {
	zero, slope := NewParam[float64]("x", 2, 2), NewParam[float64]("slope", 1, 1)
	slope.Value[0] = 0.25
	for name, c := range map[string]struct {
		record func(t *Tape[float64], x Value) Value
		want   float64
	}{
		"ReLU":          {func(t *Tape[float64], x Value) Value { return t.ReLU(x) }, 0},
		"PReLU":         {func(t *Tape[float64], x Value) Value { return t.PReLU(x, t.Param(slope)) }, 0.25},
		"NormalizeRows": {func(t *Tape[float64], x Value) Value { return t.NormalizeRows(x) }, 0},
		"Correlation":   {func(t *Tape[float64], x Value) Value { return t.Correlation(t.Column(x, 0), t.Column(x, 1)) }, 0},
	} {
		tp := New[float64]()
		tp.Backward(tp.Sum(c.record(tp, tp.Param(zero))))
		for _, g := range zero.Grad {
			if g != c.want {
				t.Errorf("%s: derivative %v at 0, expected %v", name, g, c.want)
			}
		}
	}
}
