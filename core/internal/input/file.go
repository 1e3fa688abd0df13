package input

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/zip"
)

// A File is a named file to read: its bytes, those at the places that are asked for, or a
// Reader.
type File struct {
	Name   string
	Data   []byte      // which must not change as long as what was read of it is in use
	At     io.ReaderAt // read when Data is nil: Size bytes, as often as needed
	Reader io.Reader   // read when both are nil
	Size   int64       // of At; what is said to be the size of Reader, 0 when unknown

	Encoding string // that [Text] read, where it is another than UTF-8

	outer *Stream // the archive that it lies in
}

// stream returns a reader of the file from front to back.
func (f *File) stream() io.Reader {
	switch {
	case f.Data != nil:
		return bytes.NewReader(f.Data)
	case f.At != nil:
		return io.NewSectionReader(f.At, 0, f.Size)
	case f.Reader != nil:
		return f.Reader
	}
	return bytes.NewReader(nil)
}

// Random returns a reader of the file in any order, and its size; nil for a Reader.
func Random(f *File) (io.ReaderAt, int64) {
	if f.Data != nil || f.At == nil {
		return bytes.NewReader(f.Data), int64(len(f.Data))
	}
	return f.At, f.Size
}

// Head returns the first bytes, at most n; none of a Reader.
func (f *File) Head(n int) []byte {
	at, size := Random(f)
	b := make([]byte, min(int64(n), size))
	k, _ := at.ReadAt(b, 0) // who reads on meets the error again
	return b[:k]
}

// Load takes a file that is read in places into memory.
func (f *File) Load() error {
	if f.Data != nil || f.At == nil {
		return nil
	}
	b := make([]byte, f.Size)
	if _, err := f.At.ReadAt(b, 0); err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	f.Data, f.At = b, nil
	return nil
}

const wantText = "UTF-8 text"

// windows1252 are the characters of the bytes from 0x80 on that are other than in Latin-1; 0: none.
const windows1252 = "€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ"

// decoded returns text as UTF-8, and the name of its encoding if that is another: UTF-16, or Windows-1252, in which
// letters beyond ASCII are few and stand apart. Text of other encodings comes back as it is.
func decoded(data []byte) (text []byte, encoding string) {
	mark := string(data[:min(len(data), 2)])
	if mark == "\xff\xfe" || mark == "\xfe\xff" || isWide(data[:min(len(data), HeadSize)]) {
		low := 0 // which byte of two
		if data[0] == 0 || data[0] == 0xfe {
			low = 1
		}
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = uint16(data[2*i+low]) | uint16(data[2*i+1-low])<<8
		}
		return []byte(string(utf16.Decode(units))), "UTF-16"
	}
	if utf8.Valid(data) {
		return data, ""
	}
	table := []rune(windows1252)
	beyond, beside := 0, 0
	for i, c := range data {
		r := rune(c)
		if c >= 0x80 {
			beyond++
			beside += int(data[max(i-1, 0)] >> 7 & 1)
		}
		if c >= 0x80 && c < 0xa0 {
			r = table[c-0x80]
		}
		if r == 0 {
			return data, ""
		}
		if beyond == 1 && encoding == "" {
			encoding = fmt.Sprintf("Windows-1252, in which the byte %#02x is %c", c, r)
		}
		text = utf8.AppendRune(text, r)
	}
	if 3*beside > beyond {
		return data, ""
	}
	return text, encoding
}

// Bytes returns the content of a file, at most limit bytes. The size that a file claims can get it
// refused but allocates nothing.
func Bytes(f *File, limit int64, what string) ([]byte, error) {
	bad := func(found, expected string) ([]byte, error) {
		return nil, diag.At(f.Name, 0, "", found, expected)
	}
	most := fmt.Sprintf("at most %s for %s", Size(limit), what)
	if n := max(f.Size, int64(len(f.Data))); n > limit {
		return bad(Size(n), most)
	}
	if f.Data != nil || f.Reader == nil && f.At == nil {
		return f.Data, nil
	}
	data, err := gather(io.LimitReader(f.stream(), limit+1))
	var known *diag.Error
	switch {
	case errors.As(err, &known):
		return nil, known
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	case int64(len(data)) > limit:
		return bad("more than "+Size(limit), most)
	case f.Size > 0 && int64(len(data)) != f.Size:
		return bad(figure.Count(len(data), "byte"), fmt.Sprintf("%d: the file changed or was cut off while it was read", f.Size))
	}
	return data, nil
}

