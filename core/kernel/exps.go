package kernel

import "math"

// Exps replaces numbers x <= 0 by e**x, relative error below 1e-15. It is [Exp] for many
// at once: a loop without calls, several times as fast.
//
// Below -100 it returns e**-100, about 4e-44: nothing beside a 1, and products of such numbers
// stay clear of the subnormal ones, with which processors are a hundred times slower.
func Exps(x []float64) {
	const shift = 1.5 * (1 << 52) // adding it rounds to a whole number, kept in the low bits
	x = x[vectorExps(x):]
	for i, v := range x {
		if v < -100 {
			v = -100
		}
		t := float64(v*log2E) + shift
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

// Softmax turns the values x[k*n+i] of every item i < n into weights e**(x-top) / sum, top
// being their maximum; n is the length of top and of sum, which are filled for the caller. The
// exponentials are those of [Exps].
func Softmax(x, top, sum []float64) {
	n := len(top)
	if len(sum) != n || n == 0 || len(x) < n || len(x)%n != 0 {
		panic(ErrShape)
	}
	from := vectorSoftmax(x, top, sum)
	if from == n {
		return
	}
	top, sum = top[from:], sum[from:]
	columns := func(k int) []float64 { return x[k*n+from:][:len(top)] }
	copy(top, columns(0))
	for k := 1; k < len(x)/n; k++ {
		for i, v := range columns(k) {
			if v > top[i] {
				top[i] = v
			}
		}
	}
	clear(sum)
	for k := range len(x) / n {
		c := columns(k)
		for i, v := range top {
			c[i] -= v
		}
		Exps(c)
		for i, v := range c {
			sum[i] += v
		}
	}
	for k := range len(x) / n {
		c := columns(k)
		for i, v := range sum {
			c[i] /= v
		}
	}
}
