//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// vectorResidual is Residual for four or eight columns, as many as b has at least; it sets their squares.
func vectorResidual(y, c, s, b, db []float32, step float32, squares *[8]float64, d int) {
	columns := min(8, len(b))
	for k := 0; k < columns; k += 4 {
		residual4(single(at(y), k), single(at(c), k), single(at(s), k), single(at(b), k), single(at(db), k), step, double(address(squares), k), (len(y)+d-1)/d, d)
	}
	archsimd.ClearAVXUpperBits()
}

// residual4 does four columns of n rows of the given width.
func residual4(y, c, s, b, db address, step float32, squares address, n, width int) {
	factor := archsimd.BroadcastFloat32x4(step)
	bias, sum := load4(b), load4(db)
	var square archsimd.Float64x4
	for i := range n {
		x := load4(single(c, i*width)).Add(bias).Sub(load4(single(s, i*width)))
		wide := x.ConvertToFloat64()
		square = square.Add(wide.Mul(wide))
		x = factor.Mul(x)
		store4(single(y, i*width), x)
		sum = sum.Add(x)
	}
	store4(db, sum)
	storeD4(squares, square)
}
