//go:build !(js && wasm && simd)

package kernel

// Without the SIMD kernels the scalar loops do everything.
const vectorReady = false

func vectorMul(dst, a, b []float32, n, h, d int)                                       {}
func vectorMulTrans(dst, a, g []float32, n, h, d int)                                  {}
func vectorSparse(dst []float32, start, index []int32, value, b []float32, d int)      {}
func vectorAdamPlain(w, m, v, g []float32, r *AdamRate[float32])                       {}
func vectorAdam(w1, m, v, u, du, old, w2 []float32, n, h, d int, r *AdamRate[float32]) {}
