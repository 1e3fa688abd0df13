//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// vectorReflect is Reflect for the first columns, an even number of them, which it returns.
func vectorReflect(x []float64, n, width int, v []float64, stride int, tau float64, d int) int {
	if !vectorReady {
		return 0
	}
	k := 0
	for ; k+16 <= d; k += 16 {
		reflectD16(double(at(x), k), at(v), tau, n, width, stride)
	}
	for ; k+4 <= d; k += 4 {
		reflectD4(double(at(x), k), at(v), tau, n, width, stride)
	}
	if k+2 <= d {
		reflectD2(double(at(x), k), at(v), tau, n, width, stride)
		k += 2
	}
	archsimd.ClearAVXUpperBits()
	return k
}

// reflectD16, reflectD4 and reflectD2 do so many columns of n rows of the given width.
func reflectD16(x, v address, tau float64, n, width, stride int) {
	s0, s1, s2, s3 := loadD4(x), loadD4(double(x, 4)), loadD4(double(x, 8)), loadD4(double(x, 12))
	for i := 1; i < n; i++ {
		c, row := splatD4(double(v, i*stride)), double(x, i*width)
		s0 = s0.Add(c.Mul(loadD4(row)))
		s1 = s1.Add(c.Mul(loadD4(double(row, 4))))
		s2 = s2.Add(c.Mul(loadD4(double(row, 8))))
		s3 = s3.Add(c.Mul(loadD4(double(row, 12))))
	}
	t := archsimd.BroadcastFloat64x4(tau)
	s0, s1, s2, s3 = s0.Mul(t), s1.Mul(t), s2.Mul(t), s3.Mul(t)
	storeD4(x, loadD4(x).Sub(s0))
	storeD4(double(x, 4), loadD4(double(x, 4)).Sub(s1))
	storeD4(double(x, 8), loadD4(double(x, 8)).Sub(s2))
	storeD4(double(x, 12), loadD4(double(x, 12)).Sub(s3))
	for i := 1; i < n; i++ {
		c, row := splatD4(double(v, i*stride)), double(x, i*width)
		storeD4(row, loadD4(row).Sub(c.Mul(s0)))
		storeD4(double(row, 4), loadD4(double(row, 4)).Sub(c.Mul(s1)))
		storeD4(double(row, 8), loadD4(double(row, 8)).Sub(c.Mul(s2)))
		storeD4(double(row, 12), loadD4(double(row, 12)).Sub(c.Mul(s3)))
	}
}

func reflectD4(x, v address, tau float64, n, width, stride int) {
	s := loadD4(x)
	for i := 1; i < n; i++ {
		s = s.Add(splatD4(double(v, i*stride)).Mul(loadD4(double(x, i*width))))
	}
	s = s.Mul(archsimd.BroadcastFloat64x4(tau))
	storeD4(x, loadD4(x).Sub(s))
	for i := 1; i < n; i++ {
		row := double(x, i*width)
		storeD4(row, loadD4(row).Sub(splatD4(double(v, i*stride)).Mul(s)))
	}
}

func reflectD2(x, v address, tau float64, n, width, stride int) {
	s := loadD2(x)
	for i := 1; i < n; i++ {
		s = s.Add(splatD2(double(v, i*stride)).Mul(loadD2(double(x, i*width))))
	}
	s = s.Mul(archsimd.BroadcastFloat64x2(tau))
	storeD2(x, loadD2(x).Sub(s))
	for i := 1; i < n; i++ {
		row := double(x, i*width)
		storeD2(row, loadD2(row).Sub(splatD2(double(v, i*stride)).Mul(s)))
	}
}
