//go:build lean

package zip

import (
	"errors"
	"io"
)

// A FileHeader has the fields of [archive/zip.FileHeader] that readers and writers use.
type FileHeader struct {
	Name          string
	Method, Flags uint16
	CRC32         uint32
}

// A File is a member that cannot be opened.
type File struct{ FileHeader }

// A Reader has no members.
type Reader struct{ File []*File }

// A Writer takes nothing.
type Writer struct{}

// Store and Deflate are the methods of [archive/zip].
const Store, Deflate = 0, 8

// The errors of archive/zip, which nothing returns here, and the one that everything does.
var (
	ErrChecksum = errors.New("zip: checksum error")
	ErrFormat   = errors.New("zip: not a valid zip file")
	errNone     = errors.New("zip: this program was built without archives")
)

// All of these return the error that this program was built without archives, except for NewWriter, whose writer does.
func NewReader(io.ReaderAt, int64) (*Reader, error)         { return nil, errNone }
func NewWriter(io.Writer) *Writer                           { return &Writer{} }
func (*File) Open() (io.ReadCloser, error)                  { return nil, errNone }
func (*Writer) CreateHeader(*FileHeader) (io.Writer, error) { return nil, errNone }
func (*Writer) Close() error                                { return errNone }
