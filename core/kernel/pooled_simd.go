//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// vectorPlace is Place for rows of a multiple of 4 numbers.
func vectorPlace(dst []float64, rows []int32, x, y, b, count []float32) {
	d := len(b)
	for i, to := range rows {
		c := archsimd.BroadcastFloat32x4(count[i])
		for k := 0; k < d; k += 4 {
			v := load4(single(at(x), i*d+k)).Add(c.Mul(load4(single(at(b), k)))).Add(load4(single(at(y), i*d+k)))
			v.ConvertToFloat64().Store((*[4]float64)(dst[int(to)*d+k:]))
		}
	}
	archsimd.ClearAVXUpperBits()
}

// vectorCollect is Collect for rows of a multiple of 4 numbers.
func vectorCollect(dst, sum []float32, x []float64, rows []int32, count []float32) {
	d := len(sum)
	for i, from := range rows {
		c := archsimd.BroadcastFloat32x4(count[i])
		for k := 0; k < d; k += 4 {
			v := archsimd.LoadFloat64x4((*[4]float64)(x[int(from)*d+k:])).ConvertToFloat32()
			store4(single(at(dst), i*d+k), v)
			to := single(at(sum), k)
			store4(to, load4(to).Add(c.Mul(v)))
		}
	}
	archsimd.ClearAVXUpperBits()
}
