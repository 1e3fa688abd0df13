//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// vectorSparse is SparseMul, or PatternMul, whose scale takes the place of value, for d a multiple
// of 4.
func vectorSparse(dst []float32, start, index []int32, value, b []float32, d int, pattern bool) {
	i := 0
	for ; pattern && d == 8 && i+3 <= len(start); i += 2 {
		pattern8Pair(single(at(dst), i*d), single(at(value), i), index[start[i]:start[i+1]], index[start[i+1]:start[i+2]], at(b))
	}
	for ; i < len(start)-1; i++ {
		ix, v := index[start[i]:start[i+1]], at(value) // of the row; where it has no entries memory may end
		if pattern {
			v = single(v, i)
		} else {
			v = at(value[start[i]:start[i+1]])
		}
		k := 0
		for ; k+32 <= d && !pattern; k += 32 {
			sparse32(single(at(dst), i*d+k), v, ix, single(at(b), k), d)
		}
		if k+16 <= d && !pattern {
			sparse16(single(at(dst), i*d+k), v, ix, single(at(b), k), d)
			k += 16
		}
		for ; k+8 <= d; k += 8 {
			if pattern {
				pattern8(single(at(dst), i*d+k), v, ix, single(at(b), k), d)
			} else {
				sparse8(single(at(dst), i*d+k), v, ix, single(at(b), k), d)
			}
		}
		if k < d {
			if pattern {
				pattern4(single(at(dst), i*d+k), v, ix, single(at(b), k), d)
			} else {
				sparse4(single(at(dst), i*d+k), v, ix, single(at(b), k), d)
			}
		}
	}
	archsimd.ClearAVXUpperBits()
}

// sparse16 does sixteen columns, whose sums do not wait for each other.
func sparse16(y, value address, index []int32, b address, width int) {
	var s, t archsimd.Float32x8
	for p, j := range index {
		v, row := splat8(single(value, p)), single(b, int(j)*width)
		s = s.Add(v.Mul(load8(row)))
		t = t.Add(v.Mul(load8(single(row, 8))))
	}
	store8(y, s)
	store8(single(y, 8), t)
}

// sparse8 sets eight columns of y to one row of a sparse matrix times those of b, of the given
// width; pattern8 does it for a row of ones, multiplied by scale after that.
func sparse8(y, value address, index []int32, b address, width int) {
	var s archsimd.Float32x8
	for p, j := range index {
		s = s.Add(splat8(single(value, p)).Mul(load8(single(b, int(j)*width))))
	}
	store8(y, s)
}

func pattern8(y, scale address, index []int32, b address, width int) {
	var s archsimd.Float32x8
	for _, j := range index {
		s = s.Add(load8(single(b, int(j)*width)))
	}
	store8(y, s.Mul(splat8(scale)))
}

// pattern8Pair does two rows of eight columns, whose sums do not wait for each other.
func pattern8Pair(y, scale address, one, other []int32, b address) {
	const width = 8
	var s, t archsimd.Float32x8
	both := min(len(one), len(other))
	for p, j := range one[:both] {
		s = s.Add(load8(single(b, int(j)*width)))
		t = t.Add(load8(single(b, int(other[p])*width)))
	}
	for _, j := range one[both:] {
		s = s.Add(load8(single(b, int(j)*width)))
	}
	for _, j := range other[both:] {
		t = t.Add(load8(single(b, int(j)*width)))
	}
	store8(y, s.Mul(splat8(scale)))
	store8(single(y, width), t.Mul(splat8(single(scale, 1))))
}

// sparse32 does thirty-two columns.
func sparse32(y, value address, index []int32, b address, width int) {
	var s0, s1, s2, s3 archsimd.Float32x8
	for p, j := range index {
		v, row := splat8(single(value, p)), single(b, int(j)*width)
		s0 = s0.Add(v.Mul(load8(row)))
		s1 = s1.Add(v.Mul(load8(single(row, 8))))
		s2 = s2.Add(v.Mul(load8(single(row, 16))))
		s3 = s3.Add(v.Mul(load8(single(row, 24))))
	}
	store8(y, s0)
	store8(single(y, 8), s1)
	store8(single(y, 16), s2)
	store8(single(y, 24), s3)
}

// sparse4 and pattern4 do four columns.
func sparse4(y, value address, index []int32, b address, width int) {
	var s archsimd.Float32x4
	for p, j := range index {
		s = s.Add(splat4(single(value, p)).Mul(load4(single(b, int(j)*width))))
	}
	store4(y, s)
}

func pattern4(y, scale address, index []int32, b address, width int) {
	var s archsimd.Float32x4
	for _, j := range index {
		s = s.Add(load4(single(b, int(j)*width)))
	}
	store4(y, s.Mul(splat4(scale)))
}

// vectorSparseDouble is SparseMul in double precision, and reports whether it did it.
func vectorSparseDouble(dst []float64, start, index []int32, value, b []float64, d int) bool {
	if !vectorReady || d%4 != 0 || len(b) == 0 {
		return false
	}
	for i := range len(start) - 1 {
		ix, v := index[start[i]:start[i+1]], at(value[start[i]:start[i+1]])
		k := 0
		for ; k+16 <= d; k += 16 {
			sparseD16(double(at(dst), i*d+k), v, ix, double(at(b), k), d)
		}
		for ; k < d; k += 4 {
			var s archsimd.Float64x4
			for p, j := range ix {
				s = s.Add(splatD4(double(v, p)).Mul(loadD4(double(at(b), int(j)*d+k))))
			}
			storeD4(double(at(dst), i*d+k), s)
		}
	}
	archsimd.ClearAVXUpperBits()
	return true
}

// sparseD16 does sixteen columns in double precision.
func sparseD16(y, value address, index []int32, b address, width int) {
	var s0, s1, s2, s3 archsimd.Float64x4
	for p, j := range index {
		v, row := splatD4(double(value, p)), double(b, int(j)*width)
		s0 = s0.Add(v.Mul(loadD4(row)))
		s1 = s1.Add(v.Mul(loadD4(double(row, 4))))
		s2 = s2.Add(v.Mul(loadD4(double(row, 8))))
		s3 = s3.Add(v.Mul(loadD4(double(row, 12))))
	}
	storeD4(y, s0)
	storeD4(double(y, 4), s1)
	storeD4(double(y, 8), s2)
	storeD4(double(y, 12), s3)
}

// vectorScaleRows is ScaleRows for d a multiple of 4.
func vectorScaleRows(dst, x, scale []float32, d int) {
	for i := range scale {
		s := archsimd.BroadcastFloat32x8(scale[i])
		k := 0
		for ; k+8 <= d; k += 8 {
			store8(single(at(dst), i*d+k), s.Mul(load8(single(at(x), i*d+k))))
		}
		if k < d {
			store4(single(at(dst), i*d+k), s.GetLo().Mul(load4(single(at(x), i*d+k))))
		}
	}
	archsimd.ClearAVXUpperBits()
}
