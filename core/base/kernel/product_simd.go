//go:build goexperiment.simd && amd64

package kernel

import (
	"simd/archsimd"
	"sync"
)

// The functions below report whether they did the work. Small widths that are multiples of 4, even ones in
// double precision, take columns in eights, then in fours or twos; large matrices take tiles.

// vectorMul is Mul.
func vectorMul(dst, a, b []float32, n, h, d int) bool {
	switch narrow := d%8 == 0 && d <= 16 || d == 4; {
	case !vectorReady:
		return false
	case worthCopies(n, h, d) && !narrow:
		blockedMul(&singlePackings, dst, a, b, n, h, d)
		return true
	case d%4 != 0 || h == 0:
		return false
	}
	k := 0
	for ; k+8 <= d; k += 8 {
		i := 0
		for ; i+4 <= n; i += 4 {
			product4x8(single(at(a), i*h), single(at(b), k), single(at(dst), i*d+k), h, d)
		}
		for ; i < n; i++ {
			product1x8(single(at(a), i*h), single(at(b), k), single(at(dst), i*d+k), h, d)
		}
	}
	if k < d {
		for i := range n {
			product1x4(single(at(a), i*h), single(at(b), k), single(at(dst), i*d+k), h, d)
		}
	}
	archsimd.ClearAVXUpperBits()
	return true
}

// product4x8 sets eight columns of four rows of u to those of a (4 x h) times b (h x 8); b and u
// are of the given width. With more rows than four, sums no longer stay in registers.
func product4x8(a, b, u address, h, width int) {
	a1, a2, a3 := single(a, h), single(a, 2*h), single(a, 3*h)
	var s0, s1, s2, s3 archsimd.Float32x8
	for j := range h {
		y := load8(single(b, j*width))
		s0 = s0.Add(splat8(single(a, j)).Mul(y))
		s1 = s1.Add(splat8(single(a1, j)).Mul(y))
		s2 = s2.Add(splat8(single(a2, j)).Mul(y))
		s3 = s3.Add(splat8(single(a3, j)).Mul(y))
	}
	store8(u, s0)
	store8(single(u, width), s1)
	store8(single(u, 2*width), s2)
	store8(single(u, 3*width), s3)
}

// product1x8 is product4x8 for one row, product1x4 for four columns of it.
func product1x8(a, b, u address, h, width int) {
	var s archsimd.Float32x8
	for j := range h {
		s = s.Add(splat8(single(a, j)).Mul(load8(single(b, j*width))))
	}
	store8(u, s)
}

func product1x4(a, b, u address, h, width int) {
	var s archsimd.Float32x4
	for j := range h {
		s = s.Add(splat4(single(a, j)).Mul(load4(single(b, j*width))))
	}
	store4(u, s)
}

// vectorMulTrans is AddMulTrans.
func vectorMulTrans(dst, a, g []float32, n, h, d int) bool {
	switch narrow := d%8 == 0 && d <= 16 || d == 4; {
	case !vectorReady:
		return false
	case worthCopies(h, n, d) && !narrow:
		blockedMulTrans(&singlePackings, dst, a, g, n, h, d)
		return true
	case d%4 != 0 || h == 0:
		return false
	case d == 8 && h%8 == 0 && n >= 256:
		tallMulTrans(dst, a, g, n, h)
		return true
	}
	k := 0
	for ; k+8 <= d; k += 8 {
		i := 0
		for ; i+4 <= n; i += 4 {
			transposed4x8(single(at(a), i*h), single(at(g), i*d+k), single(at(dst), k), h, d)
		}
		for ; i < n; i++ {
			transposed1x8(single(at(a), i*h), single(at(g), i*d+k), single(at(dst), k), h, d)
		}
	}
	if k < d {
		for i := range n {
			x := load4(single(at(g), i*d+k))
			for j := range h {
				to := single(at(dst), j*d+k)
				store4(to, load4(to).Add(x.Mul(splat4(single(at(a), i*h+j)))))
			}
		}
	}
	archsimd.ClearAVXUpperBits()
	return true
}

