//go:build js && simd

package kernel

//go:wasmimport kern residual8
//go:noescape
func simdResidual8(y, c, s, b, db, step, squares address, n, width int32)

//go:wasmimport kern residual4
//go:noescape
func simdResidual4(y, c, s, b, db, step, squares address, n, width int32)

// vectorResidual is Residual for four or eight columns, as many as b has at least; it sets their squares.
func vectorResidual(y, c, s, b, db []float32, step float32, squares *[8]float64, d int) {
	n := (len(y) + d - 1) / d
	if len(b) >= 8 {
		simdResidual8(at(y), at(c), at(s), at(b), at(db), address(&step), address(squares), int32(n), int32(d))
	} else {
		simdResidual4(at(y), at(c), at(s), at(b), at(db), address(&step), address(squares), int32(n), int32(d))
	}
}
