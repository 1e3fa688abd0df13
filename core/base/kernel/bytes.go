package kernel

import (
	"encoding/binary"
	"math"
)

// AppendBytes appends the numbers of a to out, each with its lowest byte first. Inlined it and TakeBytes
// would be in a program many times.
//
//go:noinline
func AppendBytes[T Float](out []byte, a []T) []byte {
	if lowestFirst {
		return append(out, memory(a)...)
	}
	for _, v := range a {
		switch v := any(v).(type) {
		case float32:
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		case float64:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		}
	}
	return out
}

// TakeBytes fills a from the output of AppendBytes for that number of values.
//
//go:noinline
func TakeBytes[T Float](a []T, b []byte) {
	if lowestFirst {
		raw := memory(a)
		if len(raw) != len(b) {
			panic(ErrShape)
		}
		copy(raw, b)
		return
	}
	switch a := any(a).(type) {
	case []float32:
		if len(b) != 4*len(a) {
			panic(ErrShape)
		}
		for i := range a {
			a[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	case []float64:
		if len(b) != 8*len(a) {
			panic(ErrShape)
		}
		for i := range a {
			a[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}

// Fold goes on with the checksum h, FNV-1a over words of 8 bytes, for the words of b, a
// multiple of 8 bytes. A changed word always changes it: each round is a bijection. It costs
// less than a CRC.
func Fold(h uint64, b []byte) uint64 {
	const prime = 1099511628211
	if len(b)%8 != 0 {
		panic(ErrShape)
	}
	if lowestFirst {
		raw := words(b)
		for ; len(raw) >= 4; raw = raw[4:] { // four words a turn: turns are dear in WebAssembly
			w := (*[4]uint64)(raw)
			h = (h ^ w[0]) * prime
			h = (h ^ w[1]) * prime
			h = (h ^ w[2]) * prime
			h = (h ^ w[3]) * prime
		}
		b = b[len(b)&^31:]
	}
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
	}
	return h
}

// Round sets dst to the first numbers of x in its precision.
func Round[T Float](dst []T, x []float64) {
	for i, v := range x[:len(dst)] {
		dst[i] = T(v)
	}
}

// Widen sets the first numbers of dst to x in double precision.
func Widen[T Float | int | int32](dst []float64, x []T) {
	for i, v := range x {
		dst[i] = float64(v)
	}
}

// Doubles returns a copy of x in double precision.
func Doubles[T Float | int | int32](x []T) []float64 {
	v := make([]float64, len(x))
	Widen(v, x)
	return v
}
