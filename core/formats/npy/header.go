package npy

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/formats/internal/input"
)

// A header says what the data of a .npy file are.
type header struct {
	descr   string // byte order and type, "<f8"
	fortran bool
	shape   []int
}

// split splits a .npy file into its header and its data.
func split(file string, data []byte) (*header, []byte, error) {
	bad := func(field, found, expected string) (*header, []byte, error) {
		return nil, nil, &diag.Error{File: file, Where: field, Found: found, Expected: expected}
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

// next tells whether a token comes next, and takes it.
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
