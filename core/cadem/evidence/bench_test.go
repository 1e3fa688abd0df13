package evidence_test

import (
	"fmt"
	"testing"

	"cadem.example/core/cadem/evidence"
)

// How long a split takes.
func BenchmarkFind(b *testing.B) {
	for _, c := range []struct {
		m      int
		degree float64
	}{{600, 10}, {5000, 6.67}, {20000, 6.67}} {
		b.Run(fmt.Sprint(c.m), func(b *testing.B) {
			layers, _, _ := planted(1, c.m, 3, 3, c.degree, .5, .9, 3)
			for range b.N {
				r, err := evidence.Find(layers, evidence.Defaults(), evidence.Seeded(1), nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Rank()), "rank")
			}
		})
	}
}
