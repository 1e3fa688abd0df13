package input

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/zip"
)

// Memory that reading a file may keep: fixedRoom and keptPerByte for every packed byte that was
// really read, up to mostRoom, which leaves a page room to work. Sizes that files claim allocate
// nothing.
const (
	fixedRoom   = 64 << 20
	KeptPerByte = 16
	mostRoom    = 1 << 30
)

// A Stream is a file that is read from front to back.
type Stream struct {
	File     string
	in       *counter      // as stored
	Reader   *bufio.Reader // unpacked
	kept     int64         // bytes that what was read from it takes
	Most     int64         // bytes that may be unpacked from it
	Unpacked bool          // it was packed, by gzip or in an archive
	outer    *Stream       // that this one is a part of
	err      error         // why reading stopped; then only the first is of interest
}

// A counter counts what is read.
type counter struct {
	Reader io.Reader
	n      int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// Open returns a file as a source; one that gzip packed is unpacked. It holds nothing that
// has to be closed.
func Open(f *File) (*Stream, error) {
	if f.Size > MaxFile || int64(len(f.Data)) > MaxFile {
		return nil, diag.At(f.Name, 0, "", Size(max(f.Size, int64(len(f.Data)))),
			"at most "+Size(MaxFile))
	}
	var s *Stream
	if f.outer != nil {
		s = f.outer.Inner(f.Reader)
		s.File, s.Unpacked = f.Name, true
	} else {
		s = &Stream{File: f.Name, in: &counter{Reader: f.stream()}, Most: MaxFile}
		s.Reader = bufio.NewReaderSize(s.in, 1<<16)
	}
	if head, _ := s.Reader.Peek(3); bytes.HasPrefix(head, []byte("\x1f\x8b\x08")) {
		z, err := gzip.NewReader(s.Reader)
		if err != nil {
			return nil, s.Cut("", err)
		}
		z.Multistream(false)
		s.Reader, s.Unpacked = bufio.NewReaderSize(&members{z, s.Reader}, 1<<16), true
	}
	return s, nil
}

// Members unpacks what gzip packed, which may be several members one after the other, and zeros behind the last.
type members struct {
	*gzip.Reader
	in *bufio.Reader
}

func (m *members) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if err != io.EOF {
		return n, err
	}
	for {
		switch next, err := m.in.Peek(2); {
		case len(next) == 0:
			return n, err
		case bytes.HasPrefix([]byte("\x1f\x8b"), next):
			if err = m.Reset(m.in); err == nil {
				m.Multistream(false)
			}
			return n, err
		case next[0] != 0:
			return n, errAfterEnd
		}
		if _, err := m.in.Discard(1); err != nil {
			return n, err
		}
	}
}

var errAfterEnd = errors.New("bytes after the end")

// Inner returns a source for a part of s that is packed inside of it.
func (s *Stream) Inner(r io.Reader) *Stream {
	return &Stream{File: s.File, in: s.in, Reader: bufio.NewReaderSize(r, 1<<15), kept: s.kept, Most: s.Most, outer: s}
}

// Leave counts for the source around s what was read and kept of s.
func (s *Stream) Leave() {
	if s.outer != nil {
		s.outer.kept, s.outer.Most = s.kept, s.Most
	}
}

// Member returns a part of s as a file of its own.
func (s *Stream) Member(name string, r io.Reader) *File {
	return &File{Name: name, Reader: r, outer: s}
}

// AsText returns the file that s was opened from, to be read as text.
func (s *Stream) AsText(f *File) *File {
	text := &File{Name: strings.TrimSuffix(f.Name, ".gz"), Data: f.Data, Reader: s.Reader, Size: f.Size}
	if s.Unpacked {
		text.Data, text.Reader, text.Size = nil, &limited{s: s}, 0
	}
	return text
}

// Drain reads the next n bytes, if there are as many: they may be a checksum.
func (s *Stream) Drain(field string, n int64) error {
	if _, err := io.Copy(io.Discard, io.LimitReader(s.Reader, n)); err != nil {
		return s.Cut(field, err)
	}
	return nil
}

