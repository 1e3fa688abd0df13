//go:build js && simd

package kernel

//go:wasmimport kern inner8
//go:noescape
func simdInner8(sums, x, y address, n int32)

//go:wasmimport kern exchange
//go:noescape
func simdExchange(change, row, x, g address, n int32)

// These take as many numbers as make up whole eights and return how many.

// vectorInner8 is scalarInner8.
func vectorInner8(s *[8]float32, x, y []float32) int {
	n := len(x) &^ 7
	if !vectorReady || n == 0 {
		return 0
	}
	simdInner8(address(s), at(x), at(y), int32(n))
	return n
}

// vectorExchange is exchange.
func vectorExchange(change, row, x []float32, g float32) int {
	n := len(x) &^ 7
	if !vectorReady || n == 0 {
		return 0
	}
	simdExchange(at(change), at(row), at(x), address(&g), int32(n))
	return n
}

// In double precision nothing in a browser is trained.
func vectorInner8Double(s *[8]float64, x, y []float64) int         { return 0 }
func vectorExchangeDouble(change, row, x []float64, g float64) int { return 0 }
