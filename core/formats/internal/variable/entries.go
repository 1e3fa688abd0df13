package variable

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"cadem/core/formats/internal/input"
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

// IsNumber tells whether entries can be taken for numbers.
func (t DType) IsNumber() bool {
	switch t.Kind {
	case 'f':
		return t.Width == 4 || t.Width == 8
	case 'i', 'u':
		return t.Width == 1 || t.Width == 2 || t.Width == 4 || t.Width == 8
	}
	return t.Kind == 'b' && t.Width == 1
}

// IsInt tells whether entries are whole numbers.
func (t DType) IsInt() bool { return t.IsNumber() && t.Kind != 'f' }

// Entries are the entries of an array, one after another as they are stored.
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

// number returns an entry; true is 1.
func (t DType) number(b []byte) float64 {
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
				if v := e.number(page[at+b:]); v != 0 { // -0 has a bit
					yield(first+(at+b)/w, v)
				}
			}
		}
		for at := whole; at < len(page); at += w {
			if v := e.number(page[at:]); v != 0 {
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
			c.rest[k] = c.e.number(page[k*w:])
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
