package bridge

import (
	"io"
	"syscall/js"
	"time"
)

// A file that a person chose may be larger than what this program has room for, and
// WebAssembly never gives memory back: it comes as a Blob, of which windows are read.
// FileReaderSync, which workers have, reads them without waiting for an event.

// window is how much is read at once.
const window = 1 << 20

var fileReader js.Value

type blob struct {
	value js.Value
	size  int64
	held  []byte // the window that was read last
	from  int64  // where it begins
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

// staged is how many bytes a BlobWriter puts into a Blob at a time.
const staged = 4 << 20

// underway is how many bytes of a Blob that is written may still be in the page's process.
const underway = 16 << 20

// litter is how many bytes of arrays are left to the browser's collector with each Blob that
// is written, and in each second in which some are read. Browsers collect Blobs that nobody
// has any more along with arrays, and count only arrays. More than that would be memory of the
// page's process.
const litter = 32 << 20

var (
	second time.Time // in which the present litter is left
	left   int       // bytes of it
)

// mayLeave tells whether so many more bytes may be left.
func mayLeave(n int) bool {
	if now := time.Now(); now.Sub(second) > time.Second {
		second, left = now, 0
	}
	left += n
	return left <= litter
}

// A BlobWriter makes a Blob, whose bytes the browser keeps, outside of the page and its
// workers.
type BlobWriter struct {
	parts, stage js.Value
	n            int // bytes in the stage
}

// NewBlobWriter begins a Blob.
func NewBlobWriter() *BlobWriter {
	return &BlobWriter{parts: global.Get("Array").New(), stage: uint8Array.New(staged)}
}

// Write appends bytes to the Blob. It fails when the browser has no memory for them.
func (w *BlobWriter) Write(p []byte) (n int, err error) {
	for n < len(p) {
		k := js.CopyBytesToJS(w.stage.Call("subarray", w.n), p[n:])
		if n, w.n = n+k, w.n+k; w.n == staged {
			if err := w.flush(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// flush makes a Blob of the stage, which copies it.
func (w *BlobWriter) flush() error {
	part, err := newBlob([]any{w.stage.Call("subarray", 0, w.n)})
	if err != nil {
		return err
	}
	w.n = 0
	done := w.parts.Call("push", part).Int() * staged
	if done <= litter {
		w.stage = uint8Array.New(staged)
	}
	if done%underway == 0 {
		// The browser takes the bytes in its own time, which reading one of them waits for.
		_, err = readBlob(part.Call("slice", 0, 1))
	}
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
	whole, err := newBlob(parts)
	if err != nil {
		return nil, err
	}
	return NewBlob(whole), nil
}

func newBlob(parts any) (js.Value, error) {
	return Call(global.Get("Reflect"), "construct", global.Get("Blob"), []any{parts})
}

// Part returns the bytes of a Blob from one place to another as a JavaScript Blob of their own.
func Part(b Blob, from, to int64) (js.Value, error) {
	return Call(b.(*blob).value, "slice", float64(from), float64(to))
}

// readBlob returns the content of a Blob as an Uint8Array.
func readBlob(value js.Value) (js.Value, error) {
	if fileReader.IsUndefined() {
		fileReader = global.Get("FileReaderSync").New()
	}
	buffer, err := Call(fileReader, "readAsArrayBuffer", value)
	if err != nil {
		return buffer, Errorf("bad-data", "The file can no longer be read (%v). It may have been changed or moved; open it again.", err)
	}
	return uint8Array.New(buffer), nil
}

// read takes the window at a place.
func (b *blob) read(at int64) error {
	part, err := Part(b, at, min(at+window, b.size))
	if err != nil {
		return err
	}
	bytes, err := readBlob(part)
	if err != nil {
		return err
	}
	n := bytes.Get("byteLength").Int()
	if cap(b.held) < n {
		b.held = make([]byte, window)
	}
	b.held, b.from = b.held[:n], at
	js.CopyBytesToGo(b.held, bytes)
	if buffer := bytes.Get("buffer"); !mayLeave(n) && buffer.Get("transfer").Truthy() {
		buffer.Call("transfer", 0) // frees it
	}
	return nil
}
