package run

import (
	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/project"
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
	if f.projectors == nil {
		f.projectors = make([]project.Projector, 1+len(e.Private))
	}
	m, _ := e.Consensus.Dims()
	xy = make([]float32, 2*m*len(f.projectors))
	sum := sumOf(e.Common)
	for i := range f.projectors {
		x, axes := e.Consensus, sum
		if i > 0 {
			x = e.Private[i-1]
			axes = x
		}
		_, share, err := f.projectors[i].Along(xy[2*m*i:2*m*(i+1)], x, axes)
		if err != nil {
			return nil, nil, err
		}
		explained = append(explained, share[0]+share[1])
	}
	return xy, explained, nil
}

// Turn lays earlier frames of a run, one behind the other, onto a later one: each of so many embeddings onto that of the
// frame after it. It panics if they are of another size.
//
// How a frame came to be turned in the course of a run does not matter afterwards, but for rounding; frames that
// are each the first of a Film give the same bits on every machine.
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

// Kept tells whether the picture of a run at the end of an epoch is kept: of 0, 1, 2, 3, 5, 8, 13 and so on, each the
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
