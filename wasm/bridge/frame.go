// Package bridge carries messages between the page and the Go programs, in the frame
// that wasm/PROTOCOL.md describes: a JSON header and one buffer of little-endian
// slabs. Reading and writing frames is plain Go; only the files named _js.go touch
// JavaScript.
//
// It is also the only place that recovers from a panic: the request that caused it is
// answered with the code "internal" ([Request.Guard]).
package bridge

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
)

// Version is the number of the frame format.
const Version = 1

// Element types of a slab.
const (
	Float32 = "f32"
	Float64 = "f64"
	Int32   = "i32"
	Byte    = "u8"
)

// align is the multiple at which a slab begins, so JavaScript can lay any typed array over it.
const align = 8

var sizes = map[string]int{Float32: 4, Float64: 8, Int32: 4, Byte: 1}

// A Slab is a named array: Shape in row-major order, Data its little-endian bytes. One that
// comes as a Blob is bytes that are read when they are needed; Data is nil then.
type Slab struct {
	Name  string
	Type  string
	Shape []int
	Data  []byte
	Blob  Blob
}

// A Blob is bytes outside of the program's memory.
type Blob interface {
	io.ReaderAt
	Size() int64
}

// InBlob returns a slab of the bytes of a Blob.
func InBlob(name string, b Blob) Slab { return Slab{name, Byte, []int{int(b.Size())}, nil, b} }

// Contents returns the bytes of a slab of bytes, wherever they are.
func (s *Slab) Contents() Blob {
	if s.Blob == nil {
		return bytes.NewReader(s.Data)
	}
	return s.Blob
}

// Load returns the bytes of a slab; those of a Blob are read, and not kept.
func (s *Slab) Load() ([]byte, error) {
	if s.Blob == nil {
		return s.Data, nil
	}
	b := make([]byte, s.Blob.Size())
	if _, err := s.Blob.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

type slabHeader struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Shape  []int  `json:"shape"`
	Offset int    `json:"offset"`
	Blob   int    `json:"blob,omitempty"` // its number among the Blobs of the message, from 1; 0: it is in the buffer
}

// Bytes returns a slab of bytes. The slice is kept.
func Bytes(name string, b []byte) Slab { return Slab{name, Byte, []int{len(b)}, b, nil} }

// Float32s returns a slab of x with the given shape; without one it is a vector.
func Float32s(name string, x []float32, shape ...int) Slab {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return newSlab(name, Float32, len(x), shape, b)
}

// Float64s returns a slab of x with the given shape; without one it is a vector.
func Float64s(name string, x []float64, shape ...int) Slab {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return newSlab(name, Float64, len(x), shape, b)
}

// Int32s returns a slab of x with the given shape; without one it is a vector.
func Int32s(name string, x []int, shape ...int) Slab {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, uint32(int32(v)))
	}
	return newSlab(name, Int32, len(x), shape, b)
}

func newSlab(name, kind string, n int, shape []int, b []byte) Slab {
	if len(shape) == 0 {
		shape = []int{n}
	}
	k, ok := count(shape)
	ErrShape.Unless(ok && k == n)
	return Slab{name, kind, shape, b, nil}
}

// ErrShape is panicked when a shape does not hold as many elements as there are.
const ErrShape diag.Misuse = "bridge: shape does not fit the number of elements"

// count multiplies the sizes of a shape. It is not ok if one is negative or the
// product does not fit a buffer.
func count(shape []int) (n int, ok bool) {
	n = 1
	for _, s := range shape {
		if s < 0 || (s > 0 && n > math.MaxInt32/s) {
			return 0, false
		}
		n *= s
	}
	return n, true
}

// pack lays slabs out in one buffer, exactly as long as needed. A single one is its own
// buffer. Those that are Blobs go beside it.
func pack(slabs []Slab) (heads []slabHeader, body []byte, blobs []Blob) {
	inside, end := 0, 0
	for _, s := range slabs {
		if s.Blob != nil {
			blobs = append(blobs, s.Blob)
			heads = append(heads, slabHeader{s.Name, s.Type, s.Shape, 0, len(blobs)})
			continue
		}
		end = (end + align - 1) / align * align
		heads = append(heads, slabHeader{s.Name, s.Type, s.Shape, end, 0})
		end += len(s.Data)
		inside, body = inside+1, s.Data
	}
	if inside < 2 {
		return heads, body, blobs
	}
	body = make([]byte, end)
	for i, s := range slabs {
		copy(body[heads[i].Offset:], s.Data)
	}
	return heads, body, blobs
}

