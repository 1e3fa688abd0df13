//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// These take as many numbers as make up whole vectors and return how many.

// vectorInner8 is scalarInner8.
func vectorInner8(s *[8]float32, x, y []float32) int {
	n := len(x) &^ 7
	if !vectorReady || n == 0 {
		return 0
	}
	var sum archsimd.Float32x8
	for i := 0; i < n; i += 8 {
		sum = sum.Add(load8(single(at(x), i)).Mul(load8(single(at(y), i))))
	}
	sum.Store(s)
	archsimd.ClearAVXUpperBits()
	return n
}

func vectorInner8Double(s *[8]float64, x, y []float64) int {
	n := len(x) &^ 7
	if !vectorReady || n == 0 {
		return 0
	}
	var sum0, sum1 archsimd.Float64x4
	for i := 0; i < n; i += 8 {
		a, b := double(at(x), i), double(at(y), i)
		sum0 = sum0.Add(loadD4(a).Mul(loadD4(b)))
		sum1 = sum1.Add(loadD4(double(a, 4)).Mul(loadD4(double(b, 4))))
	}
	storeD4(address(s), sum0)
	storeD4(double(address(s), 4), sum1)
	archsimd.ClearAVXUpperBits()
	return n
}

// vectorExchange is exchange.
func vectorExchange(change, row, x []float32, g float32) int {
	n := len(x) &^ 7
	if !vectorReady || n == 0 {
		return 0
	}
	v := archsimd.BroadcastFloat32x8(g)
	for i := 0; i < n; i += 8 {
		c, r := single(at(change), i), single(at(row), i)
		old := load8(r)
		store8(c, load8(c).Add(v.Mul(old)))
		store8(r, old.Add(v.Mul(load8(single(at(x), i)))))
	}
	archsimd.ClearAVXUpperBits()
	return n
}

func vectorExchangeDouble(change, row, x []float64, g float64) int {
	n := len(x) &^ 3
	if !vectorReady || n == 0 {
		return 0
	}
	v := archsimd.BroadcastFloat64x4(g)
	for i := 0; i < n; i += 4 {
		c, r := double(at(change), i), double(at(row), i)
		old := loadD4(r)
		storeD4(c, loadD4(c).Add(v.Mul(old)))
		storeD4(r, old.Add(v.Mul(loadD4(double(at(x), i)))))
	}
	archsimd.ClearAVXUpperBits()
	return n
}
