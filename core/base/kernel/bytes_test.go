package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAppendBytes(t *testing.T) {
	src := rand.New(rand.NewPCG(8, 1))
	for n := range 4 {
		single, double, head := fill[float32](src, n), fill[float64](src, n), []byte("head")
		wantSingle, wantDouble := bytes.Clone(head), bytes.Clone(head)
		for i := range n {
			wantSingle = binary.LittleEndian.AppendUint32(wantSingle, math.Float32bits(single[i]))
			wantDouble = binary.LittleEndian.AppendUint64(wantDouble, math.Float64bits(double[i]))
		}
		if got := AppendBytes(head, single); !bytes.Equal(got, wantSingle) {
			t.Errorf("%d numbers in single precision: % x, want % x", n, got, wantSingle)
		}
		if got := AppendBytes(head, double); !bytes.Equal(got, wantDouble) {
			t.Errorf("%d numbers in double precision: % x, want % x", n, got, wantDouble)
		}
		backSingle, backDouble := make([]float32, n), make([]float64, n)
		TakeBytes(backSingle, wantSingle[len(head):])
		TakeBytes(backDouble, wantDouble[len(head):])
		if !slices.Equal(backSingle, single) || !slices.Equal(backDouble, double) {
			t.Errorf("%d numbers come back as %v and %v", n, backSingle, backDouble)
		}
	}
}

// The checksum is that of its definition, one word after the other, for every number of words
// and wherever they lie.
func TestFold(t *testing.T) {
	b := AppendBytes([]byte("12345"), fill[float64](rand.New(rand.NewPCG(8, 2)), 23))
	for from := range 9 {
		want := uint64(14695981039346656037)
		for to := from; to+8 <= len(b); to += 8 {
			if got := Fold(14695981039346656037, b[from:to]); got != want {
				t.Errorf("bytes %d to %d: %x, want %x", from, to, got, want)
			}
			want = (want ^ binary.LittleEndian.Uint64(b[to:])) * 1099511628211
		}
	}
}
