//go:build js && wasm && simd

package kernel

import "unsafe"

// The SIMD kernels live in a module of their own (internal/lanes), because the Go compiler
// has no vector instructions for wasm. It works on this program's memory. The program
// imports a shim with the same signatures, whose table the kernels fill before the program
// runs; www/engine/kernels.js links the three.
//
// A call passes addresses of Go slices. That is sound: there is one thread, the collector
// does not move the heap, no preemption happens within the call, and the kernels neither
// keep an address nor call back. Lengths are checked by the exported functions.

type address = unsafe.Pointer

// simdReady tells whether this machine validated the kernels.
//
//go:wasmimport kern ready
func simdReady() int32

//go:wasmimport kern adam
//go:noescape
func simdAdam(w, m, v, u, du, old, w2, turned, rate address, n, h int32)

//go:wasmimport kern adamWide
//go:noescape
func simdAdamWide(w, m, v, du, w2i, rate address, n, h, d int32)

//go:wasmimport kern adamPlain
//go:noescape
func simdAdamPlain(w, m, v, g, rate address, n, decays int32)

//go:wasmimport kern interleave
//go:noescape
func simdInterleave(w2, w2i address, h, d int32)

//go:wasmimport kern transposed4x8
//go:noescape
func simdTransposed4x8(a, g, out address, n, h int32)

//go:wasmimport kern product4x4
//go:noescape
func simdProduct4x4(a, b, u address, n, h, stride, width int32)

//go:wasmimport kern product1x4
//go:noescape
func simdProduct1x4(a, b, u address, n, h, stride, width int32)

//go:wasmimport kern transposed4
//go:noescape
func simdTransposed4(a, g, out address, n, h, stride, width int32)

//go:wasmimport kern sparse4
//go:noescape
func simdSparse4(start, index, value, b, y address, n, width int32)

//go:wasmimport kern product4x8
//go:noescape
func simdProduct4x8(a, b, u address, n, h, stride, width int32)

//go:wasmimport kern product1x8
//go:noescape
func simdProduct1x8(a, b, u address, n, h, stride, width int32)

//go:wasmimport kern transposed8
//go:noescape
func simdTransposed8(a, g, out address, n, h, stride, width int32)

//go:wasmimport kern sparse8
//go:noescape
func simdSparse8(start, index, value, b, y address, n, width int32)

//go:wasmimport kern residual4
//go:noescape
func simdResidual4(y, c, s, b, db, step, squares address, n, width int32)

//go:wasmimport kern residual8
//go:noescape
func simdResidual8(y, c, s, b, db, step, squares address, n, width int32)

//go:wasmimport kern product1xd2
//go:noescape
func simdProduct1xd2(a, b, u address, n, h, stride, width, adds int32)

//go:wasmimport kern transposedd2
//go:noescape
func simdTransposedD2(a, g, out address, n, h, stride, width int32)

//go:wasmimport kern product1xd8
//go:noescape
func simdProduct1xd8(a, b, u address, n, h, stride, width, adds int32)

//go:wasmimport kern transposedd8
//go:noescape
func simdTransposedD8(a, g, out address, n, h, stride, width int32)

//go:wasmimport kern reflectd2
//go:noescape
func simdReflectD2(x, v, tau address, n, width, stride int32)

//go:wasmimport kern reflectd8
//go:noescape
func simdReflectD8(x, v, tau address, n, width, stride int32)

//go:wasmimport kern place
//go:noescape
func simdPlace(dst, at, x, y, b, count address, n, d int32)

//go:wasmimport kern collect
//go:noescape
func simdCollect(dst, sum, x, at, count address, n, d int32)

//go:wasmimport kern scaleRows
//go:noescape
func simdScaleRows(y, x, scale address, n, d int32)

//go:wasmimport kern pattern4
//go:noescape
func simdPattern4(start, index, scale, b, y address, n, width int32)

//go:wasmimport kern pattern8
//go:noescape
func simdPattern8(start, index, scale, b, y address, n, width int32)

var vectorReady = simdReady() != 0

