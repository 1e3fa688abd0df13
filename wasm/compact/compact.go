// Package compact makes the compiled program smaller to send. Go's linker leaves out
// every run of eight zeros from the initial memory, which cuts it into tens of thousands
// of data segments; each has a header of some seven bytes that compresses badly, where the
// zeros would have compressed to almost nothing. Putting them back saves about a
// fifteenth of the compressed program, and a browser has three segments to copy instead
// of sixty thousand. The places of all code in its source files, which only a crash report
// shows, are another fifteenth.
package compact

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

const (
	dataSection = 11
	// gap is the longest run of zeros that is put back. Longer ones are memory that is
	// only there to be filled later.
	gap = 4096
	// word is the size to which segments are aligned, so their words can be looked at.
	word = 8
	// largest bounds what segments may grow to together.
	largest = 1 << 30
)

var errCut = errors.New("compact: the module is cut off")

type segment struct {
	offset int64
	data   []byte
}

// Segments returns the module with neighbouring segments of its first memory joined. The
// memory that the module starts with stays the same. Segments that are placed at run
// time make an error: Go writes none.
func Segments(module []byte) ([]byte, error) { return rewrite(module, join) }

// rewrite returns the module with its data segments changed.
func rewrite(module []byte, change func([]segment) ([]segment, error)) ([]byte, error) {
	if len(module) < 8 || string(module[:4]) != "\x00asm" {
		return nil, errors.New("compact: this is no WebAssembly module")
	}
	out := append(make([]byte, 0, len(module)), module[:8]...)
	for rest := module[8:]; len(rest) > 0; {
		kind := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, errCut
		}
		body := rest[1+n : 1+n+int(size)]
		rest = rest[1+n+int(size):]
		if kind == dataSection {
			segments, err := read(body)
			if err != nil {
				return nil, err
			}
			if segments, err = change(segments); err != nil {
				return nil, err
			}
			body = write(segments)
		}
		out = append(out, kind)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

// read takes the data section apart: flag 0, i32.const offset, end, bytes.
func read(body []byte) ([]segment, error) {
	count, n := binary.Uvarint(body)
	if n <= 0 || count > uint64(len(body)) {
		return nil, errCut
	}
	body = body[n:]
	segments := make([]segment, 0, count)
	for range count {
		if len(body) < 2 {
			return nil, errCut
		}
		if body[0] != 0 || body[1] != 0x41 {
			return nil, fmt.Errorf("compact: a data segment of kind %d with instruction %#x, expected one at a constant offset", body[0], body[1])
		}
		offset, n := signed(body[2:])
		if n <= 0 || len(body) < 3+n || body[2+n] != 0x0b {
			return nil, errCut
		}
		body = body[3+n:]
		size, n := binary.Uvarint(body)
		if n <= 0 || size > uint64(len(body)-n) {
			return nil, errCut
		}
		// i32.const counts on as unsigned where memory is meant.
		segments = append(segments, segment{int64(uint32(int32(offset))), body[n : n+int(size)]})
		body = body[n+int(size):]
	}
	return segments, nil
}

// join sorts segments and fills the gaps between close ones.
func join(segments []segment) ([]segment, error) {
	slices.SortStableFunc(segments, func(a, b segment) int { return cmp.Compare(a.offset, b.offset) })
	var joined []segment
	total := int64(0)
	for _, s := range segments {
		if len(s.data) == 0 {
			continue
		}
		if len(joined) > 0 {
			last := &joined[len(joined)-1]
			between := s.offset - last.offset - int64(len(last.data))
			if between < 0 {
				return nil, fmt.Errorf("compact: data segments overlap at %d", s.offset)
			}
			if between <= gap {
				total += between + int64(len(s.data))
				if total > largest {
					return nil, fmt.Errorf("compact: more than %d bytes of data", largest)
				}
				last.data = append(append(last.data, make([]byte, between)...), s.data...)
				continue
			}
		}
		// The linker leaves out the zeros that the first word behind a gap begins with.
		lead := s.offset % word
		joined = append(joined, segment{s.offset - lead, slices.Clip(append(make([]byte, lead), s.data...))})
	}
	return joined, nil
}

func write(segments []segment) []byte {
	body := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		body = append(body, 0, 0x41)
		body = appendSigned(body, int64(int32(uint32(s.offset))))
		body = append(body, 0x0b)
		body = binary.AppendUvarint(body, uint64(len(s.data)))
		body = append(body, s.data...)
	}
	return body
}

// signed reads a signed LEB128 number of at most five bytes.
func signed(b []byte) (v int64, n int) {
	for shift := 0; n < len(b) && n < 5; shift += 7 {
		c := b[n]
		n++
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v, n
		}
	}
	return 0, 0
}

func appendSigned(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
