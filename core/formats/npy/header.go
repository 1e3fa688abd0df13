package npy

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/formats/internal/input"
)

// An npyHead is the header of a .npy file.
type npyHead struct {
	descr   string // byte order and type, "<f8"
	fortran bool
	shape   []int
}

// npyHeader splits a .npy file into its header and its data.
func npyHeader(file string, data []byte) (*npyHead, []byte, error) {
	bad := func(field, found, expected string) (*npyHead, []byte, error) {
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
	p := &literal{rest: string(data[start:end])}
	h := p.head()
	if p.failed {
		return bad("header", input.Quote(strings.TrimSpace(string(data[start:end]))), "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } or the like")
	}
	return h, data[end:], nil
}

// A literal reads the Python dictionary of a header. After a failure it reads on and
// means nothing.
type literal struct {
	rest   string
	failed bool
}

// next tells whether a token comes next, and takes it.
func (p *literal) next(token string) bool {
	p.blanks()
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = rest
	}
	return ok
}

// blanks takes what separates tokens.
func (p *literal) blanks() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *literal) need(token string) {
	if !p.next(token) {
		p.failed = true
	}
}

// text takes a quoted word without escapes.
func (p *literal) text() string {
	for _, mark := range []string{"'", `"`} {
		if p.next(mark) {
			word, rest, ok := strings.Cut(p.rest, mark)
			if !ok || strings.ContainsAny(word, "\\\n") {
				p.failed = true
			}
			p.rest = rest
			return word
		}
	}
	p.failed = true
	return ""
}

func (p *literal) head() *npyHead {
	h := &npyHead{}
	seen := map[string]bool{}
	p.need("{")
	for !p.failed && !p.next("}") {
		key := p.text()
		if seen[key] {
			p.failed = true
		}
		seen[key] = true
		p.need(":")
		switch key {
		case "descr":
			h.descr = p.text()
		case "fortran_order":
			h.fortran = p.next("True")
			if !h.fortran {
				p.need("False")
			}
		case "shape":
			h.shape = p.shape()
		default:
			p.failed = true
		}
		if !p.next(",") {
			p.need("}")
			break
		}
	}
	p.blanks()
	if h.descr == "?" {
		h.descr = "|b1"
	}
	p.failed = p.failed || p.rest != "" || len(seen) != 3 || len(h.descr) < 2 || !strings.Contains("<>|=", h.descr[:1])
	return h
}

// shape takes a tuple of sizes: (), (3,), (3, 4).
func (p *literal) shape() []int {
	const most = 32 // dimensions, as in NumPy
	shape := []int{}
	p.need("(")
	for !p.failed && !p.next(")") {
		p.blanks()
		digits := 0
		for digits < len(p.rest) && p.rest[digits] >= '0' && p.rest[digits] <= '9' {
			digits++
		}
		d, err := strconv.Atoi(p.rest[:digits])
		if err != nil || len(shape) == most {
			p.failed = true
			break
		}
		shape = append(shape, d)
		p.rest = strings.TrimPrefix(p.rest[digits:], "L") // Python 2 wrote 3L
		if !p.next(",") {
			p.need(")")
			break
		}
	}
	return shape
}
