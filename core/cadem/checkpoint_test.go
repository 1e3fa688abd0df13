package cadem

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"testing"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/precision"
	"cadem.example/core/multiplex"
)

// resume goes on from a checkpoint in memory.
func resume(graphs []*multiplex.Graph, checkpoint []byte) (*Trainer, error) {
	c, err := OpenCheckpoint(bytes.NewReader(checkpoint))
	if err != nil {
		return nil, err
	}
	t, err := c.New(graphs, Given{})
	if err != nil {
		return nil, err
	}
	return t, c.Restore(t)
}

// A checkpoint of format 1 holds averages for moments: the run has the same weights and goes
// on as near as rounding lets it.
func TestCheckpointOfFormat1(t *testing.T) {
	g := []*multiplex.Graph{blocks(t, 20, 2, 8)}
	r := start(t, g[0], small(), 1, precision.Single)
	for range 4 {
		r.Step()
	}
	before := r.Hash()
	header, arrays := unseal(r.Checkpoint())
	at := 0
	for i, a := range modelOf[float32](r).arrays().(checkpoint.List[float32])[:4*9+2*6] {
		for range a.Here {
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

// A full is a writer with room for a number of bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestWriteCheckpointTellsErrors(t *testing.T) {
	r := start(t, blocks(t, 20, 2, 8), small(), 1, precision.Single)
	n := len(r.Checkpoint())
	for _, room := range []int{0, n - 9, n - 1} {
		f := full(room)
		if err := WriteCheckpoint(&f, r); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("room for %d of %d bytes: %v", room, n, err)
		}
	}
	f := full(n)
	if err := WriteCheckpoint(&f, r); err != nil || f != 0 {
		t.Errorf("room for all: %v, %d bytes left", err, f)
	}
}
