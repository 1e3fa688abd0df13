// Package npy reads and writes the arrays of NumPy: .npy files of versions 1 to 3, and .npz
// archives of them ("numpy.lib.format", NumPy enhancement proposal 1).
// Errors of reading are a [*diag.Error] that names the file; errors of writing are the writer's. Wrong shapes panic with [ErrShape].
package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/zip"
)

// An Array is an array of numbers in row-major order.
type Array struct {
	Shape []int // empty for a single number
	Data  any   // []float32, []float64, []int8, []uint8, []int16, []int32, []int64 or []bool; to be written, []string
}

// types are NumPy's names of the types that entries have, without the byte order.
var types = []string{"f4", "f8", "i1", "u1", "i2", "i4", "i8", "b1"}

// ErrShape is panicked when the data of an array to write is of another type or
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
func (a *Array) Float64s() []float64 {
	x := reflect.ValueOf(a.Data)
	y := make([]float64, x.Len())
	for i := range y {
		switch v := x.Index(i); {
		case v.CanFloat():
			y[i] = v.Float()
		case v.CanInt():
			y[i] = float64(v.Int())
		case v.CanUint():
			y[i] = float64(v.Uint())
		case v.Bool():
			y[i] = 1
		}
	}
	return y
}

// Encode returns the entries of an array as NumPy packs them, little-endian, and the name of
// their type.
func Encode(data any) (dtype string, packed []byte) {
	if x, ok := data.([]string); ok {
		return encodeTexts(x)
	}
	dtype, packed = pack(data)
	if dtype[1] == '1' {
		return "|" + dtype, packed
	}
	return "<" + dtype, packed
}

// encodeTexts packs texts as wide as the longest, from 1 to 1000 characters.
func encodeTexts(x []string) (dtype string, packed []byte) {
	width := 1
	for _, s := range x {
		width = min(max(width, utf8.RuneCountInString(s)), 1000)
	}
	packed = make([]byte, 4*width*len(x))
	for k, s := range x {
		for i, r := range []rune(s)[:min(width, utf8.RuneCountInString(s))] {
			binary.LittleEndian.PutUint32(packed[4*(k*width+i):], uint32(r))
		}
	}
	return "<U" + strconv.Itoa(width), packed
}

// Decode returns packed entries as a slice of their type, "<f4" or "f4", or nil if arrays have
// none of that name. The byte order is little-endian unless the name begins with ">".
func Decode(dtype string, packed []byte) any {
	name := strings.TrimLeft(dtype, "<>|=")
	if !slices.Contains(types, name) {
		return nil
	}
	width := int(name[1] - '0')
	if dtype[0] == '>' && width > 1 {
		packed = slices.Clone(packed)
		for entry := range slices.Chunk(packed, width) {
			slices.Reverse(entry)
		}
	}
	return unpack(name, packed, len(packed)/width)
}

// Write writes an array as a .npy file, version 1.0, little-endian.
func Write(w io.Writer, a *Array) error {
	dtype, packed := Encode(a.Data)
	shape := ""
	for _, d := range a.Shape {
		ErrShape.Unless(d >= 0)
		shape += strconv.Itoa(d) + ", "
	}
	ErrShape.Unless(reflect.ValueOf(a.Data).Len() == a.Len())
	if len(a.Shape) > 1 {
		shape = strings.TrimSuffix(shape, ", ")
	} else {
		shape = strings.TrimSuffix(shape, " ")
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, shape)
	// Data begin at a multiple of 64 bytes.
	head += strings.Repeat(" ", 63-(len(input.NPYMagic)+4+len(head))%64) + "\n"
	ErrShape.Unless(len(head) <= math.MaxUint16)
	out := append([]byte(input.NPYMagic), 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(head)))
	_, err := w.Write(append(append(out, head...), packed...))
	return err
}

// Read reads a .npy file of version 1, 2 or 3 with entries f4, f8, i1, u1, i2, i4,
// i8 or bool, of either byte order. An array in column-major order is turned into
// row-major. The error is a [*diag.Error].
func Read(f input.File) (*Array, error) {
	data, err := input.Bytes(&f, input.MaxArrays, "an array")
	if err != nil {
		return nil, err
	}
	return read(f.Name, data)
}

