//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// Each of these does the first items, as many as make up whole blocks, and returns their
// number.

func vectorCombine(dst []float64, bias float64, coef []float64, stride, count int, x []float64) int {
	n, from := len(dst), 0
	if !vectorReady || n < 4 || count == 0 {
		return 0
	}
	start := archsimd.BroadcastFloat64x4(bias)
	for ; from+16 <= n; from += 16 {
		s0, s1, s2, s3 := start, start, start, start
		for j := range count {
			c, y := splatD4(double(at(coef), j*stride)), double(at(x), j*n+from)
			s0 = s0.Add(c.Mul(loadD4(y)))
			s1 = s1.Add(c.Mul(loadD4(double(y, 4))))
			s2 = s2.Add(c.Mul(loadD4(double(y, 8))))
			s3 = s3.Add(c.Mul(loadD4(double(y, 12))))
		}
		to := double(at(dst), from)
		storeD4(to, s0)
		storeD4(double(to, 4), s1)
		storeD4(double(to, 8), s2)
		storeD4(double(to, 12), s3)
	}
	for ; from+4 <= n; from += 4 {
		s := start
		for j := range count {
			s = s.Add(splatD4(double(at(coef), j*stride)).Mul(loadD4(double(at(x), j*n+from))))
		}
		storeD4(double(at(dst), from), s)
	}
	archsimd.ClearAVXUpperBits()
	return from
}

func vectorBlend(dst, a, x []float64, stride, count int) int {
	n, from := len(dst), 0
	if !vectorReady || n < 4 || count == 0 {
		return 0
	}
	for ; from+16 <= n; from += 16 {
		var s0, s1, s2, s3 archsimd.Float64x4
		for s := range count {
			v, y := double(at(a), s*n+from), double(at(x), s*stride+from)
			s0 = s0.Add(loadD4(v).Mul(loadD4(y)))
			s1 = s1.Add(loadD4(double(v, 4)).Mul(loadD4(double(y, 4))))
			s2 = s2.Add(loadD4(double(v, 8)).Mul(loadD4(double(y, 8))))
			s3 = s3.Add(loadD4(double(v, 12)).Mul(loadD4(double(y, 12))))
		}
		to := double(at(dst), from)
		storeD4(to, s0)
		storeD4(double(to, 4), s1)
		storeD4(double(to, 8), s2)
		storeD4(double(to, 12), s3)
	}
	for ; from+4 <= n; from += 4 {
		var sum archsimd.Float64x4
		for s := range count {
			sum = sum.Add(loadD4(double(at(a), s*n+from)).Mul(loadD4(double(at(x), s*stride+from))))
		}
		storeD4(double(at(dst), from), sum)
	}
	archsimd.ClearAVXUpperBits()
	return from
}

func vectorSquares(dst, x, c []float64) int {
	n, from := len(dst), 0
	if !vectorReady || n < 4 || len(c) == 0 {
		return 0
	}
	for ; from+16 <= n; from += 16 {
		var s0, s1, s2, s3 archsimd.Float64x4
		for j := range c {
			v, y := splatD4(double(at(c), j)), double(at(x), j*n+from)
			d0, d1 := loadD4(y).Sub(v), loadD4(double(y, 4)).Sub(v)
			d2, d3 := loadD4(double(y, 8)).Sub(v), loadD4(double(y, 12)).Sub(v)
			s0 = s0.Add(d0.Mul(d0))
			s1 = s1.Add(d1.Mul(d1))
			s2 = s2.Add(d2.Mul(d2))
			s3 = s3.Add(d3.Mul(d3))
		}
		to := double(at(dst), from)
		storeD4(to, s0)
		storeD4(double(to, 4), s1)
		storeD4(double(to, 8), s2)
		storeD4(double(to, 12), s3)
	}
	for ; from+4 <= n; from += 4 {
		var s archsimd.Float64x4
		for j := range c {
			d := loadD4(double(at(x), j*n+from)).Sub(splatD4(double(at(c), j)))
			s = s.Add(d.Mul(d))
		}
		storeD4(double(at(dst), from), s)
	}
	archsimd.ClearAVXUpperBits()
	return from
}

