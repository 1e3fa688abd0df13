package main

import (
	"encoding/binary"
	"math"
	"time"
)

// The floor of a step is a stream over the bytes that it cannot avoid: every weight with
// its two moments is read and written once, 24 bytes a parameter, by the plainest loop there
// is.

// unroll is how many vectors of each of the three arrays the stream takes at a time.
const unroll = 4

// floorModule emits a WebAssembly module that exports its memory as "mem" and
//
//	stream(w, m, v, end i32)
//
// which adds 1 to every float32 from w to end and to as many from m and v; the length is a
// multiple of 64 bytes and above 0.
func floorModule(pages uint64) []byte {
	const (
		i32, v128, empty                    = 0x7f, 0x7b, 0x40
		get, set, add, less, constI, branch = 0x20, 0x21, 0x6a, 0x49, 0x41, 0x0d
		loop, end, vector                   = 0x03, 0x0b, 0xfd
		load, store, constV                 = 0x00, 0x0b, 0x0c
		addF32x4                            = 0xe4
		ones                                = 4 // the local after the parameters
	)
	body := []byte{1, 1, v128, vector, constV} // one local; the vector of ones
	for range 4 {
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(1))
	}
	body = append(body, set, ones, loop, empty)
	for i := range byte(unroll) {
		for p := range byte(3) {
			body = append(body, get, p, get, p, vector, load, 4, 16*i, get, ones)
			body = append(body, vector)
			body = binary.AppendUvarint(body, addF32x4)
			body = append(body, vector, store, 4, 16*i)
		}
	}
	for p := range byte(3) {
		body = append(body, get, p, constI, 0xc0, 0x00, add, set, p) // 64, signed
	}
	body = append(body, get, 0, get, 3, less, branch, 0, end, end)

	section := func(out []byte, id byte, body []byte) []byte {
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		return append(out, body...)
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	out = section(out, 1, []byte{1, 0x60, 4, i32, i32, i32, i32, 0})
	out = section(out, 3, []byte{1, 0})
	out = section(out, 5, binary.AppendUvarint([]byte{1, 0}, pages))
	out = section(out, 7, []byte("\x02\x03mem\x02\x00\x06stream\x00\x00"))
	code := binary.AppendUvarint([]byte{1}, uint64(len(body)))
	return section(out, 10, append(code, body...))
}

// floorPages is the memory that the stream over so many parameters needs.
func floorPages(parameters int) uint64 { return uint64(12*parameters)/65536 + 1 }

// A stream is the same natively, eight bytes at a time: the largest access that Go has.
type stream struct{ w, m, v []uint64 }

func newStream(parameters int) *stream {
	n := parameters / 16 * 8
	return &stream{make([]uint64, n), make([]uint64, n), make([]uint64, n)}
}

func (s *stream) pass() {
	for i := 0; i+8 <= len(s.w); i += 8 {
		w, m, v := (*[8]uint64)(s.w[i:]), (*[8]uint64)(s.m[i:]), (*[8]uint64)(s.v[i:])
		w[0]++
		m[0]++
		v[0]++
		w[1]++
		m[1]++
		v[1]++
		w[2]++
		m[2]++
		v[2]++
		w[3]++
		m[3]++
		v[3]++
		w[4]++
		m[4]++
		v[4]++
		w[5]++
		m[5]++
		v[5]++
		w[6]++
		m[6]++
		v[6]++
		w[7]++
		m[7]++
		v[7]++
	}
}

// floorPasses is how many passes one measurement averages.
const floorPasses = 400

// milliseconds returns the time of one pass.
func (s *stream) milliseconds() float64 {
	began := time.Now()
	for range floorPasses {
		s.pass()
	}
	return 1000 * time.Since(began).Seconds() / floorPasses
}