// read is Read for the content of a file.
func read(file string, data []byte) (*Array, error) {
	h, data, err := split(file, data)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(types, h.descr[1:]) {
		return nil, diag.At(file, 0, "descr", input.Quote(h.descr),
			"one of f4, f8, i1, u1, i2, i4, i8, b1")
	}
	// The number of entries is compared with the bytes there are before it can overflow.
	width, n := int(h.descr[2]-'0'), 1
	if slices.Contains(h.shape, 0) {
		n = 0
	}
	for _, d := range h.shape {
		if n > 0 && d > len(data)/width/n {
			n = -1
			break
		}
		n *= d
	}
	if n < 0 || n*width != len(data) {
		return nil,
			diag.At(file, 0, "shape", fmt.Sprintf("%v of %d-byte entries and %s of data", h.shape, width, figure.Count(len(data), "byte")),
				"data of that shape")
	}
	if h.fortran && len(h.shape) > 1 {
		data = RowMajor(data, width, h.shape)
	}
	return &Array{h.shape, Decode(h.descr, data)}, nil
}

// RowMajor reorders entries of a width in bytes that are stored with the first index running
// fastest.
func RowMajor(packed []byte, width int, shape []int) []byte {
	out := make([]byte, 0, len(packed))
	at := make([]int, len(shape))
	for len(out) < len(packed) {
		from, stride := 0, width
		for d, i := range at {
			from += i * stride
			stride *= shape[d]
		}
		out = append(out, packed[from:from+width]...)
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return out
}

// A Named is an array of an archive.
type Named struct {
	Name string
	*Array
}

// WriteNPZ writes arrays as a .npz file, compressed. Names must differ.
func WriteNPZ(w io.Writer, arrays []Named) error {
	z := zip.NewWriter(w)
	for _, a := range arrays {
		f, err := z.CreateHeader(&zip.FileHeader{Name: a.Name + ".npy", Method: zip.Deflate})
		if err != nil {
			return err
		}
		if err := Write(f, a.Array); err != nil {
			return err
		}
	}
	return z.Close()
}

// OpenNPZ is [ReadNPZ] for the content of a file.
func OpenNPZ(name string, data []byte) (map[string]*Array, error) {
	return ReadNPZ(input.File{Name: name, Data: data})
}

// ReadNPZ reads the arrays of a .npz file, a zip archive of .npy files, by their names
// without ".npy". Arrays of text are left out. The error is a [*diag.Error].
func ReadNPZ(f input.File) (map[string]*Array, error) {
	data, err := input.Bytes(&f, input.MaxArrays, "arrays")
	if err != nil {
		return nil, err
	}
	members, err := input.Unzip(f.Name, bytes.NewReader(data), int64(len(data)), input.MaxArrays)
	if err != nil {
		return nil, err
	}
	arrays := map[string]*Array{}
	for _, m := range members {
		name, ok := strings.CutSuffix(m.Name, ".npy")
		if !ok {
			return nil, diag.At(f.Name, 0, "", "a member "+input.Quote(m.Name),
				"arrays, whose names end in .npy")
		}
		if h, _, err := split(f.Name, m.Data); err == nil && (h.descr[1] == 'U' || h.descr[1] == 'S') {
			continue
		}
		a, err := read(f.Name+": "+m.Name, m.Data)
		if err != nil {
			return nil, err
		}
		arrays[name] = a
	}
	return arrays, nil
}

// pack returns the name of the type of entries and their little-endian bytes. Reading and writing
// type by type links no encoder of values of any type.
func pack(data any) (name string, packed []byte) {
	le := binary.LittleEndian
	switch x := data.(type) {
	case []float32:
		return "f4", joined(x, 4, func(b []byte, v float32) { le.PutUint32(b, math.Float32bits(v)) })
	case []float64:
		return "f8", joined(x, 8, func(b []byte, v float64) { le.PutUint64(b, math.Float64bits(v)) })
	case []int8:
		return "i1", joined(x, 1, func(b []byte, v int8) { b[0] = byte(v) })
	case []uint8:
		return "u1", append([]byte{}, x...)
	case []int16:
		return "i2", joined(x, 2, func(b []byte, v int16) { le.PutUint16(b, uint16(v)) })
	case []int32:
		return "i4", joined(x, 4, func(b []byte, v int32) { le.PutUint32(b, uint32(v)) })
	case []int64:
		return "i8", joined(x, 8, func(b []byte, v int64) { le.PutUint64(b, uint64(v)) })
	case []bool:
		return "b1", joined(x, 1, func(b []byte, v bool) {
			if v {
				b[0] = 1
			}
		})
	}
	panic(ErrShape)
}

// joined returns entries of a width, each as put writes it over zeros.
func joined[T any](x []T, width int, put func(b []byte, v T)) []byte {
	packed := make([]byte, width*len(x))
	for i, v := range x {
		put(packed[i*width:], v)
	}
	return packed
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

// A header says what the data of a .npy file are.
type header struct {
	descr   string // byte order and type, "<f8"
	fortran bool
	shape   []int
}

// split splits a .npy file into its header and its data.
func split(file string, data []byte) (*header, []byte, error) {
	bad := func(field, found, expected string) (*header, []byte, error) {
		return nil, nil, diag.At(file, 0, field, found, expected)
	}
	const whole, mostHeader = "a complete .npy file", 1 << 16
	if len(data) < len(input.NPYMagic) || string(data[:len(input.NPYMagic)]) != input.NPYMagic {
		return bad("", "a file that does not begin as .npy files do", "a NumPy array")
	}
	if len(data) < 12 {
		return bad("", "a file cut off in its header", whole)
	}
	start, n := 10, int64(binary.LittleEndian.Uint16(data[8:]))
	switch version := data[6]; version {
	case 1:
	case 2, 3:
		start, n = 12, int64(binary.LittleEndian.Uint32(data[8:]))
	default:
		return bad("version", fmt.Sprint(version), "1, 2 or 3")
	}
	if n > mostHeader {
		return bad("header", fmt.Sprintf("%d bytes", n), fmt.Sprintf("at most %d", mostHeader))
	}
	if int64(len(data)-start) < n {
		return bad("", "a file cut off in its header", whole)
	}
	end := start + int(n)
	text := string(data[start:end])
	p := &literal{rest: text}
	h := p.header()
	if p.failed {
		return bad("header", input.Quote(strings.TrimSpace(text)), "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } or the like")
	}
	return h, data[end:], nil
}

// A literal reads the Python dictionary of a header. After a failure it reads on and
// means nothing.
type literal struct {
	rest   string
	failed bool
}

const blanks = " \t\r\n"

// next reports whether a token comes next, and takes it.
func (p *literal) next(token string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, blanks), token)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *literal) need(token string) { p.failed = !p.next(token) || p.failed }

