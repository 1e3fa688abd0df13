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
