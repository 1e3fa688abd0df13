//go:build js && simd

package kernel

//go:wasmimport kern exps
//go:noescape
func simdExps(x address, n int32)

//go:wasmimport kern softmax
//go:noescape
func simdSoftmax(x, top, sum address, count, n, column int32)

// These do the first items, an even number of them, and return their number.

// vectorExps is Exps.
func vectorExps(x []float64) int {
	n := len(x) &^ 1
	if !vectorReady || n == 0 {
		return 0
	}
	simdExps(at(x), int32(n))
	return n
}

// vectorSoftmax is Softmax.
func vectorSoftmax(x, top, sum []float64) int {
	n := len(top) &^ 1
	if !vectorReady || n == 0 {
		return 0
	}
	simdSoftmax(at(x), at(top), at(sum), int32(len(x)/len(top)), int32(n), int32(len(top)))
	return n
}
