package checkpoint

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// Arrays of both precisions come back with their bits, and into no others than they came from.
func TestMixedComesBack(t *testing.T) {
	from := Mixed{Singles: [][]float32{{1, 2.5, -3}, {}}, Doubles: [][]float64{{1.0 / 3}, {7, 8}}}
	var out bytes.Buffer
	if err := from.Write(&out, []byte("head")); err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(out.Bytes()))
	if err != nil || string(f.Header) != "head" {
		t.Fatalf("%v, header %q", err, f.Header)
	}
	to := Mixed{Singles: [][]float32{make([]float32, 3), {}}, Doubles: [][]float64{make([]float64, 1), make([]float64, 2)}}
	if err := to.Load(f); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(to.Singles[0], from.Singles[0]) || !slices.Equal(to.Doubles[0], from.Doubles[0]) || !slices.Equal(to.Doubles[1], from.Doubles[1]) {
		t.Errorf("%v came back as %v", from, to)
	}
	var refused *Error
	if err := (&Mixed{Doubles: [][]float64{make([]float64, 4)}}).Load(f); !errors.As(err, &refused) {
		t.Errorf("loaded into other sizes: %v", err)
	}
}
