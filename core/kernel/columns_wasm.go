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

// vectorHalves does the first items of whole groups of four columns, and returns of how many columns and how many items.
func vectorHalves(sums, a, x []float64) (columns, items int) {
	if columns, items = len(sums)/2&^3, len(a)&^7; !vectorReady || items == 0 || columns == 0 {
		return 0, 0
	}
	simdInner(at(sums), at(a), at(x), int32(columns), int32(items), int32(len(a)))
	return columns, items
}
