//go:build goexperiment.simd && amd64

package kernel

import (
	"simd/archsimd"
	"sync"
)

// Products of large matrices are made tile by tile: four rows of the result by as many columns as
// two vectors hold, twice. Both factors are copied to where a tile reads them one number after the
// other, a block at a time, so that what is read again is in cache. An entry is summed in
// increasing order of the inner index, block after block: the bits are those of the plain loops.

const (
	tileRows     = 4
	blockInner   = 256 // numbers of a row of the left factor that are taken at a time
	blockRows    = 64  // rows of it
	blockColumns = 512 // columns of the right factor
)

// A tile function leaves no upper halves behind, for which scalar copies would wait. It adds to, or if fresh sets,
// four rows of c, of the given width, by the product of a (k x 4, the rows of the left factor side by side) and b.
type tile func(a, b, c address, k, width int, fresh bool)

// A packing holds the copies of blocks that tiles read, and a tile at the edge.
type packing[T Float] struct {
	a, b, edge []T
	wide       int // columns of a tile
	tile       tile
}

func newPacking[T Float](wide int, f tile) any {
	return &packing[T]{make([]T, blockRows*blockInner), make([]T, blockInner*blockColumns), make([]T, tileRows*wide), wide, f}
}

// Each product at a time takes a packing from these pools.
var (
	singlePackings = sync.Pool{New: func() any { return newPacking[float32](16, tile4x16) }}
	doublePackings = sync.Pool{New: func() any { return newPacking[float64](8, tileD4x8) }}
)

// A left factor is n x h: number j of row i is at i*row + j*column.
type left[T Float] struct {
	x           []T
	row, column int
}

// mul sets dst (n x d) to a (n x h) times y (h x d), or adds the products to it one by one.
func (b *packing[T]) mul(dst []T, a left[T], y []T, n, h, d int, add bool) {
	for k := 0; k < d; k += blockColumns {
		columns := min(blockColumns, d-k)
		for j := 0; j < h; j += blockInner {
			inner := min(blockInner, h-j)
			b.copyRight(y[j*d+k:], inner, columns, d)
			for i := 0; i < n; i += blockRows {
				rows := min(blockRows, n-i)
				b.copyLeft(left[T]{a.x[i*a.row+j*a.column:], a.row, a.column}, rows, inner)
				b.tiles(dst[i*d+k:], rows, inner, columns, d, j == 0 && !add)
			}
		}
	}
}

// copyRight takes columns of y, of the given width, in strips as wide as a tile, zeros at the end.
func (b *packing[T]) copyRight(y []T, inner, columns, width int) {
	to := 0
	for k := 0; k < columns; k += b.wide {
		count := min(b.wide, columns-k)
		for j := range inner {
			strip := b.b[to : to+b.wide]
			to += b.wide
			clear(strip[copy(strip, y[j*width+k:][:count]):])
		}
	}
}

// copyLeft takes rows four by four, zeros at the end.
func (b *packing[T]) copyLeft(a left[T], rows, inner int) {
	for i := 0; i < rows; i += tileRows {
		out := b.a[i*inner : (i+tileRows)*inner]
		switch count := min(tileRows, rows-i); {
		case count < tileRows:
			clear(out)
			for r := range count {
				for j := range inner {
					out[j*tileRows+r] = a.x[(i+r)*a.row+j*a.column]
				}
			}
		case a.row == 1:
			for j := range inner {
				*(*[4]T)(out[j*4:]) = [4]T(a.x[i+j*a.column:])
			}
		default:
			r0, r1, r2, r3 := a.x[i*a.row:], a.x[(i+1)*a.row:], a.x[(i+2)*a.row:], a.x[(i+3)*a.row:]
			r0, r1, r2, r3 = r0[:inner], r1[:inner], r2[:inner], r3[:inner]
			for j, v := range r0 {
				*(*[4]T)(out[j*4:]) = [4]T{v, r1[j], r2[j], r3[j]}
			}
		}
	}
}

// tiles does what was copied; dst is of the given width.
func (b *packing[T]) tiles(dst []T, rows, inner, columns, width int, fresh bool) {
	for k := 0; k < columns; k += b.wide {
		for i := 0; i < rows; i += tileRows {
			x, y := at(b.a[i*inner:]), at(b.b[k*inner:])
			r, c := min(tileRows, rows-i), min(b.wide, columns-k)
			if r == tileRows && c == b.wide {
				b.tile(x, y, at(dst[i*width+k:]), inner, width, fresh)
				continue
			}
			for q := range r {
				copy(b.edge[q*b.wide:], dst[(i+q)*width+k:][:c])
			}
			b.tile(x, y, at(b.edge), inner, b.wide, fresh)
			for q := range r {
				copy(dst[(i+q)*width+k:][:c], b.edge[q*b.wide:])
			}
		}
	}
}

