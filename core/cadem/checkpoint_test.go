package cadem

import (
	"bytes"
	"encoding/binary"
	"testing"

	"cadem/core/rng"
)

// Arrays are kept number by number in the order of little-endian machines, however it is done.
func TestArraysOfCheckpoints(t *testing.T) {
	src := rng.New(1, "arrays")
	for n := range 5 {
		single, double := make([]float32, n), make([]float64, n)
		for i := range n {
			single[i], double[i] = float32(src.Norm()), src.Norm()
		}
		head := []byte("head")
		if got, want := appendArray(head, single), appendEach(head, single); !bytes.Equal(got, want) {
			t.Errorf("%d numbers in single precision: % x, want % x", n, got, want)
		}
		if got, want := appendArray(head, double), appendEach(head, double); !bytes.Equal(got, want) {
			t.Errorf("%d numbers in double precision: % x, want % x", n, got, want)
		}
		back := make([]float64, n)
		takeArray(back, appendArray(nil, double))
		for i := range back {
			if back[i] != double[i] {
				t.Errorf("number %d of %d does not come back", i, n)
			}
		}
	}
}

// The checksum is that of its definition, one word after the other, for every length.
func TestChecksum(t *testing.T) {
	src := rng.New(2, "bytes")
	b := make([]byte, 100)
	for i := range b {
		b[i] = byte(src.IntN(256))
	}
	for n := range b {
		const prime = 1099511628211
		want := uint64(14695981039346656037) ^ uint64(n)
		padded := append(bytes.Clone(b[:n]), make([]byte, 8-n%8)...)
		for i := 0; i < len(padded); i += 8 {
			want = (want ^ binary.LittleEndian.Uint64(padded[i:])) * prime
		}
		if got := checksum(b[:n]); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}