// unpack finds the slabs in a buffer, which holds their data, and among blobs.
func unpack(heads []slabHeader, body []byte, blobs []Blob) ([]Slab, error) {
	slabs := make([]Slab, 0, len(heads))
	seen := map[string]bool{}
	for _, h := range heads {
		size := sizes[h.Type]
		n, ok := count(h.Shape)
		switch {
		case size == 0:
			return nil, fmt.Errorf("slab %q has type %q, expected f32, f64, i32 or u8", h.Name, h.Type)
		case !ok:
			return nil, fmt.Errorf("slab %q has shape %v, expected sizes >= 0 that fit a buffer", h.Name, h.Shape)
		case h.Offset < 0 || h.Offset%align != 0:
			return nil, fmt.Errorf("slab %q begins at byte %d, expected a multiple of %d", h.Name, h.Offset, align)
		case h.Blob < 0 || h.Blob > len(blobs) || h.Blob > 0 && (h.Type != Byte || int64(n) != blobs[h.Blob-1].Size()):
			return nil, fmt.Errorf("slab %q of type %q and shape %v is blob %d of %d", h.Name, h.Type, h.Shape, h.Blob, len(blobs))
		case h.Blob == 0 && h.Offset > len(body) || h.Blob == 0 && n*size > len(body)-h.Offset:
			return nil, fmt.Errorf("slab %q ends at byte %d of a buffer of %d", h.Name, int64(h.Offset)+int64(n)*int64(size), len(body))
		case seen[h.Name]:
			return nil, fmt.Errorf("slab %q comes twice", h.Name)
		}
		seen[h.Name] = true
		s := Slab{Name: h.Name, Type: h.Type, Shape: h.Shape}
		if h.Blob > 0 {
			s.Blob = blobs[h.Blob-1]
		} else {
			end := h.Offset + n*size
			s.Data = body[h.Offset:end:end]
		}
		slabs = append(slabs, s)
	}
	return slabs, nil
}

// Error is an answer "ok: false": a code of wasm/PROTOCOL.md, what is wrong in words
// and where in the user's data.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Field   string `json:"field,omitempty"`
	// Options are those that would make a run fit that was refused.
	Options map[string]any `json:"options,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Errorf returns an error with that code.
func Errorf(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

type envelope struct {
	V     int          `json:"v"`
	ID    int64        `json:"id"`
	Kind  string       `json:"kind"`
	Event string       `json:"event,omitempty"`
	Slabs []slabHeader `json:"slabs,omitempty"`
}

// decode reads a request.
func decode(header string, body []byte, blobs []Blob) (*Request, error) {
	var e envelope
	if err := json.Unmarshal([]byte(header), &e); err != nil {
		return nil, fmt.Errorf("message header: %w", err)
	}
	r := &Request{ID: e.ID, Kind: e.Kind, header: []byte(header)}
	if e.V != Version {
		return r, Errorf("version", "The page speaks version %d of the message format, this program version %d. Reload the page.", e.V, Version)
	}
	if e.Kind == "" {
		return r, fmt.Errorf("message %d has no kind", e.ID)
	}
	slabs, err := unpack(e.Slabs, body, blobs)
	r.Slabs = slabs
	return r, err
}

// A frame is a message on its way to the page.
type frame struct {
	header string
	body   []byte
	blobs  []Blob
}

// encodeReply writes the answer to request id.
func encodeReply(id int64, result any, err *Error, slabs []Slab) (frame, error) {
	heads, body, blobs := pack(slabs)
	header, failed := json.Marshal(struct {
		envelope
		OK     bool   `json:"ok"`
		Result any    `json:"result,omitempty"`
		Error  *Error `json:"error,omitempty"`
	}{envelope{V: Version, ID: id, Kind: "reply", Slabs: heads}, err == nil, result, err})
	return frame{string(header), body, blobs}, failed
}

// encodeEvent writes an event of request id. The fields, which must make a JSON
// object, stand beside those of the envelope.
func encodeEvent(id int64, event string, fields any, slabs []Slab) (frame, error) {
	heads, body, blobs := pack(slabs)
	head, err := json.Marshal(envelope{Version, id, "event", event, heads})
	if err != nil {
		return frame{}, err
	}
	rest, err := json.Marshal(fields)
	if err != nil {
		return frame{}, err
	}
	if len(rest) < 2 || rest[0] != '{' {
		return frame{}, fmt.Errorf("event %s: fields are not an object", event)
	}
	if len(rest) > 2 {
		head = append(append(head[:len(head)-1], ','), rest[1:]...)
	}
	return frame{string(head), body, blobs}, nil
}
