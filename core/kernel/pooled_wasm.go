//go:build js && simd

package kernel

//go:wasmimport kern place
//go:noescape
func simdPlace(dst, at, x, y, b, count address, n, d int32)

//go:wasmimport kern collect
//go:noescape
func simdCollect(dst, sum, x, at, count address, n, d int32)

// vectorPlace is Place.
func vectorPlace(dst []float64, rows []int32, x, y, b, count []float32) {
	if len(rows) > 0 {
		simdPlace(at(dst), at(rows), at(x), at(y), at(b), at(count), int32(len(rows)), int32(len(b)))
	}
}

// vectorCollect is Collect.
func vectorCollect(dst, sum []float32, x []float64, rows []int32, count []float32) {
	if len(rows) > 0 {
		simdCollect(at(dst), at(sum), at(x), at(rows), at(count), int32(len(rows)), int32(len(sum)))
	}
}
