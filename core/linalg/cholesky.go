package linalg

import (
	"math"

	"cadem/core/kernel"
)

// Cholesky replaces the lower triangle of a positive definite matrix of m x m by its Cholesky factor
// L. It pauses after every column.
func Cholesky(a []float64, m int, pause Pause) error {
	for j := range m {
		row := a[j*m : j*m+j+1]
		row[j] = math.Sqrt(row[j] - dot(row[:j], row[:j]))
		for i := j + 1; i < m; i++ {
			other := a[i*m : i*m+j+1]
			other[j] = (other[j] - dot(other[:j], row[:j])) / row[j]
		}
		if err := pause.after((m - j) * j); err != nil {
			return err
		}
	}
	return nil
}

// Forward solves L y = x in place, where x is 0 before entry from.
func Forward(l, x []float64, m, from int) {
	for i := from; i < m; i++ {
		x[i] = (x[i] - dot(l[i*m+from:i*m+i], x[from:i])) / l[i*m+i]
	}
}

// Backward solves L'y = x in place.
func Backward(l, x []float64, m int) {
	for i := m - 1; i >= 0; i-- {
		x[i] /= l[i*m+i]
		kernel.AddScaled(x[:i], l[i*m:], -x[i])
	}
}

// dot returns the inner product of two vectors of the same length, summed in four parts.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b := (*[4]float64)(x[i:]), (*[4]float64)(y[i:])
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	for ; i < len(x); i++ {
		s0 += float64(x[i] * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}
