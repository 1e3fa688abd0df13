package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
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
	}
}
