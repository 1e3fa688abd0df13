package run

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Lengths returns the Euclidean norm of every row.
func Lengths(x *mat.Dense) []float64 {
	m, _ := x.Dims()
	norms := make([]float64, m)
	for i := range norms {
		square := 0.0
		for _, v := range x.RawRowView(i) {
			square += float64(v * v)
		}
		norms[i] = math.Sqrt(square)
	}
	return norms
}
