// Package mat reads MAT-files of version 5, as MATLAB and SciPy write them.
// Errors are a [*diag.Error] that names the file.
package mat

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
)

// Types of the data elements of a MAT-file of level 5 ("MAT-File Format", The MathWorks,
// table 1-1), and the types of NumPy that hold the same.
const (
	miInt8, miInt32, miUint32  = 1, 5, 6
	miMatrix, miCompressed     = 14, 15
	miLast                     = 18
	mxCell, mxStruct, mxObject = 1, 2, 3
	mxChar                     = 4
	mxSparse, mxDouble         = 5, 6
	flagComplex, flagLogical   = 0x0800, 0x0200
)

var miTypes = [...]string{1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8", 16: "u1", 17: "u2", 18: "u4"}

// classNames are the array classes from 6, by the names of NumPy's types.
var classNames = []string{"float64", "float32", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}

// A matReader reads a MAT-file from front to back.
type matReader struct {
	s    *input.Stream
	big  bool
	vars []*variable.Variable
}

// Read reads the variables of a MAT-file of version 5, compressed or not. Cells and
// structures are taken apart: adj{1}, data.labels.
func Read(s *input.Stream) ([]*variable.Variable, error) {
	head, err := s.Take("header", 128)
	if err != nil {
		return nil, err
	}
	r := &matReader{s: s}
	switch string(head[126:]) {
	case "IM":
	case "MI":
		r.big = true
	default:
		return nil, s.Fail("header", "the byte order mark "+input.Quote(string(head[126:])), `"IM" or "MI"`)
	}
	switch version := r.order().Uint16(head[124:]); version {
	case 0x0100:
	case 0x0001:
		return nil,
			s.Fail("header", fmt.Sprintf("the byte order mark %q beside a version in the other order, bytes %02x %02x", head[126:], head[124], head[125]),
				`"IM" beside 00 01 or "MI" beside 01 00`)
	default:
		return nil, s.Fail("header", fmt.Sprintf("version %#04x", version), input.WantMAT)
	}
	for {
		if _, err := s.Reader.Peek(1); err == io.EOF {
			if len(r.vars) == 0 {
				return nil, s.Fail("", "a MAT-file that ends before its first variable", "matrices")
			}
			return r.vars, nil
		}
		if err := r.element(); err != nil {
			return nil, err
		}
	}
}

func (r *matReader) order() binary.ByteOrder {
	if r.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// next names the variable read next while its name is not known.
func (r *matReader) next() string { return fmt.Sprint("variable ", len(r.vars)+1) }

// element reads an element of the file.
func (r *matReader) element() error {
	title := r.next()
	tag, err := r.s.Take(title, 8)
	if err != nil {
		return err
	}
	kind, n := r.order().Uint32(tag), int64(r.order().Uint32(tag[4:]))
	if kind > miLast {
		found, expected := fmt.Sprintf("an element of type %d", kind), fmt.Sprintf("a type from 1 to %d", miLast)
		if other := bits.ReverseBytes32(kind); other <= miLast {
			mark := "IM"
			if r.big {
				mark = "MI"
			}
			found, expected = fmt.Sprintf("an element whose type is %d in the other byte order", other),
				fmt.Sprintf("the order that the mark %q in the header tells", mark)
		}
		return r.s.Fail(title, found, expected)
	}
	switch kind {
	case miCompressed:
		outer, part := r.s, &io.LimitedReader{R: r.s.Reader, N: n}
		z, err := zlib.NewReader(bufio.NewReader(part))
		if err != nil {
			return outer.Cut(title, err)
		}
		r.s = outer.Inner(z)
		// The packed data are one element.
		if tag, err = r.s.Take(title, 8); err == nil && r.order().Uint32(tag) != miMatrix {
			err = r.s.Fail(title, fmt.Sprintf("packed data of type %d", r.order().Uint32(tag)), "a matrix (14)")
		}
		if err == nil {
			err = r.matrix(int64(r.order().Uint32(tag[4:])), "", 0)
		}
		if err == nil { // reads and checks the sum
			err = r.s.Drain(title, 16)
		}
		r.s.Leave()
		r.s = outer
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, part); err != nil || part.N > 0 {
			return outer.Cut(title, io.ErrUnexpectedEOF)
		}
		return nil
	case miMatrix:
		return r.matrix(n, "", 0)
	}
	return r.s.Skip(title, padded(n))
}

func padded(n int64) int64 { return (n + 7) / 8 * 8 }

// part reads the tag of an element inside a matrix with left bytes to go: its type, its size, and
// its data if the tag contains them.
func (r *matReader) part(name string, left *int64) (kind uint32, n int64, small []byte, err error) {
	tag, err := r.s.Take(name, 8)
	if err != nil {
		return 0, 0, nil, err
	}
	*left -= 8
	kind, n = r.order().Uint32(tag), int64(r.order().Uint32(tag[4:]))
	if kind>>16 != 0 {
		n = int64(kind >> 16)
		if n > 4 {
			return 0, 0, nil, r.s.Fail(name, fmt.Sprintf("a small element of %d bytes", n), "at most 4")
		}
		return kind & 0xffff, n, tag[4 : 4+n], nil
	}
	if n > *left {
		return 0, 0, nil, r.s.Fail(name, fmt.Sprintf("an element of %d bytes where %d are left", n, max(*left, 0)), "one that fits into its variable")
	}
	*left -= padded(n)
	return kind, n, nil, nil
}

// head reads a short element: flags, sizes or a name.
func (r *matReader) head(name string, left *int64, want uint32, most int64) ([]byte, error) {
	kind, n, data, err := r.part(name, left)
	if err != nil {
		return nil, err
	}
	if kind != want && !(want == miInt8 && kind == 16) || n > most {
		return nil, r.s.Fail(name, fmt.Sprintf("an element of type %d and %d bytes", kind, n), fmt.Sprintf("type %d and at most %d bytes", want, most))
	}
	if data == nil {
		if data, err = r.s.Take(name, int(padded(n))); err != nil {
			return nil, err
		}
	}
	return data[:n], nil
}

// entries reads the numbers of an array.
func (r *matReader) entries(name string, left *int64) (*variable.Entries, error) {
	kind, n, small, err := r.part(name, left)
	if err != nil {
		return nil, err
	}
	var t variable.DType
	ok := false
	if kind < uint32(len(miTypes)) {
		t, ok = variable.ParseDtype(miTypes[kind])
	}
	if !ok || n%int64(t.Width) != 0 {
		return nil, r.s.Fail(name, fmt.Sprintf("%d bytes of data of type %d", n, kind), "numbers")
	}
	t.Big = r.big
	e := &variable.Entries{DType: t, N: int(n) / t.Width}
	if small != nil {
		e.Packed = &input.Packed{}
		if n > 0 {
			e.Add(small)
		}
		return e, nil
	}
	if e.Packed, err = r.s.Pack(name, n); err == nil {
		err = r.s.Skip(name, padded(n)-n)
	}
	return e, err
}

// matrix reads an array of n bytes. Inside of another it is called by the name given.
func (r *matReader) matrix(n int64, given string, depth int) error {
	title := given
	if title == "" {
		title = r.next()
	}
	left := n
	if n == 0 && depth > 0 {
		return nil
	}
	flags, err := r.head(title, &left, miUint32, 8)
	if err != nil {
		return err
	}
	if len(flags) != 8 {
		return r.s.Fail(title, figure.Count(len(flags), "byte")+" of flags", "8")
	}
	flag := r.order().Uint32(flags)
	class := int(flag & 0xff)
	last := mxDouble + len(classNames) - 1
	if class > last { // objects of other kinds, which have no sizes
		r.refuse(title, "object", []int{})
		return r.s.Skip(title, max(left, 0))
	}
	dims, err := r.head(title, &left, miInt32, 4*32)
	if err != nil {
		return err
	}
	label, err := r.head(title, &left, miInt8, 1<<10)
	if err != nil {
		return err
	}
	name := given
	if given == "" {
		name = strings.ToValidUTF8(string(label), "\ufffd")
	}
	if len(dims) < 8 || len(dims)%4 != 0 {
		return r.s.Fail(name, figure.Count(len(dims), "byte")+" of sizes", "4 for each of two sizes or more")
	}
	if name == "" { // what MATLAB keeps for its own use
		return r.s.Skip(title, max(left, 0))
	}
	shape, total := []int{}, 1
	for k := 0; k < len(dims); k += 4 {
		d := int(int32(r.order().Uint32(dims[k:])))
		if d < 0 || d > 0 && total > math.MaxInt32/d {
			return r.s.Fail(name, fmt.Sprintf("a size of %d", d), "sizes whose product is below 2^31")
		}
		total *= d
		shape = append(shape, d)
	}
	if depth > input.MaxDepth || len(r.vars) >= input.MaxNamed {
		return r.s.Fail(name, "variables inside of variables, deeper or more than can be",
			fmt.Sprintf("at most %d levels and %d variables", input.MaxDepth, input.MaxNamed))
	}
	switch {
	case class == mxCell || class == mxStruct:
		err = r.nested(name, class, total, &left, depth)
	case flag&flagComplex != 0 || class < mxCell || class == mxObject:
		kind := "object"
		if flag&flagComplex != 0 {
			kind = "complex"
		}
		r.refuse(name, kind, shape)
	case class == mxSparse:
		err = r.sparse(name, shape, flag&flagLogical != 0, &left)
	default:
		err = r.dense(name, shape, total, class, flag&flagLogical != 0, &left)
	}
	if err != nil {
		return err
	}
	if left < 0 {
		return r.s.Fail(name, "more data than its size says", figure.Count(int(n), "byte"))
	}
	return r.s.Skip(name, left)
}

// refuse adds what is not read: complex numbers or an object.
func (r *matReader) refuse(name, kind string, shape []int) {
	why := diag.At(r.s.File, 0, name, "an object of MATLAB",
		"matrices, cells or structures: table2array makes a matrix of a table, adjacency one of a graph")
	if kind == "complex" {
		why.Found, why.Expected = "complex numbers", "real ones: abs or real makes them"
	}
	r.vars = append(r.vars, variable.NewRefused(name, kind, shape, why))
}

// nested reads the arrays in a cell array or a structure.
func (r *matReader) nested(name string, class, total int, left *int64, depth int) error {
	names := []string{}
	if class == mxStruct {
		length, err := r.head(name, left, miInt32, 4)
		if err != nil {
			return err
		}
		fields, err := r.head(name, left, miInt8, input.MaxNamed*64)
		if err != nil {
			return err
		}
		each := 0
		if len(length) == 4 {
			each = int(int32(r.order().Uint32(length)))
		}
		if each < 1 || len(fields)%each != 0 {
			return r.s.Fail(name, fmt.Sprintf("field names of %d bytes each", each), "names that fill their element")
		}
		for k := 0; k < len(fields); k += each {
			field, _, _ := bytes.Cut(fields[k:k+each], []byte{0})
			names = append(names, strings.ToValidUTF8(string(field), "\ufffd"))
		}
		total *= len(names)
	}
	if total > input.MaxNamed {
		return r.s.Fail(name, fmt.Sprintf("%d cells", total), fmt.Sprintf("at most %d", input.MaxNamed))
	}
	before := len(r.vars)
	for k := range total {
		kind, n, small, err := r.part(name, left)
		if err != nil {
			return err
		}
		if kind != miMatrix || small != nil {
			return r.s.Fail(name, fmt.Sprintf("a cell of type %d", kind), "a matrix (14)")
		}
		inner := fmt.Sprintf("%s{%d}", name, k+1)
		if class == mxStruct {
			inner = name + "." + names[k%len(names)]
			if total > len(names) {
				inner = fmt.Sprintf("%s(%d).%s", name, k/len(names)+1, names[k%len(names)])
			}
		}
		if err := r.matrix(n, inner, depth+1); err != nil {
			return err
		}
		if err := r.s.Skip(name, padded(n)-n); err != nil {
			return err
		}
	}
	if class == mxCell && total > 1 && len(r.vars)-before == total {
		if words := variable.Gather(r.s.File, name, r.vars[before:]); words != nil {
			r.vars = append(r.vars[:before], words)
		}
	}
	return nil
}

// words returns the rows of an array of characters, without the blanks behind them.
func words(e *variable.Entries, rows int) []string {
	x := e.Floats()
	out := make([]string, rows)
	for i := range out {
		var b strings.Builder
		for at := i; at < len(x); at += rows {
			b.WriteRune(rune(x[at]))
		}
		out[i] = strings.ToValidUTF8(strings.TrimRight(b.String(), " \x00"), "\ufffd")
	}
	return out
}

func (r *matReader) dense(name string, shape []int, total, class int, logical bool, left *int64) error {
	e, err := r.entries(name, left)
	if err != nil {
		return err
	}
	if e.N != total {
		return r.s.Fail(name, fmt.Sprintf("sizes %v and %d entries", shape, e.N), "as many entries as the sizes say")
	}
	if class == mxChar {
		const most = 64 * input.MaxNamed // characters, of text that may be names
		switch {
		case len(shape) != 2 || total > most || !e.IsInt() || shape[0] < 1:
			r.vars = append(r.vars, variable.NewText(r.s.File, name, shape, nil))
		case shape[0] == 1:
			r.vars = append(r.vars, variable.NewWord(r.s.File, name, shape, words(e, 1)[0]))
		default:
			r.vars = append(r.vars, variable.NewText(r.s.File, name, shape[:1], words(e, shape[0])))
		}
		return nil
	}
	v := variable.NewDense(r.s.File, name, shape, true, e)
	v.Type = classNames[class-mxDouble] // whatever type stores it
	if logical {
		v.Type = "bool"
	}
	r.vars = append(r.vars, v)
	return nil
}

func (r *matReader) sparse(name string, shape []int, logical bool, left *int64) error {
	if len(shape) != 2 {
		return r.s.Fail(name, fmt.Sprintf("a sparse matrix of sizes %v", shape), "two sizes")
	}
	p := &variable.Parts{Rows: shape[0], Cols: shape[1], Columns: true}
	var err error
	if p.Minor, err = r.entries(name, left); err != nil {
		return err
	}
	if p.Start, err = r.entries(name, left); err != nil {
		return err
	}
	if p.Value, err = r.entries(name, left); err != nil {
		return err
	}
	// Room may be reserved for more entries than there are: the last start counts them.
	if p.Start.IsInt() && p.Start.N > 0 && p.Start.N <= input.MaxNodes+1 {
		if last := int(p.Start.Floats()[p.Start.N-1]); last >= 0 {
			p.Minor.N, p.Value.N = min(p.Minor.N, last), min(p.Value.N, last)
		}
	}
	v, err := variable.NewSparse(r.s.File, name, p)
	if err != nil {
		return err
	}
	v.Type = "float64"
	if logical {
		v.Type = "bool"
	}
	r.vars = append(r.vars, v)
	return nil
}
