package evaluate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// columns copies the given rows of m (all when rows is nil) into columns of dst.
func columns(dst []float64, m *mat.Dense, rows []int) {
	r := m.RawMatrix()
	n := len(rows)
	if rows == nil {
		n = r.Rows
	}
	for i := range n {
		k := i
		if rows != nil {
			k = rows[i]
		}
		for j, v := range r.Data[k*r.Stride : k*r.Stride+r.Cols] {
			dst[j*n+i] = v
		}
	}
}

// standardized returns a copy of x whose columns have mean 0 and population standard
// deviation 1. Columns that are constant up to rounding become 0.
func standardized(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	y := mat.NewDense(n, d, nil)
	col := make([]float64, n)
	for j := range d {
		for i := range col {
			col[i] = x.At(i, j)
		}
		mean, size := total(col)/float64(n), 0.0
		for i, v := range col {
			size = max(size, math.Abs(v))
			col[i] = v - mean
		}
		sd := math.Sqrt(dot(col, col) / float64(n))
		// The mean of n equal numbers is off by at most n roundings.
		if sd <= float64(n)*0x1p-52*size {
			continue
		}
		for i, v := range col {
			y.Set(i, j, v/sd)
		}
	}
	return y
}
