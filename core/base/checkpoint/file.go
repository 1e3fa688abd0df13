package checkpoint

import (
	"bytes"
	"encoding/binary"
	"io"

	"cadem.example/core/base/kernel"
)

// A file is, little-endian: the magic word, the length of the header (uint32), the header, the
// arrays, and the checksum of all before it (uint64).
const magic = "CaDeMck\x01"

// An Error says why a checkpoint cannot be used.
type Error struct {
	Reason string
	Newer  bool // written by a later version of the program
}

func (e *Error) Error() string { return "checkpoint: " + e.Reason }

// Stored is the bytes of a checkpoint, wherever they are kept, and their number: those in memory are a
// [bytes.Reader].
type Stored interface {
	io.ReaderAt
	Size() int64
}

// An Array is one of a run's.
type Array[T kernel.Float] struct {
	Here []T
	// Moment of a moment of Adam is by what an average is divided to become the sum that it is now
	// (see [kernel.AdamRate]); 0 for other arrays.
	Moment T
}

// WriteFile writes a file in pieces, so that it is never in memory as a whole. An error is one of
// dst.
func WriteFile[T kernel.Float](dst io.Writer, header []byte, arrays []Array[T]) error {
	size, each := 0, ElementSize[T]()
	for _, a := range arrays {
		size += len(a.Here) * each
	}
	p := begin(dst, header, size)
	for _, a := range arrays {
		addArray(p, a.Here)
	}
	return p.close()
}

// begin writes what stands before arrays of that many bytes.
func begin(dst io.Writer, header []byte, size int) *packer {
	p := newPacker(dst, int64(len(magic)+4+len(header)+size))
	p.add(binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(header))))
	p.add(header)
	return p
}

// A File is one that was read through and found to be whole.
type File struct {
	Header []byte

	stored Stored
	from   int64 // where its arrays begin
}

// Open reads a file through. Errors about it are [*Error]; others come from reading.
func Open(stored Stored) (*File, error) {
	n := stored.Size()
	if n < int64(len(magic))+12 {
		return nil, &Error{Reason: "this is not a checkpoint of CaDeM"}
	}
	p := newUnpacker(stored, 0, n-8)
	head, err := p.take(len(magic) + 4)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(head, []byte(magic[:len(magic)-1])) {
		return nil, &Error{Reason: "this is not a checkpoint of CaDeM"}
	}
	f := &File{stored: stored, from: int64(len(head))}
	length := int64(binary.LittleEndian.Uint32(head[len(magic):]))
	if whole, err := intact(stored); err != nil {
		return nil, err
	} else if !whole {
		return nil, &Error{Reason: "its checksum does not fit, the file was cut or changed"}
	}
	if f.from += length; f.from > n-8 {
		return nil, &Error{Reason: "its header is cut off"}
	}
	f.Header = make([]byte, length)
	return f, p.fill(f.Header)
}

// Size returns how many bytes the arrays take.
func (f *File) Size() int { return int(f.stored.Size() - 8 - f.from) }

// load reads the arrays, which are as long as those that were written.
func load[T kernel.Float](f *File, arrays []Array[T]) error {
	p := newUnpacker(f.stored, f.from, f.stored.Size()-8)
	for _, a := range arrays {
		if err := takeArray(p, a.Here); err != nil {
			return err
		}
	}
	return nil
}