// blockedMul is Mul, and blockedMulTrans AddMulTrans, for matrices that are worth the copies.
func blockedMul[T Float](pool *sync.Pool, dst, a, y []T, n, h, d int) {
	b := pool.Get().(*packing[T])
	b.mul(dst, left[T]{a, h, 1}, y, n, h, d, false)
	pool.Put(b)
}

func blockedMulTrans[T Float](pool *sync.Pool, dst, a, y []T, n, h, d int) {
	b := pool.Get().(*packing[T])
	b.mul(dst, left[T]{a, 1, h}, y, h, n, d, true)
	pool.Put(b)
}

// worthCopies reports whether to make a product of that number of rows, inner numbers and columns from copies.
func worthCopies(n, h, d int) bool { return n >= 8 && h >= 8 && d >= 3 }

func tile4x16(a, b, c address, k, width int, fresh bool) {
	c1, c2, c3 := single(c, width), single(c, 2*width), single(c, 3*width)
	var s0, s1, s2, s3, t0, t1, t2, t3 archsimd.Float32x8
	if !fresh {
		s0, t0, s1, t1 = load8(c), load8(single(c, 8)), load8(c1), load8(single(c1, 8))
		s2, t2, s3, t3 = load8(c2), load8(single(c2, 8)), load8(c3), load8(single(c3, 8))
	}
	for j := range k {
		p, q := single(a, tileRows*j), single(b, 16*j)
		y, z := load8(q), load8(single(q, 8))
		x := splat8(p)
		s0 = s0.Add(x.Mul(y))
		t0 = t0.Add(x.Mul(z))
		x = splat8(single(p, 1))
		s1 = s1.Add(x.Mul(y))
		t1 = t1.Add(x.Mul(z))
		x = splat8(single(p, 2))
		s2 = s2.Add(x.Mul(y))
		t2 = t2.Add(x.Mul(z))
		x = splat8(single(p, 3))
		s3 = s3.Add(x.Mul(y))
		t3 = t3.Add(x.Mul(z))
	}
	store8(c, s0)
	store8(single(c, 8), t0)
	store8(c1, s1)
	store8(single(c1, 8), t1)
	store8(c2, s2)
	store8(single(c2, 8), t2)
	store8(c3, s3)
	store8(single(c3, 8), t3)
	archsimd.ClearAVXUpperBits()
}

func tileD4x8(a, b, c address, k, width int, fresh bool) {
	c1, c2, c3 := double(c, width), double(c, 2*width), double(c, 3*width)
	var s0, s1, s2, s3, t0, t1, t2, t3 archsimd.Float64x4
	if !fresh {
		s0, t0, s1, t1 = loadD4(c), loadD4(double(c, 4)), loadD4(c1), loadD4(double(c1, 4))
		s2, t2, s3, t3 = loadD4(c2), loadD4(double(c2, 4)), loadD4(c3), loadD4(double(c3, 4))
	}
	for j := range k {
		p, q := double(a, tileRows*j), double(b, 8*j)
		y, z := loadD4(q), loadD4(double(q, 4))
		x := splatD4(p)
		s0 = s0.Add(x.Mul(y))
		t0 = t0.Add(x.Mul(z))
		x = splatD4(double(p, 1))
		s1 = s1.Add(x.Mul(y))
		t1 = t1.Add(x.Mul(z))
		x = splatD4(double(p, 2))
		s2 = s2.Add(x.Mul(y))
		t2 = t2.Add(x.Mul(z))
		x = splatD4(double(p, 3))
		s3 = s3.Add(x.Mul(y))
		t3 = t3.Add(x.Mul(z))
	}
	storeD4(c, s0)
	storeD4(double(c, 4), t0)
	storeD4(c1, s1)
	storeD4(double(c1, 4), t1)
	storeD4(c2, s2)
	storeD4(double(c2, 4), t2)
	storeD4(c3, s3)
	storeD4(double(c3, 4), t3)
	archsimd.ClearAVXUpperBits()
}