// vectorHalves does the first items of whole groups of four columns, and returns of how many columns and how many items.
// Items of even and of odd number are the halves of a vector.
func vectorHalves(sums, a, x []float64) (columns, items int) {
	n := len(a)
	if columns, items = len(sums)/2&^3, n&^1; !vectorReady || items == 0 {
		return 0, 0
	}
	for j := 0; j < columns; j += 4 {
		x0, to := double(at(x), j*n), double(at(sums), 2*j)
		x1, x2, x3 := double(x0, n), double(x0, 2*n), double(x0, 3*n)
		s0, s1, s2, s3 := loadD2(to), loadD2(double(to, 2)), loadD2(double(to, 4)), loadD2(double(to, 6))
		for i := 0; i < items; i += 2 {
			v := loadD2(double(at(a), i))
			s0 = s0.Add(v.Mul(loadD2(double(x0, i))))
			s1 = s1.Add(v.Mul(loadD2(double(x1, i))))
			s2 = s2.Add(v.Mul(loadD2(double(x2, i))))
			s3 = s3.Add(v.Mul(loadD2(double(x3, i))))
		}
		storeD2(to, s0)
		storeD2(double(to, 2), s1)
		storeD2(double(to, 4), s2)
		storeD2(double(to, 6), s3)
	}
	return columns, items
}

// exp4 is e**x as Exps computes it.
func exp4(v archsimd.Float64x4) archsimd.Float64x4 {
	splat := archsimd.BroadcastFloat64x4
	shift := splat(1.5 * (1 << 52))
	least := splat(-100)
	v = least.Merge(v, v.Less(least))
	t := v.Mul(splat(log2E)).Add(shift)
	k := t.Sub(shift)
	r := v.Sub(k.Mul(splat(ln2Hi))).Sub(k.Mul(splat(ln2Lo)))
	r2 := r.Mul(r)
	r4 := r2.Mul(r2)
	p0 := splat(1).Add(r).Add(r2.Mul(splat(1.0 / 2).Add(r.Mul(splat(1.0 / 6)))))
	p1 := splat(1.0 / 24).Add(r.Mul(splat(1.0 / 120))).Add(r2.Mul(splat(1.0 / 720).Add(r.Mul(splat(1.0 / 5040)))))
	p2 := splat(1.0 / 40320).Add(r.Mul(splat(1.0 / 362880))).Add(r2.Mul(splat(1.0 / 3628800).Add(r.Mul(splat(1.0 / 39916800)))))
	p3 := splat(1.0 / 479001600).Add(r.Mul(splat(1.0 / 6227020800)))
	p := p0.Add(r4.Mul(p1.Add(r4.Mul(p2.Add(r4.Mul(p3))))))
	power := t.AsInt64x4().Add(archsimd.BroadcastInt64x4(1023)).ShiftAllLeft(52)
	return p.Mul(power.AsFloat64x4())
}

// vectorExps does the first numbers and returns how many.
func vectorExps(x []float64) int {
	n := len(x) &^ 3
	if !vectorReady || n == 0 {
		return 0
	}
	for i := 0; i < n; i += 4 {
		p := double(at(x), i)
		storeD4(p, exp4(loadD4(p)))
	}
	archsimd.ClearAVXUpperBits()
	return n
}

// vectorSoftmax does the first items and returns how many.
func vectorSoftmax(x, top, sum []float64) int {
	n := len(top)
	if !vectorReady || n < 4 {
		return 0
	}
	for i := 0; i+4 <= n; i += 4 {
		p := double(at(x), i)
		most := loadD4(p)
		for k := n; k < len(x); k += n {
			v := loadD4(double(p, k))
			most = v.Merge(most, v.Greater(most))
		}
		var all archsimd.Float64x4
		for k := 0; k < len(x); k += n {
			e := exp4(loadD4(double(p, k)).Sub(most))
			storeD4(double(p, k), e)
			all = all.Add(e)
		}
		for k := 0; k < len(x); k += n {
			storeD4(double(p, k), loadD4(double(p, k)).Div(all))
		}
		storeD4(double(at(top), i), most)
		storeD4(double(at(sum), i), all)
	}
	archsimd.ClearAVXUpperBits()
	return n &^ 3
}

