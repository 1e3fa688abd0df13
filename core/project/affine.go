package project

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/linalg"
)

// An Affine map draws rows of an embedding where a picture of it has them, and others beside.
type Affine struct {
	mean, turn []float64 // d, d x 2
	centre     [2]float64
}

// Fit returns the affine map that takes the rows of x (n x d) nearest to their places in a picture, and how far off they are, in units of
// the picture's extent: 0, except for rounding, where the picture is a projection.
func Fit(x *mat.Dense, xy []float32) (a *Affine, off float64) {
	n, d := x.Dims()
	ErrShape.Unless(len(xy) == 2*n)
	a = &Affine{mean: make([]float64, d), turn: make([]float64, 2*d)}
	for i := range n {
		for k, v := range x.RawRowView(i) {
			a.mean[k] += v / float64(n)
		}
		a.centre[0] += float64(xy[2*i]) / float64(n)
		a.centre[1] += float64(xy[2*i+1]) / float64(n)
	}
	s := linalg.NewSVD(max(n, d), d)
	for i := range n {
		for k, v := range x.RawRowView(i) {
			s.A[i*d+k] = v - a.mean[k]
		}
	}
	_ = s.Decompose(nil)
	rank := 0
	for rank < d && rank < n && s.Singular[rank] > 1e-6*s.Singular[0] { // what is known in single precision
		rank++
	}
	left, right := make([]float64, s.Rows*rank), make([]float64, d*rank)
	_ = s.Left(left, rank, nil)
	s.Right(right, rank)
	for r := range rank {
		var along [2]float64
		for i := range n {
			for c := range along {
				along[c] += float64(left[i*rank+r] * (float64(xy[2*i+c]) - a.centre[c]))
			}
		}
		for k := range d {
			for c, v := range along {
				a.turn[2*k+c] += float64(right[k*rank+r] * float64(v/s.Singular[r]))
			}
		}
	}
	far, whole := 0.0, 0.0
	for i, v := range a.Draw(x) {
		e, c := float64(v-xy[i]), float64(xy[i])-a.centre[i%2]
		far, whole = far+float64(e*e), whole+float64(c*c)
	}
	if whole > 0 {
		off = math.Sqrt(far / whole)
	}
	return a, off
}

// Along returns the step of a place in the picture when x (of length d) is added to its row.
func (a *Affine) Along(x []float64) (by [2]float64) {
	ErrShape.Unless(len(x) == len(a.mean))
	for k, v := range x {
		for c := range by {
			by[c] += float64(v * a.turn[2*k+c])
		}
	}
	return by
}

// Draw returns the places of the rows of x, x, y of one after the other.
func (a *Affine) Draw(x *mat.Dense) []float32 {
	n, d := x.Dims()
	ErrShape.Unless(d == len(a.mean))
	xy := make([]float32, 0, 2*n)
	for i := range n {
		at := a.centre
		for k, v := range x.RawRowView(i) {
			for c := range at {
				at[c] += float64((v - a.mean[k]) * a.turn[2*k+c])
			}
		}
		xy = append(xy, float32(at[0]), float32(at[1]))
	}
	return xy
}
