//go:build goexperiment.simd && amd64

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

// The native vector kernels do what the scalar loops do, operation by operation: a vector
// holds sums that are independent of each other, never parts of one sum, products are
// rounded before they are added, and so the bits are those of the scalar loops. Each lies
// near its loop: those of product.go in product_simd.go.
//
// Lengths are checked by the exported functions. A kernel ends with [archsimd.ClearAVXUpperBits],
// because scalar code that follows would wait for the upper halves.

type address = unsafe.Pointer

// vectorReady reports whether this machine has the instructions, and nobody asked for the scalar
// loops.
var vectorReady = archsimd.X86.AVX2()

// wideReady reports whether it also has vectors of 512 bits, which some kernels take.
var wideReady = archsimd.X86.AVX512()

// vectorKind names the instructions of the widest that they take.
var vectorKind = map[bool]string{false: "AVX2", true: "AVX-512"}[wideReady]

// UseVectors chooses the vector kernels if the machine has them, or the scalar loops. They give the
// same bits. It returns the earlier choice, and is not called while kernels run.
func UseVectors(yes bool) (before bool) {
	before = vectorReady
	vectorReady = yes && archsimd.X86.AVX2()
	return before
}

func at[T any](x []T) address { return address(unsafe.SliceData(x)) }

// single is the address of number i, float32, after p; double the same in float64.
func single(p address, i int) address { return unsafe.Add(p, 4*i) }
func double(p address, i int) address { return unsafe.Add(p, 8*i) }

// Sixteen, eight or four neighbouring numbers in float32, or one of them in all lanes.
func load8(p address) archsimd.Float32x8       { return archsimd.LoadFloat32x8((*[8]float32)(p)) }
func store8(p address, x archsimd.Float32x8)   { x.Store((*[8]float32)(p)) }
func splat8(p address) archsimd.Float32x8      { return archsimd.BroadcastFloat32x8(*(*float32)(p)) }
func load16(p address) archsimd.Float32x16     { return archsimd.LoadFloat32x16((*[16]float32)(p)) }
func store16(p address, x archsimd.Float32x16) { x.Store((*[16]float32)(p)) }
func splat16(p address) archsimd.Float32x16    { return archsimd.BroadcastFloat32x16(*(*float32)(p)) }
func load4(p address) archsimd.Float32x4       { return archsimd.LoadFloat32x4((*[4]float32)(p)) }
func store4(p address, x archsimd.Float32x4)   { x.Store((*[4]float32)(p)) }
func splat4(p address) archsimd.Float32x4      { return archsimd.BroadcastFloat32x4(*(*float32)(p)) }

// The same in float64, four or two.
func loadD4(p address) archsimd.Float64x4     { return archsimd.LoadFloat64x4((*[4]float64)(p)) }
func storeD4(p address, x archsimd.Float64x4) { x.Store((*[4]float64)(p)) }
func splatD4(p address) archsimd.Float64x4    { return archsimd.BroadcastFloat64x4(*(*float64)(p)) }
func loadD2(p address) archsimd.Float64x2     { return archsimd.LoadFloat64x2((*[2]float64)(p)) }
func storeD2(p address, x archsimd.Float64x2) { x.Store((*[2]float64)(p)) }
func splatD2(p address) archsimd.Float64x2    { return archsimd.BroadcastFloat64x2(*(*float64)(p)) }

// This machine stores numbers with their lowest byte first.
const lowestFirst = true

// memory returns the bytes of a in place.
func memory[T Float](a []T) []byte {
	return unsafe.Slice((*byte)(at(a)), len(a)*int(unsafe.Sizeof(*new(T))))
}

// words is the way back from memory, for whole words, which need no alignment on this machine.
func words(b []byte) []uint64 { return unsafe.Slice((*uint64)(at(b)), len(b)/8) }

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

// vectorPlace is Place for rows of a multiple of 4 numbers.
func vectorPlace(dst []float64, rows []int32, x, y, b, count []float32) {
	d := len(b)
	for i, to := range rows {
		c := archsimd.BroadcastFloat32x4(count[i])
		for k := 0; k < d; k += 4 {
			v := load4(single(at(x), i*d+k)).Add(c.Mul(load4(single(at(b), k)))).Add(load4(single(at(y), i*d+k)))
			v.ConvertToFloat64().Store((*[4]float64)(dst[int(to)*d+k:]))
		}
	}
	archsimd.ClearAVXUpperBits()
}

// vectorCollect is Collect for rows of a multiple of 4 numbers.
func vectorCollect(dst, sum []float32, x []float64, rows []int32, count []float32) {
	d := len(sum)
	for i, from := range rows {
		c := archsimd.BroadcastFloat32x4(count[i])
		for k := 0; k < d; k += 4 {
			v := archsimd.LoadFloat64x4((*[4]float64)(x[int(from)*d+k:])).ConvertToFloat32()
			store4(single(at(dst), i*d+k), v)
			to := single(at(sum), k)
			store4(to, load4(to).Add(c.Mul(v)))
		}
	}
	archsimd.ClearAVXUpperBits()
}
