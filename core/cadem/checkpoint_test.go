package cadem

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"cadem/core/multiplex"
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

// A checkpoint of format 1 holds averages for moments: the run has the same weights and goes
// on as near as rounding lets it.
func TestCheckpointOfFormat1(t *testing.T) {
	g := []*multiplex.Graph{blocks(t, 20, 2, 8)}
	r := start(t, g[0], small(), 1, Single).(*run[float32])
	for range 4 {
		r.Step()
	}
	before := r.Hash()
	header, arrays := unseal(r.Checkpoint())
	at := 0
	for i, a := range r.arrays()[:4*9+2*6] {
		for range a {
			x := math.Float32frombits(binary.LittleEndian.Uint32(arrays[at:]))
			switch i % 3 {
			case 1:
				x *= 1 - .9
			case 2:
				x *= 1 - .999
			}
			binary.LittleEndian.PutUint32(arrays[at:], math.Float32bits(x))
			at += 4
		}
	}
	old, err := Resume(g, seal(bytes.Replace(header, []byte(`"version":2`), []byte(`"version":1`), 1), arrays))
	if err != nil {
		t.Fatal(err)
	}
	if old.Hash() != before {
		t.Error("other weights")
	}
	for range 4 {
		r.Step()
		old.Step()
	}
	for _, name := range []string{"l0.W1c", "l1.W2p", "l0.bc", "Wphi"} {
		want := r.Tensor(name)
		for i, x := range old.Tensor(name) {
			if math.Abs(x-want[i]) > 1e-6*(math.Abs(want[i])+.01) {
				t.Fatalf("%s: %v, want %v", name, x, want[i])
			}
		}
	}
}
