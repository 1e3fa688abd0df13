package evaluate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
)

// softmax turns the count values of every item into weights that sum to 1. scratch is two columns;
// the first receives the logarithm of the sum of exponentials if that is wanted.
func softmax(x []float64, count int, scratch []float64, logSum bool) {
	n := len(scratch) / 2
	top, sum := scratch[:n], scratch[n:]
	kernel.Softmax(x[:count*n], top, sum)
	if logSum {
		for i, v := range sum {
			top[i] += kernel.Log(v)
		}
	}
}

// scale multiplies dst by f.
func scale(dst []float64, f float64) {
	for i := range dst {
		dst[i] *= f
	}
}

// tally adds x to four parts of a sum, and returns the sum. Pieces of a multiple of 8 numbers may come one after the other.
func tally(parts, x []float64) float64 {
	s := (*[4]float64)(parts)
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	n, i := len(x), 0
	for ; i < n-7; i += 8 {
		s0 += x[i] + x[i+4]
		s1 += x[i+1] + x[i+5]
		s2 += x[i+2] + x[i+6]
		s3 += x[i+3] + x[i+7]
	}
	for ; i < n; i++ {
		s0 += x[i]
	}
	s[0], s[1], s[2], s[3] = s0, s1, s2, s3
	return (s0 + s1) + (s2 + s3)
}

// total returns the sum of x.
func total(x []float64) float64 {
	var parts [4]float64
	return tally(parts[:], x)
}

// dot returns the inner product of a and b.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	n, i := len(a), 0
	b = b[:n]
	for ; i < n-7; i += 8 {
		s0 += float64(a[i]*b[i]) + float64(a[i+4]*b[i+4])
		s1 += float64(a[i+1]*b[i+1]) + float64(a[i+5]*b[i+5])
		s2 += float64(a[i+2]*b[i+2]) + float64(a[i+6]*b[i+6])
		s3 += float64(a[i+3]*b[i+3]) + float64(a[i+7]*b[i+7])
	}
	for ; i < n; i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// standardized returns a copy of x whose columns have mean 0 and population standard
// Deviation 1. Columns that are constant up to rounding become 0.
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