// until takes what comes before an end, and the end.
func (p *literal) until(end string) string {
	s, rest, ok := strings.Cut(p.rest, end)
	p.rest, p.failed = rest, p.failed || !ok
	return s
}

// text takes a quoted word without escapes.
func (p *literal) text() string {
	mark := "'"
	if !p.next(mark) {
		mark = `"`
		p.need(mark)
	}
	word := p.until(mark)
	p.failed = p.failed || strings.ContainsAny(word, "\\\n")
	return word
}

// shape takes a tuple of sizes: (), (3,), (3, 4).
func (p *literal) shape() []int {
	const most = 32 // dimensions, as in NumPy
	p.need("(")
	sizes := strings.Split(p.until(")"), ",")
	if last := len(sizes) - 1; strings.Trim(sizes[last], blanks) == "" {
		sizes = sizes[:last]
	}
	shape := make([]int, len(sizes))
	for i, s := range sizes {
		d, err := strconv.ParseUint(strings.TrimSuffix(strings.Trim(s, blanks), "L"), 10, 63) // Python 2 wrote 3L
		shape[i], p.failed = int(d), p.failed || err != nil
	}
	p.failed = p.failed || len(shape) > most
	return shape
}

func (p *literal) header() *header {
	h := &header{}
	seen := map[string]bool{}
	p.need("{")
	for more := true; more && !p.failed && !p.next("}"); {
		key := p.text()
		p.failed = p.failed || seen[key]
		seen[key] = true
		p.need(":")
		switch key {
		case "descr":
			if h.descr = "|V"; p.next("[") { // fields of several types
				p.until("]")
			} else {
				h.descr = p.text()
			}
		case "fortran_order":
			if h.fortran = p.next("True"); !h.fortran {
				p.need("False")
			}
		case "shape":
			h.shape = p.shape()
		default:
			p.failed = true
		}
		if more = p.next(","); !more {
			p.need("}")
		}
	}
	if h.descr == "?" {
		h.descr = "|b1"
	}
	p.failed = p.failed || strings.Trim(p.rest, blanks) != "" || len(seen) != 3 || len(h.descr) < 2 || !strings.Contains("<>|=", h.descr[:1])
	return h
}