const vectorKind = "SIMD"

// UseVectors chooses the vector kernels where the machine has them, or the scalar loops. They give
// the same bits. It returns what was chosen before.
func UseVectors(yes bool) (before bool) {
	before = vectorReady
	vectorReady = yes && simdReady() != 0
	return before
}

func at[T any](x []T) address { return address(unsafe.SliceData(x)) }

// memory returns the bytes of a as they lie; those of WebAssembly have the lowest first.
func memory[T Float](a []T) []byte {
	return unsafe.Slice((*byte)(at(a)), len(a)*int(unsafe.Sizeof(*new(T))))
}

// words is the way back from memory, for whole words; those of WebAssembly may lie anywhere.
func words(b []byte) []uint64 { return unsafe.Slice((*uint64)(at(b)), len(b)/8) }

// The widths d below are multiples of 4, even in double precision; columns are done in eights,
// then in fours or twos.

// vectorMul is Mul. This and the following tell whether they did it: they do not take other widths.
func vectorMul(dst, a, b []float32, n, h, d int) bool {
	if !vectorReady || d%4 != 0 || n == 0 || h == 0 {
		return false
	}
	k := 0
	if wide && worthStrips(n, h, d) {
		k = singleStrips.mul(dst, a, b, n, h, d, func(dst, a, b []float32, n, h int) { vectorMul(dst, a, b, n, h, stripColumns) })
	}
	fours := n &^ 3
	for ; k < d; k += 8 {
		eight := d-k >= 8
		if fours > 0 {
			if eight {
				simdProduct4x8(at(a), at(b[k:]), at(dst[k:]), int32(fours), int32(h), int32(h), int32(d))
			} else {
				simdProduct4x4(at(a), at(b[k:]), at(dst[k:]), int32(fours), int32(h), int32(h), int32(d))
			}
		}
		if fours < n {
			if eight {
				simdProduct1x8(at(a[fours*h:]), at(b[k:]), at(dst[fours*d+k:]), int32(n-fours), int32(h), int32(h), int32(d))
			} else {
				simdProduct1x4(at(a[fours*h:]), at(b[k:]), at(dst[fours*d+k:]), int32(n-fours), int32(h), int32(h), int32(d))
			}
		}
	}
	return true
}

// vectorMulTrans is AddMulTrans.
func vectorMulTrans(dst, a, g []float32, n, h, d int) bool {
	if !vectorReady || d%4 != 0 || n == 0 || h == 0 {
		return false
	}
	if fours := n &^ 3; d == 8 && fours > 0 {
		simdTransposed4x8(at(a), at(g), at(dst), int32(fours), int32(h))
		a, g, n = a[fours*h:], g[fours*8:], n-fours
	}
	if n == 0 {
		return true
	}
	k := 0
	if wide && worthStrips(n, h, d) {
		k = singleStrips.addTransposed(dst, a, g, n, h, d, func(dst, a, g []float32, n, h int) {
			simdTransposed8(at(a), at(g), at(dst), int32(n), int32(h), int32(h), stripColumns)
		})
	}
	for ; k < d; k += 8 {
		if d-k >= 8 {
			simdTransposed8(at(a), at(g[k:]), at(dst[k:]), int32(n), int32(h), int32(h), int32(d))
		} else {
			simdTransposed4(at(a), at(g[k:]), at(dst[k:]), int32(n), int32(h), int32(h), int32(d))
		}
	}
	return true
}

// vectorMulDouble is Mul, or AddMul, in double precision, for an even width.
func vectorMulDouble(dst, a, b []float64, n, h, d int, add bool) bool {
	if !vectorReady || d%2 != 0 || n == 0 || h == 0 {
		return false
	}
	adds, k := int32(0), 0
	if add {
		adds = 1
	} else if wide && worthStrips(n, h, d) {
		k = doubleStrips.mul(dst, a, b, n, h, d, func(dst, a, b []float64, n, h int) {
			simdProduct1xd8(at(a), at(b), at(dst), int32(n), int32(h), int32(h), stripColumns, 0)
		})
	}
	for k < d {
		if d-k >= 8 {
			simdProduct1xd8(at(a), at(b[k:]), at(dst[k:]), int32(n), int32(h), int32(h), int32(d), adds)
			k += 8
		} else {
			simdProduct1xd2(at(a), at(b[k:]), at(dst[k:]), int32(n), int32(h), int32(h), int32(d), adds)
			k += 2
		}
	}
	return true
}

