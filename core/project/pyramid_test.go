package project

import (
	"errors"
	"math"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// crowd is a layout of many nodes whose places are drawn: half of them evenly, half in a tenth of the width.
func crowd(t *testing.T, n int) *ForceDirected {
	t.Helper()
	var edges []multiplex.Edge
	for i := 1; i < n; i++ {
		edges = append(edges, multiplex.Edge{I: i, J: i / 2, Weight: 1})
	}
	a, err := multiplex.FromEdges(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	f := NewForceDirected(&multiplex.Graph{Layers: []multiplex.Layer{{Adjacency: a}}}, rng.New(2, "crowd"))
	for i := 0; i < len(f.at)/2; i++ {
		f.at[i] = 0.3 + f.at[i]/10
	}
	return f
}

// Forces by levels are near those of all pairs, which are added up here one by one.
func TestRepulsionByLevels(t *testing.T) {
	const n = 6000
	f := crowd(t, n)
	if err := f.repelByLevels(nil); err != nil {
		t.Fatal(err)
	}
	off, size, worst := 0.0, 0.0, 0.0
	for i := range n {
		var x, y float64
		for j := range n {
			if j == i {
				continue
			}
			dx, dy := f.at[2*i]-f.at[2*j], f.at[2*i+1]-f.at[2*j+1]
			w := f.charge[j] / (dx*dx + dy*dy + softening)
			x, y = x+w*dx, y+w*dy
		}
		d, s := math.Hypot(f.force[2*i]-x, f.force[2*i+1]-y), math.Hypot(x, y)
		off, size = off+d*d, size+s*s
		worst = max(worst, d)
	}
	share, most := math.Sqrt(off/size), worst/math.Sqrt(size/n)
	t.Logf("%.3f of the forces, %.3f at worst", share, most)
	if share > 0.1 || most > 1 {
		t.Errorf("forces are off by %.3f of their size, by %.3f at worst", share, most)
	}
	enough := errors.New("enough")
	if err := f.StepIn(func(int) error { return enough }); err != enough || f.iteration != 0 {
		t.Errorf("the error of a pause: %v", err)
	}
}

// Every pair of finest cells that are not beside each other meets on one level, and no other does.
func TestLevelsCoverEachPairOnce(t *testing.T) {
	const side = 16
	f := &ForceDirected{}
	for c := range side * side {
		met := make([]int, side*side)
		for other := range side * side {
			// A single charge, seen from the place of a cell, pushes once or not at all.
			levels := [][]float64{make([]float64, 3*side*side), make([]float64, 3*side*side/4), make([]float64, 3*side*side/16)}
			for k, s := 0, side; k < len(levels); k, s = k+1, s/2 {
				at := other/side/(side/s)*s + other%side/(side/s)
				levels[k][3*at], levels[k][3*at+1] = 1, -1
			}
			x, _ := f.far(levels, c/side, c%side, 0, 0)
			met[other] = int(math.Round(x * (1 + softening)))
			want := 1
			if d, e := other/side-c/side, other%side-c%side; d*d <= 1 && e*e <= 1 {
				want = 0
			}
			if met[other] != want {
				t.Fatalf("cells %d and %d meet %d times, expected %d", c, other, met[other], want)
			}
		}
	}
}
