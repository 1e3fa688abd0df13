package kernel

import "math"

// The loops of the evaluation work on columns of float64: coordinate j of all n items lies in
// x[j*n:(j+1)*n], so a loop takes neighbouring items together and is entered once for all
// of them. The terms of a sum come in increasing order of the inner index.

// Combine sets dst[i] = bias + sum over j of coef[j*stride] x[j*n+i], j < count, where n is the
// length of dst.
func Combine(dst []float64, bias float64, coef []float64, stride, count int, x []float64) {
	n := len(dst)
	if count < 0 || len(x) < count*n || (count > 0 && (stride < 1 || len(coef) <= (count-1)*stride)) {
		panic(ErrShape)
	}
	if dst = dst[vectorCombine(dst, bias, coef, stride, count, x):]; len(dst) == 0 {
		return
	}
	x = x[n-len(dst):]
	for i := range dst {
		dst[i] = bias
	}
	j := 0
	for ; j+4 <= count; j += 4 {
		x0, x1, x2, x3 := four(x[j*n:], n, len(dst))
		c0, c1, c2, c3 := coef[j*stride], coef[(j+1)*stride], coef[(j+2)*stride], coef[(j+3)*stride]
		i := 0
		for ; i < len(dst)-1; i += 2 { // two items a turn: turns are dear in WebAssembly
			dst[i] = dst[i] + float64(c0*x0[i]) + float64(c1*x1[i]) + float64(c2*x2[i]) + float64(c3*x3[i])
			dst[i+1] = dst[i+1] + float64(c0*x0[i+1]) + float64(c1*x1[i+1]) + float64(c2*x2[i+1]) + float64(c3*x3[i+1])
		}
		if i < len(dst) {
			dst[i] = dst[i] + float64(c0*x0[i]) + float64(c1*x1[i]) + float64(c2*x2[i]) + float64(c3*x3[i])
		}
	}
	for ; j < count; j++ {
		c := coef[j*stride]
		for i, v := range x[j*n:][:len(dst)] {
			dst[i] += float64(c * v)
		}
	}
}

// four returns that number of items of four neighbouring columns, n apart.
func four(x []float64, n, items int) (x0, x1, x2, x3 []float64) {
	return x[:items], x[n:][:items], x[2*n:][:items], x[3*n:][:items]
}

// Blend sets dst[i] = sum over s of a[s*n+i] x[s*stride+i], s < count, where n is the length
// of dst.
func Blend(dst, a, x []float64, stride, count int) {
	n := len(dst)
	if count < 0 || len(a) < count*n || (count > 0 && (stride < 0 || len(x) < (count-1)*stride+n)) {
		panic(ErrShape)
	}
	from := vectorBlend(dst, a, x, stride, count)
	if dst = dst[from:]; len(dst) == 0 {
		return
	}
	a, x = a[min(from, len(a)):], x[min(from, len(x)):]
	clear(dst)
	s := 0
	for ; s+4 <= count; s += 4 {
		a0, a1, a2, a3 := four(a[s*n:], n, len(dst))
		x0, x1, x2, x3 := four(x[s*stride:], stride, len(dst))
		i := 0
		for ; i < len(dst)-1; i += 2 {
			dst[i] = dst[i] + float64(a0[i]*x0[i]) + float64(a1[i]*x1[i]) + float64(a2[i]*x2[i]) + float64(a3[i]*x3[i])
			dst[i+1] = dst[i+1] + float64(a0[i+1]*x0[i+1]) + float64(a1[i+1]*x1[i+1]) + float64(a2[i+1]*x2[i+1]) + float64(a3[i+1]*x3[i+1])
		}
		if i < len(dst) {
			dst[i] = dst[i] + float64(a0[i]*x0[i]) + float64(a1[i]*x1[i]) + float64(a2[i]*x2[i]) + float64(a3[i]*x3[i])
		}
	}
	for ; s < count; s++ {
		y := x[s*stride:][:len(dst)]
		for i, v := range a[s*n:][:len(dst)] {
			dst[i] += float64(v * y[i])
		}
	}
}

