package formats

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
)

// What reading a file may keep in memory: fixedRoom and keptPerByte for every byte that was
// really read, before it was unpacked, up to mostRoom, which leaves a page room to work. What
// files claim allocates nothing.
const (
	fixedRoom   = 64 << 20
	keptPerByte = 16
	mostRoom    = 1 << 30
)

// A source is a file that is read from front to back.
type source struct {
	file     string
	in       *counter      // as stored
	r        *bufio.Reader // unpacked
	kept     int64         // bytes that what was read from it takes
	most     int64         // bytes that may be unpacked from it
	unpacked bool          // it was packed, by gzip or in an archive
	outer    *source       // that this one is a part of
	err      error         // why reading stopped; then only the first is of interest
}

// A counter counts what is read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// openFile returns a file as a source; one that gzip packed is unpacked. It holds nothing that
// has to be closed.
func openFile(f *File) (*source, error) {
	if f.Size > MaxFile || int64(len(f.Data)) > MaxFile {
		return nil, &Error{File: f.Name, Found: size(max(f.Size, int64(len(f.Data)))), Expected: "at most " + size(MaxFile)}
	}
	var s *source
	if f.outer != nil {
		s = f.outer.inner(f.Reader)
		s.file, s.unpacked = f.Name, true
	} else {
		s = &source{file: f.Name, in: &counter{r: f.stream()}, most: MaxFile}
		s.r = bufio.NewReaderSize(s.in, 1<<16)
	}
	if head, _ := s.r.Peek(3); bytes.HasPrefix(head, []byte("\x1f\x8b\x08")) {
		z, err := gzip.NewReader(s.r)
		if err != nil {
			return nil, s.cut("", err)
		}
		s.r, s.unpacked = bufio.NewReaderSize(z, 1<<16), true
	}
	return s, nil
}

// inner returns a source for a part of s that is packed inside of it.
func (s *source) inner(r io.Reader) *source {
	return &source{file: s.file, in: s.in, r: bufio.NewReaderSize(r, 1<<15), kept: s.kept, most: s.most, outer: s}
}

// leave counts for the source around s what was read and kept of s.
func (s *source) leave() {
	if s.outer != nil {
		s.outer.kept, s.outer.most = s.kept, s.most
	}
}

// member returns a part of s as a file of its own.
func (s *source) member(name string, r io.Reader) *File {
	return &File{Name: name, Reader: r, outer: s}
}

// asText returns the file that s was opened from, to be read as text.
func (s *source) asText(f *File) *File {
	text := &File{Name: strings.TrimSuffix(f.Name, ".gz"), Data: f.Data, Reader: s.r, Size: f.Size}
	if s.unpacked {
		text.Data, text.Reader, text.Size = nil, &limited{s: s}, 0
	}
	return text
}

// drain reads n bytes of what is left, if there are so many: a sum may stand there.
func (s *source) drain(field string, n int64) error {
	if _, err := io.Copy(io.Discard, io.LimitReader(s.r, n)); err != nil {
		return s.cut(field, err)
	}
	return nil
}

// room returns what may be kept in memory of what was read so far.
func (s *source) room() int64 { return roomFor(s.in.n) }

// wasStored sets how many bytes the file takes when it is not read from front to back.
func (s *source) wasStored(n int64) { s.in.n = n }

// failed returns what went wrong first.
func (s *source) failed() error { return s.err }

// fail notes the first thing that is wrong.
func (s *source) fail(field, found, expected string) error {
	if s.err == nil {
		s.err = &Error{s.file, 0, field, found, expected}
	}
	return s.err
}

// cut notes that reading failed within field.
func (s *source) cut(field string, err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return s.fail(field, "a file that is cut off", "a complete one")
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrChecksum):
		return s.fail(field, "a wrong checksum: the file was altered or damaged", "the content that was written")
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) || errors.Is(err, zip.ErrFormat) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, zlib.ErrHeader) {
		return s.fail(field, "packed bytes that are cut off or altered", "complete ones")
	}
	if s.err == nil {
		s.err = fmt.Errorf("%s: %w", s.file, err)
	}
	return s.err
}

// keep counts n bytes of memory and tells whether there is room for them.
func (s *source) keep(field string, n int) error {
	s.kept += int64(n)
	if room := roomFor(s.in.n); s.kept > room {
		return s.fail(field, "more than "+size(room)+" to keep of "+size(s.in.n)+" that were read", "less; a file that is saved without compression may hold more")
	}
	return nil
}

// roomFor returns what may be kept in memory of n bytes that were read.
func roomFor(n int64) int64 { return min(fixedRoom+keptPerByte*n, mostRoom) }

// take reads n bytes, few of them.
func (s *source) take(field string, n int) ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	if s.most -= int64(n); s.most < 0 {
		return nil, s.fail(field, "more than "+size(MaxFile)+" once unpacked", "less")
	}
	if n <= pageSize {
		b := make([]byte, n)
		if _, err := io.ReadFull(s.r, b); err != nil {
			return nil, s.cut(field, err)
		}
		return b, nil
	}
	var b bytes.Buffer // which grows as bytes come, whatever n is
	if _, err := io.CopyN(&b, s.r, int64(n)); err != nil {
		return nil, s.cut(field, err)
	}
	return b.Bytes(), nil
}

// pack reads n bytes, however many.
func (s *source) pack(field string, n int64) (*packed, error) {
	if s.err != nil {
		return nil, s.err
	}
	if n < 0 || n > s.most {
		return nil, s.fail(field, size(n)+" once unpacked", "at most "+size(MaxFile)+" in a file")
	}
	s.most -= n
	p := &packed{}
	var page [pageSize]byte
	for n > 0 {
		part := page[:min(n, pageSize)]
		if _, err := io.ReadFull(s.r, part); err != nil {
			return nil, s.cut(field, err)
		}
		n -= int64(len(part))
		if err := s.keep(field, p.add(part)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// skip reads over n bytes.
func (s *source) skip(field string, n int64) error {
	if s.err != nil {
		return s.err
	}
	if n < 0 || n > s.most {
		return s.fail(field, size(n)+" once unpacked", "at most "+size(MaxFile)+" in a file")
	}
	s.most -= n
	if _, err := io.CopyN(io.Discard, s.r, n); err != nil {
		return s.cut(field, err)
	}
	return nil
}

// A limited reader passes on unpacked text while it is not too much for what was read: text
// takes several times its size once it is read.
type limited struct {
	s *source
	n int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.s.r.Read(p)
	l.n += int64(n)
	if most := fixedRoom/16 + keptPerByte*l.s.in.n; l.n > most {
		return n, l.s.fail("", "more than "+size(most)+" of text packed into "+size(l.s.in.n), "less; unpack it")
	}
	return n, err
}
