//go:build !(js && wasm && simd) && !(goexperiment.simd && amd64)

package kernel

// Without vector kernels the scalar loops do everything.
const (
	vectorReady = false
	vectorKind  = ""
)

// UseVectors chooses between the vector kernels, which this program does not have, and the scalar
// loops; it returns the earlier choice.
func UseVectors(bool) (before bool) { return false }

// Nothing is known of the order of bytes, and memory and words are not called.
const lowestFirst = false

func memory[T Float](a []T) []byte { return nil }

func words(b []byte) []uint64 { return nil }

func vectorMul(dst, a, b []float32, n, h, d int) bool                 { return false }
func vectorMulTrans(dst, a, g []float32, n, h, d int) bool            { return false }
func vectorMulDouble(dst, a, b []float64, n, h, d int, add bool) bool { return false }
func vectorMulTransDouble(dst, a, g []float64, n, h, d int) bool      { return false }

func vectorSparse(dst []float32, start, index []int32, value, b []float32, d int, pattern bool) {}
func vectorSparseDouble(dst []float64, start, index []int32, value, b []float64, d int) bool {
	return false
}
func vectorScaleRows(dst, x, scale []float32, d int)                                    {}
func vectorAdamPlain(w, m, v, g []float32, r *AdamRate[float32])                        {}
func vectorAdam(w1, m, v, u, du, old, w2 []float32, n, h, d int, r *AdamRate[float32])  {}
func vectorResidual(y, c, s, b, db []float32, step float32, squares *[8]float64, d int) {}

func vectorSoftmax(x, top, sum []float64) int { return 0 }
func vectorExps(x []float64) int              { return 0 }
func vectorCombine(dst []float64, bias float64, coef []float64, stride, count int, x []float64) int {
	return 0
}
func vectorBlend(dst, a, x []float64, stride, count int) int { return 0 }
func vectorSquares(dst, x, c []float64) int                  { return 0 }
func vectorHalves(sums, a, x []float64) (columns, items int) { return 0, 0 }
func vectorReflect(x []float64, n, width int, v []float64, stride int, tau float64, d int) int {
	return 0
}

func vectorPlace(dst []float64, rows []int32, x, y, b, count []float32)            {}
func vectorCollect(dst, sum []float32, x []float64, rows []int32, count []float32) {}

func vectorInner8(s *[8]float32, x, y []float32) int               { return 0 }
func vectorInner8Double(s *[8]float64, x, y []float64) int         { return 0 }
func vectorExchange(change, row, x []float32, g float32) int       { return 0 }
func vectorExchangeDouble(change, row, x []float64, g float64) int { return 0 }