// transposed4x8 adds a' (h x 4) times eight columns of g (4 rows) to those of out (h rows); g and
// out are of the given width. Four rows of a are read from their beginning to their end, which
// suits matrices that come from far away; those of g stay in registers.
func transposed4x8(a, g, out address, h, width int) {
	a1, a2, a3 := single(a, h), single(a, 2*h), single(a, 3*h)
	g0, g1, g2, g3 := load8(g), load8(single(g, width)), load8(single(g, 2*width)), load8(single(g, 3*width))
	for j := range h {
		to := single(out, j*width)
		s := load8(to)
		s = s.Add(g0.Mul(splat8(single(a, j))))
		s = s.Add(g1.Mul(splat8(single(a1, j))))
		s = s.Add(g2.Mul(splat8(single(a2, j))))
		s = s.Add(g3.Mul(splat8(single(a3, j))))
		store8(to, s)
	}
}

// transposed1x8 is the same for one row of a and g.
func transposed1x8(a, g, out address, h, width int) {
	x := load8(g)
	for j := range h {
		to := single(out, j*width)
		store8(to, load8(to).Add(x.Mul(splat8(single(a, j)))))
	}
}

// tall is how many rows of a matrix with many of them are taken at a time: a block in cache that is read from as many places as the
// processor foresees.
const tall = 8

// A tallScratch has memory for sums, and for vectors that repeat one number of g.
type tallScratch struct {
	sums, g []float32
}

var tallScratches = sync.Pool{New: func() any { return &tallScratch{g: make([]float32, tall*8*16)} }}

// tallMulTrans is AddMulTrans for d = 8, h a multiple of 8, and enough rows that transposing the sums pays: neighbouring numbers of a
// row then fill a vector.
func tallMulTrans(dst, a, g []float32, n, h int) {
	lanes := 8
	if h%16 == 0 && wideReady {
		lanes = 16
	}
	scratch := tallScratches.Get().(*tallScratch)
	if len(scratch.sums) < 8*h {
		scratch.sums = make([]float32, 8*h)
	}
	sums, vectors := scratch.sums[:8*h], at(scratch.g)
	for j := range h {
		block := sums[j/lanes*lanes*8+j%lanes:]
		for k, x := range (*[8]float32)(dst[j*8:]) {
			block[k*lanes] = x
		}
	}
	for from := 0; from < n; from += tall {
		rows := min(tall, n-from)
		for i := range 8 * rows {
			if x := single(at(g), 8*from+i); lanes == 16 {
				store16(single(vectors, 16*i), splat16(x))
			} else {
				store8(single(vectors, 8*i), splat8(x))
			}
		}
		for j := 0; j < h; j += lanes {
			if x, s := single(at(a), from*h+j), single(at(sums), 8*j); lanes == 16 {
				sums16(x, vectors, s, rows, h)
			} else {
				sums8(x, vectors, s, rows, h)
			}
		}
	}
	archsimd.ClearAVXUpperBits()
	for j := range h {
		block := sums[j/lanes*lanes*8+j%lanes:]
		to := (*[8]float32)(dst[j*8:])
		for k := range to {
			to[k] = block[k*lanes]
		}
	}
	tallScratches.Put(scratch)
}

// sums16 adds to s (8 x 16) the products of the rows of a, h apart, and the vectors of each row at g.
func sums16(a, g, s address, rows, h int) {
	s0, s1, s2, s3 := load16(s), load16(single(s, 16)), load16(single(s, 32)), load16(single(s, 48))
	s4, s5, s6, s7 := load16(single(s, 64)), load16(single(s, 80)), load16(single(s, 96)), load16(single(s, 112))
	for {
		x := load16(a)
		s0 = s0.Add(x.Mul(load16(g)))
		s1 = s1.Add(x.Mul(load16(single(g, 16))))
		s2 = s2.Add(x.Mul(load16(single(g, 32))))
		s3 = s3.Add(x.Mul(load16(single(g, 48))))
		s4 = s4.Add(x.Mul(load16(single(g, 64))))
		s5 = s5.Add(x.Mul(load16(single(g, 80))))
		s6 = s6.Add(x.Mul(load16(single(g, 96))))
		s7 = s7.Add(x.Mul(load16(single(g, 112))))
		if rows--; rows == 0 {
			break
		}
		a, g = single(a, h), single(g, 128)
	}
	store16(s, s0)
	store16(single(s, 16), s1)
	store16(single(s, 32), s2)
	store16(single(s, 48), s3)
	store16(single(s, 64), s4)
	store16(single(s, 80), s5)
	store16(single(s, 96), s6)
	store16(single(s, 112), s7)
}

