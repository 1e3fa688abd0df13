// Package npy reads and writes the arrays of NumPy: .npy files of versions 1 to 3, and .npz
// archives of them ("numpy.lib.format", NumPy enhancement proposal 1).
package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
)

// An Array is an array of numbers in row-major order.
type Array struct {
	Shape []int // empty for a single number
	Data  any   // []float32, []float64, []int8, []uint8, []int16, []int32, []int64 or []bool; to be written, []string
}

// ErrArray is panicked when the data of an array to write is of another type or
// length than its shape asks for.
const ErrShape diag.Misuse = "formats: array data does not fit its shape"

// Len returns the number of entries.
func (a *Array) Len() int {
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

// Float64s returns the entries as float64; true is 1. Whole numbers beyond 2^53 are
// rounded.
func (a *Array) Float64s() []float64 { return converted[float64](a.Data) }

// Ints returns the entries as int; true is 1. It tells false if one is not a whole
// number.
func (a *Array) Ints() ([]int, bool) {
	whole := func(v float64) bool { return v == math.Trunc(v) && math.Abs(v) <= 1<<53 }
	switch x := a.Data.(type) {
	case []float32:
		for _, v := range x {
			if !whole(float64(v)) {
				return nil, false
			}
		}
	case []float64:
		for _, v := range x {
			if !whole(v) {
				return nil, false
			}
		}
	}
	return converted[int](a.Data), true
}

func converted[T int | float64](data any) []T {
	switch x := data.(type) {
	case []float32:
		return convert[T](x)
	case []float64:
		return convert[T](x)
	case []int8:
		return convert[T](x)
	case []uint8:
		return convert[T](x)
	case []int16:
		return convert[T](x)
	case []int32:
		return convert[T](x)
	case []int64:
		return convert[T](x)
	case []bool:
		y := make([]T, len(x))
		for i, v := range x {
			if v {
				y[i] = 1
			}
		}
		return y
	}
	panic(ErrShape)
}

func convert[T int | float64, S number](x []S) []T {
	y := make([]T, len(x))
	for i, v := range x {
		y[i] = T(v)
	}
	return y
}

type number interface {
	float32 | float64 | int8 | uint8 | int16 | int32 | int64
}

// descr returns the dtype of an array's data as NumPy writes it, and its length.
func descr(data any) (string, int) {
	switch x := data.(type) {
	case []float32:
		return "<f4", len(x)
	case []float64:
		return "<f8", len(x)
	case []int8:
		return "|i1", len(x)
	case []uint8:
		return "|u1", len(x)
	case []int16:
		return "<i2", len(x)
	case []int32:
		return "<i4", len(x)
	case []int64:
		return "<i8", len(x)
	case []bool:
		return "|b1", len(x)
	case []string:
		return "<U" + strconv.Itoa(longest(x)), len(x)
	}
	panic(ErrShape)
}

// longest returns how many characters of every text are written: those of the longest, from
// 1 to 1000.
func longest(x []string) int {
	n := 1
	for _, s := range x {
		n = max(n, utf8.RuneCountInString(s))
	}
	return min(n, 1000)
}

// Write writes an array as a .npy file, version 1.0, little-endian.
func Write(w io.Writer, a *Array) error {
	dtype, n := descr(a.Data)
	shape := ""
	for _, d := range a.Shape {
		if d < 0 {
			panic(ErrShape)
		}
		shape += strconv.Itoa(d) + ", "
	}
	if n != a.Len() {
		panic(ErrShape)
	}
	if len(a.Shape) > 1 {
		shape = strings.TrimSuffix(shape, ", ")
	} else {
		shape = strings.TrimSuffix(shape, " ")
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, shape)
	// Data begin at a multiple of 64 bytes.
	head += strings.Repeat(" ", 63-(len(input.NPYMagic)+4+len(head))%64) + "\n"
	if len(head) > math.MaxUint16 {
		panic(ErrShape)
	}
	out := append([]byte(input.NPYMagic), 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(head)))
	_, err := w.Write(appendEntries(append(out, head...), a.Data))
	return err
}

