package main

import (
	"encoding/binary"
	"math"
)

// The floor of a step is a stream over the bytes that it cannot avoid: every weight with
// its two moments is read and written once, 24 bytes a parameter, by the plainest loop there
// is. Beside it stands the arithmetic that it cannot avoid, with nothing read or written.

// unroll is the number of vectors of each of the three arrays that the stream takes at a time.
const unroll = 4

// Types and instructions of WebAssembly.
const (
	i32, f32, v128, empty                                = 0x7f, 0x7d, 0x7b, 0x40
	get, set, tee, add, sub, less, constI, constF        = 0x20, 0x21, 0x22, 0x6a, 0x6b, 0x49, 0x41, 0x43
	loop, end, branch, vector                            = 0x03, 0x0b, 0x0d, 0xfd
	load, store, constV, splat, lane                     = 0x00, 0x0b, 0x0c, 0x13, 0x1f
	sqrtF32x4, addF32x4, mulF32x4, divF32x4       uint64 = 0xe3, 0xe4, 0xe6, 0xe7
)

// floorModule emits a WebAssembly module that exports its memory as "mem" and
//
//	stream(w, m, v, end i32)
//	roots(turns i32) f32
//	products(turns i32) f32
//
// Stream adds 1 to every float32 from w to end and to as many from m and v; the length is a multiple of 64 bytes and above
// 0. The two others do the arithmetic of turns times rootsTurn and productsTurn parameters.
func floorModule(pages uint64) []byte {
	const ones = 4                             // the local after the parameters
	body := []byte{1, 1, v128, vector, constV} // one local; the vector of ones
	for range 4 {
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(1))
	}
	body = append(body, set, ones, loop, empty)
	for i := range byte(unroll) {
		for p := range byte(3) {
			body = append(body, get, p, get, p, vector, load, 4, 16*i, get, ones)
			body = append(compute(body, addF32x4), vector, store, 4, 16*i)
		}
	}
	for p := range byte(3) {
		body = append(body, get, p, constI, 0xc0, 0x00, add, set, p) // 64, signed
	}
	body = append(body, get, 0, get, 3, less, branch, 0, end, end)

	roots := chains(rootsTurn/4, 1, func(body []byte, x, one byte) []byte {
		return compute(compute(append(body, get, one, get, x), sqrtF32x4), divF32x4)
	})
	products := chains(12, 24/12, func(body []byte, x, one byte) []byte {
		return compute(append(compute(append(body, get, x, get, one+1), mulF32x4), get, one), addF32x4)
	})
	section := func(out []byte, id byte, body []byte) []byte {
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		return append(out, body...)
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	out = section(out, 1, []byte{2, 0x60, 4, i32, i32, i32, i32, 0, 0x60, 1, i32, 1, f32})
	out = section(out, 3, []byte{3, 0, 1, 1})
	out = section(out, 5, binary.AppendUvarint([]byte{1, 0}, pages))
	out = section(out, 7, []byte("\x04\x03mem\x02\x00\x06stream\x00\x00\x05roots\x00\x01\x08products\x00\x02"))
	code := []byte{3}
	for _, f := range [][]byte{body, roots, products} {
		code = append(binary.AppendUvarint(code, uint64(len(f))), f...)
	}
	return section(out, 10, code)
}

// Parameters per turn. For each, a step of Adam takes a root and a division. The products with eight columns, of its matrix and of
// the gradients of both factors, take 24 multiplications, each added to a sum.
const rootsTurn, productsTurn = 32, 4

// chains is a function that changes some vectors, enough to hide the latency of an operation, several times in each turn. It returns
// their sum, so that all are needed.
func chains(vectors, times byte, change func(body []byte, x, one byte) []byte) []byte {
	one := vectors + 1 // the local after the vectors holds ones, the last one halves
	body := []byte{1, vectors + 2, v128}
	fill := func(local byte, x float32) {
		body = binary.LittleEndian.AppendUint32(append(body, constF), math.Float32bits(x))
		body = append(body, vector, splat, set, local)
	}
	for x := range vectors {
		fill(1+x, float32(2+x))
	}
	fill(one, 1)
	fill(one+1, 0.5)
	body = append(body, loop, empty)
	for range times {
		for x := range vectors {
			body = append(change(body, 1+x, one), set, 1+x)
		}
	}
	body = append(body, get, 0, constI, 1, sub, tee, 0, branch, 0, end, get, 1)
	for x := range vectors - 1 {
		body = compute(append(body, get, 2+x), addF32x4)
	}
	return append(body, vector, lane, 0, end)
}

// compute appends an instruction for vectors.
func compute(body []byte, instruction uint64) []byte {
	return binary.AppendUvarint(append(body, vector), instruction)
}

// floorPages is the memory for the stream over that number of parameters.
func floorPages(parameters int) uint64 { return uint64(12*parameters)/65536 + 1 }

// floorLoops are the loops of the module.
var floorLoops = []struct {
	key, name string
	turn      int // parameters of a turn; 0 for those of the stream
}{{"floor/simd", "stream", 0}, {"floor/roots", "roots", rootsTurn}, {"floor/products", "products", productsTurn}}

// floorPasses is the number of passes that one measurement averages.
const floorPasses = 400
