package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
)

// Packing and unpacking returns the same bytes, with the checksum of its definition, wherever
// windows end: in the header, in a number, between two arrays, nowhere.
func TestPackedComesBack(t *testing.T) {
	for _, size := range []int{0, 3, 8, Window - 20, Window - 8, Window - 3, Window, 2*Window + 11} {
		head, single, double := make([]byte, size), make([]float32, 70001), make([]float64, 40003)
		rand.NewChaCha8([32]byte{}).Read(head)
		for i := range single {
			single[i] = float32(i) / 3
		}
		for i := range double {
			double[i] = float64(i) / 7
		}
		var out bytes.Buffer
		p := newPacker(&out, int64(size+4*len(single)+8*len(double)))
		p.add(head)
		addArray(p, single)
		addArray(p, double)
		if err := p.close(); err != nil {
			t.Fatal(err)
		}
		b := out.Bytes()
		body := b[:len(b)-8]
		const prime = 1099511628211
		want := uint64(14695981039346656037) ^ uint64(len(body))
		padded := append(bytes.Clone(body), make([]byte, 8-len(body)%8)...)
		for i := 0; i < len(padded); i += 8 {
			want = (want ^ binary.LittleEndian.Uint64(padded[i:])) * prime
		}
		if got := binary.LittleEndian.Uint64(b[len(body):]); got != want {
			t.Errorf("a head of %d bytes: checksum %x, want %x", size, got, want)
		}
		if whole, err := intact(bytes.NewReader(b)); !whole || err != nil {
			t.Errorf("a head of %d bytes: %t, %v", size, whole, err)
		}
		for _, k := range []int{0, len(body) / 2, len(body) - 1} {
			b[k] ^= 4
			if whole, err := intact(bytes.NewReader(b)); whole || err != nil {
				t.Errorf("a head of %d bytes: byte %d was changed, %t, %v", size, k, whole, err)
			}
			b[k] ^= 4
		}
		u, headBack, singleBack, doubleBack := newUnpacker(bytes.NewReader(b), 0, int64(len(body))), make([]byte, size), make([]float32, len(single)),
			make([]float64, len(double))
		if err := errors.Join(u.fill(headBack), takeArray(u, singleBack), takeArray(u, doubleBack)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(headBack, head) || !slices.Equal(singleBack, single) || !slices.Equal(doubleBack, double) {
			t.Errorf("a head of %d bytes: other bytes come back", size)
		}
		if err := takeArray(u, singleBack[:1]); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("behind the end: %v", err)
		}
	}
}
