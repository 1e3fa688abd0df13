package descent

import (
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/baseline/tape"
)

// A Drawer fills dst, of any length, with initial values, named by what they are for.
type Drawer interface {
	Uniform(dst []float64, low, high float64, what string, round int)
	Normal(dst []float64, deviation float64, what string, round int)
}

// An Initial makes parameters and draws their first values.
type Initial[T kernel.Float] struct {
	Draw   Drawer
	Prefix string // of the names under which is drawn
	List   []*tape.Param[T]
}

// Params returns the parameters made so far, as a [Model] lists them.
func (b *Initial[T]) Params() []*tape.Param[T] { return b.List }

// Uniform adds a parameter with entries between -bound and bound.
func (b *Initial[T]) Uniform(name string, rows, cols int, bound float64) *tape.Param[T] {
	return b.within(name, rows, cols, -bound, bound)
}

// Constant adds a parameter of one value. It is drawn, too, between that value and itself, for a
// comparison with another program to begin elsewhere.
func (b *Initial[T]) Constant(name string, rows, cols int, value float64) *tape.Param[T] {
	return b.within(name, rows, cols, value, value)
}

// Xavier adds a weight matrix within sqrt(6 / (rows + cols)) of 0 (Glorot and Bengio 2010).
func (b *Initial[T]) Xavier(name string, rows, cols int) *tape.Param[T] {
	return b.Uniform(name, rows, cols, math.Sqrt(6/float64(rows+cols)))
}

// Bilinear adds the matrix of a bilinear form by the same rule on a tensor of 1 x rows x cols, as
// PyTorch applies it: within sqrt(6 / ((rows + 1) cols)).
func (b *Initial[T]) Bilinear(name string, rows, cols int) *tape.Param[T] {
	return b.Uniform(name, rows, cols, math.Sqrt(6/(float64(rows+1)*float64(cols))))
}

// Linear adds weights and bias of a linear map as PyTorch draws them: within 1/sqrt(rows) of 0.
func (b *Initial[T]) Linear(weight, bias string, rows, cols int) (w, c *tape.Param[T]) {
	bound := 1 / math.Sqrt(float64(rows))
	return b.Uniform(weight, rows, cols, bound), b.Uniform(bias, 1, cols, bound)
}

// Normal adds a parameter with normal entries of mean 0 and that standard deviation.
func (b *Initial[T]) Normal(name string, rows, cols int, deviation float64) *tape.Param[T] {
	x := make([]float64, rows*cols)
	b.Draw.Normal(x, deviation, b.Prefix+name, 0)
	return b.add(name, rows, cols, x)
}

func (b *Initial[T]) within(name string, rows, cols int, low, high float64) *tape.Param[T] {
	x := make([]float64, rows*cols)
	b.Draw.Uniform(x, low, high, b.Prefix+name, 0)
	return b.add(name, rows, cols, x)
}

func (b *Initial[T]) add(name string, rows, cols int, x []float64) *tape.Param[T] {
	p := tape.NewParam[T](name, rows, cols)
	for i, v := range x {
		p.Value[i] = T(v)
	}
	b.List = append(b.List, p)
	return p
}
