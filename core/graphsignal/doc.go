// Package graphsignal makes signals on graphs, numbers that live on nodes: graphs of
// nearest neighbours, filters f(L) of a graph's Laplacian L without its eigenvectors
// (Lanczos), bumps around a node by hop distance, and six dynamics that spread over
// edges.
//
//	w, _ := graphsignal.NeighbourGraph(points, 14)
//	graphsignal.Filter(x, graphsignal.Laplacian(w), noise, 60, func(l float64) float64 { return kernel.Exp(-l) })
//
// Everything is deterministic to the bit; what is random is passed in. Wrong shapes
// panic with [Error].
package graphsignal

import "math"

// Error is a misuse of this package. It is panicked, never returned.
type Error struct{ string }

func (e Error) Error() string { return e.string }

// ErrShape is panicked when the sizes of the arguments do not fit together.
var ErrShape = Error{"graphsignal: dimension mismatch"}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// Norm returns the Euclidean norm of x.
func Norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }

// Scale multiplies x by c.
func Scale(c float64, x []float64) {
	for i := range x {
		x[i] *= c
	}
}

// Add adds c times y to x.
func Add(x []float64, c float64, y []float64) {
	if len(x) != len(y) {
		panic(ErrShape)
	}
	for i, v := range y {
		x[i] += float64(c * v)
	}
}
