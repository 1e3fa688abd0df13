//go:build js && simd

package kernel

import "unsafe"

// The SIMD kernels live in a module of their own (internal/lanes), because the Go compiler
// has no vector instructions for wasm. It works on this program's memory. The program
// imports a shim with the same signatures, whose table the kernels fill before the program
// runs; www/engine/kernels.ts links the three.
//
// A call passes addresses of Go slices. That is sound: there is one thread, the collector
// does not move the heap, no preemption happens within the call, and the kernels neither
// keep an address nor call back. Lengths are checked by the exported functions.

type address = unsafe.Pointer

// simdReady reports whether this machine validated the kernels.
//
//go:wasmimport kern ready
func simdReady() int32

var vectorReady = simdReady() != 0

const vectorKind = "SIMD"

// UseVectors chooses the vector kernels if the machine has them, or the scalar loops. They give the
// same bits. It returns the earlier choice.
func UseVectors(yes bool) (before bool) {
	before = vectorReady
	vectorReady = yes && simdReady() != 0
	return before
}

func at[T any](x []T) address { return address(unsafe.SliceData(x)) }

// lowestFirst reports whether numbers are known to have their lowest byte first in memory: what takes
// them apart otherwise is not in a program where they do.
const lowestFirst = true

// memory returns the bytes of a in place.
func memory[T Float](a []T) []byte {
	return unsafe.Slice((*byte)(at(a)), len(a)*int(unsafe.Sizeof(*new(T))))
}

// words is the way back from memory, for whole words; those of WebAssembly need no alignment.
func words(b []byte) []uint64 { return unsafe.Slice((*uint64)(at(b)), len(b)/8) }

//go:wasmimport kern residual8
//go:noescape
func simdResidual8(y, c, s, b, db, step, squares address, n, width int32)

//go:wasmimport kern residual4
//go:noescape
func simdResidual4(y, c, s, b, db, step, squares address, n, width int32)

// vectorResidual is Residual for four or eight columns, as many as b has at least; it sets their squares.
func vectorResidual(y, c, s, b, db []float32, step float32, squares *[8]float64, d int) {
	n := (len(y) + d - 1) / d
	if len(b) >= 8 {
		simdResidual8(at(y), at(c), at(s), at(b), at(db), address(&step), address(squares), int32(n), int32(d))
	} else {
		simdResidual4(at(y), at(c), at(s), at(b), at(db), address(&step), address(squares), int32(n), int32(d))
	}
}

//go:wasmimport kern place
//go:noescape
func simdPlace(dst, at, x, y, b, count address, n, d int32)

//go:wasmimport kern collect
//go:noescape
func simdCollect(dst, sum, x, at, count address, n, d int32)

// vectorPlace is Place.
func vectorPlace(dst []float64, rows []int32, x, y, b, count []float32) {
	if len(rows) > 0 {
		simdPlace(at(dst), at(rows), at(x), at(y), at(b), at(count), int32(len(rows)), int32(len(b)))
	}
}

// vectorCollect is Collect.
func vectorCollect(dst, sum []float32, x []float64, rows []int32, count []float32) {
	if len(rows) > 0 {
		simdCollect(at(dst), at(sum), at(x), at(rows), at(count), int32(len(rows)), int32(len(sum)))
	}
}

//go:wasmimport kern reflectd8
//go:noescape
func simdReflectD8(x, v, tau address, n, width, stride int32)

//go:wasmimport kern reflectd2
//go:noescape
func simdReflectD2(x, v, tau address, n, width, stride int32)

// vectorReflect is Reflect for the first columns, an even number of them, which it returns.
func vectorReflect(x []float64, n, width int, v []float64, stride int, tau float64, d int) int {
	if !vectorReady {
		return 0
	}
	k := 0
	for ; k+8 <= d; k += 8 {
		simdReflectD8(at(x[k:]), at(v), address(&tau), int32(n), int32(width), int32(stride))
	}
	for ; k+2 <= d; k += 2 {
		simdReflectD2(at(x[k:]), at(v), address(&tau), int32(n), int32(width), int32(stride))
	}
	return k
}

//go:wasmimport kern exps
//go:noescape
func simdExps(x address, n int32)

