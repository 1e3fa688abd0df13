package connectome

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex/graphsignal"
)

// Moments returns the skewness m3/m2^1.5 and the excess kurtosis m4/m2^2 - 3 of x, m being
// the central moments over all frames (biased). Both are 0 if x is constant.
func Moments(x []float64) (skewness, kurtosis float64) {
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	n := float64(len(x))
	mean /= n
	m2, m3, m4 := 0.0, 0.0, 0.0
	for _, v := range x {
		d := v - mean
		s := float64(d * d)
		m2 += s
		m3 += float64(s * d)
		m4 += float64(s * s)
	}
	m2, m3, m4 = m2/n, m3/n, m4/n
	if m2 == 0 {
		return 0, 0
	}
	return m3 / float64(m2*math.Sqrt(m2)), m4/float64(m2*m2) - 3
}

// Unbiased corrects biased moments of n frames to G1 and G2. It panics if n < 4.
func Unbiased(n int, skewness, kurtosis float64) (g1, g2 float64) {
	ErrShape.Unless(n >= 4)
	f := float64(n)
	g1 = float64(math.Sqrt(float64(f*(f-1)))*skewness) / (f - 2)
	g2 = (f - 1) / float64((f-2)*(f-3)) * (float64((f+1)*kurtosis) + 6)
	return g1, g2
}

// ZScore scales x to mean 0 and population standard deviation 1. If its deviation is at
// most floor, x becomes 0 throughout and false is returned.
func ZScore(x []float64, floor float64) bool {
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	n := float64(len(x))
	mean /= n
	sum := 0.0
	for t := range x {
		x[t] -= mean
		sum += float64(x[t] * x[t])
	}
	deviation := math.Sqrt(sum / n)
	if !(deviation > floor) {
		clear(x)
		return false
	}
	for t := range x {
		x[t] /= deviation
	}
	return true
}

// Correlate writes the Pearson correlations of m series of n frames, rows of x, to the
// m x m matrix dst, with a diagonal of 1. The rows have mean 0 and population standard
// deviation 1, as [ZScore] leaves them; a row of zeros correlates with nothing, not with
// itself either.
func Correlate(dst []float64, x []float64, m, n int) {
	ErrShape.Unless(len(dst) == m*m && len(x) == m*n)
	sums := make([]float64, m)
	for i := range m {
		a := x[i*n : (i+1)*n]
		later := sums[i+1:]
		clear(later)
		kernel.Inner(later, a, x[(i+1)*n:])
		for k, sum := range later {
			r, j := min(max(sum/float64(n), -1), 1), i+1+k
			dst[i*m+j], dst[j*m+i] = r, r
		}
		dst[i*m+i] = 1
		if n > 0 && graphsignal.Norm(a) == 0 {
			dst[i*m+i] = 0
		}
	}
}

// A Regression takes out of a series what a constant and confounds explain, by least
// squares.
type Regression struct {
	Columns int // independent ones, the constant among them

	n     int
	basis graphsignal.Basis
}

// NewRegression returns the regression on a constant and on confounds, rows of n frames
// each. A confound that the constant and those before it explain adds nothing and is left
// out.
func NewRegression(n int, confounds [][]float64) *Regression {
	r := &Regression{n: n}
	const dependent = 1e-10 // share of its length that is left by rounding alone
	r.basis.Grow(slices.Repeat([]float64{1}, n), dependent)
	for _, column := range confounds {
		ErrShape.Unless(len(column) == n)
		r.basis.Grow(slices.Clone(column), dependent)
	}
	r.Columns = len(r.basis)
	return r
}

// Apply takes the confounds out of x. It panics if x has another length than they.
func (r *Regression) Apply(x []float64) {
	ErrShape.Unless(len(x) == r.n)
	r.basis.TakeOut(x)
}
