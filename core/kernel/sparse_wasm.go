//go:build js && simd

package kernel

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

// vectorSparseDouble is SparseMul in double precision, for whole eights of columns, and tells whether
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
