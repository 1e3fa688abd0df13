// Package formatstest makes files for the tests of the readers.
package formatstest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// CheckError fails the test unless the error has the text that is wanted.
func CheckError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

// Endless is a reader that never ends.
type Endless struct{}

// Read fills p with the digit 1. It returns no error.
func (Endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '1'
	}
	return len(p), nil
}

// Zip makes a zip archive of names and contents.
func Zip(t testing.TB, method uint16, namesAndContents ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(namesAndContents); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: namesAndContents[i], Method: method})
		if err == nil {
			_, err = w.Write([]byte(namesAndContents[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Gzip compresses data.
func Gzip(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Descriptions of CIFTI-2 files: of a matrix of series, of its parcels, and of both, 2 parcels x 3 frames.
const (
	seriesMap = `<MatrixIndicesMap AppliesToMatrixDimension="0" IndicesMapToDataType="CIFTI_INDEX_TYPE_SERIES" NumberOfSeriesPoints="3" ` +
		`SeriesExponent="-3" SeriesStart="0" SeriesStep="720" SeriesUnit="SECOND"/>`
	ParcelMap = `<MatrixIndicesMap AppliesToMatrixDimension="1" IndicesMapToDataType="CIFTI_INDEX_TYPE_PARCELS"><Surface ` +
		`BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT" SurfaceNumberOfVertices="9"/>` +
		`<Parcel Name="A&amp;B"><Vertices BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT">0 1
 8</Vertices></Parcel><Parcel Name="deep"><VoxelIndicesIJK>1 2 3
4 5 6</VoxelIndicesIJK></Parcel></MatrixIndicesMap>`
	Small2x3 = `<?xml version="1.0"?><CIFTI Version="2"><Matrix>` + seriesMap + ParcelMap + `</Matrix></CIFTI>`
)

// NIFTI writes a NIfTI-2 file of float32 values with an extension of XML.
func NIFTI(o binary.ByteOrder, text string, dims []int, values []float32) []byte {
	head := make([]byte, 544)
	o.PutUint32(head, 540)
	copy(head[4:], "n+2\x00\r\n\x1a\n")
	o.PutUint16(head[12:], 16)
	o.PutUint64(head[16:], uint64(len(dims)))
	for k, d := range dims {
		o.PutUint64(head[24+8*k:], uint64(d))
	}
	head[540] = 1
	text += strings.Repeat("\x00", 16-(len(text)+8)%16)
	for _, v := range []uint32{uint32(len(text) + 8), 32} {
		word := make([]byte, 4)
		o.PutUint32(word, v)
		head = append(head, word...)
	}
	head = append(head, text...)
	o.PutUint64(head[168:], uint64(len(head)))
	for _, v := range values {
		word := make([]byte, 4)
		o.PutUint32(word, math.Float32bits(v))
		head = append(head, word...)
	}
	return head
}

// RawNPY makes a .npy file of any header.
func RawNPY(version byte, header, data string) []byte {
	b := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return append(append(b, header...), data...)
}
