//go:build js && wasm && simd

package kernel

import "unsafe"

// The SIMD kernels live in a module of their own (internal/lanes), because the Go compiler
// has no vector instructions for wasm. It works on this program's memory. The program
// imports a shim with the same signatures, whose table the kernels fill before the program
// runs; www/kernels.js links the three.
//
// A call passes addresses of Go slices. That is sound: there is one thread, the collector
// does not move the heap, no preemption happens within the call, and the kernels neither
// keep an address nor call back. Lengths are checked by the exported functions.

type address = unsafe.Pointer

// simdReady tells whether this machine validated the kernels.
//
//go:wasmimport kern ready
func simdReady() int32

//go:wasmimport kern adam
//go:noescape
func simdAdam(w, m, v, du, w2i, rate address, n, h int32)

//go:wasmimport kern product
//go:noescape
func simdProduct(a, b, u address, n, h, stride int32)

//go:wasmimport kern transposed
//go:noescape
func simdTransposed(a, g, out address, n, h, stride int32)

//go:wasmimport kern sparse
//go:noescape
func simdSparse(start, index, value, b, y address, n int32)

var vectorReady = simdReady() != 0

func at[T any](x []T) address { return address(unsafe.SliceData(x)) }

// vectorMul is Mul for d = 8. What the kernel leaves, rows and columns beyond a multiple of
// four, is added after it, in order.
func vectorMul(dst, a, b []float32, n, h int) {
	n4, h4 := n&^3, h&^3
	if n4 > 0 && h4 > 0 {
		simdProduct(at(a), at(b), at(dst), int32(n4), int32(h4), int32(h))
	} else {
		n4 = 0
	}
	for i := range n4 {
		o := (*[8]float32)(dst[i*8:])
		for j := h4; j < h; j++ {
			x, c := a[i*h+j], (*[8]float32)(b[j*8:])
			for k := range o {
				o[k] += float32(x * c[k])
			}
		}
	}
	for i := n4; i < n; i++ {
		mulRow8((*[8]float32)(dst[i*8:]), a[i*h:i*h+h], b)
	}
}

// vectorMulTrans is AddMulTrans for d = 8.
func vectorMulTrans(dst, a, g []float32, n, h int) {
	h4 := h &^ 3
	if n > 0 && h4 > 0 {
		simdTransposed(at(a), at(g), at(dst), int32(n), int32(h4), int32(h))
	}
	if h4 == h {
		return
	}
	for i := range n {
		c := (*[8]float32)(g[i*8:])
		for j := h4; j < h; j++ {
			x, o := a[i*h+j], (*[8]float32)(dst[j*8:])
			for k := range o {
				o[k] += float32(c[k] * x)
			}
		}
	}
}

// vectorSparse is SparseMul for d = 8.
func vectorSparse(dst []float32, start, index []int32, value, b []float32) {
	if n := len(start) - 1; n > 0 {
		simdSparse(at(start), at(index), at(value), at(b), at(dst), int32(n))
	}
}

var interleaved []float32 // W2 as the kernel reads it

// vectorAdam is AdamFactored for d = 8, h a multiple of 4 and no decay. Blocks of 16 rows
// are still in cache when U is taken from them.
func vectorAdam(w1, m, v, u, du, old, w2 []float32, n, h int, r *AdamRate[float32]) {
	if len(interleaved) < h*8 {
		interleaved = make([]float32, h*8)
	}
	for j := 0; j < h; j += 4 {
		s, d := (*[32]float32)(old[j*8:]), (*[32]float32)(interleaved[j*8:])
		for k := range 8 {
			d[k*4], d[k*4+1], d[k*4+2], d[k*4+3] = s[k], s[8+k], s[16+k], s[24+k]
		}
	}
	rate := [7]float32{r.B1, r.C1, r.B2, r.C2, r.Step, r.InvSqrt, r.Eps}
	const block = 16
	for i := 0; i < n; i += block {
		rows := min(block, n-i)
		simdAdam(at(w1[i*h:]), at(m[i*h:]), at(v[i*h:]), at(du[i*8:]), at(interleaved), address(&rate), int32(rows), int32(h))
		vectorMul(u[i*8:(i+rows)*8], w1[i*h:(i+rows)*h], w2, rows, h)
	}
}
