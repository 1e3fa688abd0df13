package descent

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline/tape"
	"cadem.example/core/multiplex"
)

// Features are the inputs of one graph as operators. Those of the identity stay symbolic: X W is W.
type Features[T kernel.Float] struct {
	Rows, Cols int
	X          *tape.Operator[T] // nil for the identity
}

// NewFeatures returns the features. If normalise is set, every row is divided by its sum, and a row
// whose sum is 0 becomes 0.
func NewFeatures[T kernel.Float](x *multiplex.Features, normalise bool) *Features[T] {
	f := &Features[T]{Rows: x.Rows, Cols: x.Cols}
	if x.IsIdentity() {
		return f
	}
	row := func(values []T, get func(k int) float64) {
		sum := 0.0
		for k := range values {
			sum += get(k)
		}
		for k := range values {
			switch {
			case !normalise:
				values[k] = T(get(k))
			case sum != 0:
				values[k] = T(get(k) / sum)
			}
		}
	}
	if s := x.Sparse; s != nil {
		values := make([]T, s.NNZ())
		for i := range x.Rows {
			from := int(s.Start[i])
			row(values[from:s.Start[i+1]], func(k int) float64 { return Entry(s, from+k) })
		}
		f.X = tape.NewSparse(x.Rows, x.Cols, s.Start, s.Index, values)
		return f
	}
	values := make([]T, len(x.Dense))
	for i := range x.Rows {
		from := i * x.Cols
		row(values[from:from+x.Cols], func(k int) float64 { return x.Dense[from+k] })
	}
	f.X = tape.NewDense(x.Rows, x.Cols, values)
	return f
}

// Times records X w.
func (f *Features[T]) Times(t *tape.Tape[T], w tape.Value) tape.Value {
	if f.X == nil {
		return w
	}
	return t.Apply(f.X, w)
}

// Dense returns all entries, row by row.
func (f *Features[T]) Dense() []T {
	if f.X != nil {
		return f.X.Dense()
	}
	x := make([]T, f.Rows*f.Cols)
	for i := range f.Rows {
		x[i*f.Cols+i] = 1
	}
	return x
}

// Entry returns stored entry k of a matrix.
func Entry(a *multiplex.CSR, k int) float64 {
	if a.Value == nil {
		return 1
	}
	return a.Value[k]
}

// NewOperator returns a sparse matrix as an operator.
func NewOperator[T kernel.Float](a *multiplex.CSR) *tape.Operator[T] {
	values := make([]T, a.NNZ())
	for k := range values {
		values[k] = T(Entry(a, k))
	}
	return tape.NewSparse(a.Rows, a.Cols, a.Start, a.Index, values)
}

// WithLoops returns the pattern of a matrix with every node its own neighbour.
func WithLoops(a *multiplex.CSR) *tape.Pattern {
	p := &tape.Pattern{Start: make([]int32, 1, a.Rows+1)}
	for i := range a.Rows {
		own := false
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			if int(j) > i && !own {
				p.Index, own = append(p.Index, int32(i)), true
			}
			own = own || int(j) == i
			p.Index = append(p.Index, j)
		}
		if !own {
			p.Index = append(p.Index, int32(i))
		}
		p.Start = append(p.Start, int32(len(p.Index)))
	}
	return p
}