// Squares sets dst[i] to the squared distance of item i, with coordinates x[j*n+i], to the
// point c.
func Squares(dst, x, c []float64) {
	n := len(dst)
	if len(x) < len(c)*n {
		panic(ErrShape)
	}
	from := vectorSquares(dst, x, c)
	if dst = dst[from:]; len(dst) == 0 {
		return
	}
	x = x[min(from, len(x)):]
	clear(dst)
	j := 0
	for ; j+4 <= len(c); j += 4 {
		x0, x1, x2, x3 := four(x[j*n:], n, len(dst))
		c0, c1, c2, c3 := c[j], c[j+1], c[j+2], c[j+3]
		for i, s := range dst {
			d0, d1, d2, d3 := x0[i]-c0, x1[i]-c1, x2[i]-c2, x3[i]-c3
			s += float64(d0 * d0)
			s += float64(d1 * d1)
			s += float64(d2 * d2)
			s += float64(d3 * d3)
			dst[i] = s
		}
	}
	for ; j < len(c); j++ {
		for i, v := range x[j*n:][:len(dst)] {
			d := v - c[j]
			dst[i] += float64(d * d)
		}
	}
}

// Inner adds the inner product of a and column j of x to dst[j]. Items of even and of odd
// number are summed apart.
func Inner(dst, a, x []float64) {
	if len(x) < len(dst)*len(a) {
		panic(ErrShape)
	}
	var sums [16]float64
	for j := 0; j < len(dst); j += len(sums) / 2 {
		part := dst[j:min(j+len(sums)/2, len(dst))]
		clear(sums[:])
		Halves(sums[:2*len(part)], a, x[j*len(a):])
		AddHalves(part, sums[:])
	}
}

// Halves adds the products of a and column j of x to sums, those of items of even number to sums[2j] and those of odd
// number to sums[2j+1]. An inner product may so be taken part by part of the items, of even numbers of them, with the bits
// of [Inner]: [AddHalves] ends it.
func Halves(sums, a, x []float64) {
	n, count := len(a), len(sums)/2
	if len(sums)%2 != 0 || len(x) < count*n {
		panic(ErrShape)
	}
	columns, items := vectorHalves(sums, a, x)
	for j := 0; j < columns && items < n; j++ {
		addProducts(sums[2*j:], a, x[j*n:], items)
	}
	for j := columns; j < count; j++ {
		addProducts(sums[2*j:], a, x[j*n:], 0)
	}
}

// AddHalves adds inner product j of [Halves] to dst[j].
//
//go:noinline
func AddHalves(dst, sums []float64) {
	for j := range dst {
		dst[j] += sums[2*j] + sums[2*j+1]
	}
}

// addProducts adds the products of a and x from item from on, an even one, to sums[0] and sums[1].
//
//go:noinline
func addProducts(sums, a, x []float64, from int) {
	x = x[:len(a)]
	even, odd, i := sums[0], sums[1], from
	for ; i < len(a)-1; i += 2 {
		even += float64(a[i] * x[i])
		odd += float64(a[i+1] * x[i+1])
	}
	if i < len(a) {
		even += float64(a[i] * x[i])
	}
	sums[0], sums[1] = even, odd
}

// Exps replaces numbers x <= 0 by e**x, relative error below 1e-15. It is [Exp] for many at once: a
// loop without calls, several times as fast.
//
// Below -100 it returns e**-100, about 4e-44: negligible beside a 1. Products of such numbers avoid
// subnormal ones, which make processors a hundred times slower.
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

// Reflect applies the reflection 1 - tau v v' to len(sum) columns of x, n rows of the given
// width: x -= tau v (v'x), summed in the order of the rows. v is 1, then v[stride],
// v[2 stride] and so on. sum is scratch.
func Reflect(x []float64, n, width int, v []float64, stride int, tau float64, sum []float64) {
	d := len(sum)
	if n < 1 || d > width || len(x) < (n-1)*width+d || len(v) <= (n-1)*stride {
		panic(ErrShape)
	}
	done := vectorReflect(x, n, width, v, stride, tau, d)
	if done == d {
		return
	}
	sum = sum[done:]
	copy(sum, x[done:d])
	for i := 1; i < n; i++ {
		AddScaled(sum, x[i*width+done:i*width+d], v[i*stride])
	}
	for j := range sum {
		sum[j] = float64(sum[j] * tau)
		x[done+j] -= sum[j]
	}
	for i := 1; i < n; i++ {
		AddScaled(x[i*width+done:i*width+d], sum, -v[i*stride])
	}
}

// AddScaled adds v times y to x; y is at least as long.
func AddScaled(x, y []float64, v float64) {
	y = y[:len(x)]
	j := 0
	for ; j+4 <= len(x); j += 4 {
		x, y := (*[4]float64)(x[j:]), (*[4]float64)(y[j:])
		x[0] += float64(v * y[0])
		x[1] += float64(v * y[1])
		x[2] += float64(v * y[2])
		x[3] += float64(v * y[3])
	}
	for ; j < len(x); j++ {
		x[j] += float64(v * y[j])
	}
}