// vectorReflect is Reflect for the first columns, an even number of them, which it returns.
func vectorReflect(x []float64, n, width int, v []float64, stride int, tau float64, d int) int {
	if !vectorReady {
		return 0
	}
	k := 0
	for ; k+16 <= d; k += 16 {
		reflectD16(double(at(x), k), at(v), tau, n, width, stride)
	}
	for ; k+4 <= d; k += 4 {
		reflectD4(double(at(x), k), at(v), tau, n, width, stride)
	}
	if k+2 <= d {
		reflectD2(double(at(x), k), at(v), tau, n, width, stride)
		k += 2
	}
	archsimd.ClearAVXUpperBits()
	return k
}

// reflectD16, reflectD4 and reflectD2 do a number of columns of n rows of the given width.
func reflectD16(x, v address, tau float64, n, width, stride int) {
	s0, s1, s2, s3 := loadD4(x), loadD4(double(x, 4)), loadD4(double(x, 8)), loadD4(double(x, 12))
	for i := 1; i < n; i++ {
		c, row := splatD4(double(v, i*stride)), double(x, i*width)
		s0 = s0.Add(c.Mul(loadD4(row)))
		s1 = s1.Add(c.Mul(loadD4(double(row, 4))))
		s2 = s2.Add(c.Mul(loadD4(double(row, 8))))
		s3 = s3.Add(c.Mul(loadD4(double(row, 12))))
	}
	t := archsimd.BroadcastFloat64x4(tau)
	s0, s1, s2, s3 = s0.Mul(t), s1.Mul(t), s2.Mul(t), s3.Mul(t)
	storeD4(x, loadD4(x).Sub(s0))
	storeD4(double(x, 4), loadD4(double(x, 4)).Sub(s1))
	storeD4(double(x, 8), loadD4(double(x, 8)).Sub(s2))
	storeD4(double(x, 12), loadD4(double(x, 12)).Sub(s3))
	for i := 1; i < n; i++ {
		c, row := splatD4(double(v, i*stride)), double(x, i*width)
		storeD4(row, loadD4(row).Sub(c.Mul(s0)))
		storeD4(double(row, 4), loadD4(double(row, 4)).Sub(c.Mul(s1)))
		storeD4(double(row, 8), loadD4(double(row, 8)).Sub(c.Mul(s2)))
		storeD4(double(row, 12), loadD4(double(row, 12)).Sub(c.Mul(s3)))
	}
}

func reflectD4(x, v address, tau float64, n, width, stride int) {
	s := loadD4(x)
	for i := 1; i < n; i++ {
		s = s.Add(splatD4(double(v, i*stride)).Mul(loadD4(double(x, i*width))))
	}
	s = s.Mul(archsimd.BroadcastFloat64x4(tau))
	storeD4(x, loadD4(x).Sub(s))
	for i := 1; i < n; i++ {
		row := double(x, i*width)
		storeD4(row, loadD4(row).Sub(splatD4(double(v, i*stride)).Mul(s)))
	}
}

func reflectD2(x, v address, tau float64, n, width, stride int) {
	s := loadD2(x)
	for i := 1; i < n; i++ {
		s = s.Add(splatD2(double(v, i*stride)).Mul(loadD2(double(x, i*width))))
	}
	s = s.Mul(archsimd.BroadcastFloat64x2(tau))
	storeD2(x, loadD2(x).Sub(s))
	for i := 1; i < n; i++ {
		row := double(x, i*width)
		storeD2(row, loadD2(row).Sub(splatD2(double(v, i*stride)).Mul(s)))
	}
}
