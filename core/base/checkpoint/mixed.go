package checkpoint

import (
	"io"

	"cadem.example/core/base/kernel"
)

// Mixed are arrays of any length of a training that keeps some in single and some in double precision.
type Mixed struct {
	Singles [][]float32
	Doubles [][]float64
}

// Write writes a file of them, the single ones first. An error is one of dst.
func (m *Mixed) Write(dst io.Writer, header []byte) error {
	p := begin(dst, header, m.bytes())
	for _, a := range m.Singles {
		addArray(p, a)
	}
	for _, a := range m.Doubles {
		addArray(p, a)
	}
	return p.close()
}

// Load fills the arrays. The error is an [*Error] where the file holds another number of bytes;
// others come from reading.
func (m *Mixed) Load(f *File) error {
	if f.Size() != m.bytes() {
		return &Error{Reason: "the sizes of its arrays do not fit: it belongs to another graph or to other options"}
	}
	p := newUnpacker(f.stored, f.from, f.stored.Size()-8)
	if err := takeAll(p, m.Singles); err != nil {
		return err
	}
	return takeAll(p, m.Doubles)
}

func takeAll[T kernel.Float](p *unpacker, arrays [][]T) error {
	for _, a := range arrays {
		if err := takeArray(p, a); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mixed) bytes() int {
	size := 0
	for _, a := range m.Singles {
		size += ElementSize[float32]() * len(a)
	}
	for _, a := range m.Doubles {
		size += ElementSize[float64]() * len(a)
	}
	return size
}
