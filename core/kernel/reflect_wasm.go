//go:build js && simd

package kernel

//go:wasmimport kern reflectd8
//go:noescape
func simdReflectD8(x, v, tau address, n, width, stride int32)

//go:wasmimport kern reflectd2
//go:noescape
func simdReflectD2(x, v, tau address, n, width, stride int32)

// vectorReflect is Reflect for the first columns, an even number of them, which it returns.
func vectorReflect(x []float64, n, width int, v []float64, stride int, tau float64, d int) int {
	if !vectorReady {
		return 0
	}
	k := 0
	for ; k+8 <= d; k += 8 {
		simdReflectD8(at(x[k:]), at(v), address(&tau), int32(n), int32(width), int32(stride))
	}
	for ; k+2 <= d; k += 2 {
		simdReflectD2(at(x[k:]), at(v), address(&tau), int32(n), int32(width), int32(stride))
	}
	return k
}
