// Package checkpoint is the file of a stopped training: a header, arrays and a checksum. It
// knows nothing of what they are.
package checkpoint

import (
	"encoding/binary"
	"fmt"
	"io"

	"cadem.example/core/base/kernel"
)

// The arrays of a checkpoint may be half of what a run holds. They are written and read in
// windows, so that they are never held twice.

// Window is how many bytes of a checkpoint are in memory at once, a multiple of 8.
const Window = 256 << 10

// basis is the checksum of nothing. That of a checkpoint is begun with its length, and the last word
// is padded with zeros.
const basis = 14695981039346656037

// A packer writes a checkpoint of a known size, and the checksum after it.
type packer struct {
	dst  io.Writer
	held []byte
	sum  uint64
	err  error // of the first write that failed
}

func newPacker(dst io.Writer, size int64) *packer {
	return &packer{dst: dst, held: make([]byte, 0, Window), sum: basis ^ uint64(size)}
}

// flush writes what is held. It is a multiple of 8, but at the end.
func (p *packer) flush() {
	if p.err == nil {
		_, p.err = p.dst.Write(p.held)
	}
	p.held = p.held[:0]
}

// next reserves that many bytes at most and returns how many there may be.
func (p *packer) next(n int) int {
	if len(p.held) == Window {
		p.sum = kernel.Fold(p.sum, p.held)
		p.flush()
	}
	return min(n, Window-len(p.held))
}

func (p *packer) add(b []byte) {
	for len(b) > 0 {
		n := p.next(len(b))
		p.held = append(p.held, b[:n]...)
		b = b[n:]
	}
}

// close writes the rest and the checksum.
func (p *packer) close() error {
	p.sum = last(p.sum, p.held)
	p.flush()
	p.held = binary.LittleEndian.AppendUint64(p.held, p.sum)
	p.flush()
	return p.err
}

// last ends a checksum with the last bytes, at most a window of them.
func last(sum uint64, b []byte) uint64 {
	n := len(b) &^ 7
	var tail [8]byte
	copy(tail[:], b[n:])
	return kernel.Fold(kernel.Fold(sum, b[:n]), tail[:])
}

func addArray[T kernel.Float](p *packer, a []T) {
	each := ElementSize[T]()
	for len(a) > 0 {
		n := p.next(each*len(a)) / each
		if n == 0 { // one number across the end of the window
			p.add(kernel.AppendBytes(nil, a[:1]))
			n = 1
		} else {
			p.held = kernel.AppendBytes(p.held, a[:n])
		}
		a = a[n:]
	}
}

// ElementSize returns the bytes of a number: 4 in single precision, 8 in double.
func ElementSize[T kernel.Float]() int {
	if _, ok := any(T(0)).(float32); ok {
		return 4
	}
	return 8
}

// An unpacker reads a part of a checkpoint, from the front.
type unpacker struct {
	src      io.ReaderAt
	at, end  int64
	held     []byte
	consumed int
}

func newUnpacker(src io.ReaderAt, from, to int64) *unpacker {
	return &unpacker{src: src, at: from, end: to, held: make([]byte, 0, max(8, min(Window, to-from)))}
}

// take returns the next n bytes, at most a window, until the next call.
func (p *unpacker) take(n int) ([]byte, error) {
	if rest := len(p.held) - p.consumed; rest < n {
		copy(p.held, p.held[p.consumed:])
		size := int(min(int64(cap(p.held)), int64(rest)+p.end-p.at))
		if size < n {
			return nil, fmt.Errorf("a checkpoint ends %d bytes early: %w", n-size, io.ErrUnexpectedEOF)
		}
		p.held, p.consumed = p.held[:size], 0
		k, err := p.src.ReadAt(p.held[rest:], p.at)
		if p.at += int64(k); rest+k < size {
			return nil, fmt.Errorf("reading a checkpoint: %w", err)
		}
	}
	b := p.held[p.consumed:][:n]
	p.consumed += n
	return b, nil
}

// fill reads as many bytes as b has.
func (p *unpacker) fill(b []byte) error {
	for len(b) > 0 {
		part, err := p.take(min(len(b), cap(p.held)))
		if err != nil {
			return err
		}
		b = b[copy(b, part):]
	}
	return nil
}

// takeArray reads as many numbers as a has.
func takeArray[T kernel.Float](p *unpacker, a []T) error {
	each := ElementSize[T]()
	for len(a) > 0 {
		n := min(len(a), cap(p.held)/each)
		b, err := p.take(max(1, n) * each)
		if err != nil {
			return err
		}
		kernel.TakeBytes(a[:n], b)
		a = a[n:]
	}
	return nil
}

// intact reports whether the checksum at the end is that of all before it.
func intact(stored Stored) (bool, error) {
	size := stored.Size() - 8
	p := newUnpacker(stored, 0, size+8)
	sum := basis ^ uint64(size)
	for ; size > Window; size -= Window {
		b, err := p.take(Window)
		if err != nil {
			return false, err
		}
		sum = kernel.Fold(sum, b)
	}
	b, err := p.take(int(size))
	if err != nil {
		return false, err
	}
	sum = last(sum, b)
	b, err = p.take(8)
	if err != nil {
		return false, err
	}
	return binary.LittleEndian.Uint64(b) == sum, nil
}
