package input

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"cadem/core/diag"
	"cadem/core/formats/internal/zip"
)

// OpenMember opens a member of a zip archive; reading it to its end checks its sum.
func OpenMember(file string, f *zip.File) (io.Reader, error) {
	bad := func(found, expected string) (io.Reader, error) {
		return nil, &diag.Error{File: file, Where: f.Name, Found: found, Expected: expected}
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
		return nil, &diag.Error{File: file, Where: field, Found: found, Expected: expected}
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
