//go:build js && simd

package kernel

//go:wasmimport kern combine
//go:noescape
func simdCombine(dst, bias, coef, x address, stride, count, n, column int32)

//go:wasmimport kern blend
//go:noescape
func simdBlend(dst, a, x address, column, stride, count, n int32)

//go:wasmimport kern squares
//go:noescape
func simdSquares(dst, x, c address, count, n, column int32)

//go:wasmimport kern inner
//go:noescape
func simdInner(sums, a, x address, count, n, column int32)

// Each of these does the first items, as many as make up whole blocks, and returns their
// number.

func vectorCombine(dst []float64, bias float64, coef []float64, stride, count int, x []float64) int {
	n := len(dst) &^ 7
	if !vectorReady || n == 0 || count == 0 {
		return 0
	}
	simdCombine(at(dst), address(&bias), at(coef), at(x), int32(stride), int32(count), int32(n), int32(len(dst)))
	return n
}

func vectorBlend(dst, a, x []float64, stride, count int) int {
	n := len(dst) &^ 7
	if !vectorReady || n == 0 || count == 0 {
		return 0
	}
	simdBlend(at(dst), at(a), at(x), int32(len(dst)), int32(stride), int32(count), int32(n))
	return n
}

func vectorSquares(dst, x, c []float64) int {
	n := len(dst) &^ 7
	if !vectorReady || n == 0 || len(c) == 0 {
		return 0
	}
	simdSquares(at(dst), at(x), at(c), int32(len(c)), int32(n), int32(len(dst)))
	return n
}

var sums []float64 // of even and odd items, for each column

// vectorInner does whole groups of four columns and returns their number.
func vectorInner(dst, a, x []float64) int {
	n, count := len(a)&^7, len(dst)&^3
	if !vectorReady || n == 0 || count == 0 {
		return 0
	}
	if len(sums) < 2*count {
		sums = make([]float64, 2*count)
	}
	simdInner(at(sums), at(a), at(x), int32(count), int32(n), int32(len(a)))
	for j := range count {
		dst[j] += sumProducts(a, x[j*len(a):], n, sums[2*j], sums[2*j+1])
	}
	return count
}