// sums8 is the same for s (8 x 8) and vectors of eight.
func sums8(a, g, s address, rows, h int) {
	s0, s1, s2, s3 := load8(s), load8(single(s, 8)), load8(single(s, 16)), load8(single(s, 24))
	s4, s5, s6, s7 := load8(single(s, 32)), load8(single(s, 40)), load8(single(s, 48)), load8(single(s, 56))
	for {
		x := load8(a)
		s0 = s0.Add(x.Mul(load8(g)))
		s1 = s1.Add(x.Mul(load8(single(g, 8))))
		s2 = s2.Add(x.Mul(load8(single(g, 16))))
		s3 = s3.Add(x.Mul(load8(single(g, 24))))
		s4 = s4.Add(x.Mul(load8(single(g, 32))))
		s5 = s5.Add(x.Mul(load8(single(g, 40))))
		s6 = s6.Add(x.Mul(load8(single(g, 48))))
		s7 = s7.Add(x.Mul(load8(single(g, 56))))
		if rows--; rows == 0 {
			break
		}
		a, g = single(a, h), single(g, 64)
	}
	store8(s, s0)
	store8(single(s, 8), s1)
	store8(single(s, 16), s2)
	store8(single(s, 24), s3)
	store8(single(s, 32), s4)
	store8(single(s, 40), s5)
	store8(single(s, 48), s6)
	store8(single(s, 56), s7)
}

// vectorMulDouble is Mul, or AddMul, in double precision.
func vectorMulDouble(dst, a, b []float64, n, h, d int, add bool) bool {
	switch {
	case !vectorReady:
		return false
	case worthCopies(n, h, d) && !add:
		blockedMul(&doublePackings, dst, a, b, n, h, d)
		return true
	case d%2 != 0 || h == 0:
		return false
	}
	for i := range n {
		x, k := double(at(a), i*h), 0
		for ; k+8 <= d; k += 8 {
			productD8(x, double(at(b), k), double(at(dst), i*d+k), h, d, add)
		}
		for ; k < d; k += 2 {
			productD2(x, double(at(b), k), double(at(dst), i*d+k), h, d, add)
		}
	}
	archsimd.ClearAVXUpperBits()
	return true
}

// productD8 sets eight columns of u, or adds to them, the row a (h) times b (h x 8), which is of the
// given width; productD2 does two columns.
func productD8(a, b, u address, h, width int, add bool) {
	var s0, s1 archsimd.Float64x4
	for j := range h {
		x, y := splatD4(double(a, j)), double(b, j*width)
		s0 = s0.Add(x.Mul(loadD4(y)))
		s1 = s1.Add(x.Mul(loadD4(double(y, 4))))
	}
	if add {
		s0, s1 = loadD4(u).Add(s0), loadD4(double(u, 4)).Add(s1)
	}
	storeD4(u, s0)
	storeD4(double(u, 4), s1)
}

func productD2(a, b, u address, h, width int, add bool) {
	var s archsimd.Float64x2
	for j := range h {
		s = s.Add(splatD2(double(a, j)).Mul(loadD2(double(b, j*width))))
	}
	if add {
		s = loadD2(u).Add(s)
	}
	storeD2(u, s)
}

// vectorMulTransDouble is AddMulTrans in double precision.
func vectorMulTransDouble(dst, a, g []float64, n, h, d int) bool {
	switch {
	case !vectorReady:
		return false
	case worthCopies(h, n, d):
		blockedMulTrans(&doublePackings, dst, a, g, n, h, d)
		return true
	case d%2 != 0 || h == 0:
		return false
	}
	for i := range n {
		k := 0
		for ; k+4 <= d; k += 4 {
			x := loadD4(double(at(g), i*d+k))
			for j := range h {
				to := double(at(dst), j*d+k)
				storeD4(to, loadD4(to).Add(x.Mul(splatD4(double(at(a), i*h+j)))))
			}
		}
		for ; k < d; k += 2 {
			x := loadD2(double(at(g), i*d+k))
			for j := range h {
				to := double(at(dst), j*d+k)
				storeD2(to, loadD2(to).Add(x.Mul(splatD2(double(at(a), i*h+j)))))
			}
		}
	}
	archsimd.ClearAVXUpperBits()
	return true
}