//go:wasmimport kern softmax
//go:noescape
func simdSoftmax(x, top, sum address, count, n, column int32)

// These do the first items, an even number of them, and return their number.

// vectorExps is Exps.
func vectorExps(x []float64) int {
	n := len(x) &^ 1
	if !vectorReady || n == 0 {
		return 0
	}
	simdExps(at(x), int32(n))
	return n
}

// vectorSoftmax is Softmax.
func vectorSoftmax(x, top, sum []float64) int {
	n := len(top) &^ 1
	if !vectorReady || n == 0 {
		return 0
	}
	simdSoftmax(at(x), at(top), at(sum), int32(len(x)/len(top)), int32(n), int32(len(top)))
	return n
}

//go:wasmimport kern inner8
//go:noescape
func simdInner8(sums, x, y address, n int32)

//go:wasmimport kern exchange
//go:noescape
func simdExchange(change, row, x, g address, n int32)

// These take as many numbers as make up whole eights and return how many.

// vectorInner8 is scalarInner8.
func vectorInner8(s *[8]float32, x, y []float32) int {
	n := len(x) &^ 7
	if !vectorReady || n == 0 {
		return 0
	}
	simdInner8(address(s), at(x), at(y), int32(n))
	return n
}

// vectorExchange is exchange.
func vectorExchange(change, row, x []float32, g float32) int {
	n := len(x) &^ 7
	if !vectorReady || n == 0 {
		return 0
	}
	simdExchange(at(change), at(row), at(x), address(&g), int32(n))
	return n
}

// In double precision nothing in a browser is trained.
func vectorInner8Double(s *[8]float64, x, y []float64) int         { return 0 }
func vectorExchangeDouble(change, row, x []float64, g float64) int { return 0 }

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

//go:wasmimport kern sparse8
//go:noescape
func simdSparse8(start, index, value, b, y address, n, width int32)

//go:wasmimport kern sparse4
//go:noescape
func simdSparse4(start, index, value, b, y address, n, width int32)

//go:wasmimport kern sparsed8
//go:noescape
func simdSparseD8(start, index, value, b, y address, n, width int32)

//go:wasmimport kern pattern8
//go:noescape
func simdPattern8(start, index, scale, b, y address, n, width int32)

//go:wasmimport kern pattern4
//go:noescape
func simdPattern4(start, index, scale, b, y address, n, width int32)

//go:wasmimport kern scaleRows
//go:noescape
func simdScaleRows(y, x, scale address, n, d int32)

// vectorSparse is SparseMul, or PatternMul, whose scale takes the place of value.
func vectorSparse(dst []float32, start, index []int32, value, b []float32, d int, pattern bool) {
	n := len(start) - 1
	if n == 0 {
		return
	}
	for k := 0; k < d; k += 8 {
		b, y := at(b[k:]), at(dst[k:])
		switch eight := d-k >= 8; {
		case eight && pattern:
			simdPattern8(at(start), at(index), at(value), b, y, int32(n), int32(d))
		case pattern:
			simdPattern4(at(start), at(index), at(value), b, y, int32(n), int32(d))
		case eight:
			simdSparse8(at(start), at(index), at(value), b, y, int32(n), int32(d))
		default:
			simdSparse4(at(start), at(index), at(value), b, y, int32(n), int32(d))
		}
	}
}

// vectorSparseDouble is SparseMul in double precision, for whole eights of columns, and reports whether
// it did it. The methods that CaDeM is compared with use it; the program of a first visit has none.
func vectorSparseDouble(dst []float64, start, index []int32, value, b []float64, d int) bool {
	n := len(start) - 1
	if !wide || !vectorReady || d%8 != 0 || n == 0 || len(b) == 0 {
		return false
	}
	for k := 0; k < d; k += 8 {
		simdSparseD8(at(start), at(index), at(value), at(b[k:]), at(dst[k:]), int32(n), int32(d))
	}
	return true
}

// vectorScaleRows is ScaleRows.
func vectorScaleRows(dst, x, scale []float32, d int) {
	if len(dst) > 0 {
		simdScaleRows(at(dst), at(x), at(scale), int32(len(scale)), int32(d))
	}
}
