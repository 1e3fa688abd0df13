package variable

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
)

// A DType is the type of the entries of an array.
type DType struct {
	Kind  byte // as NumPy names them: f, i, u, b, S, U, or O
	Width int  // bytes
	Big   bool // big-endian
}

// ParseDtype reads NumPy's name of a type, "<f8"; without byte order "f8".
func ParseDtype(name string) (DType, bool) {
	t := DType{}
	rest := strings.TrimLeft(name, "<>|=")
	t.Big = strings.HasPrefix(name, ">")
	if rest == "?" {
		rest = "b1"
	}
	if rest == "O" {
		rest = "O8"
	}
	if len(rest) < 2 {
		return t, false
	}
	t.Kind = rest[0]
	w, err := strconv.Atoi(rest[1:])
	t.Width = w
	if t.Kind == 'U' {
		t.Width *= 4
	}
	const mostText = 1 << 12
	return t, err == nil && w >= 1 && w <= mostText && strings.IndexByte("fiubSUO", t.Kind) >= 0
}

// String names the type in NumPy's long form: float64, bool, text.
func (t DType) String() string {
	switch t.Kind {
	case 'f':
		return fmt.Sprint("float", 8*t.Width)
	case 'i':
		return fmt.Sprint("int", 8*t.Width)
	case 'u':
		return fmt.Sprint("uint", 8*t.Width)
	case 'b':
		return "bool"
	case 'O':
		return "object"
	}
	return "text"
}

// IsNumber reports whether entries can be taken for numbers.
func (t DType) IsNumber() bool {
	switch t.Kind {
	case 'f':
		return t.Width == 4 || t.Width == 8
	case 'i', 'u':
		return t.Width == 1 || t.Width == 2 || t.Width == 4 || t.Width == 8
	}
	return t.Kind == 'b' && t.Width == 1
}

// IsInt reports whether entries are whole numbers.
func (t DType) IsInt() bool { return t.IsNumber() && t.Kind != 'f' }

// Entries are the entries of an array, in stored order.
type Entries struct {
	DType
	N int
	*input.Packed
}

func (t DType) bits(b []byte) uint64 {
	var o binary.ByteOrder = binary.LittleEndian
	if t.Big {
		o = binary.BigEndian
	}
	switch t.Width {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(o.Uint16(b))
	case 4:
		return uint64(o.Uint32(b))
	}
	return o.Uint64(b)
}

// Number returns an entry; true is 1.
func (t DType) Number(b []byte) float64 {
	x := t.bits(b)
	switch {
	case t.Kind == 'f' && t.Width == 4:
		return float64(math.Float32frombits(uint32(x)))
	case t.Kind == 'f':
		return math.Float64frombits(x)
	case t.Kind == 'i':
		shift := 64 - 8*t.Width
		return float64(int64(x<<shift) >> shift)
	case t.Kind == 'b' && x != 0:
		return 1
	}
	return float64(x)
}

// nonzero calls yield for every entry of numbers that is not zero, NaN among them. It
// passes over bytes that are zero, and over words of them at once: matrices stored densely
// are mostly made of nothing.
func (e *Entries) nonzero(yield func(k int, v float64)) {
	var buffer [input.PageSize]byte
	w := e.Width // 1, 2, 4 or 8
	one := uint64(1)<<(8*w) - 1
	for n := range e.Pages {
		page := e.Page(n, &buffer)
		first := n * input.PageSize / w
		whole := len(page) &^ 7
		for at := 0; at < whole; at += 8 {
			for word := binary.LittleEndian.Uint64(page[at:]); word != 0; {
				b := bits.TrailingZeros64(word) / 8 &^ (w - 1)
				word &^= one << (8 * b)
				if v := e.Number(page[at+b:]); v != 0 { // -0 has a bit
					yield(first+(at+b)/w, v)
				}
			}
		}
		for at := whole; at < len(page); at += w {
			if v := e.Number(page[at:]); v != 0 {
				yield(first+at/w, v)
			}
		}
	}
}

// A cursor reads entries in order.
type cursor struct {
	e      *Entries
	n      int // page to read next
	rest   []float64
	buffer [input.PageSize]byte
	values [input.PageSize]float64
}

func (e *Entries) cursor() *cursor { return &cursor{e: e} }

// next returns the next entry; the caller knows how many there are.
func (c *cursor) next() float64 {
	if len(c.rest) == 0 {
		c.fill()
	}
	v := c.rest[0]
	c.rest = c.rest[1:]
	return v
}

// fill reads a page. Most indices and truth values are of the types that have loops of their
// own: matrices have tens of millions of them.
func (c *cursor) fill() {
	page := c.e.Page(c.n, &c.buffer)
	if page == nil {
		clear(c.buffer[:])
		page = c.buffer[:]
	}
	c.n++
	w := c.e.Width
	c.rest = c.values[:len(page)/w]
	switch {
	case c.e.Kind == 'i' && w == 4 && !c.e.Big:
		for k := range c.rest {
			c.rest[k] = float64(int32(binary.LittleEndian.Uint32(page[4*k:])))
		}
	case c.e.Kind == 'b':
		for k := range c.rest {
			c.rest[k] = 0
			if page[k] != 0 {
				c.rest[k] = 1
			}
		}
	default:
		for k := range c.rest {
			c.rest[k] = c.e.Number(page[k*w:])
		}
	}
}

