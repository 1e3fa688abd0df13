package cadem

import (
	"bytes"
	"encoding/binary"
	"testing"

	"cadem/core/rng"
)

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
