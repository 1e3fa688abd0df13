package formats

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// A dtype is the type of the entries of an array.
type dtype struct {
	kind  byte // as NumPy names them: f, i, u, b, S, U, or O
	width int  // bytes
	big   bool // big-endian
}

// parseDtype reads NumPy's name of a type, "<f8"; without byte order "f8".
func parseDtype(name string) (dtype, bool) {
	t := dtype{}
	rest := strings.TrimLeft(name, "<>|=")
	t.big = strings.HasPrefix(name, ">")
	if rest == "?" {
		rest = "b1"
	}
	if rest == "O" {
		rest = "O8"
	}
	if len(rest) < 2 {
		return t, false
	}
	t.kind = rest[0]
	w, err := strconv.Atoi(rest[1:])
	t.width = w
	if t.kind == 'U' {
		t.width *= 4
	}
	const mostText = 1 << 12
	return t, err == nil && w >= 1 && w <= mostText && strings.IndexByte("fiubSUO", t.kind) >= 0
}

// String names the type in NumPy's long form: float64, bool, text.
func (t dtype) String() string {
	switch t.kind {
	case 'f':
		return fmt.Sprint("float", 8*t.width)
	case 'i':
		return fmt.Sprint("int", 8*t.width)
	case 'u':
		return fmt.Sprint("uint", 8*t.width)
	case 'b':
		return "bool"
	case 'O':
		return "object"
	}
	return "text"
}

// isNumber tells whether entries can be taken for numbers.
func (t dtype) isNumber() bool {
	switch t.kind {
	case 'f':
		return t.width == 4 || t.width == 8
	case 'i', 'u':
		return t.width == 1 || t.width == 2 || t.width == 4 || t.width == 8
	}
	return t.kind == 'b' && t.width == 1
}

// isInt tells whether entries are whole numbers.
func (t dtype) isInt() bool { return t.isNumber() && t.kind != 'f' }

// entries are the entries of an array, one after another as they are stored.
type entries struct {
	dtype
	n int
	*packed
}

func (t dtype) bits(b []byte) uint64 {
	var o binary.ByteOrder = binary.LittleEndian
	if t.big {
		o = binary.BigEndian
	}
	switch t.width {
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
func (t dtype) number(b []byte) float64 {
	x := t.bits(b)
	switch {
	case t.kind == 'f' && t.width == 4:
		return float64(math.Float32frombits(uint32(x)))
	case t.kind == 'f':
		return math.Float64frombits(x)
	case t.kind == 'i':
		shift := 64 - 8*t.width
		return float64(int64(x<<shift) >> shift)
	case t.kind == 'b' && x != 0:
		return 1
	}
	return float64(x)
}

// nonzero calls yield for every entry of numbers that is not zero, NaN among them. It
// passes over bytes that are zero, and over words of them at once: matrices stored densely
// are mostly made of nothing.
func (e *entries) nonzero(yield func(k int, v float64)) {
	var buffer [pageSize]byte
	w := e.width // 1, 2, 4 or 8
	one := uint64(1)<<(8*w) - 1
	for n := range e.pages {
		page := e.page(n, &buffer)
		first := n * pageSize / w
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
	e      *entries
	n      int // page to read next
	rest   []float64
	buffer [pageSize]byte
	values [pageSize]float64
}

func (e *entries) cursor() *cursor { return &cursor{e: e} }

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
	page := c.e.page(c.n, &c.buffer)
	if page == nil {
		clear(c.buffer[:])
		page = c.buffer[:]
	}
	c.n++
	w := c.e.width
	c.rest = c.values[:len(page)/w]
	switch {
	case c.e.kind == 'i' && w == 4 && !c.e.big:
		for k := range c.rest {
			c.rest[k] = float64(int32(binary.LittleEndian.Uint32(page[4*k:])))
		}
	case c.e.kind == 'b':
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

// floats returns all entries.
func (e *entries) floats() []float64 {
	x := make([]float64, e.n)
	e.nonzero(func(k int, v float64) { x[k] = v })
	return x
}

// texts returns the entries of a text array, without padding.
func (e *entries) texts() []string {
	b := e.bytes()
	out := make([]string, e.n)
	for k := range out {
		cell := b[k*e.width : (k+1)*e.width]
		if e.kind == 'S' {
			out[k] = strings.ToValidUTF8(strings.TrimRight(string(cell), "\x00"), "\ufffd")
			continue
		}
		var s strings.Builder
		for i := 0; i < len(cell); i += 4 {
			if r := (dtype{'u', 4, e.big}).bits(cell[i:]); r != 0 {
				s.WriteRune(rune(r))
			}
		}
		out[k] = s.String()
	}
	return out
}

// numbersOf makes entries of numbers that were read one by one.
func numbersOf(x []float64) *entries {
	e := &entries{dtype: dtype{kind: 'f', width: 8}, n: len(x), packed: &packed{}}
	var page []byte
	for k, v := range x {
		page = binary.LittleEndian.AppendUint64(page, math.Float64bits(v))
		if len(page) == pageSize || k == len(x)-1 {
			e.add(page)
			page = page[:0]
		}
	}
	return e
}
