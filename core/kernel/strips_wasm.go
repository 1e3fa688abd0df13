//go:build js && simd

package kernel

// A product with a wide right factor is made eight columns at a time: they are copied to where they
// lie side by side, and so many rows of the left factor that they stay in cache are taken for all of
// them. Columns of a wide matrix as they lie share few places of the cache.

const (
	stripColumns = 8
	stripRows    = 64
	leastColumns = 4 * stripColumns // of what is worth the copies
)

// A strips has the room for them: of the right factor, and of some rows of the result.
type strips[T Float] struct{ right, part []T }

var (
	singleStrips strips[float32]
	doubleStrips strips[float64]
)

// worthStrips tells whether matrices are large enough.
func worthStrips(n, h, d int) bool { return n >= stripRows && h >= 8 && d >= leastColumns }

// reserve makes room for right factors of h rows and d columns, and for parts of results of rows.
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
