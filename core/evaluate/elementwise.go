package evaluate

import (
	"cadem/core/kernel"
)

// softmax turns the count values of every item into weights that sum to 1. scratch is
// two columns, the first of which receives the logarithm of the sum of exponentials if
// that is wanted.
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

// increase adds x to dst.
func increase(dst, x []float64) {
	n := len(dst)
	x = x[:n]
	i := 0
	for ; i < n-3; i += 4 {
		dst[i] += x[i]
		dst[i+1] += x[i+1]
		dst[i+2] += x[i+2]
		dst[i+3] += x[i+3]
	}
	for ; i < n; i++ {
		dst[i] += x[i]
	}
}

// scale multiplies dst by f.
func scale(dst []float64, f float64) {
	n := len(dst)
	i := 0
	for ; i < n-3; i += 4 {
		dst[i] *= f
		dst[i+1] *= f
		dst[i+2] *= f
		dst[i+3] *= f
	}
	for ; i < n; i++ {
		dst[i] *= f
	}
}

// total returns the sum of x.
func total(x []float64) float64 {
	var s0, s1, s2, s3 float64
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
	return (s0 + s1) + (s2 + s3)
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

// axpy adds f x to dst.
func axpy(dst []float64, f float64, x []float64) {
	n := len(dst)
	x = x[:n]
	i := 0
	for ; i < n-3; i += 4 {
		dst[i] += float64(f * x[i])
		dst[i+1] += float64(f * x[i+1])
		dst[i+2] += float64(f * x[i+2])
		dst[i+3] += float64(f * x[i+3])
	}
	for ; i < n; i++ {
		dst[i] += float64(f * x[i])
	}
}
