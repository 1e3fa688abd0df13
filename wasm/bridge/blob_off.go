//go:build !js

package bridge

import (
	"bytes"
	"io"
)

// A BlobWriter makes a Blob: outside of a browser, of bytes in memory.
type BlobWriter struct{ bytes.Buffer }

// NewBlobWriter begins a Blob.
func NewBlobWriter() *BlobWriter { return &BlobWriter{} }

// Blob ends the Blob.
func (w *BlobWriter) Blob() (Blob, error) { return bytes.NewReader(w.Bytes()), nil }

// Join returns Blobs, one after the other, as one.
func Join(list []Blob) (Blob, error) {
	w := NewBlobWriter()
	for _, b := range list {
		if _, err := io.Copy(w, io.NewSectionReader(b, 0, b.Size())); err != nil {
			return nil, err
		}
	}
	return w.Blob()
}
