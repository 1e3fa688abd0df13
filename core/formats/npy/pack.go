package npy

import (
	"encoding/binary"
	"math"
)

// pack returns the name of the type of entries and their little-endian bytes. Reading and writing
// type by type links no encoder of values of any type.
func pack(data any) (name string, packed []byte) {
	le := binary.LittleEndian
	switch x := data.(type) {
	case []float32:
		name, packed = "f4", make([]byte, 4*len(x))
		for i, v := range x {
			le.PutUint32(packed[4*i:], math.Float32bits(v))
		}
	case []float64:
		name, packed = "f8", make([]byte, 8*len(x))
		for i, v := range x {
			le.PutUint64(packed[8*i:], math.Float64bits(v))
		}
	case []int8:
		name, packed = "i1", make([]byte, len(x))
		for i, v := range x {
			packed[i] = byte(v)
		}
	case []uint8:
		name, packed = "u1", append([]byte{}, x...)
	case []int16:
		name, packed = "i2", make([]byte, 2*len(x))
		for i, v := range x {
			le.PutUint16(packed[2*i:], uint16(v))
		}
	case []int32:
		name, packed = "i4", make([]byte, 4*len(x))
		for i, v := range x {
			le.PutUint32(packed[4*i:], uint32(v))
		}
	case []int64:
		name, packed = "i8", make([]byte, 8*len(x))
		for i, v := range x {
			le.PutUint64(packed[8*i:], uint64(v))
		}
	case []bool:
		name, packed = "b1", make([]byte, len(x))
		for i, v := range x {
			if v {
				packed[i] = 1
			}
		}
	default:
		panic(ErrShape)
	}
	return name, packed
}

// unpack returns n packed little-endian entries as a slice of one of the types.
func unpack(name string, packed []byte, n int) any {
	le := binary.LittleEndian
	switch name {
	case "f4":
		return entries(n, func(i int) float32 { return math.Float32frombits(le.Uint32(packed[4*i:])) })
	case "f8":
		return entries(n, func(i int) float64 { return math.Float64frombits(le.Uint64(packed[8*i:])) })
	case "i1":
		return entries(n, func(i int) int8 { return int8(packed[i]) })
	case "u1":
		return append([]uint8{}, packed[:n]...)
	case "i2":
		return entries(n, func(i int) int16 { return int16(le.Uint16(packed[2*i:])) })
	case "i4":
		return entries(n, func(i int) int32 { return int32(le.Uint32(packed[4*i:])) })
	case "i8":
		return entries(n, func(i int) int64 { return int64(le.Uint64(packed[8*i:])) })
	}
	return entries(n, func(i int) bool { return packed[i] != 0 })
}

func entries[T any](n int, entry func(int) T) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = entry(i)
	}
	return x
}
