package text

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cadem.example/core/internal/input"
)

// Rows are counted, and pairs joined, as a map of the arcs says it.
func TestCountsOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		n, arcs := 3+r.IntN(4), map[[2]int]float64{}
		rows := 1 + r.IntN(4*n)
		var b strings.Builder
		b.WriteString("source,target,layer,weight\n0,1,other,1\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "%d,%d,other,1\n", i-1, i)
		}
		for range rows {
			i, j, w := r.IntN(n), r.IntN(n), float64(1+r.IntN(2+round%3))
			fmt.Fprintf(&b, "%d,%d,rows,%g\n", i, j, w)
			arcs[[2]int{i, j}] = max(arcs[[2]int{i, j}], w)
		}
		loops, both, same, pairs, weights := 0, 0, 0, 0, [2]map[[2]int]float64{{}, {}} // larger and smaller
		for a, w := range arcs {
			back, ok := arcs[[2]int{a[1], a[0]}]
			weights[0][[2]int{min(a[0], a[1]), max(a[0], a[1])}] = max(w, back)
			switch {
			case a[0] == a[1]:
				loops++
				weights[1][a] = w
			case !ok:
				pairs++
			case a[0] < a[1]:
				pairs++
				both++
				same += btoi(w == back)
				weights[1][a] = min(w, back)
			}
		}
		direction := Directed
		if both == 0 {
			direction = OneWay
		} else if both == pairs && same == pairs {
			direction = BothWays
		}
		for k, mutual := range []bool{false, true} {
			s := NewSet("")
			if err := s.Read(&input.File{Name: "a.csv", Data: []byte(b.String())}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Sort(); err != nil {
				t.Fatal(err)
			}
			g, report, err := s.Graph(Options{Mutual: mutual})
			if err != nil {
				t.Fatal(err)
			}
			c, a := report.Layers[1], g.Layers[1].Adjacency
			if c.Arcs != rows || c.SelfLoops != loops || c.Mutual != both || c.Repeated != rows-len(arcs) || c.Direction != direction {
				t.Fatalf("%s%+v", b.String(), c)
			}
			want := weights[k*btoi(both > 0 && both < pairs)]
			got := 0
			for i := range n {
				for at := a.Start[i]; at < a.Start[i+1]; at++ {
					w := 1.0
					if a.Value != nil {
						w = a.Value[at]
					}
					j := int(a.Index[at])
					if got++; want[[2]int{min(i, j), max(i, j)}] != w {
						t.Fatalf("%sthe pair %d, %d has weight %g, expected %v", b.String(), i, j, w, want)
					}
				}
			}
			if got != 2*len(want)-loops || c.Weighted != (a.Value != nil) {
				t.Fatalf("%s%d entries, expected %v", b.String(), got, want)
			}
		}
	}
}
