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

// The functions below report whether they did the work. They take widths that are multiples of 4, even ones in
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

// A product with a wide right factor is made eight columns at a time: they are copied side by side,
// and used for as many rows of the left factor as stay in cache. Without copies, columns of a wide
// matrix share few places of the cache.

const (
	stripColumns = 8
	stripRows    = 64
	leastColumns = 4 * stripColumns // of what is worth the copies
)

// Strips hold the copies: of the right factor, and of some rows of the result.
type strips[T Float] struct{ right, part []T }

var (
	singleStrips strips[float32]
	doubleStrips strips[float64]
)

// worthStrips reports whether matrices are large enough.
func worthStrips(n, h, d int) bool { return n >= stripRows && h >= 8 && d >= leastColumns }

// reserve allocates for right factors of h rows and d columns, and for parts of results of rows.
func (s *strips[T]) reserve(h, d, rows int) {
	if len(s.right) < h*d {
		s.right = make([]T, h*d)
	}
	if len(s.part) < rows*stripColumns {
		s.part = make([]T, rows*stripColumns)
	}
}

// copyColumns copies eight columns between rows of widths; n is the number of rows.
func copyColumns[T Float](dst []T, to int, src []T, from, n int) {
	for i := range n {
		*(*[stripColumns]T)(dst[i*to:]) = [stripColumns]T(src[i*from:])
	}
}

// mul sets the columns of dst (n x d) that make up whole strips to those of a (n x h) times b (h x d),
// and returns their number; product is Mul for a strip.
func (s *strips[T]) mul(dst, a, b []T, n, h, d int, product func(dst, a, b []T, n, h int)) int {
	columns := d &^ (stripColumns - 1)
	s.reserve(h, columns, stripRows)
	for k := 0; k < columns; k += stripColumns {
		copyColumns(s.right[k*h:], stripColumns, b[k:], d, h)
	}
	for i := 0; i < n; i += stripRows {
		rows := min(stripRows, n-i)
		for k := 0; k < columns; k += stripColumns {
			part := s.part[:rows*stripColumns]
			product(part, a[i*h:(i+rows)*h], s.right[k*h:(k+stripColumns)*h], rows, h)
			copyColumns(dst[i*d+k:], d, part, stripColumns, rows)
		}
	}
	return columns
}

// addTransposed adds to the columns of dst (h x d) that make up whole strips those of a' (h x n) times
// g (n x d), and returns their number; product is AddMulTrans for a strip.
func (s *strips[T]) addTransposed(dst, a, g []T, n, h, d int, product func(dst, a, g []T, n, h int)) int {
	columns := d &^ (stripColumns - 1)
	s.reserve(h, columns, stripRows)
	for k := 0; k < columns; k += stripColumns {
		copyColumns(s.right[k*h:], stripColumns, dst[k:], d, h)
	}
	for i := 0; i < n; i += stripRows {
		rows := min(stripRows, n-i)
		for k := 0; k < columns; k += stripColumns {
			part := s.part[:rows*stripColumns]
			copyColumns(part, stripColumns, g[i*d+k:], d, rows)
			product(s.right[k*h:(k+stripColumns)*h], a[i*h:(i+rows)*h], part, rows, h)
		}
	}
	for k := 0; k < columns; k += stripColumns {
		copyColumns(dst[k:], d, s.right[k*h:], stripColumns, h)
	}
	return columns
}
