package bridge

import (
	"io"
	"slices"
	"syscall/js"
)

// A file that a person chose may be larger than this program's memory, and WebAssembly never gives
// memory back. So it comes as a Blob and is read in windows. www/engine/blobs.ts does that without
// waiting for an event, and keeps no reference from here to anything on the way: it would last
// until the next collection.

// window is the number of bytes read at once.
const window = 1 << 20

// page is the buffer of windows before they are copied. It is only in use within a call.
var page js.Value

type blob struct {
	value js.Value
	size  int64
	held  []byte // the window that was read last
	from  int64  // where it begins
}

// windowed are the Blobs that hold a window, the one that began last at the end. A folder may have thousands, which are read one after the other.
var windowed []*blob

// mostWindowed is how many do.
const mostWindowed = 8

// call calls a function of www/engine/blobs.ts.
func call(function string, args ...any) (js.Value, error) {
	return Call(global.Get("cademBlobs"), function, args...)
}

// blobsOf returns the Blobs of a message, its third argument.
func blobsOf(args []js.Value) []Blob {
	if len(args) < 3 || !args[2].Truthy() {
		return nil
	}
	list := make([]Blob, args[2].Length())
	for i := range list {
		list[i] = NewBlob(args[2].Index(i))
	}
	return list
}

// NewBlob returns a JavaScript Blob as one.
func NewBlob(value js.Value) Blob {
	return &blob{value: value, size: int64(value.Get("size").Float())}
}

func (b *blob) Size() int64 { return b.size }

// ReadAt is not safe for concurrent use.
func (b *blob) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at >= b.size {
			return n, io.EOF
		}
		if at < b.from || at >= b.from+int64(len(b.held)) {
			if err := b.read(at); err != nil {
				return n, err
			}
		}
		k := copy(p[n:], b.held[at-b.from:])
		n, at = n+k, at+int64(k)
	}
	return n, nil
}

// staged is how many bytes a BlobWriter puts into a Blob at a time: what a Blob that is
// written takes of the page's process, once here and once on the way to the browser.
const staged = 4 << 20

// stage is the buffer of the bytes of a Blob; Blobs copy it.
var stage js.Value

// A BlobWriter makes a Blob, whose bytes the browser keeps, outside of the page and its
// workers. One at a time.
type BlobWriter struct {
	parts js.Value
	n     int // bytes in the stage
}

// NewBlobWriter begins a Blob.
func NewBlobWriter() *BlobWriter {
	if stage.IsUndefined() {
		stage = uint8Array.New(staged)
	}
	return &BlobWriter{parts: global.Get("Array").New()}
}

// Write appends bytes to the Blob. It fails when the browser has no memory for them.
func (w *BlobWriter) Write(p []byte) (n int, err error) {
	for n < len(p) {
		k := js.CopyBytesToJS(stage.Call("subarray", w.n), p[n:])
		if n, w.n = n+k, w.n+k; w.n == staged {
			if err := w.flush(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// flush adds the stage to the Blob.
func (w *BlobWriter) flush() error {
	_, err := call("add", w.parts, stage, w.n)
	w.n = 0
	return err
}

// Blob ends the Blob.
func (w *BlobWriter) Blob() (Blob, error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	return join(w.parts)
}

// Join returns Blobs, one after the other, as one.
func Join(list []Blob) (Blob, error) {
	parts := global.Get("Array").New()
	for _, b := range list {
		parts.Call("push", b.(*blob).value)
	}
	return join(parts)
}

func join(parts js.Value) (Blob, error) {
	whole, err := call("join", parts)
	if err != nil {
		return nil, err
	}
	return NewBlob(whole), nil
}

// Part returns the bytes of a Blob from one place to another as a JavaScript Blob of their own.
func Part(b Blob, from, to int64) (js.Value, error) {
	return Call(b.(*blob).value, "slice", float64(from), float64(to))
}

// read takes the window at a place.
func (b *blob) read(at int64) error {
	if page.IsUndefined() {
		page = uint8Array.New(window)
	}
	count, err := call("read", b.value, float64(at), page)
	if err != nil {
		return Errorf("bad-data", "The file can no longer be read (%v). It may have been changed or moved; open it again.", err)
	}
	n := count.Int()
	if !slices.Contains(windowed, b) {
		if len(windowed) == mostWindowed {
			b.held, windowed[0].held = windowed[0].held[:0], nil
			windowed = slices.Delete(windowed, 0, 1)
		}
		windowed = append(windowed, b)
	}
	if cap(b.held) < n {
		b.held = make([]byte, min(window, b.size))
	}
	b.held, b.from = b.held[:n], at
	js.CopyBytesToGo(b.held, page)
	return nil
}