// vectorMulTransDouble is AddMulTrans in double precision, for an even width.
func vectorMulTransDouble(dst, a, g []float64, n, h, d int) bool {
	if !vectorReady || d%2 != 0 || n == 0 || h == 0 {
		return false
	}
	k := 0
	if wide && worthStrips(n, h, d) {
		k = doubleStrips.addTransposed(dst, a, g, n, h, d, func(dst, a, g []float64, n, h int) {
			simdTransposedD8(at(a), at(g), at(dst), int32(n), int32(h), int32(h), stripColumns)
		})
	}
	for k < d {
		if d-k >= 8 {
			simdTransposedD8(at(a), at(g[k:]), at(dst[k:]), int32(n), int32(h), int32(h), int32(d))
			k += 8
		} else {
			simdTransposedD2(at(a), at(g[k:]), at(dst[k:]), int32(n), int32(h), int32(h), int32(d))
			k += 2
		}
	}
	return true
}

// vectorResidual is Residual for four or eight columns, as many as b has at least; it sets their squares.
func vectorResidual(y, c, s, b, db []float32, step float32, squares *[8]float64, d int) {
	n := (len(y) + d - 1) / d
	if len(b) >= 8 {
		simdResidual8(at(y), at(c), at(s), at(b), at(db), address(&step), address(squares), int32(n), int32(d))
	} else {
		simdResidual4(at(y), at(c), at(s), at(b), at(db), address(&step), address(squares), int32(n), int32(d))
	}
}

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

// vectorSparseDouble would be SparseMul in double precision, which nothing in a browser waits for.
func vectorSparseDouble(dst []float64, start, index []int32, value, b []float64, d int) bool {
	return false
}

// vectorScaleRows is ScaleRows.
func vectorScaleRows(dst, x, scale []float32, d int) {
	if len(dst) > 0 {
		simdScaleRows(at(dst), at(x), at(scale), int32(len(scale)), int32(d))
	}
}

// vectorAdamPlain is Adam for a number of weights that is a multiple of 4.
func vectorAdamPlain(w, m, v, g []float32, r *AdamRate[float32]) {
	if len(w) == 0 {
		return
	}
	rate, decays := r.Numbers(), int32(0)
	if r.Decay != 0 {
		decays = 1
	}
	simdAdamPlain(at(w), at(m), at(v), at(g), address(&rate), int32(len(w)), decays)
}

var interleaved []float32 // W2 as the kernels read it

// vectorAdam is AdamFactored for h a multiple of 4 and no decay.
func vectorAdam(w1, m, v, u, du, old, w2 []float32, n, h, d int, r *AdamRate[float32]) {
	if n == 0 {
		return
	}
	if len(interleaved) < h*d {
		interleaved = make([]float32, h*d)
	}
	rate := r.Numbers()
	if d == 8 && h%16 == 0 {
		simdAdam(at(w1), at(m), at(v), at(u), at(du), at(old), at(w2), at(interleaved), address(&rate), int32(n), int32(h))
		return
	}
	simdInterleave(at(old), at(interleaved), int32(h), int32(d))
	const block = 16 // rows that are still in cache when U is taken from them
	for i := 0; i < n; i += block {
		rows := min(block, n-i)
		simdAdamWide(at(w1[i*h:]), at(m[i*h:]), at(v[i*h:]), at(du[i*d:]), at(interleaved), address(&rate), int32(rows), int32(h), int32(d))
		vectorMul(u[i*d:(i+rows)*d], w1[i*h:(i+rows)*h], w2, rows, h, d)
	}
}
