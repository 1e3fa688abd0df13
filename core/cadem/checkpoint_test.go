package cadem

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// resume goes on from a checkpoint in memory.
func resume(graphs []*multiplex.Graph, checkpoint []byte) (Trainer, error) {
	c, err := OpenCheckpoint(bytes.NewReader(checkpoint))
	if err != nil {
		return nil, err
	}
	return c.Resume(graphs)
}

// noise returns n bytes.
func noise(n int) []byte {
	src := rng.New(2, "bytes")
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(src.IntN(256))
	}
	return b
}

// What is packed comes back whole, with the checksum of its definition, wherever the ends of
// windows fall: in the header, in a number, between two arrays, nowhere.
func TestPackedComesBack(t *testing.T) {
	for _, size := range []int{0, 3, 8, window - 20, window - 8, window - 3, window, 2*window + 11} {
		head, single, double := noise(size), make([]float32, 70001), make([]float64, 40003)
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
		u, headBack, singleBack, doubleBack := newUnpacker(bytes.NewReader(b), 0, int64(len(body))), make([]byte, size), make([]float32, len(single)), make([]float64, len(double))
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
		for range a.here {
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
	old, err := resume(g, seal(bytes.Replace(header, []byte(`"version":2`), []byte(`"version":1`), 1), arrays))
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

// A full is a writer that takes so many bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestWriteCheckpointTellsErrors(t *testing.T) {
	r := start(t, blocks(t, 20, 2, 8), small(), 1, Single)
	n := len(r.Checkpoint())
	for _, room := range []int{0, n - 9, n - 1} {
		f := full(room)
		if err := r.WriteCheckpoint(&f); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("room for %d of %d bytes: %v", room, n, err)
		}
	}
	f := full(n)
	if err := r.WriteCheckpoint(&f); err != nil || f != 0 {
		t.Errorf("room for all: %v, %d bytes left", err, f)
	}
}