// appendEntries appends the entries of an array, little-endian. binary.Write does the same
// by reflection, which makes the program 10 kB larger.
func appendEntries(out []byte, data any) []byte {
	le := binary.LittleEndian
	switch x := data.(type) {
	case []float32:
		for _, v := range x {
			out = le.AppendUint32(out, math.Float32bits(v))
		}
	case []float64:
		for _, v := range x {
			out = le.AppendUint64(out, math.Float64bits(v))
		}
	case []int8:
		for _, v := range x {
			out = append(out, byte(v))
		}
	case []uint8:
		out = append(out, x...)
	case []int16:
		for _, v := range x {
			out = le.AppendUint16(out, uint16(v))
		}
	case []int32:
		for _, v := range x {
			out = le.AppendUint32(out, uint32(v))
		}
	case []int64:
		for _, v := range x {
			out = le.AppendUint64(out, uint64(v))
		}
	case []bool:
		for _, v := range x {
			b := byte(0)
			if v {
				b = 1
			}
			out = append(out, b)
		}
	case []string:
		most := longest(x)
		for _, s := range x {
			n := most
			for _, r := range s {
				if n == 0 {
					break
				}
				out = le.AppendUint32(out, uint32(r))
				n--
			}
			out = append(out, make([]byte, 4*n)...)
		}
	}
	return out
}

// Read reads a .npy file of version 1, 2 or 3 with entries f4, f8, i1, u1, i2, i4,
// i8 or bool, of either byte order. An array in column-major order is turned into
// row-major. The error is a [*diag.Error].
func Read(f input.File) (*Array, error) {
	data, err := input.Bytes(&f, input.MaxArrays, "an array")
	if err != nil {
		return nil, err
	}
	return readNPY(f.Name, data)
}

func readNPY(file string, data []byte) (*Array, error) {
	h, data, err := npyHeader(file, data)
	if err != nil {
		return nil, err
	}
	var o binary.ByteOrder = binary.LittleEndian
	if h.descr[0] == '>' {
		o = binary.BigEndian
	}
	switch h.descr[1:] {
	case "f4":
		return decode(file, data, h, 4, func(b []byte) float32 { return math.Float32frombits(o.Uint32(b)) })
	case "f8":
		return decode(file, data, h, 8, func(b []byte) float64 { return math.Float64frombits(o.Uint64(b)) })
	case "i1":
		return decode(file, data, h, 1, func(b []byte) int8 { return int8(b[0]) })
	case "u1":
		return decode(file, data, h, 1, func(b []byte) uint8 { return b[0] })
	case "i2":
		return decode(file, data, h, 2, func(b []byte) int16 { return int16(o.Uint16(b)) })
	case "i4":
		return decode(file, data, h, 4, func(b []byte) int32 { return int32(o.Uint32(b)) })
	case "i8":
		return decode(file, data, h, 8, func(b []byte) int64 { return int64(o.Uint64(b)) })
	case "b1":
		return decode(file, data, h, 1, func(b []byte) bool { return b[0] != 0 })
	}
	return nil, &diag.Error{File: file, Where: "descr", Found: input.Quote(h.descr), Expected: "one of f4, f8, i1, u1, i2, i4, i8, b1"}
}

// decode turns the bytes of an array into entries of the given width.
func decode[T any](file string, data []byte, h *npyHead, width int, entry func([]byte) T) (*Array, error) {
	// The number of entries is compared with the bytes there are before it can overflow.
	have, n := len(data)/width, 1
	if slices.Contains(h.shape, 0) {
		n = 0
	}
	for _, d := range h.shape {
		if n > 0 && d > have/n {
			n = -1
			break
		}
		n *= d
	}
	if n < 0 || n*width != len(data) {
		return nil,
			&diag.Error{File: file, Where: "shape", Found: fmt.Sprintf("%v of %d-byte entries and %s of data", h.shape, width, figure.Count(len(data), "byte")),
				Expected: "data of that shape"}
	}
	x := make([]T, n)
	for k := range x {
		x[k] = entry(data[k*width:])
	}
	if h.fortran && len(h.shape) > 1 {
		x = RowMajor(x, h.shape)
	}
	return &Array{h.shape, x}, nil
}

// RowMajor reorders entries stored with the first index running fastest.
func RowMajor[T any](x []T, shape []int) []T {
	y := make([]T, len(x))
	at := make([]int, len(shape))
	for k := range y {
		from, stride := 0, 1
		for d, i := range at {
			from += i * stride
			stride *= shape[d]
		}
		y[k] = x[from]
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return y
}
