package text

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"cadem/core/formats/internal/input"
)

// A list of 1,000,000 links among 100,000 nodes in three layers, 16 MB.
func BenchmarkEdges(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	var list bytes.Buffer
	for k := range 1_000_000 {
		fmt.Fprintln(&list, 1+k%3, random.IntN(100_000), random.IntN(100_000), 1)
	}
	b.SetBytes(int64(list.Len()))
	b.ReportAllocs()
	for b.Loop() {
		s := NewSet()
		if err := s.Read(&input.File{Name: "net.edges", Data: list.Bytes()}); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Sort(); err != nil {
			b.Fatal(err)
		}
		if _, _, err := s.Graph(Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
