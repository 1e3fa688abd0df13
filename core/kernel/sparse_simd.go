//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// vectorSparse is SparseMul, or PatternMul, whose scale takes the place of value, for d a multiple
// of 4.
func vectorSparse(dst []float32, start, index []int32, value, b []float32, d int, pattern bool) {
	for i := range len(start) - 1 {
		ix := index[start[i]:start[i+1]]
		k := 0
		for ; k+8 <= d; k += 8 {
			if pattern {
				pattern8(single(at(dst), i*d+k), single(at(value), i), ix, single(at(b), k), d)
			} else {
				sparse8(single(at(dst), i*d+k), single(at(value), int(start[i])), ix, single(at(b), k), d)
			}
		}
		if k < d {
			if pattern {
				pattern4(single(at(dst), i*d+k), single(at(value), i), ix, single(at(b), k), d)
			} else {
				sparse4(single(at(dst), i*d+k), single(at(value), int(start[i])), ix, single(at(b), k), d)
			}
		}
	}
	archsimd.ClearAVXUpperBits()
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
