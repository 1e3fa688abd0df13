//go:build js && simd

package kernel

//go:wasmimport kern adam
//go:noescape
func simdAdam(w, m, v, u, du, old, w2, turned, rate address, n, h int32)

//go:wasmimport kern adamWide
//go:noescape
func simdAdamWide(w, m, v, du, w2i, rate address, n, h, d int32)

//go:wasmimport kern adamPlain
//go:noescape
func simdAdamPlain(w, m, v, g, rate address, n, decays int32)

//go:wasmimport kern interleave
//go:noescape
func simdInterleave(w2, w2i address, h, d int32)

// vectorAdamPlain is Adam for a number of weights that is a multiple of 4.
func vectorAdamPlain(w, m, v, g []float32, r *AdamRate[float32]) {
	if len(w) == 0 {
		return
	}
	rate, decays := r.Numbers(), int32(0)
	if r.Decay != 0 {
		decays = 1
	}
	simdAdamPlain(at(w), at(m), at(v), at(g), address(&rate), int32(len(w)), decays)
}

var interleaved []float32 // W2 as the kernels read it

// vectorAdam is AdamFactored for h a multiple of 4 and no decay.
func vectorAdam(w1, m, v, u, du, old, w2 []float32, n, h, d int, r *AdamRate[float32]) {
	if n == 0 {
		return
	}
	if len(interleaved) < h*d {
		interleaved = make([]float32, h*d)
	}
	rate := r.Numbers()
	if d == 8 && h%16 == 0 {
		simdAdam(at(w1), at(m), at(v), at(u), at(du), at(old), at(w2), at(interleaved), address(&rate), int32(n), int32(h))
		return
	}
	simdInterleave(at(old), at(interleaved), int32(h), int32(d))
	const block = 16 // rows that are still in cache when U is taken from them
	for i := 0; i < n; i += block {
		rows := min(block, n-i)
		simdAdamWide(at(w1[i*h:]), at(m[i*h:]), at(v[i*h:]), at(du[i*d:]), at(interleaved), address(&rate), int32(rows), int32(h), int32(d))
		vectorMul(u[i*d:(i+rows)*d], w1[i*h:(i+rows)*h], w2, rows, h, d)
	}
}