// gather reads to the end, in pieces that are put together then: what grows in one place is
// copied each time it does, five times its size in all.
func gather(r io.Reader) ([]byte, error) {
	var pieces [][]byte
	var n int
	var err error
	for size := 1 << 12; err == nil; size = min(4*size, 1<<20) {
		piece := make([]byte, size)
		k := 0
		for k < size && err == nil {
			var more int
			more, err = r.Read(piece[k:])
			k += more
		}
		pieces, n = append(pieces, piece[:k]), n+k
	}
	if err != io.EOF {
		return nil, err
	}
	all := make([]byte, 0, n)
	for _, piece := range pieces {
		all = append(all, piece...)
	}
	return all, nil
}

// isPlain reports whether a text is ASCII with line feeds for line ends, as most lists of links are.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// Text returns a file as text: at most MaxText bytes of UTF-8 that are not all
// blank, without a byte order mark and with line feeds for line ends. It is a view of the file's Data where these are all that
// and in memory.
func Text(f *File) (string, error) {
	data, err := Bytes(f, MaxText, "a text file"+whyNoLonger(max(f.Size, int64(len(f.Data))))+Natively)
	if err != nil {
		return "", err
	}
	bad := func(line int, found, expected string) (string, error) {
		return "", diag.At(f.Name, line, "", found, expected)
	}
	kind, other := binaryKind(data[:min(len(data), HeadSize)], int64(len(data)))
	if other && kind.Name != wide {
		return bad(0, kind.Name, wantText)
	}
	s := strings.TrimPrefix(view(data), "\ufeff")
	if isPlain(s) {
		if strings.TrimSpace(s) == "" {
			return bad(0, "an empty file", wantText)
		}
		return s, nil
	}
	data, f.Encoding = decoded(data)
	s = strings.TrimPrefix(view(data), "\ufeff")
	line := 1
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n', r == '\r' && !strings.HasPrefix(s[i+1:], "\n"):
			line++
		case r == utf8.RuneError && n == 1:
			return bad(line, fmt.Sprintf("the byte %#02x, which is not UTF-8", s[i]), wantText)
		case r < ' ' && r != '\t' && r != '\r' && r != '\f' && r != '\v' || r == 0x7f:
			return bad(line, fmt.Sprintf("the byte %#02x, which stands in no text", r), wantText)
		}
		i += n
	}
	if strings.TrimSpace(s) == "" {
		return bad(0, "an empty file", wantText)
	}
	if strings.Contains(s, "\r") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	return s, nil
}

// OpenMember opens a member of a zip archive; reading it to its end checks its sum.
func OpenMember(file string, f *zip.File) (io.Reader, error) {
	bad := func(found, expected string) (io.Reader, error) {
		return nil, diag.At(file, 0, f.Name, found, expected)
	}
	if f.Method != zip.Store && f.Method != zip.Deflate {
		return bad(fmt.Sprintf("compression method %d", f.Method), "0 (stored) or 8 (deflate)")
	}
	if f.Flags&1 != 0 {
		return bad("an encrypted member", "one that is not")
	}
	r, err := f.Open()
	if err != nil {
		return bad("a member that is cut off or altered", "a complete one")
	}
	return r, nil
}

// A member is a file of a zip archive.
type member struct {
	Name string
	Data []byte
}

// Unzip returns the members of a zip archive of n bytes in their order. It checks the
// checksum of each and stops when they unpack to more than limit bytes, whatever the archive
// says of their sizes.
func Unzip(file string, at io.ReaderAt, n, limit int64) ([]member, error) {
	bad := func(field, found, expected string) ([]member, error) {
		return nil, diag.At(file, 0, field, found, expected)
	}
	var head [2]byte
	if k, err := at.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return nil, err
	} else if string(head[:k]) != "PK" {
		return bad("", "a file that does not begin as zip archives do", "a zip archive")
	}
	z, err := zip.NewReader(at, n)
	if err != nil {
		return bad("", "an archive that is cut off or altered", "a complete zip archive")
	}
	var members []member
	seen := map[string]bool{}
	left := limit
	for _, f := range z.File {
		if seen[f.Name] {
			return bad(f.Name, "a second member of that name", "one")
		}
		seen[f.Name] = true
		r, err := OpenMember(file, f)
		if err != nil {
			return nil, err
		}
		content, err := gather(io.LimitReader(r, left+1))
		switch {
		case int64(len(content)) > left:
			return bad(f.Name, "more than "+Size(limit)+" once unpacked", "less")
		case errors.Is(err, zip.ErrChecksum) || err == nil && crc32.ChecksumIEEE(content) != f.CRC32:
			return bad(f.Name, "a wrong checksum: the file was altered or damaged", "the content that was written")
		case err != nil:
			return bad(f.Name, "a member that is cut off or altered", "a complete one")
		}
		left -= int64(len(content))
		members = append(members, member{f.Name, content})
	}
	return members, nil
}
