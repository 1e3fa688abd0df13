package formats

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// A list of 1,000,000 links among 100,000 nodes in three layers, 15 MB, is looked at and made a graph.
func BenchmarkEdges(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	var list bytes.Buffer
	for k := range 1_000_000 {
		fmt.Fprintln(&list, 1+k%3, random.IntN(100_000), random.IntN(100_000), 1)
	}
	b.SetBytes(int64(list.Len()))
	b.ReportAllocs()
	for b.Loop() {
		c, err := Read([]File{{Name: "net.edges", Data: list.Bytes()}})
		if err == nil {
			_, err = c.Survey(Choice{}, func() error { return nil })
		}
		if err == nil {
			_, _, err = c.Graph(Choice{})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