// Floats returns all entries.
func (e *Entries) Floats() []float64 {
	x := make([]float64, e.N)
	e.nonzero(func(k int, v float64) { x[k] = v })
	return x
}

// Texts returns the entries of a text array, without padding.
func (e *Entries) Texts() []string {
	b := e.Bytes()
	out := make([]string, e.N)
	for k := range out {
		cell := b[k*e.Width : (k+1)*e.Width]
		if e.Kind == 'S' {
			out[k] = strings.ToValidUTF8(strings.TrimRight(string(cell), "\x00"), "\ufffd")
			continue
		}
		var s strings.Builder
		for i := 0; i < len(cell); i += 4 {
			if r := (DType{'u', 4, e.Big}).bits(cell[i:]); r != 0 {
				s.WriteRune(rune(r))
			}
		}
		out[k] = s.String()
	}
	return out
}

// Numbers makes entries of numbers that were read one by one.
func Numbers(x []float64) *Entries {
	e := &Entries{DType: DType{Kind: 'f', Width: 8}, N: len(x), Packed: &input.Packed{}}
	var page []byte
	for k, v := range x {
		page = binary.LittleEndian.AppendUint64(page, math.Float64bits(v))
		if len(page) == input.PageSize || k == len(x)-1 {
			e.Add(page)
			page = page[:0]
		}
	}
	return e
}

// A keeper counts bytes that are kept of a field, and refuses more than there is room for.
type keeper = func(field string, n int) error

// Slices returns the matrices that an array of N x M x M or M x M x N is made of, called NAME[0]
// and so on; nil of any other variable. In a cube those along the first or the last axis are
// taken, whichever are symmetric; it is refused where none are.
func (v *Variable) Slices(keep keeper) ([]*Variable, error) {
	if v.slices == nil || SaysLabels(v) || SaysFeatures(v) || SaysSplit(v) {
		return nil, nil
	}
	return v.slices(keep)
}

// cut returns the slices of an array of numbers in three dimensions; of columns the first index runs
// fastest.
func (v *Variable) cut(e *Entries, columns bool, keep keeper) ([]*Variable, error) {
	first, last := v.Shape[1] == v.Shape[2], v.Shape[0] == v.Shape[1]
	if !first && !last || min(v.Shape[0], v.Shape[1], v.Shape[2]) < 1 || v.Shape[1] < 2 {
		return nil, nil
	}
	n := v.Shape[2]
	if first {
		n = v.Shape[0]
	}
	if n > input.MaxLayers {
		return nil, nil
	}
	if first && last {
		if err := keep(v.Name, 8*e.N); err != nil {
			return nil, err
		}
		if first, last = v.symmetric(e, columns); !first && !last {
			*v = *NewRefused(v.Name, v.Type, v.Shape, diag.At(v.file, 0, v.Name, fmt.Sprintf("an array of "+
				"%d x %[1]d x %[1]d that may be layers along its first axis or its last: neither are symmetric", n),
				"the layers by themselves: numpy.savez(\"FILE.npz\", work=x[0], lunch=x[1], ...)"))
			return nil, nil
		}
	}
	parts, err := e.apart(v.Name, n, first != columns, keep)
	if err != nil {
		return nil, err
	}
	m := v.Shape[1]
	out := make([]*Variable, n)
	for k, part := range parts {
		name := v.Name
		if n > 1 {
			name = fmt.Sprintf("%s[%d]", v.Name, k)
		}
		out[k] = NewDense(v.file, name, []int{m, m}, columns, part)
		out[k].Type = v.Type
	}
	return out, nil
}

// symmetric reports whether the slices of a cube along its first axis are all symmetric, and those
// along its last.
func (v *Variable) symmetric(e *Entries, columns bool) (first, last bool) {
	x, n := e.Floats(), v.Shape[0]
	fast, slow := true, true // along the axis whose index runs fastest, and along the other one
	for a := range n {
		for b := range n {
			for c := range n {
				at := x[(a*n+b)*n+c]
				fast = fast && at == x[(b*n+a)*n+c]
				slow = slow && at == x[(a*n+c)*n+b]
			}
		}
	}
	if columns {
		return fast, slow
	}
	return slow, fast
}

// apart deals the entries to n parts: one after another, or in turns.
func (e *Entries) apart(name string, n int, oneByOne bool, keep keeper) ([]*Entries, error) {
	parts := make([]*Entries, n)
	pages := make([][]byte, n)
	for k := range parts {
		parts[k] = &Entries{DType: e.DType, N: e.N / n, Packed: &input.Packed{}}
	}
	add := func(k int) error {
		err := keep(name, parts[k].Add(pages[k]))
		pages[k] = pages[k][:0]
		return err
	}
	var buffer [input.PageSize]byte
	at, w := 0, e.Width
	for p := range e.Pages {
		page := e.Page(p, &buffer)
		if page == nil {
			clear(buffer[:])
			page = buffer[:]
		}
		for ; len(page) >= w; page = page[w:] {
			k := at % n
			if oneByOne {
				k = at / (e.N / n)
			}
			at++
			if pages[k] = append(pages[k], page[:w]...); len(pages[k]) == input.PageSize {
				if err := add(k); err != nil {
					return nil, err
				}
			}
		}
	}
	for k := range pages {
		if len(pages[k]) > 0 {
			if err := add(k); err != nil {
				return nil, err
			}
		}
	}
	return parts, nil
}
