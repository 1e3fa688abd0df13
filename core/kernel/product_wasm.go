//go:build js && simd

package kernel

//go:wasmimport kern product4x8
//go:noescape
func simdProduct4x8(a, b, u address, n, h, stride, width int32)

//go:wasmimport kern product1x8
//go:noescape
func simdProduct1x8(a, b, u address, n, h, stride, width int32)

//go:wasmimport kern product4x4
//go:noescape
func simdProduct4x4(a, b, u address, n, h, stride, width int32)

//go:wasmimport kern product1x4
//go:noescape
func simdProduct1x4(a, b, u address, n, h, stride, width int32)

//go:wasmimport kern transposed4x8
//go:noescape
func simdTransposed4x8(a, g, out address, n, h int32)

//go:wasmimport kern transposed8
//go:noescape
func simdTransposed8(a, g, out address, n, h, stride, width int32)

//go:wasmimport kern transposed4
//go:noescape
func simdTransposed4(a, g, out address, n, h, stride, width int32)

//go:wasmimport kern product1xd8
//go:noescape
func simdProduct1xd8(a, b, u address, n, h, stride, width, adds int32)

//go:wasmimport kern product1xd2
//go:noescape
func simdProduct1xd2(a, b, u address, n, h, stride, width, adds int32)

//go:wasmimport kern transposedd8
//go:noescape
func simdTransposedD8(a, g, out address, n, h, stride, width int32)

//go:wasmimport kern transposedd2
//go:noescape
func simdTransposedD2(a, g, out address, n, h, stride, width int32)

// The functions below tell whether they did it. They take widths that are multiples of 4, even ones in
// double precision, and do columns in eights, then in fours or twos.

// vectorMul is Mul.
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
