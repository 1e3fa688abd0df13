package evaluate

import (
	"math"

	"cadem/core/kernel"
)

// softmax turns the count values of every item into weights that sum to 1. scratch is
// two columns, the first of which receives the logarithm of the sum of exponentials if
// that is wanted.
func softmax(x []float64, count int, scratch []float64, logSum bool) {
	n := len(scratch) / 2
	top, sum := scratch[:n], scratch[n:]
	copy(top, x)
	for k := 1; k < count; k++ {
		raise(top, x[k*n:])
	}
	for k := range count {
		subtract(x[k*n:][:n], top)
	}
	exps(x[:count*n])
	copy(sum, x)
	for k := 1; k < count; k++ {
		increase(sum, x[k*n:])
	}
	if logSum {
		for i, v := range sum {
			top[i] += kernel.Log(v)
		}
	}
	for i, v := range sum {
		sum[i] = 1 / v
	}
	for k := range count {
		multiply(x[k*n:][:n], sum)
	}
}

// exps replaces numbers x <= 0 by e**x, relative error below 1e-15. It is [kernel.Exp]
// for a whole column: a loop without calls, more than twice as fast.
// Below -708 it returns about 1e-308.
func exps(x []float64) {
	const (
		ln2Hi = 6.93147180369123816490e-01 // leading 33 bits of ln 2
		ln2Lo = 1.90821492927058770002e-10
		shift = 1.5 * (1 << 52) // adding it rounds to a whole number, kept in the low bits
	)
	for i, v := range x {
		if v < -708 {
			v = -708
		}
		t := float64(v*math.Log2E) + shift
		k := t - shift
		r := (v - float64(k*ln2Hi)) - float64(k*ln2Lo)
		// Taylor's series to r^13/13!, |r| <= ln2/2, in pairs of pairs.
		r2 := float64(r * r)
		r4 := float64(r2 * r2)
		p0 := (1 + r) + float64(r2*(1.0/2+float64(r*(1.0/6))))
		p1 := (1.0/24 + float64(r*(1.0/120))) + float64(r2*(1.0/720+float64(r*(1.0/5040))))
		p2 := (1.0/40320 + float64(r*(1.0/362880))) + float64(r2*(1.0/3628800+float64(r*(1.0/39916800))))
		p3 := 1.0/479001600 + float64(r*(1.0/6227020800))
		p := p0 + float64(r4*(p1+float64(r4*(p2+float64(r4*p3)))))
		x[i] = p * math.Float64frombits((math.Float64bits(t)+1023)<<52)
	}
}

// fill sets every element of dst to v.
func fill(dst []float64, v float64) {
	n := len(dst)
	i := 0
	for ; i < n-3; i += 4 {
		dst[i] = v
		dst[i+1] = v
		dst[i+2] = v
		dst[i+3] = v
	}
	for ; i < n; i++ {
		dst[i] = v
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

// subtract takes x from dst.
func subtract(dst, x []float64) {
	n := len(dst)
	x = x[:n]
	i := 0
	for ; i < n-3; i += 4 {
		dst[i] -= x[i]
		dst[i+1] -= x[i+1]
		dst[i+2] -= x[i+2]
		dst[i+3] -= x[i+3]
	}
	for ; i < n; i++ {
		dst[i] -= x[i]
	}
}

// multiply multiplies dst by x, element by element.
func multiply(dst, x []float64) {
	n := len(dst)
	x = x[:n]
	i := 0
	for ; i < n-3; i += 4 {
		dst[i] *= x[i]
		dst[i+1] *= x[i+1]
		dst[i+2] *= x[i+2]
		dst[i+3] *= x[i+3]
	}
	for ; i < n; i++ {
		dst[i] *= x[i]
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

// raise sets dst to the larger of dst and x, element by element.
func raise(dst, x []float64) {
	for i, v := range x[:len(dst)] {
		if v > dst[i] {
			dst[i] = v
		}
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
