package run

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/cadem"
	"cadem.example/core/project"
)

// A Film draws the frames of a run, in two dimensions: the consensus and every private
// embedding, each aligned to the frame before.
//
// Private embeddings are drawn along their principal axes. The consensus is whitened, so
// that its own are arbitrary; it is drawn along those of the sum of the common embeddings it
// is taken from, where what the layers share is largest.
type Film struct{ projectors []project.Projector }

// Frame returns the coordinates of S, P_1, ..., P_N, (1 + N) x M x 2, and for each the part
// of the variance that the two axes hold.
func (f *Film) Frame(e *cadem.Embeddings) (xy []float32, explained []float64, err error) {
	return f.along(append([]*mat.Dense{e.Consensus}, e.Private...), sumOf(e.Common))
}

// wide: from this width on, the axes of an embedding are sought among its leading directions alone. Finding all takes the cube
// of the width.
const wide = 64

// FrameOf returns the coordinates of embeddings that are drawn along their own principal axes, as [Film.Frame] does.
func (f *Film) FrameOf(list []*mat.Dense) (xy []float32, explained []float64, err error) {
	list = slices.Clone(list)
	part := make([]float64, len(list))
	for i, x := range list {
		if _, d := x.Dims(); d <= wide {
			part[i] = 1
		} else if list[i], part[i], err = leading(x); err != nil {
			return nil, nil, err
		}
	}
	xy, explained, err = f.along(list, list[0])
	for i := range explained {
		explained[i] *= part[i]
	}
	return xy, explained, err
}

// leading returns x along its leading directions, and the part of its variance that they hold.
func leading(x *mat.Dense) (y *mat.Dense, part float64, err error) {
	const directions = 8
	m, d := x.Dims()
	centred, total := make([]float64, 0, m*d), 0.0
	means := make([]float64, d)
	for i := range m {
		for j, v := range x.RawRowView(i) {
			means[j] += v / float64(m)
		}
	}
	for i := range m {
		for j, v := range x.RawRowView(i) {
			c := v - means[j]
			centred = append(centred, c)
			total += float64(c * c)
		}
	}
	operator := &linalg.Operator{Rows: m, Cols: d, Mul: func(dst, b []float64, columns int) error {
		kernel.Mul(dst, centred, b, m, d, columns)
		return nil
	}, MulTrans: func(dst, b []float64, columns int) error {
		clear(dst)
		kernel.AddMulTrans(dst, centred, b, m, d, columns)
		return nil
	}}
	singular, left, err := linalg.Leading(operator, directions, nil)
	if err != nil {
		return nil, 0, err
	}
	held := 0.0
	for i := range m {
		for k, s := range singular {
			left[i*directions+k] *= s
		}
	}
	for _, s := range singular {
		held += float64(s * s)
	}
	if total > 0 {
		part = held / total
	}
	return mat.NewDense(m, directions, left), part, nil
}

// along draws the first along other axes.
func (f *Film) along(list []*mat.Dense, first *mat.Dense) (xy []float32, explained []float64, err error) {
	if f.projectors == nil {
		f.projectors = make([]project.Projector, len(list))
	}
	m, _ := list[0].Dims()
	xy = make([]float32, 2*m*len(list))
	for i, x := range list {
		axes := x
		if i == 0 {
			axes = first
		}
		_, share, err := f.projectors[i].Along(xy[2*m*i:2*m*(i+1)], x, axes)
		if err != nil {
			return nil, nil, err
		}
		explained = append(explained, share[0]+share[1])
	}
	return xy, explained, nil
}

// Turn lays earlier frames of a run, one behind the other, onto a later one: each embedding onto that of the frame after
// it. It panics if their sizes differ.
//
// The result does not depend on earlier turns during the run, except for rounding. Frames that are each the first of a
// Film give the same bits on every machine.
func Turn(frames, onto []float32, embeddings int) {
	size := len(onto) / embeddings
	for len(frames) > 0 {
		rest := len(frames) - len(onto)
		for at := 0; at < len(onto); at += size {
			project.Align(frames[rest+at:rest+at+size], onto[at:at+size])
		}
		frames, onto = frames[:rest], frames[rest:]
	}
}

// Kept reports whether the picture of a run at the end of an epoch is kept: of 0, 1, 2, 3, 5, 8, 13 and so on, each the
// sum of the two before it.
func Kept(epoch int) bool {
	a, b := 0, 1
	for a < epoch {
		a, b = b, a+b
	}
	return a == epoch
}

// sumOf returns the sum of matrices of one size.
func sumOf(list []*mat.Dense) *mat.Dense {
	sum := mat.NewDense(list[0].RawMatrix().Rows, list[0].RawMatrix().Cols, nil) // mat.DenseCopyOf links code for every kind of matrix
	to := sum.RawMatrix().Data
	for _, c := range list {
		for i, v := range c.RawMatrix().Data {
			to[i] += v
		}
	}
	return sum
}
