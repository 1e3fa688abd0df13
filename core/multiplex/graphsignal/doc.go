// Package graphsignal makes signals on graphs, numbers that live on nodes: graphs of
// nearest neighbours, filters f(L) of a graph's Laplacian L without its eigenvectors
// (Lanczos), bumps around a node by hop distance, and six dynamics that spread over
// edges.
//
//	w, _ := graphsignal.NeighbourGraph(points, 14)
//	graphsignal.Filter(x, graphsignal.Laplacian(w), noise, 60, func(l float64) float64 { return kernel.Exp(-l) })
//
// Everything is deterministic to the bit; what is random is passed in. Wrong shapes
// panic with a diag.Misuse.
package graphsignal

import (
	"math"

	"cadem.example/core/base/diag"
)

// ErrShape is panicked when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "graphsignal: dimension mismatch"

// Dot returns the inner product of a and b, which have the same length, added up from the first to the last.
func Dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// Norm returns the Euclidean norm of x, of any length.
func Norm(x []float64) float64 { return math.Sqrt(Dot(x, x)) }

// Scale multiplies x by c.
func Scale(c float64, x []float64) {
	for i := range x {
		x[i] *= c
	}
}

// Add adds c times y to x, which has the same length.
func Add(x []float64, c float64, y []float64) {
	ErrShape.Unless(len(x) == len(y))
	for i, v := range y {
		x[i] += float64(c * v)
	}
}

// A Basis is orthonormal vectors of one length.
type Basis [][]float64

// TakeOut takes what x has along the vectors out of it: twice, as once loses digits where they resemble it.
func (b Basis) TakeOut(x []float64) {
	for range 2 {
		for _, u := range b {
			Add(x, -Dot(x, u), u)
		}
	}
}

// Grow adds what x has beside the vectors, in x itself, unless that is at most a share of its length.
func (b *Basis) Grow(x []float64, share float64) {
	before := Norm(x)
	b.TakeOut(x)
	after := Norm(x)
	if after <= share*before || after == 0 {
		return
	}
	for i := range x {
		x[i] /= after
	}
	*b = append(*b, x)
}

// addDot adds c times y to x and returns the inner product of z with the new x: one loop where
// two would take twice as long. All are of the same length.
func addDot(x []float64, c float64, y, z []float64) float64 {
	y, z = y[:len(x)], z[:len(x)]
	sum, i := 0.0, 0
	for ; i+4 <= len(x); i += 4 {
		x, y, z := (*[4]float64)(x[i:]), (*[4]float64)(y[i:]), (*[4]float64)(z[i:])
		x0, x1, x2, x3 := x[0]+float64(c*y[0]), x[1]+float64(c*y[1]), x[2]+float64(c*y[2]), x[3]+float64(c*y[3])
		x[0], x[1], x[2], x[3] = x0, x1, x2, x3
		sum = sum + float64(z[0]*x0) + float64(z[1]*x1) + float64(z[2]*x2) + float64(z[3]*x3)
	}
	for ; i < len(x); i++ {
		x[i] += float64(c * y[i])
		sum += float64(z[i] * x[i])
	}
	return sum
}