// Room returns the memory limit for the input read so far.
func (s *Stream) Room() int64 { return RoomFor(s.in.n) }

// WasStored sets how many bytes the file takes when it is not read from front to back.
func (s *Stream) WasStored(n int64) { s.in.n = n }

// Failed returns the first error.
func (s *Stream) Failed() error { return s.err }

// Fail notes the first thing that is wrong.
func (s *Stream) Fail(field, found, expected string) error {
	if s.err == nil {
		s.err = diag.At(s.File, 0, field, found, expected)
	}
	return s.err
}

// Cut notes that reading failed within field.
func (s *Stream) Cut(field string, err error) error {
	switch {
	case errors.Is(err, errAfterEnd):
		return s.Fail(field, "bytes after the end of what gzip packed", "a file that ends there: unpack it with gzip -d and pack it again")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return s.Fail(field, "a file that is cut off", "a complete one")
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrChecksum):
		return s.Fail(field, "a wrong checksum: the file was altered or damaged", "the content that was written")
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) || errors.Is(err, zip.ErrFormat) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, zlib.ErrHeader) {
		return s.Fail(field, "packed bytes that are cut off or altered", "complete ones")
	}
	if s.err == nil {
		s.err = fmt.Errorf("%s: %w", s.File, err)
	}
	return s.err
}

// Keep counts n bytes of memory and reports whether there is room for them.
func (s *Stream) Keep(field string, n int) error {
	s.kept += int64(n)
	if room := RoomFor(s.in.n); s.kept > room {
		return s.Fail(field, "more than "+Size(room)+" to keep of "+Size(s.in.n)+" that were read", "less; a file that is saved without compression may hold more")
	}
	return nil
}

// RoomFor returns the memory limit for n bytes of input.
func RoomFor(n int64) int64 { return min(fixedRoom+KeptPerByte*n, mostRoom) }

// Take reads n bytes, few of them.
func (s *Stream) Take(field string, n int) ([]byte, error) {
	if err := s.spend(field, int64(n)); err != nil {
		return nil, err
	}
	if n <= PageSize {
		b := make([]byte, n)
		if _, err := io.ReadFull(s.Reader, b); err != nil {
			return nil, s.Cut(field, err)
		}
		return b, nil
	}
	var b bytes.Buffer // which grows as bytes come, whatever n is
	if _, err := io.CopyN(&b, s.Reader, int64(n)); err != nil {
		return nil, s.Cut(field, err)
	}
	return b.Bytes(), nil
}

// spend takes n bytes of those that may be unpacked.
func (s *Stream) spend(field string, n int64) error {
	if s.err == nil && (n < 0 || n > s.Most) {
		return s.Fail(field, Size(n)+" once unpacked", "at most "+Size(MaxFile)+" in a file")
	}
	s.Most -= n
	return s.err
}

// Pack reads n bytes, however many.
func (s *Stream) Pack(field string, n int64) (*Packed, error) {
	if err := s.spend(field, n); err != nil {
		return nil, err
	}
	p := &Packed{}
	var page [PageSize]byte
	for n > 0 {
		part := page[:min(n, PageSize)]
		if _, err := io.ReadFull(s.Reader, part); err != nil {
			return nil, s.Cut(field, err)
		}
		n -= int64(len(part))
		if err := s.Keep(field, p.Add(part)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Skip reads over n bytes.
func (s *Stream) Skip(field string, n int64) error {
	if err := s.spend(field, n); err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, s.Reader, n); err != nil {
		return s.Cut(field, err)
	}
	return nil
}

// A limited reader passes on unpacked text while it is not too much for what was read: text
// takes several times its size once it is read.
type limited struct {
	s *Stream
	n int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.s.Reader.Read(p)
	l.n += int64(n)
	if most := fixedRoom/16 + KeptPerByte*l.s.in.n; l.n > most {
		return n, l.s.Fail("", "more than "+Size(most)+" of text packed into "+Size(l.s.in.n), "less; unpack it")
	}
	return n, err
}
