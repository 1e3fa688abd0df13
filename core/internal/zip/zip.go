//go:build !lean

// Package zip is archive/zip under one name for all that reads and writes archives. A program that
// imports archive/zip links compression, whether it opens an archive or not, because that package
// lists its methods when a program starts. With the tag lean, for programs that open none, only
// the types are left.
package zip

import (
	"archive/zip"
	"io"
)

// The types, methods and errors of archive/zip.
type (
	Reader     = zip.Reader
	File       = zip.File
	FileHeader = zip.FileHeader
	Writer     = zip.Writer
)

const (
	Store   = zip.Store
	Deflate = zip.Deflate
)

var (
	ErrChecksum = zip.ErrChecksum
	ErrFormat   = zip.ErrFormat
)

// NewReader reads the directory of an archive of size bytes. The error is one of archive/zip, or that of reading.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) { return zip.NewReader(r, size) }

// NewWriter returns a writer of an archive.
func NewWriter(w io.Writer) *Writer { return zip.NewWriter(w) }
