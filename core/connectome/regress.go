package connectome

import "math"

// A Regression takes out of a series what a constant and confounds explain, by least
// squares.
type Regression struct {
	Columns int // independent ones, the constant among them

	n     int
	basis []float64 // orthonormal, Columns x n
}

// NewRegression returns the regression on a constant and on confounds, rows of n frames
// each. A confound that the constant and those before it explain adds nothing and is left
// out.
func NewRegression(n int, confounds [][]float64) *Regression {
	r := &Regression{n: n}
	column := make([]float64, n)
	for k := -1; k < len(confounds); k++ {
		if k < 0 {
			for t := range column {
				column[t] = 1
			}
		} else if copy(column, confounds[k]) != n || len(confounds[k]) != n {
			panic(ErrShape)
		}
		before := length(column)
		r.Apply(column)
		after := length(column)
		const dependent = 1e-10 // share of its length that is left by rounding alone
		if after <= dependent*before || after == 0 {
			continue
		}
		for t := range column {
			column[t] /= after
		}
		r.basis = append(r.basis, column...)
		r.Columns++
	}
	return r
}

// length returns the root of the sum of squares of x.
func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// Apply takes the confounds out of x. It panics if x has another length than they.
func (r *Regression) Apply(x []float64) {
	if len(x) != r.n {
		panic(ErrShape)
	}
	// Gram-Schmidt, twice: once loses digits where confounds resemble each other.
	for range 2 {
		for k := range r.Columns {
			b := r.basis[k*r.n : (k+1)*r.n]
			sum := 0.0
			for t, v := range x {
				sum += float64(v * b[t])
			}
			for t := range x {
				x[t] -= float64(sum * b[t])
			}
		}
	}
}
